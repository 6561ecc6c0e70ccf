/**
 * The scoring table of a run: what each criterion brings to the total.
 *
 * @module
 */
import type { Block } from '@assay/kernel/view';
import { inkText } from '@assay/views';
import { padded, show, styled, type Shown } from '../../terminal/shown.js';
import { points } from '../../terminal/cut.js';

const NAME_WIDTH = 15;
const LEAD = 12;
const ROWS_MAX = 6;
const CELL_WIDTH = 6;

/** A stack, of which the demo draws the rows with a total. */
type Stack = Extract<Block, { readonly t: 'stack' }>;

/** One line of headings and one for each reading, best first; empty where nothing was scored. */
export function scoreLines({ parts, rows }: Stack, isDecided: boolean): readonly Shown[] {
  const scored = rows.filter(({ total }) => total !== null);
  if (scored.length === 0) return [];
  // A criterion that brings nothing to any reading tells nothing here.
  const isBringing = parts.map((_, column) => scored.some(({ values }) => (values[column] ?? 0) > 0));
  const heading = show`${'scores'.padEnd(LEAD)}${'reading'.padEnd(NAME_WIDTH)}${parts
    .filter((_, column) => isBringing[column])
    .map((name) => name.padEnd(widthOf(name)))
    .join('')}total`;
  const lines = scored.slice(0, ROWS_MAX).map(({ label, values, total }, index) => {
    const cells = parts
      .map((name, column) => (isBringing[column] ? points(values[column] ?? 0).padEnd(widthOf(name)) : ''))
      .join('');
    const lead = index === 0 && isDecided ? styled('good', show`  chosen`) : show``;
    const name = inkText(label, NAME_WIDTH - 3).slice(1, -1);
    return show`${padded(lead, LEAD)}${padded({ parts: [{ text: name, style: null }] }, NAME_WIDTH)}${
      cells
    }${points(total ?? 0)}`;
  });
  return [
    heading,
    ...lines,
    ...(scored.length > ROWS_MAX ? [show`${''.padEnd(LEAD)}and ${scored.length - ROWS_MAX} more`] : []),
  ];
}

function widthOf(criterion: string): number {
  return Math.max(criterion.length + 1, CELL_WIDTH);
}
