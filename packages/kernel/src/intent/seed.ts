/**
 * The seed as text with places counted in code points. Source: intent I3; 001 §2.6.
 *
 * Strings are indexed in UTF-16 units; what enters evidence is counted in code points, as other languages
 * count. The positions of the astral characters translate one into the other.
 */
import { countBefore } from '../collections/look-up.js';
import { closed, integer, refined, type Shape } from '../ledger/shape.js';

/** A span of the seed in code points, `[start, end)`, not empty. */
export type Quote = { readonly start: number; readonly end: number };

/** Shape of a quote; that it lies in the seed is judged apart. */
export const QUOTE: Shape<Quote> = refined(
  closed({ start: integer(0), end: integer(1) }),
  ({ start, end }) => (start < end ? null : '/end'),
);

/**
 * Longest seed, in UTF-8 bytes. Stated limit of version 0; a whole request must fit a record several times.
 */
export const SEED_BYTES_MAX = 1_048_576;
/** Longest quote that counts as grounding, in code points. Source: intent I3. */
export const QUOTE_POINTS_MAX = 240;

/** A quote that grounds nothing: every reading with one is vetoed (`ungrounded`, `span`). */
export function isLong({ start, end }: Quote): boolean {
  return end - start > QUOTE_POINTS_MAX;
}

/** A fact of a quote's words: a long quote is read once, however often it is quoted. */
export function oncePerQuote<T>(factOf: (quote: Quote) => T): (quote: Quote) => T {
  const known = new Map<string, { readonly fact: T }>();
  return (quote) => {
    if (!isLong(quote)) return factOf(quote);
    const place = renderPlace(quote);
    const found = known.get(place) ?? { fact: factOf(quote) };
    known.set(place, found);
    return found.fact;
  };
}

/** A quote as text, `start:end`. */
export function renderPlace({ start, end }: Quote): string {
  return `${start}:${end}`;
}

/**
 * Text whose places are code points. Making one is linear; each translation is logarithmic in the astral
 * characters.
 */
export class SeedText {
  readonly text: string;
  /** Number of code points. */
  readonly length: number;
  /** UTF-16 places of the low halves of surrogate pairs. */
  private readonly lows: readonly number[];
  /**
   * The words of a quote with ASCII letters in lower case and runs of white space as one space; of one that
   * is not read its place.
   */
  readonly folded: (quote: Quote) => string;
  private readonly readsLong: boolean;

  /** `readsLong` false: the words of long quotes are not read, only their places. */
  constructor(text: string, readsLong = true) {
    const lows: number[] = [];
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit >= 0xdc00 && unit <= 0xdfff) lows.push(index);
    }
    this.text = text;
    this.lows = lows;
    this.length = text.length - lows.length;
    this.readsLong = readsLong;
    this.folded = oncePerQuote((quote) => (this.reads(quote) ? fold(this.slice(quote)) : renderPlace(quote)));
  }

  /** The code point that begins at a UTF-16 place. */
  pointAt(unit: number): number {
    return unit - countBefore(this.lows.length, (index) => (this.lows[index] ?? 0) < unit);
  }

  /** The words of a quote. */
  slice({ start, end }: Quote): string {
    return this.text.slice(this.unitAt(start), this.unitAt(end));
  }

  /** The quote of a UTF-16 span. */
  quote(from: number, to: number): Quote {
    return { start: this.pointAt(from), end: this.pointAt(to) };
  }

  /** True if the words of a quote count, and not only its place. */
  reads(quote: Quote): boolean {
    return this.readsLong || !isLong(quote);
  }

  /** True if a quote ends within the text. */
  holds({ end }: Quote): boolean {
    return end <= this.length;
  }

  /** The UTF-16 place of a code point. */
  unitAt(point: number): number {
    // lows[i] − i is the point whose pair it completes: ascending, so the pairs before a point can be counted
    // by halving.
    return point + countBefore(this.lows.length, (index) => (this.lows[index] ?? 0) - index <= point);
  }
}

function fold(text: string): string {
  let result = '';
  let isGap = false;
  for (const character of text) {
    if (character === ' ' || character === '\n' || character === '\t' || character === '\r') {
      isGap = result !== '';
      continue;
    }
    const code = character.charCodeAt(0);
    result +=
      (isGap ? ' ' : '') + (code >= 0x41 && code <= 0x5a ? String.fromCharCode(code + 32) : character);
    isGap = false;
  }
  return result;
}
