/**
 * The loop that drives a run: perform what is asked, record the answer, act on nothing that is not durable.
 * Source: design §7; machine interface.
 *
 * @module
 */
import {
  advance,
  err,
  headOf,
  InvariantError,
  ok,
  openRun,
  type EvidenceRecord,
  type GenesisInput,
  type Head,
  type Json,
  type Machine,
  type Rejection,
  type Request,
  type Result,
  type Run,
  type Sha256,
  type Status,
  type Step,
} from '@assay/kernel';
import { loadRun, type LoadError } from './load.js';
import { nativeSha256 } from './native-sha256.js';
import type { Port, Ports } from './port.js';
import { failureOf, malformed, proposalOf, unanswerable } from './proposal.js';
import { RequestQueue } from './queue.js';
import type { Store } from './store.js';

/** Answers recorded by one call of {@link drive} at most, unless `steps` says otherwise. */
export const STEPS_MAX = 100_000;

/** Rejections after which a standing invitation is asked no more, unless `invitationAttempts` says otherwise. */
export const INVITATION_ATTEMPTS_MAX = 3;

/** How a run is driven. */
export type DriveOptions = {
  readonly store: Store;
  readonly ports: Ports;
  /** Stops the run between two records, an unfinished call given up unrecorded: it is made again on resume. */
  readonly signal?: AbortSignal;
  /** Answers to record before pausing, {@link STEPS_MAX} by default. */
  readonly steps?: number;
  /**
   * How often a standing invitation (a request with attempts 0) is asked: once so many of its answers in a row were
   * rejected or non-final failures, those in the ledger included, it is left open and not asked.
   * {@link INVITATION_ATTEMPTS_MAX} by default; a later drive may give more.
   */
  readonly invitationAttempts?: number;
  /** The digest, the runtime's own by default. */
  readonly sha256?: Sha256;
  /** Told of each group once it is durable. */
  readonly onAppend?: (records: readonly EvidenceRecord[], head: Head) => void;
  /** Told why a port's call failed: the ledger only says that it did. */
  readonly onPortError?: (request: Request, error: unknown) => void;
};

/**
 * How far a run came. `end`: `success` or `refused` as it closed; `interrupted` by the signal; `paused` after
 * `steps` answers, or where only invitations are left that are asked no more; `idle`: open, and nothing is asked. `completed`: records that a crash had cut from the last
 * group.
 */
export type Driven<S, I, E extends Json = Json, A extends Json = Json> = {
  readonly run: Run<S, I, E, A>;
  readonly head: Head;
  readonly end: Status | 'interrupted' | 'paused' | 'idle';
  readonly completed: number;
};

/** Why a run can not be driven (on). `rejected`: its genesis is not opened; `exists`: this id has a ledger with another genesis; else as in {@link LoadError}. */
export type DriveError = LoadError | { readonly code: 'rejected'; readonly rejection: Rejection } | { readonly code: 'exists'; readonly run_id: string };

/**
 * Drives a run to its end: a new one by its genesis, a stored one by its run id; a genesis that is stored
 * already is taken up where it stands.
 *
 * A request is performed only after the record that emits it is durable; requests go one after the other, by
 * (attempts used, sequence, index), so that a request just rejected lets the others pass, and with ports that always
 * answer the same two drives write the same bytes, crashes between included. An answer that can not be recorded
 * becomes the failure `malformed`, a port that rejects the failure `unavailable`, and a request without a port, or
 * with one whose source it does not accept, a final one.
 *
 * Errors: {@link DriveError}. A machine that throws stops the run: the promise rejects, nothing of the step is
 * recorded, and the answer is not given to it again.
 *
 * Source: design §7; machine interface.
 */
export async function drive<S, I, E extends Json, A extends Json>(machine: Machine<S, I, E, A>, start: GenesisInput | string, options: DriveOptions): Promise<Result<DriveError, Driven<S, I, E, A>>> {
  const driver = new Driver(machine, options);
  const begun = typeof start === 'string' ? await driver.takeUp(start) : await driver.begin(start);
  return begun._tag === 'Left' ? begun : driver.go(begun.right.run, begun.right.completed);
}

/** The idempotency key of the next call for a request: genesis hash, request id, attempts used. */
export function idempotencyKey<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>, requestId: string): string {
  return `${run.genesisRecord.record_hash}/${requestId}/${run.open.get(requestId)?.rejections ?? 0}`;
}

type Begun<S, I, E extends Json, A extends Json> = { readonly run: Run<S, I, E, A>; readonly completed: number };

/** An answer as it came, or that the wait for it was given up. */
type Performed = { readonly tag: 'answered'; readonly proposal: unknown; readonly answer: unknown; readonly port: Port | null } | { readonly tag: 'interrupted' };

class Driver<S, I, E extends Json, A extends Json> {
  private readonly machine: Machine<S, I, E, A>;
  private readonly options: DriveOptions;
  private readonly signal: AbortSignal;
  private readonly sha256: Sha256;

  constructor(machine: Machine<S, I, E, A>, options: DriveOptions) {
    this.machine = machine;
    this.options = options;
    this.signal = options.signal ?? new AbortController().signal;
    this.sha256 = options.sha256 ?? nativeSha256;
  }

  async begin(genesis: GenesisInput): Promise<Result<DriveError, Begun<S, I, E, A>>> {
    const opened = openRun(this.machine, genesis, { sha256: this.sha256 });
    if (opened._tag === 'Left') return err({ code: 'rejected', rejection: opened.left });
    const { run, records } = opened.right;
    const stored = await this.options.store.head(run.genesis.run_id);
    if (stored._tag === 'Left') return err({ code: 'store', error: stored.left });
    if (stored.right !== null) return this.takeUp(run.genesis.run_id, run);
    const appended = await this.append(null, records, run);
    return appended._tag === 'Left' ? appended : ok({ run, completed: 0 });
  }

  /** Takes up a stored run; `opened`: the run it must be. */
  async takeUp(runId: string, opened: Run<S, I, E, A> | null = null): Promise<Result<DriveError, Begun<S, I, E, A>>> {
    const loaded = await loadRun(this.machine, runId, this.options.store, { sha256: this.sha256 });
    if (loaded._tag === 'Left') return loaded;
    const { due, head, run } = loaded.right;
    if (opened !== null && opened.genesisRecord.record_hash !== run.genesisRecord.record_hash) return err({ code: 'exists', run_id: runId });
    if (due.length === 0 && run.outcome !== null) return ok({ run, completed: 0 });
    // Also with nothing due: the run becomes ours, and what is stored durable, before anything is performed.
    const appended = await this.append(head, due, run);
    return appended._tag === 'Left' ? appended : ok({ run, completed: due.length });
  }

  async go(begun: Run<S, I, E, A>, completed: number): Promise<Result<DriveError, Driven<S, I, E, A>>> {
    const steps = this.options.steps ?? STEPS_MAX;
    let run = begun;
    const queue = new RequestQueue(run, this.options.invitationAttempts ?? INVITATION_ATTEMPTS_MAX);
    const driven = (end: Driven<S, I, E, A>['end']): Result<never, Driven<S, I, E, A>> => ok({ run, head: headOf(run), end, completed });
    for (let step = 0; run.outcome === null; step += 1) {
      if (this.signal.aborted) return driven('interrupted');
      const request = queue.next(run);
      if (request === null) return driven(run.open.size === 0 ? 'idle' : 'paused');
      if (step === steps) return driven('paused');
      const performed = await this.perform(request, idempotencyKey(run, request.id));
      if (performed.tag === 'interrupted') return driven('interrupted');
      const { records, run: next } = record(run, request, performed);
      const appended = await this.append(headOf(run), records, next);
      if (appended._tag === 'Left') return appended;
      run = next;
      queue.settle(run, request.id, records);
    }
    return driven(run.outcome);
  }

  private async append(expected: Head | null, records: readonly EvidenceRecord[], run: Run<S, I, E, A>): Promise<Result<DriveError, Head>> {
    const appended = await this.options.store.append(run.genesis.run_id, expected, records);
    if (appended._tag === 'Left') return err({ code: 'store', error: appended.left });
    if (records.length > 0) this.options.onAppend?.(records, appended.right);
    return appended;
  }

  private async perform(request: Request, key: string): Promise<Performed> {
    const port = this.options.ports(request);
    // A source that is not accepted uses no attempt, so such a port could be asked for ever.
    if (port === null || !request.accepts.includes(port.source)) return { tag: 'answered', proposal: unanswerable(request), answer: null, port: null };
    try {
      const answer = await this.orAborted(async () => port.perform(request, { key, signal: this.signal }));
      if (answer === ABORTED) return { tag: 'interrupted' };
      return { tag: 'answered', proposal: proposalOf(request, port, answer), answer, port };
    } catch (error) {
      this.options.onPortError?.(request, error);
      return { tag: 'answered', proposal: failureOf(request, port, { code: 'unavailable', final: false, detail: null }), answer: null, port };
    }
  }

  /** What an action gives, or that the signal came first: a port that does not heed it is not waited for. */
  private async orAborted(action: () => Promise<unknown>): Promise<unknown> {
    const { signal } = this;
    let stop = (): void => undefined;
    const aborted = new Promise<typeof ABORTED>((resolve) => {
      stop = () => resolve(ABORTED);
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([action(), aborted]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

const ABORTED: unique symbol = Symbol('aborted');

/** The step that an answer makes; one that can not be recorded makes that of the failure `malformed`. */
function record<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>, request: Request, performed: Performed & { readonly tag: 'answered' }): Step<S, I, E, A> {
  const step = advance(run, performed.proposal);
  if (step._tag === 'Right') return step.right;
  const candidates = performed.port === null ? [] : malformed(request, performed.port, performed.answer, step.left);
  for (const candidate of candidates) {
    const failed = advance(run, candidate);
    if (failed._tag === 'Right') return failed.right;
  }
  throw new InvariantError('drive', `the host's own answer to request ${request.id} was refused: ${step.left.code}`);
}
