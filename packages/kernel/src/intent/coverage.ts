/**
 * Which salient units claims cover, and which they account for. Source: intent I4, I10 (coverage).
 *
 * Words inside a quote are *covered*: they do not disappear, and the blueprint shows them. To *account* for a
 * unit a claim must also hold it: the number in its atom, the prohibition in its modality. Only that scores, so
 * that quoting sentences back gains nothing.
 *
 * @module
 */
import { anchorOf } from './anchors.js';
import { quotesOf, type Claim } from './claim.js';
import type { SalientUnit } from './salient.js';
import type { Quote } from './seed.js';

/** Most units one quote covers. Source: intent I4. */
export const COVERED_MAX = 6;

/** Which units the quotes cover: each quote the first six inside it. By index into `units`. O((q + u) log u). */
export function coveredBy(units: readonly SalientUnit[], quotes: readonly Quote[]): ReadonlySet<number> {
  const covered = new Set<number>();
  for (const { start, end } of quotes) {
    let taken = 0;
    for (let index = firstFrom(units, start); index < units.length && taken < COVERED_MAX; index += 1) {
      const unit = units[index];
      if (unit === undefined || unit.quote.start >= end) break;
      if (unit.quote.end > end) continue;
      covered.add(index);
      taken += 1;
    }
  }
  return covered;
}

/** The units that score: what is demanded, how much of it and by when. Names, quotations and dates without a year are shown where nobody claims them, and no more. */
export function scoringUnits(units: readonly SalientUnit[]): readonly SalientUnit[] {
  return units.filter(({ kind, holds }) => holds !== null && (kind === 'quantity' || kind === 'moment' || kind === 'modal' || kind === 'negation'));
}

/** How many units some demand accounts for: those inside its actor, condition or exception, where these demand nothing themselves, and those that it holds. A question asks and accounts for nothing. */
export function accountedBy(units: readonly SalientUnit[], claims: readonly Claim[]): number {
  const accounted = new Set<number>();
  for (const claim of claims) {
    if (claim.kind === 'question') continue;
    for (const [path, quote] of quotesOf(claim)) {
      const covered = coveredBy(units, [quote]);
      // Words that demand are no condition: a scope that quotes the request back accounts for nothing.
      if (path !== 'quote' && [...covered].some((index) => units[index]?.kind === 'modal')) continue;
      for (const index of covered) {
        const unit = units[index];
        if (unit !== undefined && (path !== 'quote' || isHeld(unit, claim))) accounted.add(index);
      }
    }
  }
  return accounted.size;
}

const WISHES: ReadonlySet<string> = new Set(['should', 'ought', 'would like']);
/** Words of need that also wish. */
const SOFT: ReadonlySet<string> = new Set(['want', 'wants', 'need', 'needs']);
const LEAVES: ReadonlySet<string> = new Set(['may', 'allowed', 'permitted']);

function isHeld({ kind, holds }: SalientUnit, { modality, atom, scope }: Claim): boolean {
  if (holds === null) return true;
  if (kind === 'quantity' || kind === 'moment') return atom !== null && anchorOf(atom).includes(holds);
  // A negation is in what is forbidden, in a bound (`not exceed`), or in a flag that is not set.
  if (kind === 'negation') return modality === 'must_not' || (atom !== null && (anchorOf(atom).length > 0 || atom.value === false));
  if (WISHES.has(holds)) return modality === 'should';
  // A leave with a bound or for some alone is a demand: `may take at most 5 s`, `only admins may`.
  if (LEAVES.has(holds)) return modality !== 'must' || atom !== null || scope.actor !== null;
  return modality === 'must' || modality === 'must_not' || (modality === 'should' && SOFT.has(holds));
}

function firstFrom(units: readonly SalientUnit[], start: number): number {
  let [low, high] = [0, units.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((units[middle]?.quote.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
