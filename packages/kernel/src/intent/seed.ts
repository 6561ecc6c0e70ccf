/**
 * The seed as text with places counted in code points. Source: intent I3; 001 §2.6.
 *
 * Strings are indexed in UTF-16 units; what enters evidence is counted in code points, as other languages
 * count. The positions of the astral characters translate one into the other.
 *
 * @module
 */
import { countBefore } from '../collections/look-up.js';
import { closed, integer, type Shape } from '../ledger/shape.js';

/** A span of the seed in code points, `[start, end)`, not empty. */
export type Quote = { readonly start: number; readonly end: number };

/** Shape of a quote; that it lies in the seed is judged apart. */
export const QUOTE: Shape = (value) => {
  const fault = OUTLINE(value);
  if (fault !== null) return fault;
  const { start, end } = value as Quote;
  return start < end ? null : '/end';
};

const OUTLINE = closed({ start: integer(0), end: integer(1) });

/** Longest seed, in UTF-8 bytes. Stated limit of version 0; a whole request must fit a record several times. */
export const SEED_BYTES_MAX = 1_048_576;
/** Longest quote that counts as grounding, in code points. Source: intent I3. */
export const QUOTE_POINTS_MAX = 240;

/** Text whose places are code points. Making one is linear; each translation is logarithmic in the astral characters. */
export class SeedText {
  readonly text: string;
  /** Number of code points. */
  readonly length: number;
  /** UTF-16 places of the low halves of surrogate pairs. */
  private readonly lows: readonly number[];

  constructor(text: string) {
    const lows: number[] = [];
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit >= 0xdc00 && unit <= 0xdfff) lows.push(index);
    }
    this.text = text;
    this.lows = lows;
    this.length = text.length - lows.length;
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

  /** True where a quote ends within the text. */
  holds({ end }: Quote): boolean {
    return end <= this.length;
  }

  /** The UTF-16 place of a code point. */
  unitAt(point: number): number {
    // lows[i] − i is the point whose pair it completes: ascending, so the pairs before a point can be counted by halving.
    return point + countBefore(this.lows.length, (index) => (this.lows[index] ?? 0) - index <= point);
  }
}
