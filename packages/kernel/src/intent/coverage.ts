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

/** The units that score: what is demanded, how much of it and by when. Names and quotations are shown where nobody claims them, and no more. */
export function scoringUnits(units: readonly SalientUnit[]): readonly SalientUnit[] {
  return units.filter(({ kind }) => kind === 'quantity' || kind === 'moment' || kind === 'modal' || kind === 'negation');
}

/** How many units some claim accounts for. Units inside an actor, condition or exception, or inside a question, are accounted for by it. */
export function accountedBy(units: readonly SalientUnit[], claims: readonly Claim[]): number {
  const accounted = new Set<number>();
  for (const claim of claims) {
    for (const [path, quote] of quotesOf(claim)) {
      for (const index of coveredBy(units, [quote])) {
        const unit = units[index];
        if (unit !== undefined && (path !== 'quote' || isHeld(unit, claim))) accounted.add(index);
      }
    }
  }
  return accounted.size;
}

const WISHES: ReadonlySet<string> = new Set(['should', 'ought', 'would like']);
const LEAVES: ReadonlySet<string> = new Set(['may', 'allowed', 'permitted']);

function isHeld({ kind, holds }: SalientUnit, { kind: claimed, modality, atom }: Claim): boolean {
  if (claimed === 'question' || holds === null) return true;
  if (kind === 'quantity' || kind === 'moment') return atom !== null && anchorOf(atom).includes(holds);
  if (kind === 'negation') return modality === 'must_not' || atom !== null;
  if (WISHES.has(holds)) return modality === 'should';
  // A leave with a bound is a demand: `may take at most 5 s`.
  return !LEAVES.has(holds) || modality !== 'must' || atom !== null;
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
