/**
 * Whose turn it is: open requests in the order in which they are asked, without looking at all of them each time.
 *
 * @module
 */
import { compareRequestIds, field, isArray, isObject, type EvidenceRecord, type Json, type Request, type Run } from '@assay/kernel';

type Turn = { readonly id: string; readonly rejections: number };

/**
 * The open requests of a run by (attempts used, sequence, index): who was just rejected goes behind the others, so
 * none starves. All of it stands in the ledger, and so a run that is taken up again goes on in the same order.
 * A heap; what was settled or withdrawn meanwhile is dropped when it comes up. O(log n) a step.
 */
export class RequestQueue {
  private readonly heap: Turn[] = [];
  private readonly invitationAttempts: number;

  /** `invitationAttempts`: attempts used after which a standing invitation is asked no more. */
  constructor(run: Pick<Run<never, never>, 'open'>, invitationAttempts: number) {
    this.invitationAttempts = invitationAttempts;
    for (const [id] of run.open) this.enter(run, id);
  }

  /** The request whose turn it is, taken out; null where none is to be asked. */
  next(run: Pick<Run<never, never>, 'open'>): Request | null {
    for (let turn = this.pop(); turn !== null; turn = this.pop()) {
      const row = run.open.get(turn.id);
      if (row?.rejections === turn.rejections) return row.request;
    }
    return null;
  }

  /** Enters what a step left or made open: the request that was asked, and those its decision opened. */
  settle(run: Pick<Run<never, never>, 'open'>, asked: string, records: readonly EvidenceRecord[]): void {
    this.enter(run, asked);
    for (const { kind, payload } of records) if (kind === 'decision') for (const id of openedBy(payload)) this.enter(run, id);
  }

  private enter({ open }: Pick<Run<never, never>, 'open'>, id: string): void {
    const row = open.get(id);
    if (row === undefined || (row.request.attempts === 0 && row.rejections >= this.invitationAttempts)) return;
    const { heap } = this;
    const turn = { id, rejections: row.rejections };
    let at = heap.length;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(turn, heap[above]); above = (at - 1) >> 1) {
      heap[at] = heap[above] as Turn;
      at = above;
    }
    heap[at] = turn;
  }

  private pop(): Turn | null {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length === 0) return first;
    let at = 0;
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      const right = heap[below + 1];
      const least = right !== undefined && isBefore(right, heap[below]) ? below + 1 : below;
      if (!isBefore(heap[least] as Turn, last)) break;
      heap[at] = heap[least] as Turn;
      at = least;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Turn, other: Turn | undefined): boolean {
  return other !== undefined && (one.rejections - other.rejections || compareRequestIds(one.id, other.id)) < 0;
}

function openedBy(payload: Json | undefined): readonly string[] {
  const requests = payload !== undefined && isObject(payload) ? field(payload, 'requests') : undefined;
  return (isArray(requests) ? requests : []).flatMap((request) => {
    const id = isObject(request) ? field(request, 'id') : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}
