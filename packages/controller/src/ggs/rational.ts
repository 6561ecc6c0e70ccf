/**
 * Exact rationals: what the goal gradient decides on. A float misses its own thresholds: four replans at
 * weight 0.6 of three give 0.7999999999999999, not 0.8. Source: 002 §R7; planner-controller §0 item 2.
 */

/** num / den in lowest terms, den > 0; zero is 0/1. Made by {@link ratio} and the functions below. */
export type Rational = { readonly num: bigint; readonly den: bigint };

/**
 * A rational as evidence shows it. `ppm`: parts per million, toward zero, held at ±(2^53 − 1); `exact`: "n/d"
 * in lowest terms.
 */
export type Figure = { readonly ppm: number; readonly exact: string };

/** A whole, in parts per million. */
export const PPM = 1_000_000;

/** 0. */
export const ZERO: Rational = Object.freeze({ num: 0n, den: 1n });
/** 1. */
export const ONE: Rational = Object.freeze({ num: 1n, den: 1n });

/** A rational as text. */
export const RATIONAL_TEXT = /^-?(?:0|[1-9]\d*)\/[1-9]\d*$/;
/** Most characters of a rational's text that {@link parseRational} reads. */
const RATIONAL_TEXT_MAX = 4_096;

/** num / den in lowest terms. A denominator of zero is a defect: RangeError. */
export function ratio(num: number | bigint, den: number | bigint = 1): Rational {
  const [top, bottom] = [BigInt(num), BigInt(den)];
  if (bottom === 0n) throw new RangeError(`a rational needs a denominator other than 0, got ${top}/0`);
  if (top === 0n) return ZERO;
  const divisor = commonDivisor(top < 0n ? -top : top, bottom < 0n ? -bottom : bottom);
  const signed = bottom < 0n ? -divisor : divisor;
  return { num: top / signed, den: bottom / signed };
}

/** A whole number of parts per million as a rational. */
export function ofPpm(ppm: number): Rational {
  return ratio(ppm, PPM);
}

/** a + b, by way of the common divisor of the denominators: what has to be reduced stays small. */
export function add(a: Rational, b: Rational): Rational {
  const shared = commonDivisor(a.den, b.den);
  const [left, right] = [a.den / shared, b.den / shared];
  const num = a.num * right + b.num * left;
  if (num === 0n) return ZERO;
  const divisor = commonDivisor(num < 0n ? -num : num, shared);
  return { num: num / divisor, den: left * (b.den / divisor) };
}

/** a − b. */
export function subtract(a: Rational, b: Rational): Rational {
  return add(a, negate(b));
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compare(a: Rational, b: Rational): -1 | 0 | 1 {
  const difference = a.num * b.den - b.num * a.den;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The lesser of the two. */
export function lesser(a: Rational, b: Rational): Rational {
  return compare(a, b) > 0 ? b : a;
}

/** −a. */
export function negate(a: Rational): Rational {
  return { num: -a.num, den: a.den };
}

/**
 * Parts per million, toward zero, held at ±(2^53 − 1). For display and for rows of a table; nothing is
 * decided on it.
 */
export function toPpm({ num, den }: Rational): number {
  const ppm = (num * 1_000_000n) / den;
  if (ppm > SAFE) return Number(SAFE);
  return Number(ppm < -SAFE ? -SAFE : ppm);
}

/** "n/d" in lowest terms: "-3/10", "0/1". */
export function renderRational({ num, den }: Rational): string {
  return `${num}/${den}`;
}

/**
 * What {@link renderRational} gave, read back; null for any other text, one not in lowest terms among them.
 */
export function parseRational(text: string): Rational | null {
  if (text.length > RATIONAL_TEXT_MAX || !RATIONAL_TEXT.test(text)) return null;
  const slash = text.indexOf('/');
  const value = ratio(BigInt(text.slice(0, slash)), BigInt(text.slice(slash + 1)));
  return renderRational(value) === text ? value : null;
}

/** A rational as evidence shows it. */
export function toFigure(value: Rational): Figure {
  return { ppm: toPpm(value), exact: renderRational(value) };
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Greatest common divisor of two positive numbers: on plain integers as soon as both fit, which is far
 * faster.
 */
function commonDivisor(a: bigint, b: bigint): bigint {
  let [greater, less] = [a, b];
  while (less > SAFE || (greater > SAFE && less !== 0n)) [greater, less] = [less, greater % less];
  if (less === 0n) return greater;
  let [x, y] = [Number(greater), Number(less)];
  while (y !== 0) [x, y] = [y, x % y];
  return BigInt(x);
}
