/** The fleet of a store: opened by an address, and what it refuses, in words. */
import { userInfo } from 'node:os';
import type * as packages from '@assay/fleet';
import type { Engine, Fleet, FleetError } from '@assay/fleet';
import { maskedAddress } from '@assay/host';
import type { Json } from '@assay/kernel';
import { safeJson } from '@assay/views';
import { misuse, orStop, unreachable, type Stop, needsOption, badValue } from '../problems/problem.js';
import { schemaProblem } from '../problems/store-problem.js';
import { commandLine, show } from '../terminal/shown.js';
import { VERSION } from '../terminal/version.js';
import { loadOptional } from './read.js';
import { isServer, openServer, storeProblem } from './store.js';

/** The options of every verb of a fleet. */
export type FleetFlags = { readonly store?: string; readonly engine?: string };

/** A fleet that is open. `place`, `engine`: as messages name its store and what carries its runs. */
type OpenFleet = {
  readonly fleet: Fleet;
  readonly store: Awaited<ReturnType<typeof openServer>>;
  readonly place: string;
  readonly engine: string;
};

/** How to open. `connects`: to the engine too. `mustExist`: tables that are not there are an error. */
type Opening = { readonly connects?: boolean; readonly mustExist?: boolean; readonly connections?: number };

const GIVE = 'give --store postgres://USER@HOST/DATABASE';

/** Does work with the fleet of a store, and closes it. Raises `Stop`. */
export async function withFleet<T>(
  flags: FleetFlags,
  opening: Opening,
  work: (open: OpenFleet) => Promise<T>,
): Promise<T> {
  const { store: url } = flags;
  if (url === undefined) throw needsOption('no store is named', '--store', GIVE);
  const place = maskedAddress(url);
  if (!isServer(url))
    throw misuse(
      'no_fleet',
      'only a PostgreSQL store has a fleet',
      place,
      `${GIVE}; store copy takes runs there`,
    );
  const connect = readEngine(flags.engine);
  const { mustExist = false, connects = false, connections = 2 } = opening;
  const found = await loadFleet();
  if (found === null)
    throw misuse(
      'package',
      'no fleet: @assay/fleet is not installed',
      place,
      `type: npm install @assay/fleet@${VERSION}`,
    );
  const store = await openServer(url, { mustExist, connections });
  try {
    const made = connects ? await connect(found, url, store.schema) : found.memoryEngine();
    const opened = await found.openFleet({ store, engine: made });
    if (opened._tag === 'Left') await made.close();
    const fleet = orStop(opened, (error) => fleetProblem(error, place));
    try {
      return await work({ fleet, store, place, engine: nameEngine(flags.engine) });
    } finally {
      await fleet.close();
    }
  } finally {
    await store.close();
  }
}

/** Leaves an answer for the process that drives the run; gives what is said of it. */
export type Leave = (request: string, value: Json) => Promise<string>;

/** The way to a run that a fleet of this store drives; null where none does. Raises `Stop`. */
export async function findInbox(
  flags: FleetFlags & { readonly by?: string },
  run: string,
): Promise<Leave | null> {
  const { store = '', by = userInfo().username } = flags;
  if (!isServer(store) || (await loadFleet()) === null) return null;
  const opening = { mustExist: true };
  const found = await withFleet(flags, opening, async ({ fleet, place }) =>
    orStop(await fleet.runs({ run }), (error) => fleetProblem(error, place)),
  );
  const [entry] = found.runs;
  if (entry === undefined) return null;
  const next = entry.held
    ? `the run is held; assay work retry ${run} lets a worker record it`
    : 'a worker records it';
  return (request, value) =>
    withFleet(flags, opening, async ({ fleet, place }) => {
      orStop(await fleet.answer(run, request, { value, by }), (error) => fleetProblem(error, place));
      const again = `if the machine rejects it, ${run} waits again (store list --fleet)`;
      return `answered by ${by}: ${next}; ${again}`;
    });
}

function loadFleet(): Promise<Packages | null> {
  return loadOptional(() => import('@assay/fleet'));
}

type Packages = typeof packages;
type Connect = (packages: Packages, url: string, schema: string) => Promise<Engine>;

/** Connects to the engine that is named. Raises `Stop`: `bad_value`; then `engine_package`, `engine_unavailable`. */
function readEngine(given: string = 'dbos'): Connect {
  const [, redis = ''] = /^bullmq:(rediss?:\/\/.+)$/.exec(given) ?? [];
  const named = nameEngine(given);
  if (given !== 'dbos' && redis === '')
    throw badValue('no such engine', named, 'give dbos, or bullmq:redis://HOST:PORT');
  return async ({ dbosEngine, bullmqEngine }, url, schema) => {
    try {
      return await (redis === '' ? dbosEngine({ url, schema }) : bullmqEngine({ url: redis, schema }));
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (!(error instanceof Error) || typeof code !== 'string') throw error;
      if (code === 'engine_url')
        throw badValue('not the address of an engine', named, 'give redis://HOST:PORT/NUMBER');
      const install: unknown = Reflect.get(error, 'install');
      if (typeof install !== 'string') throw engineAway(code, named);
      const [message = ''] = error.message.split(': ');
      throw misuse(code, message, named, `type: ${install}; or name another --engine`);
    }
  };
}

/** An engine as messages name it: a password as `***`. */
function nameEngine(given: string = 'dbos'): string {
  const [kind = '', address = ''] = /^(bullmq:)?(.*)$/s.exec(given)?.slice(1) ?? [];
  return `--engine ${kind}${maskedAddress(address)}`;
}

function engineAway(errno: string, place: string): Stop {
  return unreachable(
    'engine_unavailable',
    `the engine does not answer (${errno})`,
    place,
    'start its server, then the worker, or name another --engine; no run is lost',
  );
}

/** What is said of a code, and what to do about it. */
const REFUSED: { readonly [code: string]: readonly [code: string, message: string, remedy: string] } = {
  closed_request: ['not_asked', 'this request is not open', 'see assay store list --fleet'],
  source: ['not_asked', 'no person may answer this request', 'its worker answers it'],
  answered: ['answered', 'this request already has an answer; yours was not kept', 'see assay show'],
  by: ['bad_value', 'not a name of 1 to 200 characters', 'give another --by'],
  value: ['bad_value', 'a ledger cannot hold this value; nothing was kept', 'see docs/formats/limits.md'],
};

/** What a fleet's refusal means to the person at the terminal. `lines`: where each genesis was read. */
export function fleetProblem(error: FleetError, place: string, lines: readonly string[] = []): Stop {
  const list = commandLine(['assay', 'store', 'list', place, '--fleet']);
  switch (error.code) {
    case 'engine':
      return engineAway(error.errno, place);
    case 'fleet_schema': {
      const detail = error.detail === 'version' ? 'newer' : error.detail;
      return schemaProblem({ ...error, code: 'schema', detail }, place);
    }
    case 'exists':
      return misuse(
        'run_exists',
        'a run with this id and another genesis exists; nothing was queued',
        error.run_id,
        'give another run_id',
      );
    case 'full':
      return unreachable(
        'fleet_full',
        `${error.queued} runs are queued, and at most ${error.limit} may be; nothing was queued`,
        place,
        show`submit again later; ${list} counts the queue`,
      );
    case 'genesis': {
      const { code } = error.rejection;
      const detail = 'detail' in error.rejection ? ` ${safeJson(error.rejection.detail)}` : '';
      return misuse(
        'bad_genesis',
        `the machine refuses this genesis: ${code}${detail}; nothing was queued`,
        lines[error.index] ?? error.run_id ?? '',
        'correct it and submit all lines again',
      );
    }
    case 'unknown_run':
      return misuse('no_run', 'no such run in this fleet', error.run_id, show`${list} lists the runs`);
    case 'state':
      return misuse('run_state', `the run is ${error.state}`, error.run_id, show`${list} shows its state`);
    case 'too_large':
      return misuse(
        'too_large',
        `this answer has ${error.bytes} bytes; at most ${error.limit} are allowed; nothing was kept`,
        error.request,
        'give a shorter answer',
      );
    case 'closed_request':
    case 'source':
    case 'answered':
    case 'by':
    case 'value': {
      const [code, message, remedy] = REFUSED[error.code] ?? ['refused', error.code, ''];
      return misuse(code, message, error.request, remedy);
    }
    default:
      return storeProblem(error, place);
  }
}
