/**
 * The scanner of quantities, dates and clock times, with ranges, pairs and tolerances. The machine checks by
 * it that a claim's number can be read in its quote, and proposers may find quantities with it. Amounts said
 * in two units: `1 h 30 min`, `5 ft 11 in`, `2 hours and 15 minutes`. They are one amount, in the smaller
 * unit. Source: intent I1; I3; I4.
 */
import { readMoment, type Moment } from './calendar.js';
import { readNumber } from './number-words.js';
import { readOne, type Quantity } from './quantity.js';
import { saidTokens, tokenize, type Token } from './tokens.js';
import { findMeasure } from './units.js';
import { isLead } from './comparators.js';
import { addDecimals, compareRational, rational, scaleDecimal, toRational } from './decimal.js';

/** A text with what was found in it. */
export type Scan = {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly quantities: readonly Quantity[];
  readonly moments: readonly Moment[];
};

/** Finds every quantity, date and clock time. Linear. */
export function scanText(text: string): Scan {
  return scanTokens(text, tokenize(text));
}

/**
 * What of a scanned text is said to its reader: without what is struck out, commented out or fenced as code.
 * The same scan where there is nothing of the kind. Linear.
 */
export function scanSaid(scan: Scan): Scan {
  const tokens = saidTokens(scan.text, scan.tokens);
  return tokens === scan.tokens ? scan : scanTokens(scan.text, tokens);
}

function scanTokens(text: string, tokens: readonly Token[]): Scan {
  const quantities: Quantity[] = [];
  const moments: Moment[] = [];
  let at = 0;
  while (at < tokens.length) {
    const moment = readMoment(tokens, at);
    const found = moment === null ? readFrom(text, tokens, at) : null;
    if (moment !== null) moments.push(moment);
    for (const quantity of found ?? []) quantities.push(quantity);
    at = moment?.next ?? found?.at(-1)?.next ?? at + 1;
  }
  return { text, tokens, quantities, moments };
}

/** By token: 1 for those of a quantity, date or clock time. Linear. */
export function takenBy({ tokens, quantities, moments }: Scan): Uint8Array {
  const taken = new Uint8Array(tokens.length);
  for (const { first, next } of [...quantities, ...moments]) taken.fill(1, first, next);
  return taken;
}

/**
 * The one quantity that makes up a whole text, as in `"<= 50 EUR"`; null if there is more or less than
 * that. A bare number is none.
 */
export function readQuantity(text: string): Pick<Quantity, 'op' | 'value' | 'unit'> | null {
  const { tokens, quantities, moments } = scanText(text);
  const [only] = quantities;
  if (only === undefined || quantities.length > 1 || moments.length > 0 || only.unit === null) return null;
  return only.first === 0 && only.next === tokens.length
    ? { op: only.op, value: only.value, unit: only.unit }
    : null;
}

const BETWEEN: ReadonlySet<string> = new Set('between from zwischen von'.split(' '));
/** Signs that join two ends of a range. */
const RANGE: ReadonlySet<string> = new Set('to and - – — bis through'.split(' '));

/** Quantities from a token on: none, one, or the two of a range, a pair or a tolerance. */
function readFrom(text: string, tokens: readonly Token[], at: number): readonly Quantity[] | null {
  const one = readAges(tokens, at) ?? readOne(text, tokens, at);
  if (one === null) return null;
  const first = joinedAmount(tokens, one, (from) => readOne(text, tokens, from));
  // `before the 3.2 release` names a version.
  if (
    first.unit === null &&
    (tokens[first.first]?.lower === 'before' || tokens[first.at - 1]?.lower === 'before')
  )
    return null;
  const second = readSecond(text, tokens, first);
  if (second === null) return isPlain(first, tokens) ? null : [first];
  return second;
}

/**
 * The second half of `26 to 28 °C`, `38 x 19 mm`, `2.5 mm ± 0.1 mm`. A first number without unit takes the
 * second's.
 */
function readSecond(text: string, tokens: readonly Token[], first: Quantity): readonly Quantity[] | null {
  const sign = tokens[first.next];
  if (sign === undefined || sign.lines > 0) return null;
  const isBetween = BETWEEN.has(tokens[first.first - 1]?.lower ?? '');
  const isRange = RANGE.has(sign.lower) && (sign.lower !== 'and' || isBetween);
  // `56 by 49 cm`; `raise 5 by 3 cm` has a unit of its own or none to share.
  const isBy = sign.lower === 'by' && first.unit === null && first.op === '=';
  const isPair = sign.lower === 'x' || sign.lower === '×' || isBy;
  const tolerance = toleranceAt(tokens, first.next);
  if (!isRange && !isPair && tolerance === 0) return null;
  const from = first.next + Math.max(1, tolerance);
  const second = readOne(text, tokens, from);
  if (second === null || second.unit === null || second.at !== from) return null;
  if (tolerance > 0) return withTolerance(first, second);
  if (
    first.unit !== null &&
    first.unit !== second.unit &&
    !(isRange && findMeasure(first.unit).dimension === findMeasure(second.unit).dimension)
  )
    return null;
  if (isBy && findMeasure(second.unit).dimension !== 'length') return null;
  const whole = { first: isBetween ? first.first - 1 : first.first, next: second.next };
  if (isPair)
    return [
      { ...first, ...whole, unit: second.unit },
      { ...second, ...whole },
    ];
  return [
    { ...first, ...whole, unit: first.unit ?? second.unit, op: '>=' },
    { ...second, ...whole, op: '<=' },
  ];
}

/** How many tokens make up a sign of tolerance: `±`, `+/-`, `+-`; 0 for none. */
function toleranceAt(tokens: readonly Token[], at: number): number {
  const [sign, slash, minus] = [tokens[at]?.lower, tokens[at + 1], tokens[at + 2]];
  if (sign === '±') return 1;
  if (sign !== '+' || slash?.glued !== true) return 0;
  if (slash.lower === '-' || slash.lower === '−') return 2;
  return slash.lower === '/' && minus?.glued === true && (minus.lower === '-' || minus.lower === '−') ? 3 : 0;
}

/** `20 ± 2 °C`, `230 V ± 10 %`: what it is to be, and how far it may be from that. */
function withTolerance(first: Quantity, second: Quantity): readonly Quantity[] | null {
  const isOne =
    first.unit === null ||
    second.unit === '%' ||
    findMeasure(first.unit).dimension === findMeasure(second.unit).dimension;
  return isOne
    ? [
        { ...first, unit: first.unit ?? second.unit },
        { ...second, first: first.next, op: '<=' },
      ]
    : null;
}

/** `under-14s`, `over-60s`, `Under 18s are …`: people by their age. */
function readAges(tokens: readonly Token[], at: number): Quantity | null {
  const [word, hyphen, digits, plural] = [tokens[at - 2]?.lower, tokens[at - 1], tokens[at], tokens[at + 1]];
  const [bare, behind, sign] = [tokens[at - 1]?.lower, tokens[at + 2]?.lower ?? '', tokens[at + 1]];
  if (
    (bare === 'under' || bare === 'over') &&
    digits?.kind === 'number' &&
    sign?.lower === 's' &&
    sign.glued &&
    PEOPLE_VERBS.has(behind)
  ) {
    const age = readNumber(tokens, at);
    if (age !== null)
      return {
        first: at - 1,
        next: at + 2,
        at,
        op: bare === 'under' ? '<' : '>',
        value: age.value,
        unit: 'year',
        approx: false,
        isNegated: false,
      };
  }
  if (
    (word !== 'under' && word !== 'over') ||
    hyphen?.lower !== '-' ||
    plural?.lower !== 's' ||
    !plural.glued
  )
    return null;
  const number = digits?.kind === 'number' ? readNumber(tokens, at) : null;
  return number === null
    ? null
    : {
        first: at - 2,
        next: at + 2,
        at,
        op: word === 'under' ? '<' : '>',
        value: number.value,
        unit: 'year',
        approx: false,
        isNegated: false,
      };
}

const PEOPLE_VERBS: ReadonlySet<string> = new Set(
  'are may must can cannot need pay should have get shall will go play'.split(' '),
);

/**
 * A bare number without comparison says too little to be a quantity; a spelled-out large one (`a billion`) is
 * one.
 */
function isPlain({ unit, op, approx, at, next }: Quantity, tokens: readonly Token[]): boolean {
  if (unit !== null || op !== '=' || approx) return false;
  return next - at < 2 || tokens[at]?.kind === 'number';
}

/**
 * How many of the smaller unit make one of the greater. Months have no fixed number of days, so none stands
 * here.
 */
const PARTS: ReadonlyMap<string, number> = new Map([
  ['year month', 12],
  ['week d', 7],
  ['d h', 24],
  ['d min', 1_440],
  ['h min', 60],
  ['h s', 3_600],
  ['min s', 60],
  ['s ms', 1_000],
  ['foot inch', 12],
  ['km m', 1_000],
  ['m cm', 100],
  ['m mm', 1_000],
  ['cm mm', 10],
  ['t kg', 1_000],
  ['kg g', 1_000],
  ['g mg', 1_000],
  ['l ml', 1_000],
]);
/** Units of which two parts may be joined by `and`; `2 kg and 300 g` are two things. */
const JOINED: ReadonlySet<string> = new Set(['year', 'week', 'd', 'h', 'min', 'foot']);
const PARTS_MAX = 4;

/**
 * The whole amount that a first part opens, or the first part itself. `read` reads the quantity that starts
 * at a token.
 */
export function joinedAmount(
  tokens: readonly Token[],
  first: Quantity,
  read: (at: number) => Quantity | null,
): Quantity {
  let whole = withHalf(tokens, first);
  for (let parts = 0; parts < PARTS_MAX; parts += 1) {
    const joined = joinedOnce(tokens, whole, read);
    if (joined === null) break;
    whole = joined;
  }
  return whole;
}

function joinedOnce(
  tokens: readonly Token[],
  first: Quantity,
  read: (at: number) => Quantity | null,
): Quantity | null {
  const { unit, value } = first;
  if (unit === null || value.scale > 0 || value.n < 0 || first.approx) return null;
  const isAnd = tokens[first.next]?.lower === 'and';
  const at = first.next + (isAnd ? 1 : 0);
  if ((tokens[at]?.lines ?? 1) > 0) return null;
  const second = read(at);
  // The `min` of `1 min 45 s` is no minimum.
  if (second === null || second.at !== at || second.first < first.next - 1) return null;
  const isInch =
    unit === 'foot' &&
    second.unit === null &&
    tokens[second.next]?.lower === 'in' &&
    !PLACES.has(tokens[second.next + 1]?.lower ?? '');
  // `2 hrs 30 mins per lesson`: what it is per belongs to the whole.
  const [smaller = '', per] = isInch ? ['inch'] : (second.unit ?? '').split('/');
  const next = isInch ? second.next + 1 : second.next;
  // `2 m and 30 cm long` is one length, `2 kg and 300 g` are two things.
  if (isAnd && !JOINED.has(unit) && !EXTENTS.has(tokens[next]?.lower ?? '')) return null;
  const factor = PARTS.get(`${unit} ${smaller}`);
  if (
    factor === undefined ||
    second.value.n < 0 ||
    compareRational(toRational(second.value), rational(factor)) >= 0
  )
    return null;
  // `2 days and 4 hours before`: two reminders as well as one.
  if (isAnd && isLead(tokens, next)) return null;
  const larger = scaleDecimal(value, factor);
  const sum = larger === null ? null : addDecimals(larger, second.value);
  return sum === null
    ? null
    : {
        ...first,
        next,
        value: sum,
        unit: per === undefined ? smaller : `${smaller}/${per}`,
        op: first.op === '=' && second.first === at ? second.op : first.op,
      };
}

const EXTENTS: ReadonlySet<string> = new Set('long high wide deep tall thick apart away'.split(' '));
/** Before these `in` is a preposition: `5 ft 11 in the garden`. */
const PLACES: ReadonlySet<string> = new Set(
  'the a an total all each every this that our its their'.split(' '),
);

/** `an hour and a half`. */
function withHalf(tokens: readonly Token[], first: Quantity): Quantity {
  const words = [0, 1, 2].map((ahead) => tokens[first.next + ahead]?.lower).join(' ');
  const value =
    words === 'and a half' && first.unit !== null && first.value.scale === 0
      ? addDecimals(first.value, { n: 5, scale: 1 })
      : null;
  return value === null ? first : { ...first, value, next: first.next + 3 };
}
