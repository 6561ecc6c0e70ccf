/** View data as CSV (RFC 4180): the tables of a block, evidence as it stands. */
import type { Block, Cell, Text } from '@assay/kernel/view';
import { forCsv } from '../escape/escape.js';
import { makeTwin } from './twin.js';
import { isAmount } from './markdown.js';

/** A block as lines of CSV. Amounts are the machine's integers. */
export function blockCsv(block: Block): readonly string[] {
  return makeTwin(block).flatMap((twin) =>
    twin.t === 'text'
      ? [forCsv(plain(twin.text))]
      : [
          ...(twin.columns.length === 0 ? [] : [twin.columns.map((one) => forCsv(plain(one))).join(',')]),
          ...twin.rows.map(({ cells }) => cells.map(cellText).join(',')),
        ],
  );
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  return isAmount(cell) ? String(cell.n) : forCsv(plain(cell));
}

function plain(text: Text): string {
  return typeof text === 'string'
    ? text
    : text.map((piece) => (typeof piece === 'string' ? piece : piece.said)).join('');
}
