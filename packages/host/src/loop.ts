/** The loop of a drive: takes up requests, waits, records one attempt after the other. */
import {
  makeHead,
  type EvidenceRecord,
  type Head,
  type Json,
  type Request,
  type Result,
  type Run,
  type Sha256,
  type Spent,
  type Status,
} from '@assay/kernel';
import { makeStep } from './attempt.js';
import type { Purse } from './budget.js';
import { Calls, type Call } from './calls.js';
import type { Deadlines, Timer } from './timer.js';
import type { DriveError, DriveEvent, Order } from './drive-options.js';
import { idempotencyKey } from './store.js';
import { type Ports, type RejectedAnswer, type RejectedAnswers, type Waiting, waitingFor } from './port.js';
import type { LostCalls } from './lost-calls.js';
import { Parked, RequestQueue, withdrawnBy } from './queue.js';
import { retryWaitMs, type Retry } from './failure-class.js';

/** What the loop needs, all of it given. */
type LoopOptions<S, I, E extends Json, A extends Json> = {
  readonly append: (
    expected: Head,
    records: readonly EvidenceRecord[],
    run: Run<S, I, E, A>,
  ) => Promise<Result<DriveError, Head>>;
  readonly ports: Ports;
  readonly rejected: RejectedAnswers;
  readonly purse: Purse;
  readonly lost: LostCalls | null;
  readonly signal: AbortSignal;
  readonly timer: Timer;
  readonly concurrency: number;
  readonly order: Order;
  readonly deadlines: Deadlines;
  readonly retry: Retry;
  readonly steps: number;
  readonly invitationAttempts: number;
  readonly sha256: Sha256;
  readonly startedAt: number;
  readonly onEvent: ((event: DriveEvent) => void) | undefined;
};

/**
 * How the loop ended; `underWay`: requests whose calls were given up; `waiting`: open ones whose answers come
 * later. `refused`: by the store, with its Left.
 */
type LoopEnd =
  | {
      readonly end: Status | 'interrupted' | 'paused' | 'waiting' | 'idle';
      readonly underWay: readonly string[];
      readonly waiting: readonly Waiting[];
    }
  | { readonly end: 'store'; readonly refused: DriveError };

/**
 * The loop does not keep the process's other work waiting longer than this, even where every port answers at
 * once.
 */
const YIELD_MS = 50;

/** One drive of one run. */
export class Loop<S, I, E extends Json, A extends Json> {
  /** As far as it is durable. */
  run: Run<S, I, E, A>;
  private readonly options: LoopOptions<S, I, E, A>;
  private readonly queue: RequestQueue;
  private readonly calls: Calls;
  /** Requests that wait before they are queued again (order `arrival`). */
  private readonly parked: Parked = new Parked();
  /** Times before which requests are not performed (order `turn`, where they keep their place). */
  private readonly notBefore: Map<string, number> = new Map();
  /** Requests whose answers come another day. */
  private readonly putOff: Map<string, Waiting> = new Map();
  private readonly expiresAt: number;
  private readonly spent: Map<string, number> = new Map();
  private steps: number = 0;
  private wakeUp: (() => void) | null = null;
  private isWoken: boolean = false;
  private thrown: { readonly error: unknown } | null = null;
  private alarm: { readonly at: number; readonly controller: AbortController } | null = null;
  private yieldedAt: number;

  constructor(run: Run<S, I, E, A>, options: LoopOptions<S, I, E, A>) {
    this.run = run;
    this.options = options;
    this.queue = new RequestQueue(run, options.invitationAttempts);
    this.expiresAt = options.startedAt + (options.deadlines.run ?? Infinity);
    this.calls = new Calls({
      ...options,
      expiresAt: this.expiresAt,
      rejected: this.rejectedBefore,
      putOff: (request, later) => this.putOff.set(request.id, waitingFor(request, later)),
      wake: this.wake,
    });
    this.yieldedAt = options.startedAt;
  }

  /**
   * Drives until the run closes, nothing is asked, the signal is aborted, `steps` are recorded or the store
   * refuses.
   */
  async go(): Promise<LoopEnd> {
    const { signal, timer } = this.options;
    signal.addEventListener('abort', this.onAbort);
    try {
      while (this.run.outcome === null) {
        if (timer.now() - this.yieldedAt >= YIELD_MS) await this.yield();
        // After the yield: what happened meanwhile may be the abort, and what calls gave because of it.
        if (signal.aborted) return this.stopped('interrupted');
        const now = timer.now();
        this.takeUp(now);
        if (this.thrown !== null) throw this.thrown.error;
        // A port may abort the signal while it is called.
        if (signal.aborted) continue;
        const isIdle = this.calls.size === 0 && this.parked.size === 0;
        if (isIdle || this.steps >= this.options.steps)
          return this.stopped(this.run.open.size === 0 ? 'idle' : isIdle ? this.restOf() : 'paused');
        const call = this.whoseTurn();
        const refused = call === null ? await this.event(now) : await this.record(call);
        if (refused !== null) return refused;
      }
      return { end: this.run.outcome, underWay: [], waiting: [] };
    } finally {
      signal.removeEventListener('abort', this.onAbort);
      this.alarm?.controller.abort('over');
      this.calls.giveUp(this.run.outcome === null ? 'stopped' : 'withdrawn', () => true);
    }
  }

  private stopped(end: 'interrupted' | 'paused' | 'waiting' | 'idle'): LoopEnd {
    return { end, underWay: this.calls.underWay(), waiting: this.waiting() };
  }

  private restOf(): 'waiting' | 'paused' {
    return this.waiting().length > 0 ? 'waiting' : 'paused';
  }

  /** Those still open: a decision may have withdrawn some. */
  private waiting(): readonly Waiting[] {
    return [...this.putOff.values()].filter(({ request_id }) => this.run.open.has(request_id));
  }

  /** Ends what is past its deadline and begins what may begin, up to the signal's abort. */
  private takeUp(now: number): void {
    const { concurrency, order, signal, steps } = this.options;
    const { calls, parked, queue, run } = this;
    const isExpired = now >= this.expiresAt;
    calls.expire(now, isExpired);
    const readyAt = isExpired ? Infinity : now;
    for (let id = parked.takeDue(readyAt); id !== null; id = parked.takeDue(readyAt)) queue.enter(run, id);
    calls.performDue(now, concurrency);
    // Recording one makes room for one: by turn, what a decision opens may come before all that is held, and
    // then begins at once.
    while (!signal.aborted && calls.size < concurrency && this.steps < steps) {
      const next = queue.peek(run);
      if (next === null) return;
      const { turn } = next;
      const isFirst = order === 'turn' && !calls.hasBefore(turn);
      if (!isFirst && this.steps + calls.size >= steps) return;
      queue.take();
      const notBefore = this.notBefore.get(turn.id) ?? -Infinity;
      this.notBefore.delete(turn.id);
      calls.take(next, idempotencyKey(run, turn.id), notBefore, now, isExpired);
    }
  }

  /** The call whose attempt is recorded next; null where something has to happen first. */
  private whoseTurn(): Call | null {
    if (this.options.order === 'arrival') return this.calls.firstEnded();
    const first = this.calls.first();
    return first?.state === 'over' ? first : null;
  }

  private async record(call: Call): Promise<LoopEnd | null> {
    const { request } = call;
    const charged = await this.calls.charged(call);
    // Nothing is recorded after the abort, which may have come meanwhile.
    if (charged === null || this.options.signal.aborted) return null;
    this.calls.settle(call);
    const { attempt, charges } = charged;
    const {
      step: { records, run, rejection },
      isShort,
    } = makeStep(this.run, request, attempt, charges);
    const appended = await this.options.append(makeHead(this.run), records, run);
    if (appended._tag === 'Left') return { end: 'store', refused: appended.left };
    this.run = run;
    this.steps += 1;
    if (isShort)
      this.options.onEvent?.({
        type: 'port_error',
        request,
        error: new RangeError(
          `the answer is recorded without ${JSON.stringify(charges)}: the kernel does not take it with that cost`,
        ),
      });
    const [proposal] = records;
    this.options.purse.settle(request.id, proposal?.payload, run.open.has(request.id));
    if (rejection === null || proposal === undefined) this.options.rejected.forget(request.id);
    else this.options.rejected.note(request.id, proposal.ts);
    if (records.some(({ kind }) => kind === 'decision'))
      this.calls.giveUp('withdrawn', (id) => !run.open.has(id));
    if (this.parked.size > 0) for (const id of withdrawnBy(records)) this.parked.drop(id);
    if (run.outcome === null) this.again(request.id, rejection === null ? null : attempt.retryAfterMs);
    this.queue.enterOpened(run, records);
    this.tell(records);
    return null;
  }

  /** Queues a request that is still open, at once or after a wait. */
  private again(id: string, retryAfterMs: number | null): void {
    const { options, queue, run } = this;
    const turn = queue.turnOf(run, id);
    if (turn === null) return;
    if (retryAfterMs === null) {
      queue.enter(run, id);
      return;
    }
    const key = idempotencyKey(run, id);
    const wait = retryWaitMs(options.retry, key, turn.rejections, retryAfterMs, options.sha256);
    const request = run.open.get(id)?.request;
    if (wait > (options.retry.leaveAfterMs ?? Infinity) && request !== undefined) {
      const now = options.retry.read?.() ?? Date.now() * 1_000;
      this.putOff.set(id, waitingFor(request, { until: Math.floor(now + wait * 1_000) }));
      return;
    }
    const at = options.timer.now() + wait;
    if (options.order === 'arrival') {
      this.parked.add(id, at);
    } else {
      this.notBefore.set(id, at);
      queue.enter(run, id);
    }
  }

  private tell(records: readonly EvidenceRecord[]): void {
    const { onEvent, timer, startedAt } = this.options;
    if (onEvent === undefined) return;
    const [proposal] = records;
    for (const [unit, amount] of Object.entries(
      (proposal?.payload as { readonly spent?: Spent } | undefined)?.spent ?? {},
    ))
      this.spent.set(unit, (this.spent.get(unit) ?? 0) + amount);
    const head = makeHead(this.run);
    onEvent({
      type: 'progress',
      progress: {
        head,
        records: head.count,
        open: this.run.open.size,
        calls: this.calls.size,
        steps: this.steps,
        elapsedMs: timer.now() - startedAt,
        spent: Object.fromEntries(this.spent),
      },
    });
  }

  /** Waits for whatever comes first: an answer, the signal, a time. */
  private async event(now: number): Promise<null> {
    const at = Math.min(this.calls.nextTime(), this.parked.nextTime, this.expiresAt);
    // An alarm that rings earlier is kept: it is cheaper to look at the clock once too often than to set one
    // each step.
    if (at < (this.alarm?.at ?? Infinity)) this.ring(at, now);
    if (!this.isWoken) {
      await new Promise<void>((resolve) => {
        this.wakeUp = resolve;
      });
    }
    this.isWoken = false;
    return null;
  }

  private ring(at: number, now: number): void {
    this.alarm?.controller.abort('over');
    const alarm = { at, controller: new AbortController() };
    this.alarm = alarm;
    void this.options.timer.sleep(at - now, alarm.controller.signal).finally(() => {
      if (this.alarm !== alarm) return;
      this.alarm = null;
      this.wake();
    });
  }

  private async yield(): Promise<void> {
    this.yieldedAt = this.options.timer.now();
    await this.options.timer.sleep(0, this.options.signal);
  }

  private readonly rejectedBefore = async (request: Request): Promise<RejectedAnswer | null> =>
    (this.run.open.get(request.id)?.rejections ?? 0) === 0 ? null : this.options.rejected.find(request.id);

  private readonly onAbort = (): void => {
    this.calls.abort(this.options.signal.reason);
    this.wake();
  };

  private readonly wake = (thrown?: { readonly error: unknown }): void => {
    this.thrown ??= thrown ?? null;
    const { wakeUp } = this;
    this.wakeUp = null;
    // A port may end the wait before it began, by what it does while it is called.
    this.isWoken = true;
    wakeUp?.();
  };
}
