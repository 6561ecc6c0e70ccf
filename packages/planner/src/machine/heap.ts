/**
 * The ready set: a persistent heap of nodes by (topological level, creation sequence). Source: dec-K14, dec-K74.
 */
import { integer, list, text, tuple, type Coded } from '@assay/kernel/shape';

/** A node that can act, by what it is ordered by. */
export type Ready = readonly [level: number, seq: number, key: string];
const READY = tuple(integer(0), integer(0), text());

/** A leftist heap; null is the empty one. */
export type Heap = {
  readonly first: Ready;
  readonly left: Heap | null;
  readonly right: Heap | null;
  readonly rank: number;
};

function isBefore(a: Ready, b: Ready): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] <= b[1]);
}

/** Both heaps as one. Logarithmic. */
export function merged(a: Heap | null, b: Heap | null): Heap | null {
  if (a === null) return b;
  if (b === null) return a;
  const [top, other] = isBefore(a.first, b.first) ? [a, b] : [b, a];
  const rest = merged(top.right, other);
  const isLower = (top.left?.rank ?? 0) < (rest?.rank ?? 0);
  const [left, right] = isLower ? [rest, top.left] : [top.left, rest];
  return { first: top.first, left, right, rank: (right?.rank ?? 0) + 1 };
}

/** The heap with one entry more. */
export function pushed(heap: Heap | null, entry: Ready): Heap {
  const single = { first: entry, left: null, right: null, rank: 1 };
  return merged(heap, single) ?? single;
}

/** The heap without its first entry. */
export function popped(heap: Heap): Heap | null {
  return merged(heap.left, heap.right);
}

/** All entries in order. */
export function listEntries(heap: Heap | null): readonly Ready[] {
  const found: Ready[] = [];
  const open = [heap];
  while (open.length > 0) {
    const next = open.pop() ?? null;
    if (next === null) continue;
    found.push(next.first);
    open.push(next.left, next.right);
  }
  return found.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** A heap as its entries, in order. */
export const HEAP: Coded<Heap | null> = {
  shape: list(READY, (entries) => {
    const ready = entries as unknown as readonly Ready[];
    return ready.every((entry, at) => at === 0 || isBefore(ready[at - 1] as Ready, entry));
  }),
  to: (heap) => listEntries(heap),
  from: (json) => (json as unknown as readonly Ready[]).reduce<Heap | null>(pushed, null),
};
