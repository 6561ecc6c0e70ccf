/**
 * `npm run bench`: every bench of the repository, one after the other, each with its targets and whether they
 * are met.
 *
 *   --json one JSON document on stdout, and nothing else (npm's own banner is before it unless
 *   `npm run --silent`) --rivals also what the durable step is measured against: installed on demand, see
 *   bench/rivals --only A,B only the benches whose path contains one of these --write writes the rows that
 *   were measured into docs/benchmarks.md; with `--from FILE` those of a document that `--json` gave, running
 *   nothing
 *
 * The document is also kept in reports/bench.json. A missed target exits 0, a bench that breaks 1. Ratios are
 * taken within one interleaved run; quote them, not single times, and say what else the machine was doing.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from '../bench/lib/targets.mjs';
import { line, writeTable } from './lib/bench-table.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture, root } from './lib/run.mjs';

const BENCHES = [
  ['a record against the floor of any record', 'packages/kernel/bench/record.bench.mjs'],
  ['verification: strict, integrity, hash-only', 'packages/verifier/bench/verify.bench.mjs'],
  ['verification of a million records', 'packages/verifier/bench/million.bench.mjs'],
  ['the tree root of a signed head within strict verification', 'packages/attest/bench/root.bench.mjs'],
  ['the commands that sign and verify a million records', 'packages/attest/bench/command.bench.mjs'],
  ['proofs of a million records from a stored tree', 'packages/attest/bench/prove.bench.mjs'],
  ['advance as a run grows', 'packages/testing/bench/advance.bench.mjs', '--json'],
  ['steps of a controller run', 'packages/controller/bench/advance.bench.mjs'],
  ['one evaluation of the goal gradient', 'packages/controller/bench/ggs.bench.mjs', '--json'],
  ['a driven step as a run grows to 1,000,000 steps', 'packages/host/bench/drive.bench.mjs', '--json'],
  ['taking up a run of 100,000 steps', 'packages/host/bench/resume.bench.mjs', '--json'],
  ['replay, bytes of a step, memory of a run', 'packages/host/bench/replay.bench.mjs'],
  ['a request from text to closed ledger', 'packages/proposers/bench/intent.bench.mjs', '--json'],
  ['reports in Chromium, and writing them', 'packages/explorer/bench/page.bench.mjs'],
  ['the command on a request of 300 words', 'packages/cli/bench/command.bench.mjs', '--json'],
  ['a log of 100,000 runs: appended, checked, proven', 'packages/cli/bench/log.bench.mjs'],
  ['10,000 recorded runs decided again', 'packages/cli/bench/impact.bench.mjs', '--json'],
  ['a million records verified by two threads', 'packages/cli/bench/verify-threads.bench.mjs', '--json'],
  ['the audit of a controller run of 100,000 records', 'packages/controller/bench/audit.bench.mjs'],
  ['a call of a task, made durable', 'packages/controller/bench/call.bench.mjs'],
  ['potentials of a tag of a memory', 'packages/controller/bench/memory.bench.mjs', '--json'],
  ['schedules, cores, repairs and certificates of plans', 'packages/planner/bench/schedule.bench.mjs'],
  ["others' plans: PSPLIB", 'packages/planner/bench/psplib.bench.mjs'],
  ['a goal tree of ten thousand nodes', 'packages/planner/bench/tree.bench.mjs'],
  ['verdicts of contracts', 'packages/ecology/bench/verdict.bench.mjs'],
  ['window, auction and income', 'packages/ecology/bench/mechanisms.bench.mjs'],
  ['repairs of large plans with a solver', 'packages/proposers/bench/solver.bench.mjs'],
  ['sleepers beside a step of an ecology', 'packages/ecology/bench/sleepers.bench.mjs', '--json'],
  ['actions of an ecology, and its verification', 'packages/ecology/bench/actions.bench.mjs'],
  ['agents of an ecology that are asked', 'packages/ecology/bench/minds.bench.mjs'],
  ['calls through a gate, past sessions', 'packages/gate/bench/gate.bench.mjs', '--json'],
  ['durable steps: files', 'packages/host/bench/durable.bench.mjs'],
  ['durable steps: SQLite', 'packages/store-sqlite/bench/durable.bench.mjs'],
  ['a fleet against `drive` alone', 'packages/fleet/bench/rate.bench.mjs'],
  ['how soon a fleet goes on', 'packages/fleet/bench/takeover.bench.mjs'],
  ['a fleet of 100,000 runs', 'packages/fleet/bench/many.bench.mjs'],
  ['durable steps: PostgreSQL', 'packages/store-postgres/bench/durable.bench.mjs'],
];
const RIVALS = [['durable steps against LangGraph on SqliteSaver', 'bench/rivals/run.mjs']];
const DOCUMENT = join(root, 'reports', 'bench.json');

const has = (name) => process.argv.includes(name);
const given = (name) => (has(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
refuseUnknown();
const isJson = has('--json');
const from = given('--from');

const document = from === undefined ? measure() : JSON.parse(readFileSync(from, 'utf8'));
if (from === undefined) {
  mkdirSync(join(root, 'reports'), { recursive: true });
  writeFileSync(DOCUMENT, `${JSON.stringify(document, null, 2)}\n`);
}
if (has('--write'))
  writeTable(
    document,
    [...BENCHES, ...RIVALS].map(([, path]) => path),
  );
if (isJson) console.log(JSON.stringify(document));
else
  console.log(
    `${document.targets.filter(({ met }) => met === true).length} targets met, ` +
      `${document.missed.length} missed, ${document.not_measured.length} not measured`,
  );
process.exit(document.broken.length === 0 ? 0 : 1);

/**
 * Ends the process on what is no option: benches run for minutes, and a misspelt one would measure the wrong
 * thing.
 */
function refuseUnknown() {
  const options = process.argv.slice(2);
  const unknown = options.find(
    (option, at) =>
      !['--json', '--rivals', '--write', '--only', '--from'].includes(option) &&
      !['--only', '--from'].includes(options[at - 1]),
  );
  if (unknown === undefined) return;
  console.error(
    `bench: ${unknown} is no option; it takes --json, --rivals, --write, --only A,B and --from FILE`,
  );
  process.exit(2);
}

function measure() {
  prepare();
  const only = given('--only')?.split(',');
  const all = has('--rivals') || only !== undefined ? [...BENCHES, ...RIVALS] : BENCHES;
  const chosen = all.filter(([, path]) => only === undefined || only.some((part) => path.includes(part)));
  if (chosen.length === 0) {
    console.error(
      `bench: no bench has ${only.join(' or ')} in its path:\n${all.map(([, path]) => path).join('\n')}`,
    );
    process.exit(2);
  }
  const before = machine();
  const benches = {};
  for (const bench of chosen) benches[bench[1]] = runOne(bench);
  const targets = Object.entries(benches).flatMap(([path, { result }]) =>
    (result?.targets ?? []).map((target) => ({ ...target, bench: path, load_1m: result.machine.load_1m })),
  );
  const ids = (met) => targets.filter((target) => target.met === met).map(({ id }) => id);
  return {
    format: 'assay-bench/1',
    commit: capture('git', ['describe', '--always', '--dirty', '--exclude=*']).stdout.trim(),
    date: new Date().toISOString(),
    node: process.version,
    machine: before,
    load_1m_after: machine().load_1m,
    drivers: driversOf(Object.values(benches)),
    benches,
    targets,
    missed: ids(false),
    not_measured: ids(null),
    broken: Object.keys(benches).filter((path) => benches[path].status !== 0),
  };
}

function runOne([title, path, ...options]) {
  if (!isJson) console.log(`== ${title} (${path})`);
  const start = process.hrtime.bigint();
  const { stdout, status } = spawnSync(process.execPath, ['--expose-gc', join(root, path), ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const seconds = Math.round(Number(process.hrtime.bigint() - start) / 1e9);
  const result = parse(stdout);
  if (!isJson)
    console.log(
      [
        ...(result?.targets ?? []).map(line),
        result === null ? stdout.trim() : JSON.stringify({ ...result, targets: undefined }),
        `${seconds} s`,
        '',
      ].join('\n'),
    );
  return { title, status: result === null ? 1 : status, seconds, result };
}

/** The document a bench printed; null where it broke. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The databases that were measured, as the benches name them. */
function driversOf(benches) {
  const results = benches.map(({ result }) => result);
  const sqlite = results.find((result) => result?.bench === 'durable-sqlite');
  const postgres = results.find((result) => result?.bench === 'durable-postgres');
  const rival = results.find((result) => result?.bench === 'sqlite-saver');
  return {
    ...(sqlite === undefined ? {} : { sqlite: `${sqlite.driver} (SQLite ${sqlite.sqlite})` }),
    ...(postgres?.postgres === undefined
      ? {}
      : { postgres: `${postgres.driver} (PostgreSQL ${postgres.postgres.version})` }),
    ...(rival?.versions === undefined ? {} : { rivals: rival.versions }),
  };
}
