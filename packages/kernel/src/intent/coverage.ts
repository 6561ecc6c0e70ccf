/**
 * Which salient units claims cover, and which they account for. Source: intent I4, I10 (coverage).
 *
 * Words inside a quote are *covered*: they do not disappear, and the blueprint shows them. To *account* for a
 * unit a claim must also hold it: the number in its atom, the prohibition in its modality. Only that scores,
 * so that quoting sentences back gains nothing.
 *
 * @module
 */
import { countBefore, groupBy } from '../collections/look-up.js';
import { renderAtom, findSide } from './atom.js';
import { findHeld } from './bearing.js';
import type { Claim } from './claim.js';
import type { SalientUnit } from './salient.js';
import type { Scoring } from './scoring.js';
import type { Quote } from './seed.js';
import { OPPOSITE } from './solutions.js';
import { locateQuote } from './stretches.js';

/** Most units one quote covers. Source: intent I4. */
export const COVERED_MAX = 6;

/**
 * Which units the quotes cover: each quote the first six inside it. By index into `units`. O((q + u) log u).
 */
export function coveredBy(units: readonly SalientUnit[], quotes: readonly Quote[]): ReadonlySet<number> {
  const covered = new Set<number>();
  for (const { start, end } of quotes) {
    let taken = 0;
    for (
      let index = countBefore(units.length, (at) => (units[at]?.quote.start ?? 0) < start);
      index < units.length && taken < COVERED_MAX;
      index += 1
    ) {
      const unit = units[index];
      if (unit === undefined || unit.quote.start >= end) break;
      if (unit.quote.end > end) continue;
      covered.add(index);
      taken += 1;
    }
  }
  return covered;
}

/**
 * How many units some demand accounts for. A claim stands in the one sentence that holds its quote: of equal
 * units there, as many are accounted for as claims of other atoms or modalities hold them. Its scopes account
 * for the units of the asides they stand in. Where in the sentence a quote begins and ends decides nothing,
 * and over its end it accounts for nothing: so no longer quote gains. A question asks, an assumption only
 * assumes, and both account for nothing; so does a claim that its sentence does not say. Numbers count each; the
 * words of a sentence only where all of it is held, or where the reading asks about it.
 */
export function accountedBy(scoring: Scoring, claims: readonly Claim[]): number {
  const { sentences, asides, sorts, inAsides, inSentences } = scoring;
  const [inAside, asked] = [new Set<number>(), new Set<number>()];
  const held = claims.flatMap((claim) => {
    const { kind, quote, scope } = claim;
    if (kind === 'question' && quote !== null) asked.add(locateQuote(sentences, quote));
    const own = kind === 'question' || kind === 'assumption' ? null : findHeld(claim, scoring);
    if (own === null) return [];
    for (const part of [scope.actor, scope.condition, scope.exception])
      if (part !== null) inAside.add(locateQuote(asides, part));
    const holder: number | string = renderStatement(claim);
    return own.needs.map((needed) => ({ sort: `${own.sentence} ${needed}`, holder }));
  });
  const all = [...held, ...[...inAside].flatMap((aside) => inAsides.get(aside) ?? [])];
  const counts = [...groupBy(all, ({ sort }) => sort)].flatMap(([sort, by]) => {
    const [unit, ...more] = sorts.get(sort) ?? [];
    const holders = new Set(by.map(({ holder }) => holder)).size;
    return unit === undefined ? [] : [{ ...unit, count: Math.min(holders, more.length + 1) }];
  });
  return [...groupBy(counts, ({ sentence }) => sentence)].reduce((sum, [sentence, own]) => {
    const whole = addCounts(own);
    const isWhole = whole === inSentences.get(sentence)?.length || asked.has(sentence);
    return sum + (isWhole ? whole : addCounts(own.filter(({ isNumber }) => isNumber)));
  }, 0);
}

function addCounts(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/**
 * What a claim says, wherever and in whichever way it says it: modality and atom, a forbidden bound as the
 * demand of its opposite. Saying it again adds nothing.
 */
export function renderStatement({ modality, atom }: Pick<Claim, 'modality' | 'atom'>): string {
  if (modality === 'must_not' && atom !== null && findSide(atom.op) !== '')
    return renderStatement({ modality: 'must', atom: { ...atom, op: OPPOSITE[atom.op] } });
  return `${modality} ${atom === null ? '' : renderAtom(atom)}`;
}
