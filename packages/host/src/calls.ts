/**
 * The calls under way: begun once, ended once, whatever comes first: an answer, an error, a deadline, or
 * nobody waiting.
 */
import type { JsonObject, Request, Spent } from '@assay/kernel';
import { answered, overBudget, raised, timedOut, unanswered, type Attempt } from './attempt.js';
import { boundPort, type BoundPort } from './bound-port.js';
import { computeCharges, addSpent, type Charges, type Purse } from './budget.js';
import { callDeadlineMs, type Deadlines } from './timer.js';
import type { DriveEvent, DropReason } from './drive-options.js';
import { objectIn } from './proposal.js';
import { Later, type Ports, type RejectedAnswer } from './port.js';
import type { LostCalls } from './lost-calls.js';
import { isBefore, type NextRequest, type Turn } from './queue.js';

/** What calls need of who makes them. */
type CallsOptions = {
  readonly ports: Ports;
  readonly deadlines: Deadlines;
  /** When the drive's own deadline passes, by its timer. */
  readonly expiresAt: number;
  readonly onEvent: ((event: DriveEvent) => void) | undefined;
  /** Aborted: errors of ports are not told any more, they are what was asked for. */
  readonly signal: AbortSignal;
  readonly purse: Purse;
  /** Notes of the calls begun; null where nobody keeps any. */
  readonly lost: LostCalls | null;
  readonly rejected: (request: Request) => Promise<RejectedAnswer | null>;
  /** Told of a request whose answer comes another day: it is not asked again by this drive. */
  readonly putOff: (request: Request, later: Later) => void;
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
  /**
   * Bounds of calls under the same key that were begun before and never recorded; null until somebody asked.
   */
  lost: Promise<readonly Spent[]> | null = null;
  /** True once its port is asked. */
  isMade: boolean = false;
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

  /**
   * Takes up a request: performed at once, or once its time has come. `isExpired`: the drive's own deadline
   * has passed.
   */
  take(next: NextRequest, key: string, notBefore: number, now: number, isExpired: boolean): void {
    const { request } = next;
    const { lost, onEvent, ports, purse } = this.options;
    const bound = boundPort(
      ports(request),
      request,
      purse.units.length > 0 || lost !== null ? purse.units : null,
    );
    const call = new Call(next, key, bound._tag === 'Left' ? null : bound.right, notBefore);
    this.all.set(request.id, call);
    if (bound._tag === 'Left') {
      const { fault, error } = bound.left;
      this.end(call, unanswered(request, fault));
      if (fault !== null) onEvent?.({ type: 'port_error', request, error });
      return;
    }
    const port = bound.right;
    if (isExpired) {
      this.end(call, timedOut(request, port, 'run', {}, false));
      return;
    }
    const shortage = purse.reserve(request, port, next.turn.rejections);
    if (shortage !== null) this.end(call, overBudget(request, port, shortage));
    else if (notBefore <= now) this.perform(call, port, now);
  }

  /** Performs what waited long enough, by turn, up to `concurrency` calls at once. */
  performDue(now: number, concurrency: number): void {
    if (this.running >= concurrency || this.all.size === this.running) return;
    const due = [...this.all.values()].filter(
      ({ state, notBefore }) => state === 'waiting' && notBefore <= now,
    );
    due.sort((one, other) => (isBefore(one.turn, other.turn) ? -1 : 1));
    for (const call of due.slice(0, concurrency - this.running))
      if (call.port !== null && !this.options.signal.aborted) this.perform(call, call.port, now);
  }

  /** Ends what is past its deadline; `isRun`: all of it. */
  expire(now: number, isRun: boolean): void {
    for (const call of this.all.values()) {
      const isPast =
        call.state === 'running' ? isRun || call.deadlineAt <= now : isRun && call.state === 'waiting';
      if (!isPast || call.port === null) continue;
      this.end(call, timedOut(call.request, call.port, isRun ? 'run' : 'call', call.charged, call.isMade));
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

  /**
   * The attempt of a call that is over, and what it is charged: what was lost under its key before, whatever
   * way it ended, and what it did not tell. The one place where lost calls are charged. Rejects where the
   * notes cannot be read; null where the call is not over, or nobody waits any more.
   */
  async charged(call: Call): Promise<{ readonly attempt: Attempt; readonly charges: Charges } | null> {
    const {
      lost: notes,
      purse: { units },
      signal,
    } = this.options;
    const { attempt, port } = call;
    if (attempt === null) return null;
    try {
      const lost = await (call.lost ?? notes?.before(call.key, this.endOf(call)) ?? []);
      const bound = units.length > 0 && attempt.isCharged ? (port?.bound ?? null) : null;
      return { attempt, charges: computeCharges(bound, attempt, { lost, units }) };
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
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
      if (state === 'running')
        call.controller.abort(new DOMException('nobody waits for this answer', 'AbortError'));
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
    this.made(
      call,
      () => port.perform(request, { key, signal: controller.signal, charge, rejected }),
      port,
    ).catch((error: unknown) => this.options.wake({ error }));
  }

  /** Makes a call. Rejects where it could not be noted, or a callback threw. */
  private async made(call: Call, perform: () => Promise<unknown>, port: BoundPort): Promise<void> {
    const { request } = call;
    if (this.options.lost !== null && !(await this.mayBegin(call, port, this.options.lost))) return;
    call.isMade = true;
    let attempt: Attempt;
    try {
      attempt = answered(request, port, await perform());
    } catch (error) {
      if (Later.isLater(error)) return this.putOff(call, port, error);
      attempt = raised(request, port, error, call.charged);
      const isWaitedFor = call.state === 'running' && !this.options.signal.aborted;
      if (isWaitedFor) this.options.onEvent?.({ type: 'port_error', request, error });
    }
    this.came(call, attempt);
  }

  /**
   * Looks whether calls were lost before, asks the budget again where some were, and notes the call last:
   * what is not made is not noted, or it would be charged as lost. False where the call is not to be made:
   * denied, past its deadline, or nobody waits any more.
   */
  private async mayBegin(call: Call, port: BoundPort, notes: LostCalls): Promise<boolean> {
    const { purse, signal } = this.options;
    const isAsked = (): boolean => call.state === 'running' && !signal.aborted;
    if (purse.units.length > 0) {
      call.lost = notes.before(call.key, this.endOf(call));
      const lost = await call.lost;
      if (!isAsked()) return false;
      const shortage =
        lost.length === 0 ? null : purse.reserve(call.request, port, call.turn.rejections, addSpent(lost));
      if (shortage !== null) {
        this.came(call, overBudget(call.request, port, shortage));
        return false;
      }
      if (port.bound === null) return true;
    }
    const begun = notes.begin(call.key, port.bound, this.endOf(call));
    call.lost ??= begun;
    await begun;
    return isAsked();
  }

  /** Leaves nothing of a call whose answer comes another day, if it is still waited for. */
  private async putOff(call: Call, { bound }: BoundPort, later: Later): Promise<void> {
    const { lost, purse, signal } = this.options;
    const isAsked = (): boolean => call.state === 'running' && !signal.aborted;
    if (isAsked() && lost !== null && bound !== null) await lost.takeBack(call.key);
    if (!isAsked()) return;
    this.settle(call);
    call.state = 'dropped';
    this.running -= 1;
    purse.release(call.request.id);
    this.options.putOff(call.request, later);
    this.options.wake();
  }

  /** When nobody waits for a call any more, by its own deadline or the drive's. */
  private endOf({ deadlineAt }: Call): number {
    return Math.min(deadlineAt, this.options.expiresAt);
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
    call.attempt = attempt;
    this.ended.push(call);
  }

  private drop({ request, reason }: Call, { spent }: Attempt): void {
    this.options.onEvent?.({ type: 'dropped', request, reason, spent });
  }
}
