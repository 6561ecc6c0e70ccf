/**
 * What only the whole text tells: a fact that contradicts a demand, an act both demanded and forbidden, and
 * which claims conflict.
 *
 * @module
 */
import {
  findContradictions,
  findMeasure,
  type Claim,
  type Quantity,
  type Scan,
  type SeedText,
} from '@assay/kernel/intent';
import type { Read } from './claims.js';
import { actOf, ANONYMOUS } from './keys.js';
import { question } from './questions.js';
import type { Sentence } from './sentences.js';
import { quoteOf, spansWithin } from './spans.js';

/** Nouns whose number is one fact of a text about a set of data. */
const CLASSES: ReadonlySet<string> = new Set(['class', 'category', 'label']);
const DATA: ReadonlySet<string> = new Set([
  'dataset',
  'data',
  'set',
  'classifier',
  'model',
  'images',
  'photos',
  'samples',
  'corpus',
  'training',
  'recognise',
  'classify',
  'distinguish',
  'recognize',
]);

/**
 * Claims by place, with facts that contradict a demand, and flags for acts that are both demanded and
 * forbidden.
 */
export function settled(
  scan: Scan,
  seed: SeedText,
  sentences: readonly Sentence[],
  reads: readonly Read[],
): readonly Claim[] {
  const flagged = apart(withFlags(scan, reads));
  const facts = factsAgainst(scan, seed, sentences, flagged);
  return facts.length === 0
    ? flagged
    : [...flagged, ...facts].sort((a, b) => (a.quote?.start ?? 0) - (b.quote?.start ?? 0));
}

/** Measures whose subject no word names are told apart by number: nothing says that two of them are one. */
function apart(claims: readonly Claim[]): readonly Claim[] {
  let [count, last] = [0, ''];
  return claims.map((claim) => {
    const { atom, quote } = claim;
    if (atom === null || claim.kind === 'question' || !atom.key.startsWith(`${ANONYMOUS}.`)) return claim;
    // The two ends of a range share their words and stay one.
    const place = `${quote?.start ?? 0} ${quote?.end ?? 0} ${atom.key}`;
    if (place !== last) [count, last] = [count + 1, place];
    return { ...claim, atom: { ...atom, key: `${ANONYMOUS}_${count}${atom.key.slice(ANONYMOUS.length)}` } };
  });
}

/** A question for the second side of each contradiction. */
export function conflictsOf(scan: Scan, seed: SeedText, claims: readonly Claim[]): readonly Claim[] {
  const asked = new Set<number>();
  return findContradictions(claims, seed).flatMap(({ b }) => {
    const quote = claims[b]?.quote;
    if (quote === undefined || quote === null || asked.has(b)) return [];
    asked.add(b);
    return [{ ...question({ scan, seed }, { first: 0, next: 1 }, 'conflict', 'must'), quote }];
  });
}

/** Gives an act one flag where the same words demand and forbid it: so the contradiction can be derived. */
function withFlags(scan: Scan, reads: readonly Read[]): readonly Claim[] {
  const sides = new Map<string, Set<string>>();
  const acts = reads.map(({ claim, clause }) => {
    const isBare =
      clause !== null &&
      claim.kind === 'requirement' &&
      claim.atom === null &&
      (claim.modality === 'must' || claim.modality === 'must_not');
    const act = isBare ? actOf(scan, clause) : '';
    if (act !== '') sides.set(act, (sides.get(act) ?? new Set()).add(claim.modality));
    return act;
  });
  return reads.map(({ claim }, index) => {
    const act = acts[index] ?? '';
    return act !== '' && (sides.get(act)?.size ?? 0) > 1
      ? { ...claim, atom: { key: act, op: '=', value: true, unit: null } }
      : claim;
  });
}

/** `The public set has 16 classes` where 50 are demanded: a fact is a claim where a demand contradicts it. */
function factsAgainst(
  scan: Scan,
  seed: SeedText,
  sentences: readonly Sentence[],
  claims: readonly Claim[],
): readonly Claim[] {
  const demanded = claims.filter(({ atom }) => atom !== null && atom.unit !== null && CLASSES.has(atom.unit));
  const counted = scan.quantities.filter(({ unit }) => unit !== null && CLASSES.has(unit));
  if (counted.length < 2 || !scan.tokens.some(({ lower }) => DATA.has(lower))) return [];
  const isDemanded = (place: { readonly start: number; readonly end: number }): boolean =>
    demanded.some(({ quote }) => quote !== null && quote.start <= place.start && place.end <= quote.end);
  const others = counted.filter((quantity) => !isDemanded(quoteOf(scan, seed, quantity)));
  const numbers = new Set(counted.map(({ value }) => `${value.n}e${value.scale}`));
  if (others.length === 0 || numbers.size < 2) return [];
  return others.flatMap((quantity) => factOf(scan, seed, sentences, quantity));
}

function factOf(
  scan: Scan,
  seed: SeedText,
  sentences: readonly Sentence[],
  quantity: Quantity,
): readonly Claim[] {
  const sentence = sentences.find(({ first, next }) => first <= quantity.first && quantity.next <= next);
  if (
    sentence === undefined ||
    findMeasure(quantity.unit).dimension === 'count' ||
    spansWithin(scan.quantities, sentence).length > 3
  )
    return [];
  const quote = quoteOf(scan, seed, sentence);
  if (quote.end - quote.start > 240) return [];
  return [
    {
      kind: 'requirement',
      modality: 'must',
      quote,
      atom: {
        key: `${String(quantity.unit)}.count`,
        op: quantity.op,
        value: quantity.value,
        unit: quantity.unit,
      },
      scope: { actor: null, condition: null, exception: null },
    },
  ];
}
