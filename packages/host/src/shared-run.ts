/**
 * A run that many runs share, such as a memory or a library, as it is stored: read back whole and derived
 * again, and told something by its invitations.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import {
  advance,
  err,
  ok,
  openRequests,
  openRun,
  type EvidenceRecord,
  type Head,
  type Json,
  type Machine,
  type Result,
  type Run,
  type Source,
} from '@assay/kernel';
import { loadRun, type LoadError } from './load.js';
import { retryWaitMs } from './failure-class.js';
import { NOTHING } from './proposal.js';
import { type Store, type StoreError, nativeSha256 } from './store.js';
import { systemTimer, type Timer } from './timer.js';

/** A shared run read back, and where its ledger ends. */
export type Shared<R> = { readonly run: R; readonly head: Head };

/** What a shared run is given. `kind`: of an invitation or request. `request`: which of several. */
export type TellingOf<K extends string> = {
  readonly kind: K;
  readonly request?: string;
  readonly source: Source;
  readonly proposer: string;
  readonly value: Json;
  readonly cites?: readonly Head[];
};

/**
 * What came of one answer: the events of its decision, or why it was rejected. `head`: where the ledger ends
 * now.
 */
export type ToldTo<R, E> = Shared<R> & {
  readonly events: readonly E[];
  readonly rejection: { readonly code: string; readonly detail: Json } | null;
};

/**
 * Why a shared run takes nothing. `load`: it cannot be read. `store`: nothing can be written. `not_asked`: no
 * request of the kind is open. `inadmissible`: the value cannot be recorded.
 */
export type TellError =
  | { readonly code: 'load'; readonly error: LoadError }
  | { readonly code: 'store'; readonly error: StoreError }
  | { readonly code: 'not_asked'; readonly kind: string; readonly isOver: boolean }
  | { readonly code: 'inadmissible'; readonly why: string; readonly path: string };

const OPTIONS = { sha256: nativeSha256 };

/** Reads a shared run from an open store, or from whatever gives its lines. Codes: {@link LoadError}. */
export async function readShared<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  store: Pick<Store, 'read'>,
  runId: string,
): Promise<Result<LoadError, Shared<Run<S, I, E, A>>>> {
  const loaded = await loadRun(machine, runId, store, OPTIONS);
  return loaded._tag === 'Left' ? loaded : ok({ run: loaded.right.run, head: loaded.right.head });
}

/**
 * Makes a shared run if there is none yet. False if there is one: that is known without its lock. Codes: those
 * of the store, `run_id` among them.
 */
export async function createShared<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  store: Store,
  runId: string,
  policy: Json,
): Promise<Result<StoreError, boolean>> {
  const opened = openRun(machine, { run_id: runId, ts_base: runId, policy, input: {} }, OPTIONS);
  if (opened._tag === 'Left') return err({ code: 'run_id', run_id: runId, detail: 'name' });
  return patiently(async (): Promise<Result<StoreError, boolean>> => {
    const head = await store.head(runId);
    if (head._tag === 'Left') return head;
    if (head.right !== null) return ok(false);
    const appended = await store.append(runId, null, opened.right.records);
    return appended._tag === 'Left' ? appended : ok(true);
  });
}

/**
 * Gives a shared run something: reads it, lets it decide, appends the group. If another process writes it, or
 * wrote meanwhile, this waits a little, reads again and decides anew. A rejection is recorded, and no error.
 * `telling` may look at the run first. Codes: {@link TellError}.
 */
export async function tellShared<S, I, E extends Json, A extends Json, K extends string>(
  machine: Machine<S, I, E, A>,
  store: Store,
  runId: string,
  telling: (run: Run<S, I, E, A>) => TellingOf<K>,
): Promise<Result<TellError, ToldTo<Run<S, I, E, A>, E>>> {
  const told = await patiently(() => tellOnce(machine, store, runId, telling));
  return told._tag === 'Left' ? err({ code: 'store', error: told.left }) : told.right;
}

/** What a run has for a shared run. `head`: up to the record that has it. */
type Write<V> = { readonly head: Head; readonly value: V };

/** What became of writes: how many were taken now, how many were known, and the codes of rejections. */
export type HandedOn = {
  readonly taken: number;
  readonly known: number;
  readonly rejected: readonly string[];
};

/**
 * Hands writes on to a shared run; each cites its head. `key`: under which the shared run remembers a
 * write that it took. Codes: {@link TellError}.
 */
export async function handOnWrites<
  S extends { readonly cited: { readonly has: (key: string) => boolean } },
  I,
  E extends Json,
  A extends Json,
  V,
>(
  machine: Machine<S, I, E, A>,
  { store, runId }: { readonly store: Store; readonly runId: string },
  writes: readonly Write<V>[],
  key: (head: Head, value: V) => string,
  telling: (value: V, state: S) => TellingOf<string>,
): Promise<Result<TellError, HandedOn>> {
  const read = await readShared(machine, store, runId);
  if (read._tag === 'Left') return err({ code: 'load', error: read.left });
  const { cited } = read.right.run.state;
  const rejected: string[] = [];
  let taken = 0;
  for (const { head, value } of writes) {
    if (cited.has(key(head, value))) continue;
    const told = await tellShared(machine, store, runId, ({ state }) => ({
      ...telling(value, state),
      cites: [head],
    }));
    if (told._tag === 'Left') return told;
    const { rejection } = told.right;
    if (rejection === null) taken += 1;
    // Another process handed on the same meanwhile: then it is known, as if it had been so from the start.
    else if (rejection.code !== 'already_written') rejected.push(rejection.code);
  }
  return ok({ taken, known: writes.length - taken - rejected.length, rejected });
}

/** One attempt. Left: what may pass when it is tried again. */
async function tellOnce<S, I, E extends Json, A extends Json, K extends string>(
  machine: Machine<S, I, E, A>,
  store: Store,
  runId: string,
  telling: (run: Run<S, I, E, A>) => TellingOf<K>,
): Promise<Result<StoreError, Result<TellError, ToldTo<Run<S, I, E, A>, E>>>> {
  const loaded = await loadRun(machine, runId, store, OPTIONS);
  if (loaded._tag === 'Left') return ok(err({ code: 'load', error: loaded.left }));
  const { due, head, run } = loaded.right;
  const { cites = [], kind, proposer, request, source, value } = telling(run);
  const asked = openRequests(run).find(
    (open) => open.kind === kind && (request === undefined || open.id === request),
  );
  if (asked === undefined) return ok(err({ code: 'not_asked', kind, isOver: run.outcome !== null }));
  const step = advance(run, {
    ...NOTHING,
    request_id: asked.id,
    source,
    proposer,
    value,
    cites: cites.map((cited) => ({ ...cited })),
  });
  if (step._tag === 'Left')
    return ok(err({ code: 'inadmissible', why: step.left.code, path: step.left.path }));
  const { records, rejection, run: next } = step.right;
  const appended = await store.append(runId, head, [...due, ...records]);
  return appended._tag === 'Left'
    ? appended
    : ok(ok({ run: next, head: appended.right, events: eventsIn(records) as readonly E[], rejection }));
}

/** The events in the decisions of a run's own records. */
export function eventsIn(records: readonly EvidenceRecord[]): readonly unknown[] {
  return records.flatMap(({ kind, payload }) =>
    kind === 'decision' && payload !== undefined
      ? (payload as unknown as { readonly events: readonly unknown[] }).events
      : [],
  );
}

/**
 * How long such a run is waited for in all, in milliseconds. A writer holds it for as long as it tells, not for
 * as long as its run takes.
 */
const PATIENCE_MS = 5_000;
/**
 * Waits grow from `baseMs` to `capMs`. Each call draws its own jitter, or those that met once would meet
 * again.
 */
const WAITS = { baseMs: 40, capMs: 500 };

/**
 * Tries again where another process holds the run (`locked`) or wrote to it meanwhile (`stale_head`), for so
 * long (`PATIENCE_MS`, five seconds). Left: the last refusal.
 */
export async function patiently<T>(
  attempt: () => Promise<Result<StoreError, T>>,
  {
    timer = systemTimer(),
    patienceMs = PATIENCE_MS,
  }: { readonly timer?: Timer; readonly patienceMs?: number } = {},
): Promise<Result<StoreError, T>> {
  const seed = randomUUID();
  const until = timer.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    const done = await attempt();
    if (done._tag === 'Right' || (done.left.code !== 'locked' && done.left.code !== 'stale_head'))
      return done;
    const wait = retryWaitMs({ ...WAITS, seed }, 'memory', tries, 0, nativeSha256);
    if (timer.now() + wait > until) return done;
    await timer.sleep(wait, new AbortController().signal);
  }
}
