/** Reads one quantity: number, unit, comparison. Source: intent I1, I3, I4. */
import type { Op } from './atom.js';
import { isYear } from './calendar.js';
import { comparatorAfter, comparatorBefore, isLead, type Comparator } from './comparators.js';
import { normalizeDecimal, scaleDecimal, type Decimal } from './decimal.js';
import { readNumber, type ReadNumber } from './number-words.js';
import { isDigit, type Token } from './tokens.js';
import {
  findCurrency,
  isNounLike,
  readNoun,
  readPer,
  readRate,
  readUnit,
  findSingular,
  type ReadUnit,
} from './unit-words.js';
import { findMeasure } from './units.js';

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

/** Words that make the number after them a name: `section 4`, `room 12`. */
export const LABELS: ReadonlySet<string> = new Set(
  (
    'version section item ticket ward room page chapter step phase table figure number no nr ' +
    'class form article clause paragraph annex appendix reference ref platform gate line bus ' +
    'bed oven firefox chrome node iso din en grade level option lot # v'
  ).split(' '),
);
/** The quantity whose number, sign or currency stands at a token, or null. */
export function readOne(text: string, tokens: readonly Token[], at: number): Quantity | null {
  const money = findCurrency(text, tokens[at]);
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
  const unit = matchUnit(text, tokens, isOpen ? { ...number, next: number.next + 1 } : number, money);
  if (unit === null && isGluedOn(tokens, number)) return null;
  if (unit === null && number.next === at + 1 && tokens[at]?.lower === 'one') return null;
  const value = computeValue(tokens, start, number, isSigned && !isPlus, unit?.unit ?? null);
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
  const isPaid = isMoney || findCurrency(text, tokens[number.next + 1]) !== null;
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
function computeValue(
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
    findMeasure(unit).dimension.startsWith('money_') &&
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
    const noun = isNounLike(word) ? findSingular(word) : word;
    return noun === word || (tokens[next]?.kind === 'word' && isNounLike(tokens[next]?.lower ?? ''))
      ? found
      : { ...found, ...readRate(text, tokens, { unit: noun, next }) };
  }
  const isTime = findMeasure(unit).dimension === 'time' || unit === 'working_day' || unit === 'school_day';
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

function matchUnit(
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
