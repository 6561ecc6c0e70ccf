/**
 * Which salient units claims cover, and which they account for. Source: intent I4, I10 (coverage).
 *
 * Words inside a quote are *covered*: they do not disappear, and the blueprint shows them. To *account* for a
 * unit a claim must also hold it: the number in its atom, the prohibition in its modality. Only that scores, so
 * that quoting sentences back gains nothing.
 *
 * @module
 */
import { countBefore, groupBy } from '../collections/look-up.js';
import { anchorOf } from './anchors.js';
import { renderAtom, sideOf } from './atom.js';
import { quotesOf, type Claim } from './claim.js';
import { DEMANDS, LEAVES, NEEDS, WISHES } from './modal-words.js';
import type { SalientUnit } from './salient.js';
import type { Quote } from './seed.js';
import { placeIn, type Stretches } from './stretches.js';

/** Most units one quote covers. Source: intent I4. */
export const COVERED_MAX = 6;

/** Which units the quotes cover: each quote the first six inside it. By index into `units`. O((q + u) log u). */
export function coveredBy(units: readonly SalientUnit[], quotes: readonly Quote[]): ReadonlySet<number> {
  const covered = new Set<number>();
  for (const { start, end } of quotes) {
    let taken = 0;
    for (let index = countBefore(units.length, (at) => (units[at]?.quote.start ?? 0) < start); index < units.length && taken < COVERED_MAX; index += 1) {
      const unit = units[index];
      if (unit === undefined || unit.quote.start >= end) break;
      if (unit.quote.end > end) continue;
      covered.add(index);
      taken += 1;
    }
  }
  return covered;
}

/** A unit that scores. `sort`: its sentence and what a claim has to hold. `holder`: its place, by which an aside that holds it is counted once. */
type Counted = { readonly sort: string; readonly aside: number; readonly holder: number };

/** Marks a bound beside a negation (`not stay open for more than 30 s`): it may well be meant the other way round, and whoever holds it holds a negation of the sentence. */
const TURNED = '~';

/** What of a seed coverage counts: `total` units, all by their sort, and those of each aside that demand nothing. */
export type Scoring = Stretches & { readonly total: number; readonly sorts: ReadonlyMap<string, readonly Counted[]>; readonly inAsides: ReadonlyMap<number, readonly Counted[]> };

/** Sorts the units that score: what is demanded, how much of it and by when. Names, quotations and dates without a year are shown where nobody claims them, and no more. Linear but for the search of places. */
export function scoringOf(units: readonly SalientUnit[], stretches: Stretches): Scoring {
  const { sentences, pieces, asides } = stretches;
  const negated = new Set(units.map(({ kind, quote }) => (kind === 'negation' ? placeIn(pieces, quote) : -1)));
  const counted = units.flatMap(({ quote, holds }): readonly Counted[] => {
    if (holds === null) return [];
    const needed = negated.has(placeIn(pieces, quote)) ? holds.replace(/[<>]$/, TURNED) : holds;
    return [{ sort: `${placeIn(sentences, quote)} ${needed}`, aside: placeIn(asides, quote), holder: quote.start }];
  });
  return { ...stretches, total: counted.length, sorts: groupBy(counted, ({ sort }) => sort), inAsides: groupBy(counted.filter(({ aside }) => aside >= 0), ({ aside }) => aside) };
}

/**
 * How many units some demand accounts for. A claim stands in the one sentence that holds its quote: of equal units
 * there, as many are accounted for as claims of other atoms or modalities hold them. Its scopes account for the units
 * of the asides they stand in. Where in the sentence a quote begins and ends decides nothing, and over its end it
 * accounts for nothing: so no longer quote gains. A question asks and accounts for nothing.
 */
export function accountedBy({ sentences, asides, sorts, inAsides }: Scoring, claims: readonly Claim[]): number {
  const held = claims.flatMap((claim) => {
    const sentence = claim.kind === 'question' || claim.quote === null ? -1 : placeIn(sentences, claim.quote);
    if (sentence < 0) return [];
    const holder = statementOf(claim);
    const own = holdsOf(claim).map((needed) => `${sentence} ${needed}`);
    if (own.some((sort) => sort.endsWith(TURNED) && sorts.has(sort))) own.push(`${sentence} not`);
    const scoped = quotesOf(claim).flatMap(([path, quote]) => (path === 'quote' ? [] : (inAsides.get(placeIn(asides, quote)) ?? [])));
    return [...own.map((sort) => ({ sort, holder })), ...scoped];
  });
  return [...groupBy(held, ({ sort }) => sort)].reduce((sum, [sort, by]) => sum + Math.min(new Set(by.map(({ holder }) => holder)).size, sorts.get(sort)?.length ?? 0), 0);
}

/** What a claim says, wherever it says it: modality and atom. Saying it again adds nothing. */
export function statementOf({ modality, atom }: Claim): string {
  return `${modality} ${atom === null ? '' : renderAtom(atom)}`;
}

/** What a claim holds: its number unless the words bound it on the other side, and the words of its modality. */
function holdsOf({ modality, atom }: Claim): readonly string[] {
  const side = atom === null || modality === 'must_not' ? '' : sideOf(atom.op);
  const sides = ['', TURNED, ...(side || '<>')];
  return [
    ...(atom === null ? [] : anchorOf(atom)).flatMap((anchor) => sides.map((own) => anchor + own)),
    // A negation is in what is forbidden, or in a flag that is not set.
    ...(modality === 'must_not' || atom?.value === false ? ['not'] : []),
    ...(modality === 'must' || modality === 'must_not' ? DEMANDS : []),
    ...(modality === 'should' ? WISHES : []),
    ...(modality === 'may' ? [] : NEEDS),
    // A leave with a bound is a demand: `may take at most 5 s`.
    ...(modality === 'must' && atom === null ? [] : LEAVES),
  ];
}
