/** `assay doctor`: does this installation work. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nativeSha256 } from '@assay/host';
import { nobleSha256, utf8Bytes } from '@assay/kernel';
import { fleetProblem, withFleet, type FleetFlags } from '../files/fleet.js';
import { EXIT, orStop, worst, type ExitCode } from '../problems/problem.js';
import { jsonIn, padded, show, styled, textIn } from '../terminal/shown.js';
import { VERSION } from '../terminal/version.js';
import type { Context } from '../call/output.js';

/** One finding. `exit`: what it makes of the call; 0 where all is well. */
type Finding = {
  readonly check: string;
  readonly state: 'works' | 'fails' | 'not tried';
  readonly detail: string;
  readonly exit: ExitCode;
};

const NODE_MIN: readonly [major: number, minor: number] = [20, 19];
const PACKAGES = ['kernel', 'verifier', 'testing', 'host', 'store-sqlite', 'proposers'] as const;
/** SHA-256 of "abc". Source: FIPS 180-4, example 1. */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

/** Looks at Node, the packages, the digest and the workers of a fleet, and says what is never done. */
export async function doctor({ output }: Context, flags: FleetFlags): Promise<ExitCode> {
  const findings = [
    nodeVersion(process.versions.node),
    packages(),
    digest(),
    await sandbox(),
    await sqlite(),
    optional('postgres', '@assay/store-postgres'),
    optional('fleet', '@assay/fleet'),
    engines(),
    ...(flags.store === undefined ? [] : [await workers(flags)]),
    offline(),
  ];
  output.document({
    version: VERSION,
    checks: findings.map(({ check, state, detail }) => ({ check, state, detail })),
  });
  output.line(show`assay ${VERSION}`);
  for (const { check, state, detail } of findings)
    output.line(
      show`${padded(show`${check}`, 10)}${padded(
        styled(state === 'works' ? 'good' : state === 'fails' ? 'bad' : 'open', show`${state}`),
        11,
      )}${detail}`,
    );
  return worst(findings.map(({ exit }) => exit));
}

/** Whether this is a Node that the packages are made for. */
export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isFit = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  return finding(
    'node',
    isFit,
    isFit ? version : `${version}; ${NODE_MIN.join('.')} or later is needed`,
    EXIT.use,
  );
}

function packages(): Finding {
  const found = PACKAGES.map((name) => ({ name, version: installed(`@assay/${name}`) }));
  const odd = found.filter(({ version }) => version !== VERSION);
  const detail =
    odd.length === 0
      ? `${found.length + 1} packages, all ${VERSION}`
      : odd.map(({ name, version }) => `@assay/${name} is ${version ?? 'missing'}`).join(', ');
  return finding(
    'packages',
    odd.length === 0,
    odd.length === 0 ? detail : `${detail}; ${VERSION} is expected: install again`,
    EXIT.use,
  );
}

/** The version of a package; null where it is not installed. */
function installed(name: string): string | null {
  try {
    // What a package exports need not be its manifest.
    for (let place = import.meta.resolve(name); ; place = new URL('..', place).href) {
      const path = fileURLToPath(new URL('package.json', place));
      if (existsSync(path)) return textIn(jsonIn(readFileSync(path, 'utf8')), 'version') || null;
      if (new URL('..', place).href === place) return null;
    }
  } catch {
    return null;
  }
}

/** Both digests on a published vector and on every length around the block size. */
function digest(): Finding {
  const bytes = Uint8Array.from({ length: 260 }, (_, index) => (index * 167 + 13) % 256);
  const lengths = Array.from({ length: bytes.length + 1 }, (_, length) => bytes.subarray(0, length));
  const isEqual =
    lengths.every((part) => nobleSha256(part) === nativeSha256(part)) &&
    nobleSha256(utf8Bytes('abc')) === ABC;
  return finding(
    'digest',
    isEqual,
    isEqual
      ? `SHA-256 of kernel and runtime agree on ${lengths.length + 1} inputs`
      : 'SHA-256 of kernel and runtime differ; trust neither',
    EXIT.defect,
  );
}

/** Whether the engine of contracts is the one that ledgers name. Its bytes are looked at; it is not loaded. */
async function sandbox(): Promise<Finding> {
  const { ENGINE_ID, ENGINE_SHA256 } = await import('@assay/ecology/sandbox/id');
  const { engineFile } = await import('@assay/ecology/sandbox/node');
  try {
    const { path, sha256 } = await engineFile();
    const isSame = sha256 === ENGINE_SHA256;
    return finding(
      'sandbox',
      isSame,
      isSame ? ENGINE_ID : `${path} has other bytes: install again`,
      EXIT.use,
    );
  } catch (error) {
    return finding('sandbox', false, error instanceof Error ? error.message : String(error), EXIT.use);
  }
}

/** Which SQLite a store would use. Without one only stores in SQLite do not work, so that is no failure. */
async function sqlite(): Promise<Finding> {
  const { findDriver } = await import('@assay/store-sqlite');
  const driver = await findDriver();
  if (driver._tag === 'Right')
    return finding('sqlite', true, `${driver.right.name}, SQLite ${driver.right.version}`, EXIT.done);
  const { left } = driver;
  return notTried('sqlite', left.code === 'driver' ? `${left.detail}; type: ${left.install}` : left.code);
}

/** Whether an optional package is there, and of this version. */
function optional(check: string, name: string): Finding {
  const version = installed(name);
  if (version === null)
    return notTried(check, `${name} is not installed; type: npm install ${name}@${VERSION}`);
  const isFit = version === VERSION;
  const odd = `${name} is ${version}; ${VERSION} is expected: install again`;
  return finding(check, isFit, isFit ? `${name} ${version}` : odd, EXIT.use);
}

/** Engines of fleets, and the majors that a worker takes. */
const ENGINES = [
  ['dbos', '@dbos-inc/dbos-sdk', 5],
  ['bullmq', 'bullmq', 6],
] as const;

/** Which engines could carry runs to workers here. Without any only work has none, so that is no failure. */
function engines(): Finding {
  const found = ENGINES.map(([name, of, major]) => ({ name, of, major, version: installed(of) }));
  const there = found.filter(({ version }) => version !== null);
  const odd = there.find(({ version, major }) => !(version ?? '').startsWith(`${major}.`));
  if (odd !== undefined)
    return finding('engine', false, `${odd.of} is ${odd.version}; a fleet takes ${odd.major}`, EXIT.use);
  const detail = there.map(({ name, version }) => `${name} ${version}`).join(', ');
  return there.length > 0
    ? finding('engine', true, detail, EXIT.done)
    : notTried('engine', 'none is installed; type: npm install @dbos-inc/dbos-sdk@5.3.0');
}

/** The workers of a fleet. Raises `Stop`. */
function workers(flags: FleetFlags): Promise<Finding> {
  return withFleet(flags, { mustExist: true }, async ({ fleet, place }) => {
    const found = orStop(await fleet.workers(), (error) => fleetProblem(error, place));
    const lines = found.map(
      ({ host, pid, serves, concurrency, engine }) =>
        `${host}:${pid} serves ${serves.join(', ')}, ${concurrency} at once, by ${engine}`,
    );
    return lines.length === 0
      ? notTried('workers', 'none, so queued runs wait')
      : finding('workers', true, lines.join('; '), EXIT.done);
  });
}

function offline(): Finding {
  return {
    check: 'offline',
    state: 'works',
    detail:
      'Assay connects only to what you name: a postgres: store, an --engine, or a model with llm:; ' +
      'mcp listens only with --http; Assay never looks for updates',
    exit: EXIT.done,
  };
}

/** What is not there, which is no failure. */
function notTried(check: string, detail: string): Finding {
  return { check, state: 'not tried', detail, exit: EXIT.done };
}

function finding(check: string, isFit: boolean, detail: string, exit: ExitCode): Finding {
  return { check, state: isFit ? 'works' : 'fails', detail, exit: isFit ? EXIT.done : exit };
}
