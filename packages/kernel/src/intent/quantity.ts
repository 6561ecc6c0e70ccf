/**
 * The scanner of quantities: number, unit, comparison. The machine checks by it that a claim's number can
 * be read in its quote, and proposers may find quantities with it. Source: intent I1, I3, I4.
 *
 * @module
 */
import type { Op } from './atom.js';
import { isYear, readMoment, type Moment } from './calendar.js';
import { comparatorAfter, comparatorBefore, isLead, type Comparator } from './comparators.js';
import { normalizeDecimal, scaleDecimal, type Decimal } from './decimal.js';
import { saidTokens } from './markup.js';
import { readNumber, type ReadNumber } from './number-words.js';
import { isDigit, tokenize, type Token } from './tokens.js';
import { joinedAmount } from './compound.js';
import {
  currencyOf,
  isNounLike,
  readNoun,
  readPer,
  readRate,
  readUnit,
  singularOf,
  type ReadUnit,
} from './unit-words.js';
import { measureOf } from './units.js';

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

/** Words that make the number after them a name: `section 4`, `room 12`. */
export const LABELS: ReadonlySet<string> = new Set(
  (
    'version section item ticket ward room page chapter step phase table figure number no nr ' +
    'class form article clause paragraph annex appendix reference ref platform gate line bus ' +
    'bed oven firefox chrome node iso din en grade level option lot # v'
  ).split(' '),
);
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
    !(isRange && measureOf(first.unit).dimension === measureOf(second.unit).dimension)
  )
    return null;
  if (isBy && measureOf(second.unit).dimension !== 'length') return null;
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
export function toleranceAt(tokens: readonly Token[], at: number): number {
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
    measureOf(first.unit).dimension === measureOf(second.unit).dimension;
  return isOne
    ? [
        { ...first, unit: first.unit ?? second.unit },
        { ...second, first: first.next, op: '<=' },
      ]
    : null;
}

function readOne(text: string, tokens: readonly Token[], at: number): Quantity | null {
  const money = currencyOf(text, tokens[at]);
  const isPlus = tokens[at]?.lower === '+' && tokens[at]?.glued !== true;
  // `minus 5 °C`; `10 minus 5` reckons.
  const isMinus = tokens[at]?.lower === 'minus' && tokens[at - 1]?.kind !== 'number';
  const isSigned = tokens[at]?.lower === '-' || tokens[at]?.lower === '−' || isPlus || isMinus;
  const start = money !== null || isSigned ? at + 1 : at;
  if (isSigned && !isMinus && (tokens[start]?.glued !== true || tokens[at]?.glued === true)) return null;
  const plainNumber = readNumber(tokens, start);
  const number = plainNumber === null ? null : inMillions(text, tokens, plainNumber, money !== null);
  if (number === null || isName(text, tokens, at, start, number)) return null;
  const isOpen = tokens[number.next]?.lower === '+' && tokens[number.next]?.glued === true;
  const unit = unitOf(text, tokens, isOpen ? { ...number, next: number.next + 1 } : number, money);
  if (unit === null && isGluedOn(tokens, number)) return null;
  if (unit === null && number.next === at + 1 && tokens[at]?.lower === 'one') return null;
  const value = valueOf(tokens, start, number, isSigned && !isPlus, unit?.unit ?? null);
  const next = unit?.next ?? number.next;
  const compared = comparatorBefore(tokens, at, false);
  const before =
    paced(tokens, compared, unit?.unit ?? null) ??
    (tokens[at - 1]?.lower === '±' && unit !== null
      ? { op: '<=', approx: false, isNegated: false, from: at - 1 }
      : null);
  const after: readonly [Op, number] | null =
    isOpen && unit !== null ? ['>=', next] : comparatorAfter(tokens, next, unit?.unit ?? null);
  const plain: Quantity = {
    first: at,
    next,
    at,
    op: '=',
    value,
    unit: unit?.unit ?? null,
    approx: false,
    isNegated: false,
  };
  return withSense(
    text,
    tokens,
    withComparison(plain, before, before === null || before.approx ? after : null),
  );
}

/**
 * `$5M`, `2M visitors`, `€3B`: a letter on the digits, where money or a counted noun says that it is no unit.
 */
function inMillions(
  text: string,
  tokens: readonly Token[],
  number: ReadNumber,
  isMoney: boolean,
): ReadNumber {
  const sign = tokens[number.next];
  const isPaid = isMoney || currencyOf(text, tokens[number.next + 1]) !== null;
  const scale = MILLIONS.get(
    sign?.glued !== true ? '' : isPaid ? sign.lower : text.slice(sign.start, sign.end).replace(/^[a-z]$/, ''),
  );
  const value = scale === undefined || number.isWord ? null : scaleDecimal(number.value, scale);
  if (value === null) return number;
  const next = number.next + 1;
  const isCounted = isPaid || readNoun(text, tokens, next, false) !== null;
  return isCounted ? { value, next, isWord: true } : number;
}

const MILLIONS: ReadonlyMap<string, number> = new Map([
  ['m', 1_000_000],
  ['M', 1_000_000],
  ['b', 1_000_000_000],
  ['B', 1_000_000_000],
]);

/** `50.000 Euro`: of money three digits after a point are a group, since nothing costs a thousandth. */
function valueOf(
  tokens: readonly Token[],
  start: number,
  { value, isWord }: ReadNumber,
  isSigned: boolean,
  unit: string | null,
): Decimal {
  const digits = tokens[start]?.lower ?? '';
  const isGrouped =
    !isWord &&
    unit !== null &&
    measureOf(unit).dimension.startsWith('money_') &&
    digits.charAt(digits.length - 4) === '.' &&
    !digits.includes(',');
  const read = isGrouped ? (scaleDecimal(value, 1_000) ?? value) : value;
  return isSigned ? normalizeDecimal({ n: -read.n, scale: read.scale }) : read;
}

/**
 * `faster than 100 km/h` is more, `faster than 2 s` less; `slower` the other way round. As read so far both
 * are less.
 */
function paced(tokens: readonly Token[], found: Comparator | null, unit: string | null): Comparator | null {
  if (found === null || (found.op !== '<' && found.op !== '>=')) return found;
  const word = [found.from, found.from + 1, found.from + 2, found.from + 3]
    .map((at) => tokens[at])
    .find((token) => token?.lower === 'faster' || token?.lower === 'slower')?.lower;
  const isSpeed = unit !== null && (unit.includes('/') || SPEEDS.has(unit));
  if (word === undefined || (word === 'faster') !== isSpeed) return found;
  return { ...found, op: found.op === '<' ? '>' : '<=' };
}

const SPEEDS: ReadonlySet<string> = new Set('mph kn knot fps rpm Hz kHz MHz GHz'.split(' '));

/** What the words around make of a quantity: an age, a span, a lead, a noun before the bound. */
function withSense(text: string, tokens: readonly Token[], found: Quantity): Quantity {
  const { first, next, at, op, unit } = found;
  const before = tokens[first - 1];
  if (unit === null) {
    // `patients under 16` are so many years old; in `tags max 20` the noun stands before its bound.
    const isAged =
      AGED.has((before?.lower === '(' ? tokens[first - 2] : before)?.lower ?? '') ||
      (before?.lower === '-' && tokens[first - 2]?.lower === 'aged') ||
      tokens[at - 1]?.lower === 'aged';
    // `You must be over 16`, `Drivers must be at least 21`.
    const isOfAge =
      before?.lower === 'be' &&
      op !== '=' &&
      [first - 2, first - 3].some(
        (place) => AGED.has(tokens[place]?.lower ?? '') || tokens[place]?.lower === 'you',
      ) &&
      !isNounLike(tokens[next]?.lower ?? '');
    if (isOfAge) return { ...found, unit: 'year' };
    if (isAged && (op !== '=' || tokens[at - 1]?.lower === 'aged')) return { ...found, unit: 'year' };
    const isBounded = op !== '=' && !MOMENT_BOUNDS.has(tokens[first]?.lower ?? '');
    const word =
      before?.kind === 'word' && before.lines < 2 && (tokens[first]?.lines ?? 0) === 0 && isBounded
        ? before.lower
        : '';
    const noun = isNounLike(word) ? singularOf(word) : word;
    return noun === word || (tokens[next]?.kind === 'word' && isNounLike(tokens[next]?.lower ?? ''))
      ? found
      : { ...found, ...readRate(text, tokens, { unit: noun, next }) };
  }
  const isTime = measureOf(unit).dimension === 'time' || unit === 'working_day' || unit === 'school_day';
  // `not later than 14 days before`, `up to 24 hours before`, `no earlier than 3 hours before`: on the clock
  // more is earlier. `at most 10 minutes before` counts.
  if (isTime && isLead(tokens, next) && tokens.slice(first, at).some(({ lower }) => EARLINESS.has(lower)))
    return { ...found, op: MIRRORED[op] ?? op };
  // `350,000 USD over three years`, `averaged over 5 minutes`: a span, no bound.
  const isSpan =
    isTime &&
    op === '>' &&
    tokens[first]?.lower === 'over' &&
    first + 1 === at &&
    (isAmountEnd(text, tokens, first - 1) || SPREAD.has(before?.lower ?? ''));
  return isSpan ? { ...found, op: '=' } : found;
}

/** Words of a comparison by the clock, none of which counts how much earlier. */
const EARLINESS: ReadonlySet<string> = new Set(
  'later latest earlier earliest sooner up until till by'.split(' '),
);
const MIRRORED: Readonly<Partial<Record<Op, Op>>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

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

/** Before a bare number these mean a moment (`no visits before 9`), so no noun is counted. */
const MOMENT_BOUNDS: ReadonlySet<string> = new Set('before until till by after past'.split(' '));

const AGED: ReadonlySet<string> = new Set(
  (
    'patients children kids pupils students people persons person adults anyone anybody ' +
    'everyone users visitors members riders drivers passengers guests minors youngsters ' +
    'teenagers players customers applicants child siblings juniors seniors girls boys'
  ).split(' '),
);
const SPREAD: ReadonlySet<string> = new Set(
  'spread averaged measured paid distributed calculated staggered repaid computed taken summed counted'.split(
    ' ',
  ),
);

/** True for the last token of an amount: its sign, unit or digits. */
function isAmountEnd(text: string, tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || token.kind === 'number') return token !== undefined;
  // `requests over 2 s` compares: only a unit behind its number ends an amount.
  const before = tokens[at - 1];
  const isCounted =
    before?.kind === 'number' ||
    (before?.glued === true && tokens[at - 2]?.kind === 'number') ||
    readNumber(tokens, at - 1) !== null;
  return isCounted && readUnit(text, tokens, at) !== null;
}

function withComparison(
  plain: Quantity,
  before: Comparator | null,
  after: readonly [Op, number] | null,
): Quantity {
  if (before !== null)
    return {
      ...plain,
      first: before.from,
      op: before.op,
      approx: before.approx,
      isNegated: before.isNegated,
    };
  return after === null ? plain : { ...plain, op: after[0], next: after[1] };
}

function unitOf(
  text: string,
  tokens: readonly Token[],
  number: ReadNumber,
  money: string | null,
): ReadUnit | null {
  if (money !== null) return readRate(text, tokens, { unit: money, next: number.next });
  const unit = readUnit(text, tokens, number.next);
  if (unit !== null) return unit;
  const rate = readPer(text, tokens, number.next);
  if (rate !== null) return rate;
  // A noun right on the digits is a code (`8b`), not something counted.
  if (tokens[number.next]?.glued === true) return null;
  return readNoun(text, tokens, number.next, number.value.n === 1 && number.value.scale === 0);
}

/** Part of a code, a telephone number, a path, a version, or named by a label. */
function isName(
  text: string,
  tokens: readonly Token[],
  at: number,
  start: number,
  number: ReadNumber,
): boolean {
  const before = tokens[at - 1];
  if (isYear(tokens, start)) return true;
  if (isListMark(text, tokens, at) || isParameter(tokens, start - 1)) return true;
  if (before === undefined) return false;
  if (LABELS.has(before.lower) && !number.isWord) return true;
  const digits = tokens[start];
  const isJoined =
    digits?.glued === true &&
    start === at &&
    (before.lower === '-' ||
      before.lower === '/' ||
      before.lower === '_' ||
      before.lower === '.' ||
      before.lower === ':' ||
      before.lower === '^');
  const isEnDash = before.lower === '–' || before.lower === '—';
  return (
    isJoined &&
    !isEnDash &&
    !(
      before.lower === '-' &&
      isDigit(text.charCodeAt(before.start - 1)) &&
      !text.startsWith('0', digits?.start ?? 0)
    )
  );
}

/**
 * Tokens of an escape sequence that are looked at: sixteen parameters and what parts them, twice what
 * terminals take.
 */
const PARAMETERS_MAX = 64;

/**
 * `ESC[1;31m`: the parameters of an escape sequence. Of many the last are looked at: a long list of numbers
 * is read once.
 */
function isParameter(tokens: readonly Token[], from: number): boolean {
  let at = from;
  while (at > from - PARAMETERS_MAX && (tokens[at]?.kind === 'number' || tokens[at]?.lower === ';')) at -= 1;
  return tokens[at]?.lower === '[' && tokens[at - 1]?.lower === '\x1b';
}

/** The number of a clause or list item: digits at the start of a line or sentence before a capital. */
function isListMark(text: string, tokens: readonly Token[], at: number): boolean {
  const [before, mark, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (
    mark?.kind !== 'number' ||
    after === undefined ||
    after.glued ||
    (after.lower !== 'a' && readUnit(text, tokens, at + 1) !== null)
  )
    return false;
  const capital = text.charCodeAt(after.start);
  return (
    capital >= 0x41 && capital <= 0x5a && (before === undefined || mark.lines > 0 || before.lower === '.')
  );
}

/** Digits with a word or a sign of a code glued on: `8b`, `14th`, `7731-C`. */
function isGluedOn(tokens: readonly Token[], { next, isWord }: ReadNumber): boolean {
  const after = tokens[next];
  if (isWord || after === undefined || !after.glued) return false;
  if (after.kind === 'word' || after.lower === '/' || after.lower === '_' || after.lower === "'") return true;
  return after.lower === '-' && tokens[next + 1]?.glued === true && tokens[next + 1]?.kind === 'word';
}

/**
 * A bare number without comparison says too little to be a quantity; a spelled-out large one (`a billion`) is
 * one.
 */
function isPlain({ unit, op, approx, at, next }: Quantity, tokens: readonly Token[]): boolean {
  if (unit !== null || op !== '=' || approx) return false;
  return next - at < 2 || tokens[at]?.kind === 'number';
}
