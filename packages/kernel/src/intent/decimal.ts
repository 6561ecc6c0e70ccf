/** Exact decimals and the rationals they are compared as. Source: intent I1. */
import { closed, integer, type Shape } from '../ledger/shape.js';

/** The number n·10^−scale: n a safe integer, scale 0 to 9. Never a float. */
export type Decimal = { readonly n: number; readonly scale: number };

/** Most digits after the point. Source: intent I1. */
export const SCALE_MAX = 9;

/** Shape of a decimal: exactly {n, scale}. */
export const DECIMAL: Shape<Decimal> = closed({
  n: integer(Number.MIN_SAFE_INTEGER),
  scale: integer(0, SCALE_MAX),
});

/** The same number with the smallest scale: 2.50 becomes 2.5. */
export function normalizeDecimal({ n, scale }: Decimal): Decimal {
  let [digits, places] = [n, scale];
  while (places > 0 && digits % 10 === 0) {
    digits /= 10;
    places -= 1;
  }
  return { n: digits === 0 ? 0 : digits, scale: places };
}

/**
 * The decimal of plain ASCII digits with at most one point, an optional leading minus; null if it does not
 * fit n and scale.
 */
export function parseDecimal(digits: string): Decimal | null {
  const sign = digits.startsWith('-') ? -1 : 1;
  const [whole = '', fraction = '', ...rest] = (sign < 0 ? digits.slice(1) : digits).split('.');
  const text = whole + fraction;
  if (rest.length > 0 || whole === '' || fraction.length > SCALE_MAX || text.length > 16 || !isDigits(text))
    return null;
  const n = sign * Number(text);
  return Number.isSafeInteger(n) ? normalizeDecimal({ n, scale: fraction.length }) : null;
}

/**
 * The decimal of a number, by its shortest digits: `0.1` is one tenth. `1e-7`, as engines write what is
 * small, is read as well. Null if it has more than 9 digits behind the point, is no safe integer without
 * it, or is not finite.
 */
export function decimalOfNumber(value: number): Decimal | null {
  const [mantissa = '', exponent] = String(value).split('e');
  const decimal = parseDecimal(mantissa);
  if (decimal === null || exponent === undefined) return decimal;
  const places = Number(exponent);
  const shifted = { n: decimal.n, scale: decimal.scale - places };
  // Whole numbers past 10^21 are no safe integers.
  return places >= 0 || shifted.scale > SCALE_MAX ? null : normalizeDecimal(shifted);
}

/** A decimal as people write it: `-2.5`. */
export function renderDecimal(decimal: Decimal): string {
  const { n, scale } = normalizeDecimal(decimal);
  if (scale === 0) return String(n);
  const digits = String(Math.abs(n)).padStart(scale + 1, '0');
  return `${n < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Product of a decimal and a whole number times 10^−places, or null if it does not fit. */
export function scaleDecimal({ n, scale }: Decimal, factor: number, places = 0): Decimal | null {
  const product = n * factor;
  const result = normalizeDecimal({ n: product, scale: scale + places });
  return Number.isSafeInteger(product) && result.scale <= SCALE_MAX ? result : null;
}

/** Sum of two decimals, or null if it does not fit. */
export function addDecimals(a: Decimal, b: Decimal): Decimal | null {
  const scale = Math.max(a.scale, b.scale);
  const n = [a, b].reduce((sum, one) => sum + one.n * Number(TENS[scale - one.scale] ?? 1), 0);
  return Number.isSafeInteger(n) ? normalizeDecimal({ n, scale }) : null;
}

/** num / den with den > 0: how quantities of different units are compared, without rounding. */
export type Rational = { readonly num: bigint; readonly den: bigint };

/** The rational of two whole numbers; the second must be positive. */
export function rational(num: number | bigint, den: number | bigint = 1): Rational {
  return { num: BigInt(num), den: BigInt(den) };
}

/** A decimal as a rational. */
export function toRational({ n, scale }: Decimal): Rational {
  return rational(n, TENS[scale] ?? 1);
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compareRational(a: Rational, b: Rational): number {
  const difference = a.num * b.den - b.num * a.den;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** a + b. */
export function addRational(a: Rational, b: Rational): Rational {
  return { num: a.num * b.den + b.num * a.den, den: a.den * b.den };
}

/** a · b. */
export function multiplyRational(a: Rational, b: Rational): Rational {
  return { num: a.num * b.num, den: a.den * b.den };
}

/** a / b for positive b. */
export function divideRational(a: Rational, b: Rational): Rational {
  return { num: a.num * b.den, den: a.den * b.num };
}

const TENS: readonly number[] = [
  1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
];

function isDigits(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return text.length > 0;
}
