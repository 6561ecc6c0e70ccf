/**
 * The scanner of quantities, dates and clock times, with ranges, pairs and tolerances. The machine checks by it
 * that a claim's number can be read in its quote, and proposers may find quantities with it. Source: intent
 * I1, I3, I4.
 *
 * @module
 */
import { readMoment, type Moment } from './calendar.js';
import { joinedAmount } from './compound.js';
import { readNumber } from './number-words.js';
import { readOne, type Quantity } from './quantity.js';
import { saidTokens, tokenize, type Token } from './tokens.js';
import { findMeasure } from './units.js';

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
 * The one quantity that makes up a whole text, as in `"<= 50 EUR"`; null where there is more or less than
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
