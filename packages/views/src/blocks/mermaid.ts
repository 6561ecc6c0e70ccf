/** View data as Mermaid, which GitHub draws: lanes in minutes as a Gantt chart, a tree as a flow chart. */
import type { Block, Branch, Text } from '@assay/kernel/view';
import { forMermaid } from '../escape/escape.js';

/** A block as lines of Mermaid; null for one that has no such picture. */
export function blockMermaid(block: Block): readonly string[] | null {
  if (block.t === 'lanes') return gantt(block);
  if (block.t !== 'tree') return null;
  const lines: string[] = [];
  for (const root of block.roots) branch(root, null, lines);
  return ['flowchart TD', ...lines.map((line) => `  ${line}`)];
}

function branch({ label, tag, under }: Branch, above: number | null, lines: string[]): void {
  const at = lines.length;
  lines.push(`${above === null ? '' : `n${above} --> `}n${at}["${plain(label)}<br/>${forMermaid(tag)}"]`);
  for (const one of under) branch(one, at, lines);
}

function gantt({ lanes, spans }: Extract<Block, { readonly t: 'lanes' }>): readonly string[] {
  return [
    'gantt',
    '  dateFormat YYYY-MM-DD HH:mm',
    '  axisFormat %d %H:%M',
    ...lanes.flatMap(({ name }, lane) => [
      `  section ${plain(name)}`,
      ...spans
        .filter((span) => span.lane === lane)
        .map(
          ({ from, to, label, tone }) =>
            `  ${unlike(plain(label))} :${tone === 'open' ? 'crit, ' : ''}${renderDate(from)}, ${to - from}m`,
        ),
    ]),
  ];
}

function plain(text: Text): string {
  const parts = typeof text === 'string' ? [text] : text;
  return parts.map((piece) => forMermaid(typeof piece === 'string' ? piece : piece.said)).join('');
}

/** A line that begins with evidence must not begin like a statement of Mermaid. */
function unlike(text: string): string {
  return text.replace(/^[A-Za-z]/, (letter) => `#${letter.charCodeAt(0)};`);
}

const DAY = 1_440;
const MONTHS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const YEAR = 365;

/** Minutes from the start as a date: the first day of a year that stands for none. Leap days are left out. */
function renderDate(minutes: number): string {
  const days = Math.floor(minutes / DAY);
  const year = 2001 + 4 * Math.floor(days / YEAR);
  let left = days % YEAR;
  let month = 0;
  while (left >= (MONTHS[month] ?? YEAR)) {
    left -= MONTHS[month] ?? 0;
    month += 1;
  }
  const two = (n: number): string => String(n).padStart(2, '0');
  const rest = minutes % DAY;
  return `${year}-${two(month + 1)}-${two(left + 1)} ${two(Math.floor(rest / 60))}:${two(rest % 60)}`;
}
