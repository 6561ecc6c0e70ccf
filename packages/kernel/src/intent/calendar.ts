/**
 * Dates and clock times in a text. Never today's date: what has no year stays open. Source: intent I1, I6.
 */
import type { Op } from './atom.js';
import { comparatorAfter, comparatorBefore } from './comparators.js';
import type { Token } from './tokens.js';

/** A date or clock time: its tokens, its ISO value (null if the year is missing), and how it bounds. */
export type Moment = {
  readonly first: number;
  readonly next: number;
  readonly op: Op;
  readonly value: string | null;
  readonly unit: 'date' | 'clock' | 'datetime';
};

const MONTHS: ReadonlyMap<string, string> = new Map([
  ...'january february march april may june july august september october november december'
    .split(' ')
    .flatMap((name, index) =>
      [name, name.slice(0, 3)].map((word) => [word, String(index + 1).padStart(2, '0')] as const),
    ),
  ...'januar:01 februar:02 märz:03 mai:05 juni:06 juli:07 oktober:10 dezember:12'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
]);

/**
 * Reads the date or clock time that starts at a token, or null. A date with a deadline on it is one moment:
 * `by 16 March 2026, 12:00`.
 */
export function readMoment(tokens: readonly Token[], at: number): Moment | null {
  const read =
    readClock(tokens, at) ?? readIso(tokens, at) ?? readDayMonth(tokens, at) ?? readMonthDay(tokens, at);
  if (read === null) return null;
  const comparator =
    comparatorBefore(tokens, at, true) ??
    (read.unit === 'date' ? comparatorBefore(tokens, pastWeekday(tokens, at), true) : null);
  const after = comparator === null ? comparatorAfter(tokens, read.next, null) : null;
  const moment: Moment = {
    first: comparator?.from ?? at,
    next: after?.[1] ?? read.next,
    op: comparator?.op ?? after?.[0] ?? endOfSpan(tokens, at),
    value: read.value,
    unit: read.unit,
  };
  if (read.unit === 'clock') return withDate(tokens, moment);
  return read.unit === 'date' && read.value !== null ? withClock(tokens, moment, read.value) : moment;
}

/** `by 14:00 on 12 June 2027`: an hour that bounds, on its day. */
function withDate(tokens: readonly Token[], clock: Moment): Moment {
  const at = tokens[clock.next]?.lower === 'on' ? clock.next + 1 : clock.next;
  const date =
    clock.op === '=' || at === clock.next
      ? null
      : (readIso(tokens, at) ?? readDayMonth(tokens, at) ?? readMonthDay(tokens, at));
  return date === null || date.value === null
    ? clock
    : { ...clock, next: date.next, value: `${date.value}T${String(clock.value)}`, unit: 'datetime' };
}

/** `by Friday, 6 March 2026`: the comparison stands before the day of the week. */
function pastWeekday(tokens: readonly Token[], at: number): number {
  const day = tokens[at - 1]?.lower === ',' ? at - 2 : at - 1;
  return tokens[day]?.lower.endsWith('day') === true ? day : at;
}

/** A date bounded by an hour; an hour that only stands beside a date stays apart. */
function withClock(tokens: readonly Token[], date: Moment, day: string): Moment {
  for (let at = date.next; at < date.next + WORDS_BETWEEN; at += 1) {
    const clock = readClock(tokens, at);
    if (clock === null || clock.value === null) continue;
    const bound = comparatorBefore(tokens, at, true);
    const isJoined =
      bound === null ? at === date.next || isJoint(tokens, date.next, at) : bound.from === date.next;
    const op = bound === null ? date.op : bound.op;
    return isJoined && op !== '='
      ? { ...date, next: clock.next, op, value: `${day}T${clock.value}`, unit: 'datetime' }
      : date;
  }
  return date;
}

const WORDS_BETWEEN = 5;

function isJoint(tokens: readonly Token[], from: number, to: number): boolean {
  return (
    to - from <= 2 &&
    tokens
      .slice(from, to)
      .every(({ lower, lines }) => lines < 2 && (lower === ',' || lower === 'at' || lower === 'um'))
  );
}

/** `8:00 to 20:00`, `between 20:00 and 7:00`: which end a clock time is; alone it is itself. */
function endOfSpan(tokens: readonly Token[], at: number): Op {
  const [before, earlier] = [tokens[at - 1]?.lower, tokens[at - 2]?.kind];
  if (before === 'between') return '>=';
  return earlier === 'clock' && (before === 'to' || before === 'and' || before === '-' || before === '–')
    ? '<='
    : '=';
}

/** True for a number that names a year, where a month or `in`, `of`, `since` precedes it. */
export function isYear(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== 'number' || token.lower.length !== 4) return false;
  const year = Number(token.lower);
  if (year < 1_900 || year > 2_199) return false;
  const before = tokens[at - 1]?.lower ?? '';
  return (
    MONTHS.has(before) ||
    ['in', 'of', 'since', 'until', 'by', 'year', 'from', 'summer', 'winter', 'spring', 'autumn'].includes(
      before,
    )
  );
}

type Read = Pick<Moment, 'next' | 'value' | 'unit'>;

/** `18:30`, `6:30 pm`, `9 am`, `9 a.m.`, `8 o'clock`, `noon`. */
function readClock(tokens: readonly Token[], at: number): Read | null {
  const token = tokens[at];
  if (token?.lower === 'noon') return { next: at + 1, value: '12:00', unit: 'clock' };
  const isWhole = token?.kind === 'number' && token.lower.length <= 2;
  if (token === undefined || (token.kind !== 'clock' && !isWhole)) return null;
  const half = readHalf(tokens, at + 1);
  if (isWhole && half === null) return null;
  const [hour = '', minute = '00'] = token.lower.split(':');
  const shift =
    half?.[0] === 'pm' && Number(hour) < 12 ? 12 : half?.[0] === 'am' && Number(hour) === 12 ? -12 : 0;
  const hours = Number(hour) + shift;
  if (hours > 24 || Number(minute) > 59) return null;
  return { next: half?.[1] ?? at + 1, value: `${String(hours).padStart(2, '0')}:${minute}`, unit: 'clock' };
}

/** The half of the day, or another word that makes a number an hour, and the token after it. */
function readHalf(tokens: readonly Token[], at: number): readonly [string, number] | null {
  const word = tokens[at]?.lower ?? '';
  if (word === 'am' || word === 'pm') return [word, at + 1];
  if (word === "o'clock" || word === 'o’clock' || word === 'uhr') return ['', at + 1];
  const isLettered =
    (word === 'a' || word === 'p') &&
    tokens[at + 1]?.lower === '.' &&
    tokens[at + 2]?.lower === 'm' &&
    tokens[at + 2]?.glued === true;
  return isLettered ? [`${word}m`, at + (tokens[at + 3]?.lower === '.' ? 4 : 3)] : null;
}

/** `2026-03-16`, and `16.03.2026` with its points. */
function readIso(tokens: readonly Token[], at: number): Read | null {
  const token = tokens[at];
  if (token?.kind === 'version') {
    const [day = '', month = '', year = '', ...rest] = token.lower.split('.');
    const isDate =
      rest.length === 0 &&
      year.length === 4 &&
      isDay(day) &&
      Number(month) >= 1 &&
      Number(month) <= 12 &&
      month.length <= 2;
    return isDate
      ? { next: at + 1, value: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, unit: 'date' }
      : null;
  }
  if (token?.kind !== 'date') return null;
  const [, month = '', day = ''] = token.lower.split('-');
  return isDay(day) && Number(month) >= 1 && Number(month) <= 12
    ? { next: at + 1, value: token.lower, unit: 'date' }
    : null;
}

/** `11 May 2026`, `3rd of March 2026`, `9 August`. */
function readDayMonth(tokens: readonly Token[], at: number): Read | null {
  const day = tokens[at];
  if (day?.kind !== 'number' || !isDay(day.lower)) return null;
  let index = at + 1;
  if (isOrdinal(tokens[index]) || (tokens[index]?.lower === '.' && tokens[index]?.glued === true)) index += 1;
  if (tokens[index]?.lower === 'of') index += 1;
  const month = MONTHS.get(tokens[index]?.lower ?? '');
  if (month === undefined) return null;
  const read = withYear(tokens, index + 1, month, day.lower);
  // `under 14 may borrow`: the verb, unless a year or a word of time says otherwise.
  return month === '05' &&
    tokens[index]?.lower === 'may' &&
    read.value === null &&
    !DATED.has(tokens[at - 1]?.lower ?? '')
    ? null
    : read;
}

const DATED: ReadonlySet<string> = new Set('on by until before after from since till to the - –'.split(' '));

/** `May 11, 2026`, `March 3rd`. The month `may` needs a year, since it is a verb as well. */
function readMonthDay(tokens: readonly Token[], at: number): Read | null {
  const name = tokens[at]?.lower ?? '';
  const [month, day] = [MONTHS.get(name), tokens[at + 1]];
  if (month === undefined || day?.kind !== 'number' || !isDay(day.lower)) return null;
  const after = isOrdinal(tokens[at + 2]) ? at + 3 : at + 2;
  const read = withYear(
    tokens,
    tokens[after]?.lower === ',' && isFourDigits(tokens[after + 1]) ? after + 1 : after,
    month,
    day.lower,
  );
  return name === 'may' && read.value === null ? null : read;
}

function withYear(tokens: readonly Token[], at: number, month: string, day: string): Read {
  const year = tokens[at];
  if (!isFourDigits(year)) return { next: at, value: null, unit: 'date' };
  return { next: at + 1, value: `${year?.lower ?? ''}-${month}-${day.padStart(2, '0')}`, unit: 'date' };
}

function isFourDigits(token: Token | undefined): boolean {
  return (
    token?.kind === 'number' &&
    token.lower.length === 4 &&
    !token.lower.includes('.') &&
    !token.lower.includes(',')
  );
}

function isOrdinal(token: Token | undefined): boolean {
  return token?.glued === true && ['st', 'nd', 'rd', 'th'].includes(token.lower);
}

function isDay(text: string): boolean {
  const day = Number(text);
  return text.length <= 2 && day >= 1 && day <= 31;
}
