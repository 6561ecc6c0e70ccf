/**
 * The scanner of quantities: number, unit, comparison. The machine checks by it that a claim's number can
 * be read in its quote, and proposers may find quantities with it. Source: intent I1, I3, I4.
 *
 * @module
 */
import type { Op } from './atom.js';
import { isYear, readMoment, type Moment } from './calendar.js';
import { comparatorAfter, comparatorBefore, type Comparator } from './comparators.js';
import type { Decimal } from './decimal.js';
import { readNumber, type ReadNumber } from './number-words.js';
import { isDigit, tokenize, type Token } from './tokens.js';
import { currencyOf, readNoun, readRate, readUnit, type ReadUnit } from './unit-words.js';

/**
 * A quantity: its tokens `[first, next)`, comparison included. `unit` null: a bare number. `approx`: about,
 * roughly. `isNegated`: the comparison holds the negation (`not exceed`), so the clause has one less.
 */
export type Quantity = {
  readonly first: number;
  readonly next: number;
  /** The first token of the number itself. */
  readonly at: number;
  readonly op: Op;
  readonly value: Decimal;
  readonly unit: string | null;
  readonly approx: boolean;
  readonly isNegated: boolean;
};

/** A text with what was found in it. */
export type Scan = { readonly text: string; readonly tokens: readonly Token[]; readonly quantities: readonly Quantity[]; readonly moments: readonly Moment[] };

/** Finds every quantity, date and clock time. Linear. */
export function scanText(text: string): Scan {
  const tokens = tokenize(text);
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

/** The one quantity that makes up a whole text, as in `"<= 50 EUR"`; null where there is more or less than that. A bare number is none. */
export function readQuantity(text: string): Pick<Quantity, 'op' | 'value' | 'unit'> | null {
  const { tokens, quantities, moments } = scanText(text);
  const [only] = quantities;
  if (only === undefined || quantities.length > 1 || moments.length > 0 || only.unit === null) return null;
  return only.first === 0 && only.next === tokens.length ? { op: only.op, value: only.value, unit: only.unit } : null;
}

/** Words that make the number after them a name: `section 4`, `room 12`. */
const LABELS: ReadonlySet<string> = new Set(
  'version section item ticket ward room page chapter step phase table figure number no nr class form article clause paragraph annex appendix reference ref platform gate line bus bed oven firefox chrome node iso din en grade level option lot # v'.split(' '),
);
/** Signs that join two ends of a range. */
const RANGE: ReadonlySet<string> = new Set(['to', 'and', '-', '–', '—']);

/** Quantities from a token on: none, one, or the two of a range, a pair or a tolerance. */
function readFrom(text: string, tokens: readonly Token[], at: number): readonly Quantity[] | null {
  const first = readOne(text, tokens, at);
  if (first === null) return null;
  const second = readSecond(text, tokens, first);
  if (second === null) return isPlain(first, tokens) ? null : [first];
  return second;
}

/** The second half of `26 to 28 °C`, `38 x 19 mm`, `2.5 mm ± 0.1 mm`. A first number without unit takes the second's. */
function readSecond(text: string, tokens: readonly Token[], first: Quantity): readonly Quantity[] | null {
  const sign = tokens[first.next];
  if (sign === undefined || sign.lines > 0) return null;
  const isBetween = tokens[first.first - 1]?.lower === 'between' || tokens[first.first - 1]?.lower === 'from';
  const isRange = RANGE.has(sign.lower) && (sign.lower !== 'and' || tokens[first.first - 1]?.lower === 'between');
  const isPair = sign.lower === 'x' || sign.lower === '×';
  const isTolerance = sign.lower === '±';
  if (!isRange && !isPair && !isTolerance) return null;
  const second = readOne(text, tokens, first.next + 1);
  if (second === null || second.unit === null || second.at !== first.next + 1) return null;
  if (first.unit !== null && first.unit !== second.unit) return null;
  const from = isBetween ? first.first - 1 : first.first;
  const whole = { first: from, next: second.next };
  if (isTolerance) return [{ ...first, next: first.next }, { ...second, first: first.next, op: '<=' }];
  if (isPair) return [{ ...first, ...whole, unit: second.unit }, { ...second, ...whole }];
  return [{ ...first, ...whole, unit: second.unit, op: '>=' }, { ...second, ...whole, op: '<=' }];
}

function readOne(text: string, tokens: readonly Token[], at: number): Quantity | null {
  const money = currencyOf(text, tokens[at]);
  const isSigned = tokens[at]?.lower === '-' || tokens[at]?.lower === '−';
  const start = money !== null || isSigned ? at + 1 : at;
  if (isSigned && (tokens[start]?.glued !== true || tokens[at]?.glued === true)) return null;
  const number = readNumber(tokens, start);
  if (number === null || isName(text, tokens, at, start, number)) return null;
  const value: Decimal = isSigned ? { n: -number.value.n, scale: number.value.scale } : number.value;
  const unit = unitOf(text, tokens, number, money);
  if (unit === null && isGluedOn(tokens, number)) return null;
  if (unit === null && number.isWord && tokens[at]?.lower === 'one') return null;
  const before = comparatorBefore(tokens, at, false);
  const next = unit?.next ?? number.next;
  const after = before === null ? comparatorAfter(tokens, next) : null;
  return withComparison({ first: at, next, at, op: '=', value, unit: unit?.unit ?? null, approx: false, isNegated: false }, before, after);
}

function withComparison(plain: Quantity, before: Comparator | null, after: readonly [Op, number] | null): Quantity {
  if (before !== null) return { ...plain, first: before.from, op: before.op, approx: before.approx, isNegated: before.isNegated };
  return after === null ? plain : { ...plain, op: after[0], next: after[1] };
}

function unitOf(text: string, tokens: readonly Token[], number: ReadNumber, money: string | null): ReadUnit | null {
  if (money !== null) return readRate(text, tokens, { unit: money, next: number.next });
  const unit = readUnit(text, tokens, number.next);
  if (unit !== null) return unit;
  // A noun right on the digits is a code (`8b`), not something counted.
  if (tokens[number.next]?.glued === true) return null;
  return readNoun(text, tokens, number.next, number.value.n === 1 && number.value.scale === 0);
}

/** Part of a code, a telephone number, a path, a version, or named by a label. */
function isName(text: string, tokens: readonly Token[], at: number, start: number, number: ReadNumber): boolean {
  const before = tokens[at - 1];
  if (isYear(tokens, start)) return true;
  if (isListMark(text, tokens, at)) return true;
  if (before === undefined) return false;
  if (LABELS.has(before.lower) && !number.isWord) return true;
  const digits = tokens[start];
  const isJoined = digits?.glued === true && start === at && (before.lower === '-' || before.lower === '/' || before.lower === '_' || before.lower === '.' || before.lower === ':');
  const isEnDash = before.lower === '–' || before.lower === '—';
  return isJoined && !isEnDash && !(before.lower === '-' && isDigit(text.charCodeAt(before.start - 1)) && !text.startsWith('0', digits?.start ?? 0));
}

/** The number of a clause or list item: digits at the start of a line or sentence before a capital. */
function isListMark(text: string, tokens: readonly Token[], at: number): boolean {
  const [before, mark, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (mark?.kind !== 'number' || after === undefined || after.glued) return false;
  const capital = text.charCodeAt(after.start);
  return capital >= 0x41 && capital <= 0x5a && (before === undefined || mark.lines > 0 || before.lower === '.');
}

/** Digits with a word or a sign of a code glued on: `8b`, `14th`, `7731-C`. */
function isGluedOn(tokens: readonly Token[], { next, isWord }: ReadNumber): boolean {
  const after = tokens[next];
  if (isWord || after === undefined || !after.glued) return false;
  if (after.kind === 'word' || after.lower === '/' || after.lower === '_') return true;
  return after.lower === '-' && tokens[next + 1]?.glued === true && tokens[next + 1]?.kind === 'word';
}

/** A bare number without comparison says too little to be a quantity; a spelled-out large one (`a billion`) is one. */
function isPlain({ unit, op, approx, at, next }: Quantity, tokens: readonly Token[]): boolean {
  if (unit !== null || op !== '=' || approx) return false;
  return next - at < 2 || tokens[at]?.kind === 'number';
}
