/** View data as lines for a terminal. What evidence says stands in quotes, and nothing of it acts. */
import type { Block, Cell, Panel, Picture, Text, Tone } from '@assay/kernel/view';
import { forTerminal } from '../escape/escape.js';
import { makeTwin, type Twin } from './twin.js';
import { amountText, isAmount } from './markdown.js';

/** A piece of a line, escaped. */
type Ink = { readonly text: string; readonly tone: Tone | 'strong' };
/** A line for a terminal. */
export type InkLine = readonly Ink[];

/** How much is drawn: rows of a table, and code points of a text. */
type DrawOptions = { readonly rowsMax?: number; readonly pointsMax?: number };

const ROWS_MAX = 24;
const POINTS_MAX = 72;
/** How much more of a text that has the rest of its line to itself. */
const WIDE = 6;
const NAME_WIDTH = 12;

/** A picture: what came of a run, why, what was asked, and each panel. */
export function drawPicture(picture: Picture, options: DrawOptions = {}): readonly InkLine[] {
  const { tone, verdict, subject, because, asked, panels } = picture;
  const fact = (name: string, text: Text): readonly InkLine[] =>
    isEmpty(text) ? [] : [[plain(name.padEnd(NAME_WIDTH)), plain(inkText(text, 3 * POINTS_MAX))]];
  return [
    [{ text: forTerminal(verdict), tone }, plain('   '), plain(inkText(subject, 3 * POINTS_MAX))],
    ...fact('because', because),
    ...fact('asked', asked),
    ...panels.flatMap((panel) => drawPanel(panel, options)),
  ];
}

/** A panel under its title, behind an empty line. */
export function drawPanel(
  { title, says, block, left_out }: Panel,
  options: DrawOptions = {},
): readonly InkLine[] {
  return [
    [plain('')],
    [
      { text: forTerminal(title), tone: 'strong' },
      { text: `   ${forTerminal(says)}`, tone: 'faint' },
    ],
    ...drawBlock(block, options),
    ...(left_out === 0 ? [] : [[{ text: `  ${left_out} more are in the ledger`, tone: 'faint' as const }]]),
  ];
}

/** A block as text and tables, indented by two. Of a grid the cells that were visited. */
export function drawBlock(block: Block, options: DrawOptions = {}): readonly InkLine[] {
  return makeTwin(block).flatMap((twin) => {
    if (twin.t === 'text')
      return [
        [{ text: `  ${inkText(twin.text, WIDE * (options.pointsMax ?? POINTS_MAX))}`, tone: twin.tone }],
      ];
    if (block.t === 'lanes' && block.arrows.length === 0) return drawTable(withBars(twin, block), options);
    if (block.t !== 'grid') return drawTable(twin, options);
    const rows = twin.rows.filter(({ cells }) => cells.at(-1) !== null);
    return [
      ...drawTable({ ...twin, rows }, options),
      [
        {
          text: `  ${twin.rows.length - rows.length} of ${twin.rows.length} cells were never visited`,
          tone: 'faint',
        },
      ],
    ];
  });
}

const BAR_POINTS = 32;

/** Spans with a bar each, to scale; one that takes no time is a point. */
function withBars(
  twin: Extract<Twin, { readonly t: 'table' }>,
  { spans }: Extract<Block, { readonly t: 'lanes' }>,
): Extract<Twin, { readonly t: 'table' }> {
  const end = Math.max(1, ...spans.map(({ to }) => to));
  const rows = twin.rows.map((row, at) => {
    const { from = 0, to = 0, tone = 'plain' } = spans[at] ?? {};
    const start = Math.floor((from * BAR_POINTS) / end);
    const length = Math.ceil((to * BAR_POINTS) / end) - start;
    const bar = length === 0 ? '.' : (tone === 'open' ? '#' : '=').repeat(length);
    return { ...row, cells: [...row.cells, `${' '.repeat(start)}${bar}`] };
  });
  return { ...twin, columns: [...twin.columns, ''], rows };
}

function drawTable(
  { columns, rows }: Extract<Twin, { readonly t: 'table' }>,
  { rowsMax = ROWS_MAX, pointsMax = POINTS_MAX }: DrawOptions,
): readonly InkLine[] {
  if (rows.length === 0) return [[{ text: '  nothing', tone: 'faint' }]];
  const shown = rows.slice(0, rowsMax);
  const count = Math.max(columns.length, ...shown.map(({ cells }) => cells.length));
  const texts = shown.map(({ cells, depth }) =>
    cells.map(
      (cell, index) =>
        `${index === 0 ? '  '.repeat(depth) : ''}${cellText(cell, index === count - 1 ? WIDE * pointsMax : pointsMax)}`,
    ),
  );
  const heads = columns.map((column) => inkText(column, pointsMax));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(pointsIn(heads[column] ?? ''), ...texts.map((cells) => pointsIn(cells[column] ?? ''))),
  );
  const places = shown.map(({ record }) => (record === null ? '' : `#${record}`));
  const placeWidth = Math.max(...places.map(pointsIn));
  const place = (text: string): Ink => ({
    text: placeWidth === 0 ? '  ' : `  ${text.padStart(placeWidth)}  `,
    tone: 'faint',
  });
  // Words and numbers in one column, as facts have them, begin at one place.
  const isNumeric = widths.map((_, column) =>
    shown.every(({ cells }) => {
      const cell = cells[column] ?? null;
      return cell === null || isAmount(cell);
    }),
  );
  const line = (cellTexts: readonly string[], cells: readonly Cell[]): string =>
    cellTexts
      .map((text, column) =>
        aligned(
          text,
          widths[column] ?? 0,
          isNumeric[column] === true && (cells.length === 0 || isAmount(cells[column] ?? null)),
        ),
      )
      .join('  ')
      .trimEnd();
  return [
    ...(heads.some((head) => head !== '')
      ? [[place(''), { text: line(heads, []), tone: 'faint' as const }]]
      : []),
    ...shown.map(
      (row, index): InkLine => [
        place(places[index] ?? ''),
        { text: line(texts[index] ?? [], row.cells), tone: row.tone },
      ],
    ),
    ...(rows.length > shown.length
      ? [[{ text: `  and ${rows.length - shown.length} more`, tone: 'faint' as const }]]
      : []),
  ];
}

function cellText(cell: Cell, pointsMax: number): string {
  if (cell === null) return '';
  if (!isAmount(cell)) return inkText(cell, pointsMax);
  const { exact } = cell;
  return exact === null || exact.length > EXACT_MAX
    ? forTerminal(amountText(cell))
    : forTerminal(`${amountText(cell)} ${exact}`);
}

/** A longer fraction is no help on a screen; the ledger has it. */
const EXACT_MAX = 9;

/** Pieces as text: ours as it is, what evidence says in quotes, cut to some code points. */
export function inkText(text: Text, pointsMax: number = POINTS_MAX): string {
  if (typeof text === 'string') return forTerminal(text);
  return text
    .map((piece) =>
      typeof piece === 'string' ? forTerminal(piece) : `"${forTerminal(cut(piece.said, pointsMax))}"`,
    )
    .join('');
}

function cut(text: string, pointsMax: number): string {
  const points = [...text.slice(0, 2 * pointsMax + 2)];
  return points.length <= pointsMax ? text : `${points.slice(0, pointsMax - 1).join('')}…`;
}

function aligned(text: string, width: number, isNumber: boolean): string {
  const space = ' '.repeat(Math.max(0, width - pointsIn(text)));
  return isNumber ? space + text : text + space;
}

function pointsIn(text: string): number {
  return [...text].length;
}

function isEmpty(text: Text): boolean {
  return text.length === 0;
}

function plain(text: string): Ink {
  return { text, tone: 'plain' };
}
