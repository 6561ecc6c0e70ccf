/**
 * What is made of the lines of a text: kept, cut, put in order; rows and columns of a table; sums and means of
 * decimals, exactly; how long a text is. A line ends with a line feed; every line of what is made does. It is
 * compared without what is blank at its ends, a carriage return among it, and handed on with it.
 */
import { err, ok, utf8Length, type Json, type Result } from '@assay/kernel';
import { byCodePoints, renderText } from './files.js';
import type { StepFault } from './program.js';

type Made<T> = Result<StepFault, T>;
const bad = (detail: string): Made<never> => err({ code: 'wrong_value', detail });

/** Lines without their ends; an empty text has none. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** A text of these lines. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Each line once, at its first place. */
export function keepFirst(lines: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return lines.filter((line) => seen.size < seen.add(line.trim()).size);
}

const NUMBER = /^[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?$/;

/** Rows of a table: cells between tabs, semicolons or commas, whichever the first line has, in this order. */
function readTable(lines: readonly string[]): Made<readonly (readonly string[])[]> {
  const [first = ''] = lines;
  const separator = first.includes('\t') ? '\t' : first.includes(';') ? ';' : ',';
  const quoted = lines.findIndex((line) => line.includes('"'));
  if (quoted >= 0) return bad(`line ${quoted + 1} has a quoted cell`);
  const rows = lines.map((line) => line.split(separator).map((cell) => cell.trim()));
  const longer = rows.findIndex((row) => row.length > (rows[0] ?? []).length);
  return longer < 0 ? ok(rows) : bad(`line ${longer + 1} has more cells than the first`);
}

/** The cells of a column, by its heading in the first row, which is left out, or by its place from 1. */
function readCells(lines: readonly string[], column: Json): Made<readonly string[]> {
  const table = readTable(lines);
  if (table._tag === 'Left') return table;
  const [first] = table.right;
  if (first === undefined && typeof column === 'number') return ok([]);
  const places = (first ?? []).flatMap((cell, at) => (at + 1 === column || cell === column ? [at] : []));
  const [at, other] = places;
  if (other !== undefined)
    return err({
      code: 'ambiguous',
      detail: `columns ${places.map((place) => place + 1).join(' and ')} are headed ${renderText(column)}`,
    });
  if (at === undefined) return bad(`no column ${renderText(column)}`);
  return ok(table.right.slice(typeof column === 'number' ? 0 : 1).map((row) => row[at] ?? ''));
}

/** The cells of a column, one a line; of empty lines none. */
export function cutColumn(text: string, column: Json): Made<string> {
  const cells = readCells(
    splitLines(text).filter((line) => line.trim() !== ''),
    column,
  );
  return cells._tag === 'Left' ? cells : ok(joinLines(cells.right));
}

/** Lines in order, by a column or, where it is null, whole. A heading stays first; equal lines stay as they came. */
export function sortLines(text: string, column: Json, isDown: boolean): Made<string> {
  const lines = splitLines(text);
  const keys = column === null ? ok(lines.map((line) => line.trim())) : readCells(lines, column);
  if (keys._tag === 'Left') return keys;
  const heading = lines.slice(0, lines.length - keys.right.length);
  const rows = keys.right.map((key, at) => ({ key, line: lines[at + heading.length] ?? '' }));
  const sign = isDown ? -1 : 1;
  const sorted = rows.toSorted((left, right) => sign * compareCells(left.key, right.key));
  return ok(joinLines([...heading, ...sorted.map(({ line }) => line)]));
}

function compareCells(left: string, right: string): number {
  const [isLeft, isRight] = [NUMBER.test(left), NUMBER.test(right)];
  if (isLeft && isRight) return compareDecimals(left, right);
  return isLeft === isRight ? byCodePoints(left, right) : isLeft ? -1 : 1;
}

/** A decimal as an integer and how many of its digits are decimals. */
function readDecimal(text: string): readonly [units: bigint, places: number] {
  const [whole = '', decimals = ''] = text.replace(/^[+-]/, '').split('.');
  const units = BigInt(whole + decimals);
  return [text.startsWith('-') ? -units : units, decimals.length];
}

function powerOfTen(places: number): bigint {
  return BigInt(`1${'0'.repeat(places)}`);
}

function sayDecimal(units: bigint, places: number): string {
  const shown = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const decimals = shown.slice(shown.length - places).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${shown.slice(0, shown.length - places)}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Negative where the first decimal is the smaller one. */
export function compareDecimals(left: string, right: string): number {
  const [[a, at], [b, bt]] = [readDecimal(left), readDecimal(right)];
  const difference = a * powerOfTen(bt) - b * powerOfTen(at);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** True for a decimal of at most thirty digits before and behind its point. */
export function isDecimal(text: string): boolean {
  return NUMBER.test(text);
}

/**
 * The sum of the numbers of a text, one a line, as a decimal without needless zeros; or their mean, half up at
 * six places.
 */
export function sumLines(text: string, isMean: boolean): Made<string> {
  const cells = splitLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wrong = cells.find((cell) => !NUMBER.test(cell));
  if (wrong !== undefined) return err({ code: 'not_a_number', detail: wrong });
  const numbers = cells.map(readDecimal);
  const places = numbers.reduce((most, [, own]) => Math.max(most, own), isMean ? MEAN_PLACES : 0);
  const sum = numbers.reduce((all, [units, own]) => all + units * powerOfTen(places - own), 0n);
  if (!isMean) return ok(sayDecimal(sum, places));
  if (cells.length === 0) return err({ code: 'not_a_number', detail: 'there is no number to average' });
  const divisor = BigInt(cells.length) * powerOfTen(places - MEAN_PLACES);
  const half = (2n * (sum < 0n ? -sum : sum) + divisor) / (2n * divisor);
  return ok(sayDecimal(sum < 0n ? -half : half, MEAN_PLACES));
}

const MEAN_PLACES = 6;

/**
 * How much of a unit a text has. `words`: runs of anything but space, tab and line ends of any kind. `characters`:
 * code points. `bytes`: of its UTF-8.
 */
export function measureText(text: string, unit: Json): Made<string> {
  switch (unit) {
    case 'lines':
      return ok(String(splitLines(text).length));
    case 'words':
      return ok(String(text.split(/[ \t\n\v\f\r]+/).filter((word) => word !== '').length));
    case 'characters':
      return ok(String(Array.from(text).length));
    case 'bytes':
      return ok(String(utf8Length(text)));
    default:
      return bad('the units are lines, words, characters, bytes');
  }
}
