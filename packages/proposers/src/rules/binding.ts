/**
 * Phrases that bind a clause itself.
 *
 * @module
 */
import type { Scan } from '@assay/kernel/intent';
import { findPhrase, isIn } from './words.js';

/** A phrase in tokens. */
export type Phrase = { readonly at: number; readonly size: number };

/** A stretch of tokens `[first, next)`. */
export type Span = { readonly first: number; readonly next: number };

/** The first phrase of a list between two tokens that binds the clause: not one of a relative clause (`who need`), and not the month May. */
export function bindingPhrase(scan: Scan, list: 'must' | 'should' | 'may' | 'forbidden', first: number, next: number): Phrase | null {
  let from = first;
  while (from < next) {
    const found = findPhrase(list, scan.tokens, from, next);
    if (found === null) return null;
    if (!isIn('relative', scan.tokens[found.at - 1]?.lower) && !isInMoment(scan, found.at)) return found;
    from = found.at + 1;
  }
  return null;
}

/** True for a token of a date or clock time: its `May` and its `not later than` are no words of the clause. */
export function isInMoment({ moments }: Scan, at: number): boolean {
  return isCovered(moments, at);
}

/** True for a token inside one of some spans, which are in order of place. */
export function isCovered(spans: readonly Span[], at: number): boolean {
  const index = firstFrom(spans, at + 1) - 1;
  return index >= 0 && at < (spans[index]?.next ?? 0);
}

/** The spans, in order of place, that lie between two tokens. */
export function spansWithin<S extends Span>(spans: readonly S[], { first, next }: Span): readonly S[] {
  const found: S[] = [];
  for (let index = firstFrom(spans, first); index < spans.length; index += 1) {
    const span = spans[index];
    if (span === undefined || span.first >= next) break;
    if (span.next <= next) found.push(span);
  }
  return found;
}

/** Index of the first span that starts at a token or later. */
function firstFrom(spans: readonly Span[], first: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.first ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  return low;
}
