/**
 * Overlap of quotes, and pairs made by it.
 *
 * @module
 */
import type { Quote } from '@assay/kernel/intent';

/** Intersection and union of two quotes, in code points. */
export type Overlap = { readonly shared: number; readonly joined: number };

/** Indices of what was annotated and what was found, as a pair. */
export type Pair = { readonly known: number; readonly found: number };

/** How two quotes overlap. */
export function overlapOf(a: Quote, b: Quote): Overlap {
  const shared = Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
  return { shared, joined: a.end - a.start + (b.end - b.start) - shared };
}

/** True where two quotes overlap by half or more: intersection over union. */
export function isHalf(a: Quote, b: Quote): boolean {
  const { shared, joined } = overlapOf(a, b);
  return 2 * shared >= joined;
}

/** True where one quote lies in another. */
export function isInside(inner: Quote, outer: Quote): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/**
 * Pairs one to one: the greatest overlap first, then the first annotated, then the first found. `weigh` gives
 * the overlap of two that match, or null. `prefer` breaks ties of overlap: the smaller first.
 */
export function pairUp<K, F>(
  known: readonly K[],
  found: readonly F[],
  weigh: (known: K, found: F) => Overlap | null,
  prefer: (known: K, found: F) => number = () => 0,
): readonly Pair[] {
  const candidates = known.flatMap((one, knownIndex) =>
    found.flatMap((other, foundIndex) => {
      const overlap = weigh(one, other);
      return overlap === null
        ? []
        : [{ overlap, rank: prefer(one, other), known: knownIndex, found: foundIndex }];
    }),
  );
  candidates.sort(
    (a, b) =>
      b.overlap.shared * a.overlap.joined - a.overlap.shared * b.overlap.joined ||
      a.rank - b.rank ||
      a.known - b.known ||
      a.found - b.found,
  );
  const [knownTaken, foundTaken] = [new Set<number>(), new Set<number>()];
  return candidates.flatMap((candidate): readonly Pair[] => {
    if (knownTaken.has(candidate.known) || foundTaken.has(candidate.found)) return [];
    knownTaken.add(candidate.known);
    foundTaken.add(candidate.found);
    return [{ known: candidate.known, found: candidate.found }];
  });
}
