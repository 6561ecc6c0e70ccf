/**
 * The calls under way: begun once, ended once, whatever comes first: an answer, an error, a deadline, or nobody waiting.
 *
 * @module
 */
import type { JsonObject, Request, Spent } from '@assay/kernel';
import { answered, overBudget, raised, timedOut, unanswered, withCharges, type Attempt } from './attempt.js';
import { boundPort, type BoundPort } from './bound-port.js';
import { chargesOf, sumOf, type Purse } from './budget.js';
import { callDeadlineMs, type Deadlines } from './deadlines.js';
import { objectIn } from './foreign.js';
import type { Ports } from './port.js';
import { isBefore, type NextRequest, type Turn } from './queue.js';
import type { RejectedAnswer } from './rejected.js';

/**
 * Why an answer is not recorded. `late`: after its deadline; `withdrawn`: the request was closed meanwhile, or
 * the run; `stopped`: the drive ended first, and a later drive makes the call again.
 */
export type DropReason = 'late' | 'withdrawn' | 'stopped';

type Begin = (key: string, bound: Spent | null) => Promise<readonly Spent[]>;

/** What calls need of who makes them. */
export type CallsOptions = {
  readonly ports: Ports;
  readonly deadlines: Deadlines;
  readonly onPortError: ((request: Request, error: unknown) => void) | undefined;
  readonly onDropped: ((request: Request, dropped: { readonly reason: DropReason; readonly spent: unknown }) => void) | undefined;
  /** Aborted: errors of ports are not told any more, they are what was asked for. */
  readonly signal: AbortSignal;
  readonly purse: Purse;
  /** Notes durably that a call is about to be made, at that bound; the bounds of those begun under its key before. Null where nobody keeps notes. */
  readonly begin: Begin | null;
  readonly rejected: (request: Request) => Promise<RejectedAnswer | null>;
  /** Called after something ended by itself; with what a callback of the caller threw. */
  readonly wake: (thrown?: { readonly error: unknown }) => void;
};

/** A call, from the moment its request is taken up to the moment its attempt is recorded or dropped. */
export class Call {
  readonly request: Request;
  readonly turn: Turn;
  readonly key: string;
  readonly port: BoundPort | null;
  /** Not performed before this time. */
  readonly notBefore: number;
  readonly controller: AbortController = new AbortController();
  state: 'waiting' | 'running' | 'over' | 'dropped' = 'waiting';
  deadlineAt: number = Infinity;
  /** The cost told of last. */
  charged: JsonObject = {};
  /** Bounds of calls under the same key that were begun before and never recorded. */
  lost: readonly Spent[] = [];
  attempt: Attempt | null = null;
  reason: DropReason = 'late';

  constructor({ request, turn }: NextRequest, key: string, port: BoundPort | null, notBefore: number) {
    this.request = request;
    this.turn = turn;
    this.key = key;
    this.port = port;
    this.notBefore = notBefore;
  }
}

/** All calls of a drive. */
export class Calls {
  private readonly options: CallsOptions;
  private readonly all: Map<string, Call> = new Map();
  private readonly ended: Call[] = [];
  /** Calls being performed. */
  running: number = 0;

  constructor(options: CallsOptions) {
    this.options = options;
  }

  /** Calls taken up and not recorded yet: waiting, running or over. */
  get size(): number {
    return this.all.size;
  }

  /** Ids of the requests whose calls were performed and not recorded. */
  underWay(): readonly string[] {
    return [...this.all.values()].filter(({ state }) => state !== 'waiting').map(({ request }) => request.id);
  }

  /** The call whose turn comes first, of all that are taken up. O(calls). */
  first(): Call | null {
    let first: Call | null = null;
    for (const call of this.all.values()) if (first === null || isBefore(call.turn, first.turn)) first = call;
    return first;
  }

  /** True where some call comes before this turn. */
  hasBefore(turn: Turn): boolean {
    for (const call of this.all.values()) if (isBefore(call.turn, turn)) return true;
    return false;
  }

  /** The call that was over first. */
  firstEnded(): Call | null {
    return this.ended[0] ?? null;
  }

  /** Takes up a request: performed at once, or once its time has come. `isExpired`: the drive's own deadline has passed. */
  take(next: NextRequest, key: string, notBefore: number, now: number, isExpired: boolean): void {
    const { request } = next;
    const { begin, onPortError, ports, purse } = this.options;
    const bound = boundPort(ports(request), request, purse.units.length > 0 || begin !== null ? purse.units : null);
    const call = new Call(next, key, bound._tag === 'Left' ? null : bound.right, notBefore);
    this.all.set(request.id, call);
    if (bound._tag === 'Left') {
      const { fault, error } = bound.left;
      this.end(call, unanswered(request, fault));
      if (fault !== null) onPortError?.(request, error);
      return;
    }
    const port = bound.right;
    if (isExpired) {
      this.end(call, timedOut(request, port, 'run', {}, false));
      return;
    }
    const shortage = purse.reserve(request, port, next.turn.rejections);
    if (shortage !== null) this.refuse(call, overBudget(request, port, shortage)).catch((error: unknown) => this.options.wake({ error }));
    else if (notBefore <= now) this.perform(call, port, now);
  }

  /** Performs what waited long enough, by turn, up to `concurrency` calls at once. */
  performDue(now: number, concurrency: number): void {
    if (this.running >= concurrency || this.all.size === this.running) return;
    const due = [...this.all.values()].filter(({ state, notBefore }) => state === 'waiting' && notBefore <= now);
    due.sort((one, other) => (isBefore(one.turn, other.turn) ? -1 : 1));
    for (const call of due.slice(0, concurrency - this.running)) if (call.port !== null && !this.options.signal.aborted) this.perform(call, call.port, now);
  }

  /** Ends what is past its deadline; `isRun`: all of it. */
  expire(now: number, isRun: boolean): void {
    for (const call of this.all.values()) {
      const isPast = call.state === 'running' ? isRun || call.deadlineAt <= now : isRun && call.state === 'waiting';
      if (!isPast || call.port === null) continue;
      this.end(call, timedOut(call.request, call.port, isRun ? 'run' : 'call', call.charged, call.state === 'running'));
      call.controller.abort(new DOMException('the deadline has passed', 'TimeoutError'));
    }
  }

  /** When something is due by itself: a deadline, the end of a wait. */
  nextTime(): number {
    let time = Infinity;
    for (const { state, deadlineAt, notBefore } of this.all.values()) {
      if (state === 'running') time = Math.min(time, deadlineAt);
      else if (state === 'waiting') time = Math.min(time, notBefore);
    }
    return time;
  }

  /** Takes out a call whose attempt is being recorded. */
  settle(call: Call): void {
    this.all.delete(call.request.id);
    const at = this.ended.indexOf(call);
    if (at !== -1) this.ended.splice(at, 1);
  }

  /** Tells the ports of all calls that nobody will wait any more. */
  abort(reason: unknown): void {
    for (const { state, controller } of this.all.values()) if (state === 'running') controller.abort(reason);
  }

  /** Gives up calls: nobody waits for them any more, and what they bring is told, not recorded. */
  giveUp(reason: DropReason, isOver: (id: string) => boolean): void {
    for (const call of this.all.values()) {
      if (!isOver(call.request.id)) continue;
      this.settle(call);
      this.options.purse.release(call.request.id);
      const { state, attempt } = call;
      call.reason = reason;
      call.state = 'dropped';
      if (state === 'running') this.running -= 1;
      if (state === 'running') call.controller.abort(new DOMException('nobody waits for this answer', 'AbortError'));
      if (state === 'over' && attempt !== null) this.drop(call, attempt);
    }
  }

  private perform(call: Call, port: BoundPort, now: number): void {
    const { request, key, controller } = call;
    call.state = 'running';
    this.running += 1;
    const ms = callDeadlineMs(this.options.deadlines, request, port.source);
    call.deadlineAt = ms === null ? Infinity : now + ms;
    // Copied as it is told, since it is recorded later; what is no cost at all changes nothing.
    const charge = (spent: Spent): void => {
      call.charged = objectIn(spent) ?? call.charged;
    };
    const rejected = (): Promise<RejectedAnswer | null> => this.options.rejected(request);
    this.made(call, () => port.perform(request, { key, signal: controller.signal, charge, rejected }), port).catch((error: unknown) => this.options.wake({ error }));
  }

  /** Makes a call. Rejects where it could not be noted, or a callback threw. */
  private async made(call: Call, perform: () => Promise<unknown>, port: BoundPort): Promise<void> {
    const { request } = call;
    if (this.options.begin !== null) {
      call.lost = await this.notedBefore(this.options.begin, call, port.bound);
      // Its time was over before it began.
      if (call.state !== 'running') return;
      const shortage = call.lost.length === 0 ? null : this.options.purse.reserve(request, port, call.turn.rejections, sumOf(call.lost));
      if (shortage !== null) {
        this.came(call, overBudget(request, port, shortage));
        return;
      }
    }
    let attempt: Attempt;
    try {
      attempt = answered(request, port, await perform());
    } catch (error) {
      attempt = raised(request, port, error, call.charged);
      const isWaitedFor = call.state === 'running' && !this.options.signal.aborted;
      if (isWaitedFor) this.options.onPortError?.(request, error);
    }
    this.came(call, attempt);
  }

  /** Ends a call that is not made. What was lost under its key before is charged all the same. */
  private async refuse(call: Call, attempt: Attempt): Promise<void> {
    if (this.options.begin === null) {
      this.end(call, attempt);
      return;
    }
    call.state = 'running';
    this.running += 1;
    call.lost = await this.notedBefore(this.options.begin, call, null);
    this.came(call, attempt);
  }

  private async notedBefore(begin: Begin, { key }: Call, bound: Spent | null): Promise<readonly Spent[]> {
    const lost: unknown = await begin(key, bound);
    // An amount that is none would be charged as nothing, and no limit would hold.
    const isSpent = (each: unknown): boolean => typeof each === 'object' && each !== null && Object.values(each).every((amount) => Number.isSafeInteger(amount) && Number(amount) >= 0);
    if (!Array.isArray(lost) || !lost.every(isSpent)) throw new RangeError('budget.notes.begin: expected a list of the bounds that were noted before, in whole amounts by unit');
    return lost as readonly Spent[];
  }

  private came(call: Call, attempt: Attempt): void {
    if (call.state === 'running') {
      this.end(call, attempt);
      this.options.wake();
    } else {
      this.drop(call, attempt);
    }
  }

  private end(call: Call, attempt: Attempt): void {
    if (call.state === 'running') this.running -= 1;
    call.state = 'over';
    const { port, lost } = call;
    const { units } = this.options.purse;
    const bound = units.length > 0 && attempt.isCharged ? (port?.bound ?? null) : null;
    call.attempt = withCharges(attempt, chargesOf(bound, attempt, { lost, units }));
    this.ended.push(call);
  }

  private drop({ request, reason }: Call, { spent }: Attempt): void {
    this.options.onDropped?.(request, { reason, spent });
  }
}
