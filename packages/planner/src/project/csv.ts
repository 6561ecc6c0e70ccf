/** Cells of a table with `,`, `;` or tabs between them, quoted where they hold one of these (RFC 4180). */
import { err, ok, type Result } from '@assay/kernel';

/** A row, and the line on which it begins (from 1). */
export type Row = { readonly line: number; readonly cells: readonly string[] };

const DELIMITERS = [',', ';', '\t'] as const;

/** The rows of a text, without empty ones. The delimiter is the one of which the first line has most. */
export function readRows(
  text: string,
): Result<{ readonly line: number; readonly wanted: string }, readonly Row[]> {
  const [first = ''] = text.split('\n', 1);
  const count = (each: string): number => first.split(each).length;
  const delimiter = DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  const rows: Row[] = [];
  let cells: string[] = [];
  let [line, begin, cell] = [1, 1, ''];
  let isQuoted = false;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some((each) => each.trim() !== ''))
      rows.push({ line: begin, cells: cells.map((each) => each.trim()) });
    [cells, cell] = [[], ''];
    begin = line + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += char;
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell.trim() === '') [isQuoted, cell] = [true, ''];
    else if (char === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') endRow();
    else cell += char;
    if (char === '\n') line += 1;
  }
  if (isQuoted) return err({ line: begin, wanted: 'a cell whose quotes end' });
  endRow();
  return ok(rows);
}
