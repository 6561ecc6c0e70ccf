/** What the slots answered, and the readings in it as candidates. Source: intent I0, I5. */
import type { Source } from '../ledger/names.js';
import { compareText, type Json } from '../json.js';
import { renderCommitment, type Claim } from './claim.js';
import { READING_LIMITS, type Interpretation } from './interpretation.js';
import { isLong, oncePerQuote, renderPlace, type SeedText } from './seed.js';

/**
 * A slot's answer: readings with their evidence (`confidence_ppm` null: none was given), or the failure and
 * the reason inside it.
 */
export type SlotAnswer =
  | {
      readonly t: 'answered';
      readonly slot: string;
      readonly source: Source;
      readonly proposer: string;
      readonly proposal_hash: string;
      readonly confidence_ppm: number | null;
      readonly readings: readonly Interpretation[];
    }
  | { readonly t: 'failed'; readonly slot: string; readonly code: string; readonly why: string | null };

/** A slot that answered. */
export type Answered = Extract<SlotAnswer, { t: 'answered' }>;

/**
 * One reading as proposed: `index` of `count` in its slot's list, its distinct claims, and the key of what it
 * commits to. `pairs`: the contradictions its proposer claims, by place among the distinct claims, ascending.
 * Two candidates are the same reading exactly where their keys are equal.
 */
export type Candidate = {
  readonly from: Answered;
  readonly index: number;
  readonly count: number;
  readonly reading: Interpretation;
  readonly claims: readonly Claim[];
  readonly pairs: readonly (readonly [a: number, b: number])[];
  readonly key: string;
};

/**
 * All readings, by slot in the policy's order and by place in the list: the order in which answers arrived
 * does not show.
 */
export function listCandidates(
  slots: readonly string[],
  answers: readonly SlotAnswer[],
  seed: SeedText,
  hash: (value: Json) => string,
): readonly Candidate[] {
  const named = oncePerQuote(
    (quote): Json =>
      !isLong(quote) ? seed.slice(quote) : [seed.reads(quote) ? hash(seed.slice(quote)) : renderPlace(quote)],
  );
  const renderIdentity = ({ kind, modality, atom, quote, scope }: Claim): string =>
    hash({
      kind,
      modality,
      atom,
      words: [quote, scope.actor, scope.condition, scope.exception].map((one) =>
        one === null ? null : named(one),
      ),
    });
  return slots.flatMap((slot) => {
    const from = answers.find(
      (answer): answer is Answered => answer.t === 'answered' && answer.slot === slot,
    );
    return (from?.readings ?? []).map((reading, index, all) => {
      const { claims, placeOf } = distinctClaims(reading.commits, renderIdentity);
      return {
        from: from as Answered,
        index,
        count: all.length,
        reading,
        claims,
        pairs: listPairs(reading, placeOf),
        key: deriveKey(claims, seed, hash),
      };
    });
  });
}

/** The key of a reading: the hash of what it commits to. */
export function deriveKey(claims: readonly Claim[], seed: SeedText, hash: (value: Json) => string): string {
  return hash({ t: 'reading', commitments: listCommitments(claims, seed) });
}

/** What claims commit to, sorted, each once. */
export function listCommitments(claims: readonly Claim[], seed: SeedText): readonly string[] {
  return [...new Set(claims.map((claim) => renderCommitment(claim, seed)))].sort(compareText);
}

/**
 * Claims without repetitions, and the place of each commit among them: of claims with one identity the first
 * counts, so that repeating gains nothing.
 */
function distinctClaims(
  commits: readonly Claim[],
  identityOf: (claim: Claim) => string,
): { readonly claims: readonly Claim[]; readonly placeOf: readonly number[] } {
  const places = new Map<string, number>();
  const claims: Claim[] = [];
  const placeOf = commits.map((claim) => {
    const id = identityOf(claim);
    const known = places.get(id);
    if (known !== undefined) return known;
    places.set(id, claims.length);
    claims.push(claim);
    return claims.length - 1;
  });
  return { claims, placeOf };
}

/** Pairs by new places, the lower first. */
export function movePairs(pairs: Candidate['pairs'], placeOf: readonly number[]): Candidate['pairs'] {
  return pairs
    .map(([a, b]) => [placeOf[a] ?? 0, placeOf[b] ?? 0] as const)
    .map(([a, b]) => (a < b ? [a, b] : [b, a]));
}

function listPairs({ contradictions }: Interpretation, placeOf: readonly number[]): Candidate['pairs'] {
  const pairs = movePairs(contradictions.slice(0, READING_LIMITS.contradictions), placeOf);
  // Two commits with one identity are one claim, and a claim does not contradict itself.
  return pairs.filter(
    ([a, b], at) => a !== b && pairs.findIndex((other) => other[0] === a && other[1] === b) === at,
  );
}
