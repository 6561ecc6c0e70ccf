/** Driving a run to its end: what `run`, `resume`, `control` and `demo` share. */
import {
  drive,
  type DriveError,
  type DriveOptions,
  type Identity,
  type Ports,
  type Store,
} from '@assay/host';
import {
  isArray,
  type EvidenceRecord,
  type GenesisInput,
  type Json,
  type Machine,
  type Rejection,
  type Request,
} from '@assay/kernel';
import { storeProblem } from '../files/store.js';
import { notesProblem, restoreRemedy } from '../problems/store-problem.js';
import { EXIT, misuse, makeStop, unsound, type Remedy, type Stop } from '../problems/problem.js';
import { textIn, valueIn, show } from '../terminal/shown.js';
import { leavingSignals } from '../terminal/signals.js';
import type { LiveDrive } from './model-failures.js';
import { describeEnd, recordsIn, type Ended } from './results.js';

/**
 * How a run is driven. `place`: how messages name the store. `signal`: stops it between two records. `again`:
 * the command that goes on with it afterwards.
 */
export type Driving = {
  readonly ports: Ports;
  readonly place: string;
  readonly signal?: AbortSignal;
  readonly again?: Remedy;
  /** The `--set` options of the call. */
  readonly set?: readonly string[];
  /** What is said where nothing is left but what waits for somebody outside. */
  readonly waits?: (open: readonly Request[], records: readonly EvidenceRecord[]) => Stop;
  /** How language models are asked, where there are any. */
  readonly live?: LiveDrive;
} & Pick<DriveOptions, 'onEvent' | 'concurrency' | 'order'>;

/** Where a run is driven. `start`: its first record, or the id of a stored one. */
export type Where = {
  readonly start: GenesisInput | string;
  readonly identity: Pick<Identity, 'run_id'>;
  readonly kept: { readonly store: Store };
};

/** Drives a new or stored run of a machine to its end. Leaves the store open. Raises `Stop`. */
export async function driveMachine<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  { start, identity: { run_id: runId }, kept: { store } }: Where,
  { place, again, live, waits, set, ...given }: Driving,
): Promise<Ended> {
  const result = await drive(leavingSignals(machine), start, { ...given, ...live, store });
  if (result._tag === 'Left') throw driveProblem(result.left, runId, place, set);
  const { end, head, run, waiting } = result.right;
  if (end === 'waiting' && waits !== undefined) {
    const ids = new Set(waiting.map(({ request_id }) => request_id));
    const open = [...run.open].flatMap(([id, { request }]) => (ids.has(id) ? [request] : []));
    throw waits(open, await recordsIn(store, runId, place));
  }
  if (end === 'interrupted')
    throw makeStop({
      code: 'interrupted',
      message:
        place === ''
          ? 'interrupted; this run was not saved'
          : `interrupted; ${head.count} records are saved; the run continues from there`,
      place,
      remedy: again ?? 'run it again',
      exit: EXIT.interrupted,
    });
  if (end !== 'success' && end !== 'refused')
    throw makeStop({
      code: 'run_open',
      message: `the run did not end (${end})`,
      place,
      remedy: again ?? 'run it again',
      exit: EXIT.unreachable,
    });
  return describeEnd(await recordsIn(store, runId, place), head, end);
}

/**
 * What keeps a run from being driven. A stored ledger that does not hold is exit 3: that is a check that
 * failed. Changes nothing.
 */
export function driveProblem(
  error: DriveError,
  runId: string,
  place: string,
  set: readonly string[] = [],
): Stop {
  switch (error.code) {
    case 'rejected':
      return (
        baseProblem(error.rejection, runId) ?? rejected(error.rejection.code, error.rejection.detail, set)
      );
    case 'exists':
      return misuse(
        'run_exists',
        'another run is stored under this name',
        runId,
        'give another --set run_id=',
      );
    case 'store':
      return storeProblem(error.error, place);
    case 'notes':
      return notesProblem(error, 'give the same command again');
    case 'line':
      return invalid(
        'store_line',
        `record ${error.record} of the stored run is no record (${error.reason})`,
        place,
      );
    case 'ledger':
      if (error.failed.code === 'unknown_machine')
        return misuse(
          'other_machine',
          'this is a run of another machine',
          place,
          'name another run with #RUN',
        );
      return invalid(
        'store_ledger',
        `the stored run does not replay: ${error.failed.code} at record ${error.failed.record}`,
        place,
      );
  }
}

function invalid(code: string, message: string, place: string): Stop {
  return unsound(code, message, place, show`nothing was changed; ${restoreRemedy(place)}`);
}

/**
 * The machine's own words for a policy, pin or request it does not take. `set`: the `--set` options of the call, one
 * of which may be at fault.
 */
export function rejected(
  code: string,
  detail: Json,
  set: readonly string[] = [],
  to: { readonly place?: string; readonly remedy?: Remedy } = {},
): Stop {
  const rule = textIn(detail, 'rule');
  const place = ['field', 'key', 'path'].map((key) => textIn(detail, key)).find((text) => text !== '') ?? '';
  const said = rule === '' ? (RULES.get(place) ?? JSON.stringify(detail)) : inWords(rule);
  const wrong = set.find((one) => one.split('=', 1)[0]?.split('.').at(-1) === place.split(/[/.]/).at(-1));
  const remedies: { readonly [code: string]: string } = {
    bad_policy: 'correct this field of --set',
    bad_pin: 'write pins like --pin no_card_data=true or --pin latency.p99="<= 200 ms"',
    bad_input: 'give a shorter or another request',
    inadmissible: 'see docs/formats/limits.md',
  };
  return misuse(
    code,
    `the run cannot be opened: ${said}`,
    to.place ?? (wrong === undefined ? place : `--set ${wrong}`),
    to.remedy ??
      (wrong === undefined ? remedies[code] : 'give another value') ??
      'see docs/formats/ledger.md',
  );
}

const RULES: ReadonlyMap<string, string> = new Map([
  ['object', 'it must be an object'],
  ['shape', 'it does not have the form that the machine takes'],
  ['all_zero', 'all weights are 0; at least one must count'],
  ['weights', 'weights must be an object with every criterion, each an integer from 0 to 1000000'],
  ['lexicographic', 'the only value is "lexicographic"'],
  ['prohibition', 'a pin no_… forbids what it names, and takes true or false only'],
  [
    'weaker_than_planner',
    'the player of R4b must rank at least as high as the player of R2; no rank counts as 0',
  ],
  ['w1_plus_w2_1000000', 'w1 and w2 must be 1000000 together'],
  ['/text', 'a task has at most 20,000 characters; put what is long into a file that it reads'],
  ['names_1_to_16', 'it must be a list of 1 to 16 different names'],
]);

/** A rule of a policy field as a sentence; a rule that is not known here shows as it is. */
function inWords(rule: string): string {
  const [, from, to] = /^integer_(?:from_)?(\d+)(?:_to_(\d+))?$/.exec(rule) ?? [];
  if (from !== undefined)
    return to === undefined
      ? `it must be an integer, ${from} or greater`
      : `it must be an integer from ${from} to ${to}`;
  return RULES.get(rule) ?? rule;
}

/**
 * What keeps a fork or a continuation from being driven, in words; null for every other rejection. Exit 3
 * where its base is not what it says, else 2. Nothing was asked or changed.
 */
export function baseProblem({ code, detail }: Rejection, runId: string): Stop | null {
  const base = textIn(detail, 'run_id');
  const count = JSON.stringify(valueIn(detail, 'count'));
  const records = JSON.stringify(valueIn(detail, 'records'));
  const counts = `${base} had ${count} records when ${runId} took over from it, and has ${records}`;
  const anew = `nothing was asked; start a new continuation from a current snapshot of ${base}`;
  switch (code) {
    case 'base_mismatch':
      return unsound(
        code,
        `the base of this run differs from the stored run (${textIn(detail, 'found')})`,
        base,
        `nothing was changed; verify both with assay verify, and restore ${base} from a copy`,
      );
    case 'base_closed':
      return misuse(
        code,
        `the base of this run is finished: ${counts}`,
        base,
        `nothing was asked; use the outcome of ${base}`,
      );
    case 'base_went_on':
      return misuse(code, `the base of this run continued and has newer answers: ${counts}`, base, anew);
    case 'base_under_way': {
      const requests = valueIn(detail, 'requests');
      const ids = isArray(requests) ? requests.filter((id) => typeof id === 'string') : [];
      return misuse(
        code,
        `the base of this run has calls without an answer (${ids.join(', ')})`,
        base,
        `${anew} once these are answered there`,
      );
    }
    case 'unfed':
      return misuse(
        code,
        `this fork is incomplete: it has ${count} of ${records} records of its base`,
        runId,
        'nothing was asked; complete it with fork of @assay/host',
      );
    default:
      return null;
  }
}
