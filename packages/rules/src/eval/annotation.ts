/**
 * What a careful reader found in a request: the two formats of annotations come to this one shape.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import type { Atom, Decimal, Modality, Op, Quote } from '@assay/kernel/intent';

/**
 * A demand as annotated. `isNegative`: it forbids; null where that is not judged (`should not`, which has no
 * modality of its own). Quotes are code points of the text.
 */
export type KnownClaim = {
  readonly modality: Modality;
  readonly isNegative: boolean | null;
  readonly quote: Quote;
  readonly atom: Atom | null;
};

/** A quantity as annotated. `~`: about. A value that is text is a date. */
export type KnownQuantity = {
  readonly quote: Quote;
  readonly op: Op | '~';
  readonly value: Decimal | string;
  readonly unit: string | null;
};

/** Two annotated demands that cannot both hold. */
export type KnownContradiction = { readonly a: Quote; readonly b: Quote };

/** What must not be found. The kinds and what fires them are described beside the annotated requests. */
export type Trap =
  | { readonly kind: 'quantity'; readonly value: Decimal; readonly unit: string | null }
  | { readonly kind: 'any_quantity' }
  | {
      readonly kind: 'claim';
      readonly modality: Modality;
      readonly places: readonly Quote[];
      readonly isWithoutException: boolean;
    }
  | { readonly kind: 'policy' }
  | { readonly kind: 'contradiction' }
  | { readonly kind: 'date' };

/** One annotated request. */
export type Annotated = {
  readonly name: string;
  readonly text: string;
  readonly pin: Json;
  readonly matching: Matching;
  readonly claims: readonly KnownClaim[];
  readonly quantities: readonly KnownQuantity[];
  readonly vague: readonly Quote[];
  readonly contradictions: readonly KnownContradiction[];
  readonly traps: readonly Trap[];
  /** A claim inside such a span counts neither as right nor as wrong. */
  readonly ignore: readonly Quote[];
  /** The code of the refusal a run must end with; null where it must not be refused. */
  readonly refusal: string | null;
};

/** How a format is counted. */
export type Matching = {
  /** A requirement matches only where modality and atom are equal too, not by its place alone. */
  readonly isWhole: boolean;
  /** A quantity matches only one whose words meet its own. */
  readonly isPlaced: boolean;
  /** Calendar dates are quantities. */
  readonly hasDates: boolean;
  /** Least overlap of both sides of a contradiction, as a fraction; `isAbove`: more than that. */
  readonly sides: { readonly num: number; readonly den: number; readonly isAbove: boolean };
};

/** Places of some words in a text, in code points. */
export function placesOf(text: string, words: string): readonly Quote[] {
  const found: Quote[] = [];
  if (words === '') return found;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const start = [...text.slice(0, at)].length;
    found.push({ start, end: start + [...words].length });
  }
  return found;
}
