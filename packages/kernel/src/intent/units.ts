/**
 * The closed table of units: dimension and exact factor to the base unit. Source: intent I1.
 *
 * A month has 28 to 31 days and a year 365 or 366, so a factor is a range: bounds are taken at their
 * loosest, and two amounts are called disjoint only where they are so for every month and year. Money is
 * never converted. A unit that is not in the table is a dimension of its own, never dropped.
 */
import {
  addRational,
  compareRational,
  divideRational,
  multiplyRational,
  rational,
  toRational,
  type Decimal,
  type Rational,
} from './decimal.js';

/**
 * How a unit relates to the base unit of its dimension: base = (x + offset) · factor, factor between low and
 * high.
 */
export type Measure = {
  readonly dimension: string;
  readonly low: Rational;
  readonly high: Rational;
  readonly offset: Rational;
};

/** An amount in base units: one value, or the range it may mean (months, years). */
export type Amount = { readonly low: Rational; readonly high: Rational };

/** Longest unit, in UTF-16 units. */
export const UNIT_UNITS_MAX = 64;

const DAY = 86_400;
const ZERO = rational(0);

/** Each unit of a dimension with what one of it is of the base unit. */
const EXACT = [
  'time us=1/1000000 ms=1/1000 s=1 min=60 h=3600 d=86400 week=604800',
  'bytes bit=1/8 kbit=125 Mbit=125000 Gbit=125000000 Tbit=125000000000 B=1 kB=1000 MB=1000000 ' +
    'GB=1000000000 TB=1000000000000 KiB=1024 MiB=1048576 GiB=1073741824 TiB=1099511627776',
  'length um=1/1000000 mm=1/1000 cm=1/100 m=1 km=1000 inch=254/10000 foot=3048/10000 mile=1609344/1000',
  'area cm2=1/10000 m2=1 ha=10000 km2=1000000',
  'volume ml=1/1000 cl=1/100 l=1 m3=1000',
  'mass mg=1/1000 g=1 kg=1000 t=1000000',
  'power mW=1/1000 W=1 kW=1000 MW=1000000',
  'energy Wh=1 kWh=1000 MWh=1000000',
  'frequency Hz=1 kHz=1000 MHz=1000000 GHz=1000000000',
  'percent %=1',
  'count count=1',
];

/** Money by ISO code: each its own dimension. */
export const MONEY: readonly string[] =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HUF INR JPY KRW MXN NOK NZD PLN RON SEK TRY UAH USD ZAR'.split(' ');

/** Currencies of which nobody pays a part; the others have two decimals. */
const WHOLE_MONEY: readonly string[] = ['HUF', 'JPY', 'KRW'];

/** How many decimals an amount of a currency has; null for what is no currency of the table. */
export function countDecimals(currency: string): 0 | 2 | null {
  if (!MONEY.includes(currency)) return null;
  return WHOLE_MONEY.includes(currency) ? 0 : 2;
}

/** Units whose values are text: `2026-03-16`, `06:30`, `2026-03-16T12:00`. */
export const TEXT_UNITS = ['date', 'clock', 'datetime'] as const;

const TABLE: ReadonlyMap<string, Measure> = new Map([
  ...EXACT.flatMap((row) => {
    const [dimension = '', ...units] = row.split(' ');
    return units.map((written) => {
      const [unit = '', num, den = 1] = written.split(/[=/]/);
      return [unit, exact(dimension, Number(num), Number(den))] as const;
    });
  }),
  ...MONEY.map((code) => [code, exact(`money_${code}`, 1, 1)] as const),
  ['month', { dimension: 'time', low: rational(28 * DAY), high: rational(31 * DAY), offset: ZERO }],
  ['quarter', { dimension: 'time', low: rational(90 * DAY), high: rational(92 * DAY), offset: ZERO }],
  ['year', { dimension: 'time', low: rational(365 * DAY), high: rational(366 * DAY), offset: ZERO }],
  ['K', exact('temperature', 1, 1)],
  ['degC', { ...exact('temperature', 1, 1), offset: rational(27_315, 100) }],
  ['degF', { ...exact('temperature', 5, 9), offset: rational(45_967, 100) }],
]);

/**
 * The measure of a unit. `a/b` is a rate: per second and per minute compare. Null (a bare number) is the
 * dimension `count`.
 */
export function findMeasure(unit: string | null): Measure {
  if (unit === null) return exact('count', 1, 1);
  const known = TABLE.get(unit);
  if (known !== undefined) return known;
  const slash = unit.indexOf('/');
  if (slash <= 0 || slash === unit.length - 1) return exact(`unit:${unit}`, 1, 1);
  const [base, per] = [simple(unit.slice(0, slash)), simple(unit.slice(slash + 1))];
  return {
    dimension: `${base.dimension}/${per.dimension}`,
    low: divideRational(base.low, per.high),
    high: divideRational(base.high, per.low),
    offset: ZERO,
  };
}

/** True for a unit of the table (money included), and for nothing that only looks like one. */
export function isKnownUnit(unit: string): boolean {
  return TABLE.has(unit);
}

/** An amount in base units. */
export function makeAmount(value: Decimal, unit: string | null): Amount & { readonly dimension: string } {
  const { dimension, low, high, offset } = findMeasure(unit);
  const shifted = addRational(toRational(value), offset);
  const [a, b] = [multiplyRational(shifted, low), multiplyRational(shifted, high)];
  return compareRational(a, b) <= 0 ? { dimension, low: a, high: b } : { dimension, low: b, high: a };
}

/** True if two quantities are the same amount of the same dimension. */
export function isSameAmount(
  a: { readonly value: Decimal; readonly unit: string | null },
  b: { readonly value: Decimal; readonly unit: string | null },
): boolean {
  const [left, right] = [makeAmount(a.value, a.unit), makeAmount(b.value, b.unit)];
  return (
    left.dimension === right.dimension &&
    compareRational(left.low, right.low) === 0 &&
    compareRational(left.high, right.high) === 0
  );
}

function simple(unit: string): Measure {
  return TABLE.get(unit) ?? exact(`unit:${unit}`, 1, 1);
}

function exact(dimension: string, num: number, den: number): Measure {
  const factor = rational(num, den);
  return { dimension, low: factor, high: factor, offset: ZERO };
}
