/**
 * Sums of decimal numbers in a text, exactly, and how long a text is, in units that are stated.
 *
 * @module
 */
import { err, ok, type Result, utf8Length } from '@assay/kernel';
import type { StepFault } from './program.js';

const NUMBER = /^[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?$/;

/** What may be one number with its thousands parted, or several numbers: `1,000`, `12,345,678.90`. */
const THOUSANDS = /(?<![^\s;])[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?=,?(?:[\s;]|$))/;

/** A line that may be one such number. */
const WHOLE_LINE = /^[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$/;

/**
 * The sum of the numbers of a text as a decimal text without needless zeros. `column` null: everything
 * between spaces, commas, semicolons and line ends is a number; a comma that could part thousands, as in
 * `1,000`, is an error. A column: by its place from 1, or by its name in the first line. Tabs part cells if
 * the first line has one, else semicolons, else commas. A first line whose cell is no number is a heading,
 * and has a letter or is empty. Code `ambiguous`: a name that heads several columns. Code `not_a_number`:
 * anything else, a line with more cells than the first, and double quotes in a text read by column.
 */
export function sumTotal(text: string, column: number | string | null): Result<StepFault, string> {
  const unclear = column === null ? THOUSANDS.exec(text) : null;
  if (unclear !== null) return bad(`${unclear[0]} may be one number or several`);
  const cells =
    column === null ? ok(text.split(/[\s,;]+/).filter((cell) => cell !== '')) : makeColumn(text, column);
  if (cells._tag === 'Left') return cells;
  const wrong = cells.right.find((cell) => !NUMBER.test(cell));
  return wrong === undefined ? ok(sumUp(cells.right)) : bad(wrong);
}

function makeColumn(text: string, column: number | string): Result<StepFault, readonly string[]> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const first = lines[0];
  if (first === undefined) return ok([]);
  if (text.includes('"')) return bad('a quoted cell');
  const separator = first.includes('\t') ? '\t' : first.includes(';') ? ';' : ',';
  const [unclear] = separator === ',' && lines.every((line) => WHOLE_LINE.test(line.trim())) ? lines : [];
  if (unclear !== undefined) return bad(`${unclear} may be one number or several`);
  const rows = lines.map((line) => line.split(separator).map((cell) => cell.trim()));
  const places = (rows[0] ?? []).flatMap((cell, index) => (cell === column ? [index + 1] : []));
  if (places.length > 1)
    return err({
      code: 'ambiguous',
      detail:
        `${inQuotes(column)} heads columns ${places.slice(0, -1).join(', ')} and ` +
        `${places.at(-1) ?? ''}; say which by its number`,
    });
  const at = typeof column === 'number' ? column - 1 : (places[0] ?? 0) - 1;
  if (at < 0 || at >= (rows[0] ?? []).length) return bad(`no column ${column}`);
  const longer = rows.findIndex((row) => row.length > (rows[0] ?? []).length);
  if (longer >= 0) return bad(`line ${longer + 1} has more cells than the first`);
  const cells = rows.map((row) => row[at] ?? '');
  const [top = ''] = cells;
  const isHeading = typeof column === 'string' || !NUMBER.test(top);
  if (typeof column === 'number' && isHeading && top !== '' && !/[A-Za-z\u0080-\u{10FFFF}]/u.test(top))
    return bad(top);
  return ok(isHeading ? cells.slice(1) : cells);
}

function sumUp(cells: readonly string[]): string {
  const digits = cells.reduce((most, cell) => Math.max(most, countDecimals(cell).length), 0);
  let sum = 0n;
  for (const cell of cells) {
    const whole = BigInt(
      cell.replace(/^[+-]/, '').replace('.', '') + '0'.repeat(digits - countDecimals(cell).length),
    );
    sum += cell.startsWith('-') ? -whole : whole;
  }
  const shown = String(sum < 0n ? -sum : sum).padStart(digits + 1, '0');
  const decimals = digits === 0 ? '' : shown.slice(-digits).replace(/0+$/, '');
  const integer = digits === 0 ? shown : shown.slice(0, -digits);
  return `${sum < 0n ? '-' : ''}${integer}${decimals === '' ? '' : `.${decimals}`}`;
}

function countDecimals(cell: string): string {
  const dot = cell.indexOf('.');
  return dot < 0 ? '' : cell.slice(dot + 1);
}

function inQuotes(heading: number | string): string {
  return `"${String(heading).replace(/[\\"]/g, (sign) => `\\${sign}`)}"`;
}

function bad(detail: string): Result<StepFault, never> {
  return err({ code: 'not_a_number', detail });
}

/** Units in which a file is measured. */
export const UNITS = ['lines', 'words', 'characters', 'bytes'] as const;
/** One of {@link UNITS}. */
export type Unit = (typeof UNITS)[number];

/**
 * `lines`: line ends, and one more where the last line has none. `words`: runs of anything but space, tab and
 * line ends of any kind. `characters`: code points. `bytes`: of its UTF-8. Any other unit is a defect.
 */
export function measured(text: string, unit: string): number {
  switch (unit) {
    case 'lines':
      return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
    case 'words':
      return text.split(/[ \t\n\v\f\r]+/).filter((word) => word !== '').length;
    case 'characters':
      return Array.from(text).length;
    case 'bytes':
      return utf8Length(text);
    default:
      throw new RangeError(`measured: ${UNITS.join(', ')} expected, got ${unit}`);
  }
}
