/** The claims of the committed reading: stable ids, and which refines which. Source: intent I13, I14, I16. */
import type { Json } from '../json.js';
import { compareByPlace, describeIdentity, readClaimText, NO_SCOPE, type Claim } from './claim.js';
import { renderAtom } from './atom.js';
import type { PinAtom } from './pin.js';
import { isAffirming } from './score.js';
import type { Quote, SeedText } from './seed.js';

/** Where a claim comes from: words of the seed, the pin, or nothing but the reading. */
export type Provenance = 'seed' | 'pin' | 'assumption';

/**
 * A committed claim. `refines`: the id of the claim whose quote holds this one's, null: the reading itself.
 * `depth`: `refines` edges below the reading.
 */
export type Commitment = {
  readonly id: string;
  readonly claim: Claim;
  readonly text: string;
  readonly provenance: Provenance;
  readonly refines: string | null;
  readonly depth: number;
};

/**
 * The claims of a reading by place, then the pins that no demand of it affirms as constraints, by key. O(n
 * log n).
 */
export function commit(
  claims: readonly Claim[],
  pin: readonly PinAtom[],
  seed: SeedText,
  hash: (value: Json) => string,
): readonly Commitment[] {
  const placed = [...claims].sort(compareByPlace);
  const commitments: Commitment[] = [];
  const enclosing: (Quote & Pick<Commitment, 'id' | 'depth'>)[] = [];
  for (const claim of placed) {
    const id = hash(describeIdentity(claim, seed));
    const { quote } = claim;
    const end = quote?.end ?? 0;
    while ((enclosing.at(-1)?.end ?? Infinity) < end) enclosing.pop();
    // Of equal spans neither refines the other: both refine what holds them.
    const parent =
      quote === null
        ? undefined
        : enclosing.findLast(({ start, end }) => start < quote.start || end > quote.end);
    const depth = (parent?.depth ?? 0) + 1;
    commitments.push({
      id,
      claim,
      text: readClaimText(claim, seed),
      provenance: quote === null ? 'assumption' : 'seed',
      refines: parent?.id ?? null,
      depth,
    });
    if (quote !== null) enclosing.push({ ...quote, id, depth });
  }
  return [...commitments, ...pinned(claims, pin, seed, hash)];
}

/** Greatest depth among commitments; 0 if there are none. */
export function measureDepth(commitments: readonly Commitment[]): number {
  return commitments.reduce((deepest, { depth }) => Math.max(deepest, depth), 0);
}

/** True if some claim speaks of the pinned measure. */
export function isMentioned({ atom }: PinAtom, claims: readonly Claim[]): boolean {
  return claims.some((claim) => claim.kind !== 'question' && claim.atom?.key === atom.key);
}

function pinned(
  claims: readonly Claim[],
  pin: readonly PinAtom[],
  seed: SeedText,
  hash: (value: Json) => string,
): readonly Commitment[] {
  return pin
    .filter(
      (one) =>
        !claims.some(
          (claim) => (claim.modality === 'must' || claim.modality === 'must_not') && isAffirming(claim, one),
        ),
    )
    .map(({ modality, atom }) => {
      const claim: Claim = { kind: 'constraint', modality, quote: null, atom, scope: NO_SCOPE };
      return {
        id: hash(describeIdentity(claim, seed)),
        claim,
        text: renderAtom(atom),
        provenance: 'pin' as const,
        refines: null,
        depth: 1,
      };
    });
}
