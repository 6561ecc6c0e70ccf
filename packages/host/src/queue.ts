/**
 * Whose turn it is: open requests in the order in which they are asked, without looking at all of them each
 * time.
 *
 * @module
 */
import {
  compareRequestIds,
  ledgerRecord,
  type DecisionPayload,
  type EvidenceRecord,
  type Request,
  type Run,
} from '@assay/kernel';
import { Heap } from './heap.js';

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

function decisionsIn(records: readonly EvidenceRecord[]): readonly DecisionPayload[] {
  return records.flatMap((record) => {
    const typed = record.kind === 'decision' ? ledgerRecord(record) : null;
    return typed?.kind === 'decision' && typed.payload !== undefined ? [typed.payload] : [];
  });
}
