/**
 * Whose turn it is: open requests in the order in which they are asked, without looking at all of them each
 * time, and those that wait for a time.
 */
import {
  compareRequestIds,
  type DecisionPayload,
  type EvidenceRecord,
  ledgerRecord,
  type Request,
  type Run,
} from '@assay/kernel';

/** A request's place in the order: attempts used, then its id. */
export type Turn = { readonly id: string; readonly rejections: number };

/** A request that is to be asked next, and its place. */
export type NextRequest = { readonly turn: Turn; readonly request: Request };

/** True where one turn comes before another. */
export function isBefore(one: Turn, other: Turn): boolean {
  return (one.rejections - other.rejections || compareRequestIds(one.id, other.id)) < 0;
}

/**
 * The open requests of a run by (attempts used, sequence, index): who was just rejected goes behind the
 * others, so none starves. All of it stands in the ledger, and so a run that is taken up again goes on in the
 * same order. What was settled or withdrawn meanwhile is dropped when it comes up. O(log n) a step.
 */
export class RequestQueue {
  private readonly heap: Heap<Turn> = new Heap(isBefore);
  private readonly invitationAttempts: number;

  /** `invitationAttempts`: attempts used after which a standing invitation is asked no more. */
  constructor(run: Pick<Run<never, never>, 'open'>, invitationAttempts: number) {
    this.invitationAttempts = invitationAttempts;
    for (const [id] of run.open) this.enter(run, id);
  }

  /** The request whose turn it is, left in; null where none is to be asked. */
  peek(run: Pick<Run<never, never>, 'open'>): NextRequest | null {
    for (let turn = this.heap.peek(); turn !== undefined; turn = this.heap.peek()) {
      const row = run.open.get(turn.id);
      if (row?.rejections === turn.rejections) return { turn, request: row.request };
      this.heap.pop();
    }
    return null;
  }

  /** Takes out the request that {@link peek} showed. */
  take(): void {
    this.heap.pop();
  }

  /** The place of an open request that may be asked (again); null where it may not. */
  turnOf({ open }: Pick<Run<never, never>, 'open'>, id: string): Turn | null {
    const row = open.get(id);
    if (row === undefined || (row.request.attempts === 0 && row.rejections >= this.invitationAttempts))
      return null;
    return { id, rejections: row.rejections };
  }

  /** Enters an open request, if it may be asked (again). */
  enter(run: Pick<Run<never, never>, 'open'>, id: string): void {
    const turn = this.turnOf(run, id);
    if (turn !== null) this.heap.push(turn);
  }

  /** Enters what the decisions of a step opened. */
  enterOpened(run: Pick<Run<never, never>, 'open'>, records: readonly EvidenceRecord[]): void {
    for (const { requests } of decisionsIn(records)) for (const { id } of requests) this.enter(run, id);
  }
}

/** Ids of the requests that the decisions of a step withdrew. */
export function withdrawnBy(records: readonly EvidenceRecord[]): readonly string[] {
  return decisionsIn(records).flatMap(({ withdrawn }) => withdrawn);
}

/** The decisions in a step's records. */
export function decisionsIn(records: readonly EvidenceRecord[]): readonly DecisionPayload[] {
  return records.flatMap((record) => {
    const typed = record.kind === 'decision' ? ledgerRecord(record) : null;
    return typed?.kind === 'decision' && typed.payload !== undefined ? [typed.payload] : [];
  });
}

/** Values by an order, the least first. O(log n) a value. */
export class Heap<T> {
  private readonly items: T[] = [];
  private readonly isBefore: (one: T, other: T) => boolean;

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.isBefore = isBefore;
  }

  /** The least value, left where it is. */
  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    const { items } = this;
    let at = items.length;
    for (let above = (at - 1) >> 1; at > 0 && this.isBefore(item, items[above] as T); above = (at - 1) >> 1) {
      items[at] = items[above] as T;
      at = above;
    }
    items[at] = item;
  }

  /** The least value, taken out. */
  pop(): T | undefined {
    const { items } = this;
    const [first] = items;
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    let at = 0;
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      const right = items[below + 1];
      const least = right !== undefined && this.isBefore(right, items[below] as T) ? below + 1 : below;
      if (!this.isBefore(items[least] as T, last)) break;
      items[at] = items[least] as T;
      at = least;
    }
    items[at] = last;
    return first;
  }
}

/**
 * Open requests, each with the time before which it is not queued. A request is parked once at a time. O(log
 * n) each.
 */
export class Parked {
  private readonly heap: Heap<{ readonly id: string; readonly at: number }> = new Heap(
    (one, other) => one.at < other.at,
  );
  /**
   * Those that are still waited for: who was withdrawn leaves the heap when its time comes up, and is no
   * reason to wait.
   */
  private readonly waiting: Map<string, number> = new Map();

  /** How many wait. */
  get size(): number {
    return this.waiting.size;
  }

  /** The earliest time at which one is due, Infinity where none waits. */
  get nextTime(): number {
    this.skip();
    return this.heap.peek()?.at ?? Infinity;
  }

  /** Parks a request. */
  add(id: string, at: number): void {
    this.waiting.set(id, at);
    this.heap.push({ id, at });
  }

  /** Nobody waits for this one any more, if it was parked. */
  drop(id: string): void {
    this.waiting.delete(id);
  }

  /** Takes out one that is due at this time, null where there is none. */
  takeDue(now: number): string | null {
    if (this.nextTime > now) return null;
    const id = this.heap.pop()?.id ?? null;
    if (id !== null) this.waiting.delete(id);
    return id;
  }

  private skip(): void {
    for (
      let next = this.heap.peek();
      next !== undefined && this.waiting.get(next.id) !== next.at;
      next = this.heap.peek()
    )
      this.heap.pop();
  }
}
