/**
 * Stretches of tokens, and what lies in them.
 *
 * @module
 */
import {
  compareRational,
  findMeasure,
  type Moment,
  type Quantity,
  type Quote,
  type Scan,
  type SeedText,
} from '@assay/kernel/intent';
import { isBase } from './verbs.js';
import { wordAt } from './words.js';

/** A stretch of tokens `[first, next)`. */
export type Span = { readonly first: number; readonly next: number };

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

/** The first span that starts at a token or later, or null. */
export function spanFrom<S extends Span>(spans: readonly S[], at: number): S | null {
  return spans[firstFrom(spans, at)] ?? null;
}

/**
 * True for a word of a comparison (`not exceed`) or of a moment (`not later than`, the month May): it says
 * nothing of the clause.
 */
export function isInBound({ tokens, quantities, moments }: Scan, at: number): boolean {
  const index = firstFrom(quantities, at + 1) - 1;
  const quantity: Quantity | undefined = quantities[index];
  return (
    (isCovered(moments, at) && !isDenied({ tokens, moments }, at)) ||
    (quantity !== undefined && at < quantity.at && at >= quantity.first)
  );
}

/** `not come before 8:00`: the negator and the verb of an act that a moment took in are the clause's own. */
function isDenied({ tokens, moments }: Pick<Scan, 'tokens' | 'moments'>, at: number): boolean {
  const moment = moments[firstFrom(moments, at + 1) - 1];
  return moment !== undefined && at <= moment.first + 1 && isDenial({ tokens }, moment);
}

/**
 * True for a moment that opens with the negation of an act: `not come before 8:00`. `not be later than 8:00`
 * is a bound.
 */
export function isDenial({ tokens }: Pick<Scan, 'tokens'>, { first }: Moment): boolean {
  const [word, verb] = [wordAt(tokens, first), wordAt(tokens, first + 1)];
  return (
    (word === 'not' || word === 'never' || word === 'cannot' || word.endsWith("n't")) &&
    verb !== 'be' &&
    isBase(verb)
  );
}

/**
 * True for an amount of time right behind another of a greater unit, with a joint at `at` or none between
 * them.
 */
export function isPart(whole: Quantity | undefined, part: Quantity, at: number): boolean {
  if (
    whole === undefined ||
    whole.next !== at ||
    part.first !== part.at ||
    part.op !== '=' ||
    whole.unit === part.unit
  )
    return false;
  return (
    part.first - at <= 1 &&
    findMeasure(whole.unit).dimension === 'time' &&
    findMeasure(part.unit).dimension === 'time' &&
    compareRational(findMeasure(part.unit).low, findMeasure(whole.unit).low) < 0
  );
}

/** The words of a span. */
export function quoteOf({ tokens }: Scan, seed: SeedText, { first, next }: Span): Quote {
  return seed.quote(tokens[first]?.start ?? 0, tokens[next - 1]?.end ?? 0);
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
