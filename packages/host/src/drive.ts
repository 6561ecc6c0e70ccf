/**
 * Driving a run: perform what is asked, record the answer, act on nothing that is not durable.
 * Source: design §7; machine interface.
 */
import {
  err,
  makeHead,
  ok,
  openRun,
  type EvidenceRecord,
  type GenesisInput,
  type Head,
  type Json,
  type Machine,
  type Result,
  type Run,
  type Sha256,
  type Status,
} from '@assay/kernel';
import { Purse } from './budget.js';
import { CallNotesError } from './note.js';
import { checkedTimer, checkOptions, checkResult, readSnapshot } from './check-options.js';
import { baseFault, hasAnswers } from './continuation.js';
import { type DriveError, type DriveOptions, INVITATION_ATTEMPTS_MAX, STEPS_MAX } from './drive-options.js';
import { unfed } from './fork.js';
import { RejectedAnswers, type Waiting } from './port.js';
import { loadRun, type Stored } from './load.js';
import { LostCalls } from './lost-calls.js';
import { Loop } from './loop.js';
import { takeUpFrom } from './resume-snapshot.js';
import { SNAPSHOT_DEADLINE_MS, SnapshotTaker } from './snapshots.js';
import { readFault, StoreReadError, nativeSha256 } from './store.js';
import { systemTimer, type Timer, within } from './timer.js';

/**
 * How far a run came. `end`: `success` or `refused` as it closed; `interrupted` by the signal; `paused` after
 * `steps` answers, or where only invitations are left that are asked no more; `waiting`: only requests are
 * left whose ports raised {@link Later}; `idle`: open, and nothing is asked. `completed`: records that a crash
 * had cut from the last group. `underWay`: requests whose calls were begun and given up unrecorded. `waiting`:
 * requests whose answers come later.
 */
export type Driven<S, I, E extends Json = Json, A extends Json = Json> = {
  readonly run: Run<S, I, E, A>;
  readonly head: Head;
  readonly end: Status | 'interrupted' | 'paused' | 'waiting' | 'idle';
  readonly completed: number;
  readonly underWay: readonly string[];
  readonly waiting: readonly Waiting[];
};

/**
 * Drives a run to its end: a new one by its genesis, a stored one by its run id. A stored genesis is resumed.
 * A request is performed only after the record that emits it is durable. Order, answers that cannot be
 * recorded, continuations: the guide "Drive runs".
 *
 * Errors: {@link DriveError}. Rejects with what a machine or callback throws: nothing of the step is
 * recorded, and **the next drive makes the call again**. An option that is not what it must be is a
 * RangeError (a number, a choice) or TypeError (all else) that names it, before anything is read. A
 * clock without a number is a RangeError, a store without a result a TypeError.
 *
 * Source: design §7; machine interface.
 */
export async function drive<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  start: GenesisInput | string,
  options: DriveOptions,
): Promise<Result<DriveError, Driven<S, I, E, A>>> {
  const driver = new Driver(machine, options);
  const begun = typeof start === 'string' ? await driver.takeUp(start) : await driver.begin(start);
  return begun._tag === 'Left' ? begun : driver.go(begun.right);
}

type Begun<S, I, E extends Json, A extends Json> = {
  readonly run: Run<S, I, E, A>;
  readonly completed: number;
};

class Driver<S, I, E extends Json, A extends Json> {
  private readonly machine: Machine<S, I, E, A>;
  private readonly options: DriveOptions;
  private readonly concurrency: number;
  private readonly sha256: Sha256;
  private readonly timer: Timer;
  private readonly signal: AbortSignal;
  private readonly startedAt: number;

  constructor(machine: Machine<S, I, E, A>, options: DriveOptions) {
    checkOptions(options);
    this.machine = machine;
    this.options = options;
    this.concurrency = options.concurrency ?? 1;
    this.sha256 = options.sha256 ?? nativeSha256;
    this.timer = options.timer === undefined ? systemTimer() : checkedTimer(options.timer);
    this.signal = options.signal ?? new AbortController().signal;
    this.startedAt = this.timer.now();
  }

  async begin(genesis: GenesisInput): Promise<Result<DriveError, Begun<S, I, E, A>>> {
    const opened = openRun(this.machine, genesis, { sha256: this.sha256 });
    if (opened._tag === 'Left') return err({ code: 'rejected', rejection: opened.left });
    const { run, records } = opened.right;
    // Before the store is asked: whoever begins the same run meanwhile notes its calls only once the store
    // has it.
    const forgetting = await this.notesOfOthers(run.genesis.run_id);
    const stored = checkResult('head', await this.options.store.head(run.genesis.run_id));
    if (stored._tag === 'Left') return err({ code: 'store', error: stored.left });
    if (stored.right !== null) return this.takeUp(run.genesis.run_id, run);
    const lack = await this.lackOf(run, makeHead(run), false);
    if (lack._tag === 'Left') return lack;
    // And before the first record is stored: once it is, what is noted may be of this run.
    const forgotten = await forgetting().then(() => null, notesFault);
    if (forgotten !== null) return forgotten;
    const appended = await this.append(null, records, run);
    return appended._tag === 'Left' ? appended : ok({ run, completed: 0 });
  }

  /**
   * What has the notes of a run that was taken away count no more. That they cannot be read is raised by it:
   * for a stored run nobody asks.
   */
  private async notesOfOthers(runId: string): Promise<() => Promise<void>> {
    const { notes } = this.options.budget ?? {};
    if (notes === undefined) return () => Promise.resolve();
    try {
      // Not by the drive's own signal: a run that is stopped at once is stored all the same.
      return await new LostCalls(notes, runId, {
        timer: this.timer,
        signal: new AbortController().signal,
      }).anew();
    } catch (error) {
      return () => Promise.reject(error);
    }
  }

  /** Takes up a stored run; `opened`: the run it must be. */
  async takeUp(
    runId: string,
    opened: Run<S, I, E, A> | null = null,
  ): Promise<Result<DriveError, Begun<S, I, E, A>>> {
    const loaded =
      (await this.fromSnapshot(runId)) ??
      (await loadRun(this.machine, runId, this.options.store, { sha256: this.sha256 }));
    if (loaded._tag === 'Left') return loaded;
    const { due, head, run } = loaded.right;
    if (opened !== null && opened.genesisRecord.record_hash !== run.genesisRecord.record_hash)
      return err({ code: 'exists', run_id: runId });
    const lack = await this.lackOf(run, head, true);
    if (lack._tag === 'Left') return lack;
    // Also with nothing due: the run becomes ours, and what is stored durable, before anything is performed.
    // Of a closed run too: its writer may have died between writing and syncing, and an outcome that is told
    // must not be lost with the power.
    const appended = await this.append(head, due, run);
    return appended._tag === 'Left' ? appended : ok({ run, completed: due.length });
  }

  /**
   * Why a fork or a continuation is not to be driven yet. One that has gone on is: what could be seen to was
   * seen to, or is too late.
   */
  private async lackOf(
    run: Run<S, I, E, A>,
    head: Head,
    isStored: boolean,
  ): Promise<Result<DriveError, null>> {
    const { store, budget } = this.options;
    const { base, run_id } = run.genesis;
    if (base === null) return ok(null);
    try {
      if (base.snapshot !== null && isStored && (run.outcome !== null || (await hasAnswers(run_id, store))))
        return ok(null);
      const lack =
        (await unfed(this.machine, run, head, store, this.sha256)) ??
        (await baseFault(run, {
          store,
          notes: budget?.notes ?? null,
          timer: this.timer,
          sha256: this.sha256,
        }));
      return lack === null ? ok(null) : err(lack);
    } catch (error) {
      return error instanceof StoreReadError ? readFault(error) : notesFault(error);
    }
  }

  /** The stored run from its snapshot; null where there is none that the ledger bears out. */
  private async fromSnapshot(runId: string): Promise<Result<DriveError, Stored<S, I, E, A>> | null> {
    const { snapshots, store } = this.options;
    if (snapshots === undefined) return null;
    const { deadlineMs = SNAPSHOT_DEADLINE_MS, keep } = snapshots;
    let bytes: Uint8Array | null;
    try {
      bytes = await within(deadlineMs, this.signal, this.timer, async () =>
        readSnapshot(await keep.load(runId)),
      );
    } catch (error) {
      this.tellSnapshotError(error);
      return null;
    }
    if (bytes === null) return null;
    const taken = await takeUpFrom(this.machine, bytes, store, snapshots.isTrusted ?? false, {
      sha256: this.sha256,
    });
    if (typeof taken !== 'string') return taken;
    this.options.onEvent?.({ type: 'snapshot_error', fault: taken });
    return null;
  }

  async go({ run: begun, completed }: Begun<S, I, E, A>): Promise<Result<DriveError, Driven<S, I, E, A>>> {
    const { options, concurrency, sha256, startedAt, timer } = this;
    const onError = (error: unknown): void => this.tellSnapshotError(error);
    const taker =
      options.snapshots === undefined
        ? null
        : new SnapshotTaker(options.snapshots, begun.count, { timer, signal: this.signal, onError });
    const runId = begun.genesis.run_id;
    const { limits = {}, notes } = options.budget ?? {};
    const purse = new Purse(limits);
    try {
      await purse.load(options.store, runId);
    } catch (error) {
      return readFault(error);
    }
    const loop = new Loop(begun, {
      append: async (expected, records, run) => {
        const appended = await this.append(expected, records, run);
        if (appended._tag === 'Right' && taker !== null) await taker.offer(run);
        return appended;
      },
      ports: options.ports,
      rejected: new RejectedAnswers(options.store, runId),
      purse,
      lost: notes === undefined ? null : new LostCalls(notes, runId, { timer, signal: this.signal }),
      signal: this.signal,
      timer,
      concurrency,
      order: options.order ?? (concurrency === 1 ? 'turn' : 'arrival'),
      deadlines: options.deadlines ?? {},
      retry: options.retry ?? {},
      steps: options.steps ?? STEPS_MAX,
      invitationAttempts: options.invitationAttempts ?? INVITATION_ATTEMPTS_MAX,
      sha256,
      startedAt,
      onEvent: options.onEvent,
    });
    const ended = await loop.go().catch(notesFault);
    if ('_tag' in ended) return ended;
    if (ended.end === 'store') return err(ended.refused);
    return ok({ run: loop.run, head: makeHead(loop.run), completed, ...ended });
  }

  /** That the signal ended a wait is no error: it is what was asked for. */
  private tellSnapshotError(error: unknown): void {
    if (!(this.signal.aborted && error === this.signal.reason))
      this.options.onEvent?.({ type: 'snapshot_error', fault: { error } });
  }

  private async append(
    expected: Head | null,
    records: readonly EvidenceRecord[],
    run: Run<S, I, E, A>,
  ): Promise<Result<DriveError, Head>> {
    const appended = checkResult(
      'append',
      await this.options.store.append(run.genesis.run_id, expected, records),
    );
    if (appended._tag === 'Left') return err({ code: 'store', error: appended.left });
    if (records.length > 0) this.options.onEvent?.({ type: 'append', records, head: appended.right });
    return appended;
  }
}

/** That notes cannot be used is an error of the drive; all else that is raised goes on. */
function notesFault(error: unknown): Result<DriveError, never> {
  if (error instanceof CallNotesError) return err(error.fault);
  throw error;
}
