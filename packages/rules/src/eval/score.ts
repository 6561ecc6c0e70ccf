/**
 * One request judged: what was read against what was annotated. Source: intent I19.
 *
 * @module
 */
import type { Annotated, KnownClaim, KnownContradiction, KnownQuantity, Trap } from './annotation.js';
import { isSameAtom, isSameValue } from './atoms.js';
import { isHalf, isInside, overlapOf, pairUp, type Overlap, type Pair } from './overlap.js';
import type { FoundClaim, FoundQuantity, Read } from './reading.js';
import { hasFired } from './traps.js';

/** What was annotated and what was found of one sort, and the pairs that match, one to one. */
export type Matched<K, F> = {
  readonly known: readonly K[];
  readonly found: readonly F[];
  readonly pairs: readonly Pair[];
};

/** A request with what was read of it, judged. */
export type Judged = {
  readonly annotated: Annotated;
  readonly read: Read;
  readonly requirement: Matched<KnownClaim, FoundClaim>;
  /** Claims paired by overlap alone: whether both forbid, or neither does. */
  readonly polarity: Matched<KnownClaim, FoundClaim>;
  readonly quantityValue: Matched<KnownQuantity, FoundQuantity>;
  readonly quantityOperator: Matched<KnownQuantity, FoundQuantity>;
  /** By index: the vague words annotated that were asked about, and the questions that ask about some. */
  readonly vague: { readonly known: readonly boolean[]; readonly found: readonly boolean[] };
  readonly contradiction: Matched<KnownContradiction, KnownContradiction>;
  readonly fired: readonly Trap[];
};

/** Judges one request. */
export function judge(annotated: Annotated, read: Read): Judged {
  const { matching } = annotated;
  // What lies in a span that is set aside counts neither way, on both sides.
  const counts = ({ quote }: { readonly quote: KnownClaim['quote'] }): boolean =>
    !annotated.ignore.some((span) => isInside(quote, span));
  const [known, found] = [annotated.claims.filter(counts), read.claims.filter(counts)];
  const byPlace = (one: KnownClaim, other: FoundClaim): Overlap | null =>
    isHalf(one.quote, other.quote) ? overlapOf(one.quote, other.quote) : null;
  const isSame = (one: KnownClaim, other: FoundClaim): boolean =>
    !matching.isWhole || (one.modality === other.modality && isSameAtom(one.atom, other.atom));
  const distance = (one: KnownClaim, other: FoundClaim): number =>
    (isSameSide(one, other) ? 0 : 2) + (isSameAtom(one.atom, other.atom) ? 0 : 1);
  const requirement = pairUp(
    known,
    found,
    (one, other) => (isSame(one, other) ? byPlace(one, other) : null),
    distance,
  );
  const quantities = { known: annotated.quantities, found: read.quantities };
  const isSide = ({ shared, joined }: Overlap): boolean =>
    matching.sides.isAbove
      ? shared * matching.sides.den > joined * matching.sides.num
      : shared * matching.sides.den >= joined * matching.sides.num;
  const contradictions = pairUp(annotated.contradictions, read.contradictions, (one, other) =>
    overlapOfSides(one, other, isSide),
  );
  return {
    annotated,
    read,
    requirement: { known, found, pairs: requirement },
    polarity: { known, found, pairs: pairUp(known, found, byPlace, distance) },
    quantityValue: {
      ...quantities,
      pairs: pairUp(
        quantities.known,
        quantities.found,
        (one, other) => valueOverlap(one, other, matching.isPlaced),
        (one, other) => (isSameOp(one, other) ? 0 : 1),
      ),
    },
    quantityOperator: {
      ...quantities,
      pairs: pairUp(quantities.known, quantities.found, (one, other) =>
        isSameOp(one, other) ? valueOverlap(one, other, matching.isPlaced) : null,
      ),
    },
    vague: {
      known: annotated.vague.map((one) => read.vague.some((other) => overlapOf(one, other).shared > 0)),
      found: read.vague.map((other) => annotated.vague.some((one) => overlapOf(one, other).shared > 0)),
    },
    contradiction: { known: annotated.contradictions, found: read.contradictions, pairs: contradictions },
    fired: annotated.traps.filter((trap) => hasFired(trap, read)),
  };
}

/** The two of each pair. */
export function both<K, F>({
  known,
  found,
  pairs,
}: Matched<K, F>): readonly { readonly known: K; readonly found: F }[] {
  return pairs.flatMap((pair) => {
    const [one, other] = [known[pair.known], found[pair.found]];
    return one === undefined || other === undefined ? [] : [{ known: one, found: other }];
  });
}

/** True where both forbid or neither does, and where the annotation does not say. */
export function isSameSide({ isNegative }: KnownClaim, { modality }: FoundClaim): boolean {
  return isNegative === null || isNegative === (modality === 'must_not');
}

/** True for equal operators; `about` is one of its own where the annotation has it, else it is `=`. */
function isSameOp({ op }: KnownQuantity, found: FoundQuantity): boolean {
  return op === '~' ? found.isAbout : op === found.op;
}

/**
 * Value and unit equal, and, where place counts, some word in common: a comparison left out makes the words
 * shorter, not another number.
 */
function valueOverlap(known: KnownQuantity, found: FoundQuantity, isPlaced: boolean): Overlap | null {
  const overlap = overlapOf(known.quote, found.quote);
  return isSameValue(known, found) && (!isPlaced || overlap.shared > 0) ? overlap : null;
}

/** Overlap of two pairs, either way round: that of the side that overlaps less. */
function overlapOfSides(
  one: KnownContradiction,
  other: KnownContradiction,
  isSide: (overlap: Overlap) => boolean,
): Overlap | null {
  const ways = [
    [overlapOf(one.a, other.a), overlapOf(one.b, other.b)],
    [overlapOf(one.a, other.b), overlapOf(one.b, other.a)],
  ] as const;
  const fitting = ways
    .filter(([left, right]) => isSide(left) && isSide(right))
    .map(([left, right]) => (left.shared * right.joined <= right.shared * left.joined ? left : right));
  const [first, second] = fitting;
  if (first === undefined || second === undefined) return first ?? null;
  return first.shared * second.joined >= second.shared * first.joined ? first : second;
}
