/**
 * The closed table of units: dimension and exact factor to the base unit. Source: intent I1.
 *
 * A month has 28 to 31 days and a year 365 or 366, so a factor is a range: bounds are taken at their
 * loosest, and two amounts are called disjoint only where they are so for every month and year. Money is
 * never converted. A unit that is not in the table is a dimension of its own, never dropped.
 *
 * @module
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

type Row = readonly [
  dimension: string,
  rows: readonly (readonly [unit: string, num: number, den?: number])[],
];

const EXACT: readonly Row[] = [
  [
    'time',
    [
      ['us', 1, 1_000_000],
      ['ms', 1, 1_000],
      ['s', 1],
      ['min', 60],
      ['h', 3_600],
      ['d', DAY],
      ['week', 7 * DAY],
    ],
  ],
  [
    'bytes',
    [
      ['bit', 1, 8],
      ['kbit', 125],
      ['Mbit', 125_000],
      ['Gbit', 125_000_000],
      ['Tbit', 125_000_000_000],
      ['B', 1],
      ['kB', 1_000],
      ['MB', 1_000_000],
      ['GB', 1_000_000_000],
      ['TB', 1_000_000_000_000],
      ['KiB', 1_024],
      ['MiB', 1_048_576],
      ['GiB', 1_073_741_824],
      ['TiB', 1_099_511_627_776],
    ],
  ],
  [
    'length',
    [
      ['um', 1, 1_000_000],
      ['mm', 1, 1_000],
      ['cm', 1, 100],
      ['m', 1],
      ['km', 1_000],
      ['inch', 254, 10_000],
      ['foot', 3_048, 10_000],
      ['mile', 1_609_344, 1_000],
    ],
  ],
  [
    'area',
    [
      ['cm2', 1, 10_000],
      ['m2', 1],
      ['ha', 10_000],
      ['km2', 1_000_000],
    ],
  ],
  [
    'volume',
    [
      ['ml', 1, 1_000],
      ['cl', 1, 100],
      ['l', 1],
      ['m3', 1_000],
    ],
  ],
  [
    'mass',
    [
      ['mg', 1, 1_000],
      ['g', 1],
      ['kg', 1_000],
      ['t', 1_000_000],
    ],
  ],
  [
    'power',
    [
      ['mW', 1, 1_000],
      ['W', 1],
      ['kW', 1_000],
      ['MW', 1_000_000],
    ],
  ],
  [
    'energy',
    [
      ['Wh', 1],
      ['kWh', 1_000],
      ['MWh', 1_000_000],
    ],
  ],
  [
    'frequency',
    [
      ['Hz', 1],
      ['kHz', 1_000],
      ['MHz', 1_000_000],
      ['GHz', 1_000_000_000],
    ],
  ],
  ['percent', [['%', 1]]],
  ['count', [['count', 1]]],
];

/** Money by ISO code: each its own dimension. */
export const MONEY: readonly string[] = [
  'AUD',
  'BRL',
  'CAD',
  'CHF',
  'CNY',
  'CZK',
  'DKK',
  'EUR',
  'GBP',
  'HUF',
  'INR',
  'JPY',
  'KRW',
  'MXN',
  'NOK',
  'NZD',
  'PLN',
  'RON',
  'SEK',
  'TRY',
  'UAH',
  'USD',
  'ZAR',
];

/** Units whose values are text: `2026-03-16`, `06:30`, `2026-03-16T12:00`. */
export const TEXT_UNITS = ['date', 'clock', 'datetime'] as const;

const TABLE: ReadonlyMap<string, Measure> = new Map([
  ...EXACT.flatMap(([dimension, rows]) =>
    rows.map(([unit, num, den = 1]) => [unit, exact(dimension, num, den)] as const),
  ),
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

/** True where two quantities are the same amount of the same dimension. */
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
