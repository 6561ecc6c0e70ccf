/**
 * View data as Markdown. What evidence says is a code span, in a table with every mark escaped. Numbers of
 * view data in words.
 */
import type { Block, Cell, Panel, Picture, Text, Amount } from '@assay/kernel/view';
import { forMarkdown, visible } from '../escape/escape.js';
import { makeTwin, type Twin } from './twin.js';

/** A picture as a document. Ends in a line feed. */
export function pictureMarkdown({ verdict, subject, because, asked, panels }: Picture): string {
  const line = (name: string, text: Text): readonly string[] =>
    text.length === 0 ? [] : ['', `${name}: ${markdownText(text)}`];
  return [
    `# ${ours(verdict)}: ${markdownText(subject)}`,
    ...line('Because', because),
    ...line('Asked', asked),
    ...panels.flatMap(panelMarkdown),
    '',
  ].join('\n');
}

function panelMarkdown({ title, says, block, left_out }: Panel): readonly string[] {
  return [
    '',
    `## ${ours(title)}`,
    '',
    ours(says),
    ...blockMarkdown(block),
    ...(left_out === 0 ? [] : ['', `${left_out} more are in the ledger.`]),
  ];
}

/** A block as lines of Markdown, an empty one before each part. */
export function blockMarkdown(block: Block): readonly string[] {
  return makeTwin(block).flatMap((twin) =>
    twin.t === 'text' ? ['', markdownText(twin.text)] : ['', ...tableMarkdown(twin)],
  );
}

function tableMarkdown({ columns, rows }: Extract<Twin, { readonly t: 'table' }>): readonly string[] {
  if (rows.length === 0) return ['nothing'];
  const count = Math.max(columns.length, ...rows.map(({ cells }) => cells.length));
  const hasPlaces = rows.some(({ record }) => record !== null);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const heads = Array.from({ length: count }, (_, index) => markdownText(columns[index] ?? ''));
  return [
    line([...heads, ...(hasPlaces ? ['record'] : [])]),
    `|${' --- |'.repeat(count + (hasPlaces ? 1 : 0))}`,
    ...rows.map(({ cells, depth, record }) =>
      line([
        ...Array.from(
          { length: count },
          (_, index) => `${index === 0 ? '— '.repeat(depth) : ''}${cellMarkdown(cells[index] ?? null)}`,
        ),
        ...(hasPlaces ? [record === null ? '' : String(record)] : []),
      ]),
    ),
  ];
}

function cellMarkdown(cell: Cell): string {
  if (cell === null) return '';
  if (!isAmount(cell)) return markdownText(cell);
  return ours(amountText(cell) + (cell.exact === null ? '' : ` (${cell.exact})`));
}

/** Pieces as Markdown in which nothing is markup; what evidence says in quotes, a line feed as `↵`. */
function markdownText(text: Text): string {
  if (typeof text === 'string') return ours(text);
  return text
    .map((piece) =>
      typeof piece === 'string' ? ours(piece) : `“${piece.said.split('\n').map(forMarkdown).join('↵')}”`,
    )
    .join('');
}

/** Text of ours: what would be markup, or end a cell, is none. */
function ours(text: string): string {
  return visible(text).replace(/[|<>*_`[\]&#]/g, forMarkdown);
}

/** An amount in the unit people read: parts per million as a share of one, microseconds as seconds. */
export function amountText({ n, unit, text }: Pick<Amount, 'n' | 'unit' | 'text'>): string {
  if (text !== undefined) return text;
  switch (unit) {
    case 'count':
      return String(n);
    case 'ppm':
      return decimal(n, 6);
    case 'nano':
      return decimal(n, 9);
    case 'us':
      return `${decimal(n, 6)} s`;
    case 'bytes':
      return `${n} B`;
    case 'tokens':
      return `${n} tokens`;
    default:
      return `${decimal(n, 6)} ${unit.slice('micro:'.length)}`;
  }
}

/** An integer with its last digits behind the point, exactly. */
function decimal(n: number, digits: number): string {
  const text = String(Math.abs(n)).padStart(digits + 1, '0');
  return `${n < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** True for a number. */
export function isAmount(cell: Cell): cell is Amount {
  return cell !== null && typeof cell === 'object' && 'unit' in cell;
}
