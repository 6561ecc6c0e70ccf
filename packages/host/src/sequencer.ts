/**
 * Many callers, one run: each answer is decided at once, many share one append, and whoever brought one continues once
 * it is durable. Source: gate/G12.
 */
import {
  advance,
  err,
  hashCanonical,
  ok,
  openRequests,
  openRun,
  orThrow,
  type Digest,
  type EvidenceRecord,
  type GenesisInput,
  type Head,
  type Json,
  type JsonObject,
  type Machine,
  type Refused,
  type Rejection,
  type Request,
  type Result,
  type Run,
  type Step,
} from '@assay/kernel';
import { systemCode } from './files/errno.js';
import { loadRun, type LoadError, type Stored } from './load.js';
import { NOTHING, type Speaker } from './proposal.js';
import { decisionsIn } from './queue.js';
import { takeUpFrom } from './resume-snapshot.js';
import { SnapshotTaker, type Snapshots } from './snapshots.js';
import { type Store, type StoreError, nativeSha256 } from './store.js';
import { systemTimer } from './timer.js';

/** Answers in one append, at most. */
const GROUP_MAX = 256;
/** Records between two snapshots: what a run that is taken up derives again takes less than half a second. */
const SNAPSHOT_EVERY = 4_000;
const OPTIONS = { sha256: nativeSha256 };

/** A durable answer: the run before it, and the step that it made. */
export type Sequenced<S, I, E extends Json, A extends Json> = {
  readonly before: Run<S, I, E, A>;
  readonly step: Step<S, I, E, A>;
};

/**
 * Why an answer was not recorded. `not_asked`: no request of that name is open. `refused`: the kernel does not take it.
 * `store`: an append failed; whether it is stored is not known, so nothing more is decided here.
 */
export type SequenceError =
  | { readonly code: 'not_asked' }
  | { readonly code: 'refused'; readonly refused: Refused }
  | { readonly code: 'store'; readonly error: StoreError };

/**
 * Why a run is not opened. `rejected`: the machine does not open such a genesis. `other_policy`: the stored run has
 * another one. `over`: the stored run is closed.
 */
export type OpenError =
  | LoadError
  | { readonly code: 'rejected'; readonly rejection: Rejection }
  | { readonly code: 'other_policy'; readonly recorded: Json }
  | { readonly code: 'over' };

/** How a sequencer works. `name`: of a request, for {@link Sequencer.submit}; no two open ones share it. */
export type SequencerOptions<A extends Json> = {
  readonly store: Store;
  readonly name: (request: Request<A>) => string;
  /** Where snapshots lie. Who can write there is trusted as who can write the ledger. */
  readonly snapshots?: Snapshots;
};

type Job<S, I, E extends Json, A extends Json> = {
  readonly name: string;
  readonly speaker: Speaker;
  readonly answer: JsonObject;
  readonly resolve: (told: Result<SequenceError, Sequenced<S, I, E, A>>) => void;
  readonly reject: (defect: unknown) => void;
};

/**
 * Opens a run, or takes up the stored one, and claims it for this writer. Of a stored run the policy must be the same;
 * its input stays as it was recorded. Errors: {@link OpenError}; with `locked` another writer holds the run.
 */
export async function openSequencer<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  genesis: GenesisInput,
  options: SequencerOptions<A>,
): Promise<Result<OpenError, Sequencer<S, I, E, A>>> {
  const opened = openRun(machine, genesis, OPTIONS);
  if (opened._tag === 'Left') return err({ code: 'rejected', rejection: opened.left });
  const { store } = options;
  const { run_id } = genesis;
  const stored = await store.head(run_id);
  if (stored._tag === 'Left') return err({ code: 'store', error: stored.left });
  const found: Result<OpenError, Pick<Stored<S, I, E, A>, 'run' | 'due'> & { readonly head: Head | null }> =
    stored.right === null
      ? ok({ run: opened.right.run, due: opened.right.records, head: null })
      : await takeUp(machine, run_id, options);
  if (found._tag === 'Left') return found;
  const { run, due, head } = found.right;
  if (hash(run.genesis.policy) !== hash(opened.right.run.genesis.policy))
    return err({ code: 'other_policy', recorded: run.genesis.policy });
  // A closed run has no next writer; only what a crash cut from its end is appended.
  const claimed = run.outcome !== null && due.length === 0 ? null : await store.append(run_id, head, due);
  if (claimed?._tag === 'Left') return err({ code: 'store', error: claimed.left });
  return claimed === null || run.outcome !== null
    ? err({ code: 'over' })
    : ok(new Sequencer(run, claimed.right, options));
}

function hash(value: Json): Digest {
  return orThrow(hashCanonical(value, nativeSha256));
}

async function takeUp<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  runId: string,
  { store, snapshots }: Pick<SequencerOptions<A>, 'store' | 'snapshots'>,
): Promise<Result<LoadError, Stored<S, I, E, A>>> {
  // A snapshot that cannot be read costs time, nothing else.
  const bytes = (await snapshots?.load(runId).catch(() => null)) ?? null;
  const taken = bytes === null ? null : await takeUpFrom(machine, bytes, store, true, OPTIONS);
  if (taken !== null && typeof taken !== 'string') return taken;
  return loadRun(machine, runId, store, OPTIONS);
}

/**
 * A run that this process writes. What {@link submit} gives is durable; after a failed append it gives nothing more.
 */
export class Sequencer<S, I, E extends Json, A extends Json> {
  private readonly options: SequencerOptions<A>;
  private readonly asked: Map<string, Request<A>> = new Map();
  private readonly names: Map<string, string> = new Map();
  private readonly taker: SnapshotTaker | null;
  private readonly queue: Job<S, I, E, A>[] = [];
  private latest: Run<S, I, E, A>;
  private ending: Head;
  private broken: SequenceError | null = null;
  private pumping: Promise<void> | null = null;
  /** The last durable run of which a snapshot can be taken. */
  private restful: Run<S, I, E, A> | null = null;

  constructor(run: Run<S, I, E, A>, head: Head, options: SequencerOptions<A>) {
    this.options = options;
    this.latest = run;
    this.ending = head;
    // By multiples, so that processes of which each appends a little take one too.
    this.taker = this.makeTaker(SNAPSHOT_EVERY, run.count - (run.count % SNAPSHOT_EVERY));
    this.enter(openRequests(run));
  }

  /** The run as it was decided last: perhaps not durable yet. */
  get run(): Run<S, I, E, A> {
    return this.latest;
  }

  /** Where the durable ledger ends. */
  get head(): Head {
    return this.ending;
  }

  /** The open request of a name. */
  find(name: string): Request<A> | null {
    return this.asked.get(name) ?? null;
  }

  /** Gives the request of a name an answer, a proposal without what the speaker says. Errors: {@link SequenceError}. */
  submit(
    name: string,
    speaker: Speaker,
    answer: JsonObject,
  ): Promise<Result<SequenceError, Sequenced<S, I, E, A>>> {
    return new Promise((resolve, reject) => {
      this.queue.push({ name, speaker, answer, resolve, reject });
      this.pumping ??= this.pump();
    });
  }

  /** Waits for what was submitted, and saves a snapshot. The store stays open. */
  async rest(): Promise<void> {
    await this.pumping;
    const run = this.restful;
    if (run !== null) await this.makeTaker(1, run.count - 1)?.offer(run);
  }

  private async pump(): Promise<void> {
    for (;;) {
      // Whoever was told of the last append answers within this turn: those answers share the next one.
      await new Promise((next) => setImmediate(next));
      const jobs = this.queue.splice(0, GROUP_MAX);
      if (jobs.length === 0) break;
      await this.decide(jobs);
    }
    this.pumping = null;
  }

  private async decide(jobs: readonly Job<S, I, E, A>[]): Promise<void> {
    const records: EvidenceRecord[] = [];
    const told: (readonly [Job<S, I, E, A>, Sequenced<S, I, E, A>])[] = [];
    for (const job of jobs) {
      try {
        const step = this.step(job);
        if (step._tag === 'Left') job.resolve(step);
        else {
          records.push(...step.right.step.records);
          told.push([job, step.right]);
        }
      } catch (defect) {
        // The run is as it was: a fault of the machine, or a proposer that has no name.
        job.reject(defect);
      }
    }
    if (records.length > 0) await this.append(records);
    for (const [job, sequenced] of told) job.resolve(this.broken === null ? ok(sequenced) : err(this.broken));
    if (this.broken !== null) return;
    this.restful = told.findLast(([, { step }]) => step.run.pace.isAnchored)?.[1].step.run ?? this.restful;
    if (this.restful !== null) void this.taker?.offer(this.restful);
  }

  private step({ name, speaker, answer }: Job<S, I, E, A>): Result<SequenceError, Sequenced<S, I, E, A>> {
    if (this.broken !== null) return err(this.broken);
    const request = this.find(name);
    if (request === null) return err({ code: 'not_asked' });
    const before = this.latest;
    const step = advance(before, { ...NOTHING, ...answer, ...speaker, request_id: request.id });
    if (step._tag === 'Left') return err({ code: 'refused', refused: step.left });
    this.latest = step.right.run;
    if (step.right.rejection === null) this.drop(request.id);
    for (const { requests, withdrawn } of decisionsIn(step.right.records)) {
      this.enter(requests as readonly Request<A>[]);
      for (const id of withdrawn) this.drop(id);
    }
    return ok({ before, step: step.right });
  }

  private async append(records: readonly EvidenceRecord[]): Promise<void> {
    const { store } = this.options;
    const runId = this.latest.genesis.run_id;
    const appended = await store.append(runId, this.ending, records).catch((error: unknown) => {
      const errno = systemCode(error) ?? 'UNKNOWN';
      return err<StoreError>({ code: 'unavailable', run_id: runId, operation: 'append', errno });
    });
    if (appended._tag === 'Left') this.broken = { code: 'store', error: appended.left };
    else this.ending = appended.right;
  }

  private enter(requests: readonly Request<A>[]): void {
    for (const request of requests) {
      const name = this.options.name(request);
      this.asked.set(name, request);
      this.names.set(request.id, name);
    }
  }

  private drop(id: string): void {
    const name = this.names.get(id);
    if (name !== undefined) this.asked.delete(name);
    this.names.delete(id);
  }

  private makeTaker(every: number, from: number): SnapshotTaker | null {
    const { snapshots } = this.options;
    return snapshots === undefined
      ? null
      : new SnapshotTaker({ keep: snapshots, every }, from, {
          timer: systemTimer(),
          signal: new AbortController().signal,
          onError: () => undefined,
        });
  }
}
