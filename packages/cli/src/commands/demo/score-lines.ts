/**
 * The scoring table of a run.
 *
 * @module
 */
import type { Explanation } from '@assay/kernel/intent';
import { cut } from '../../terminal/cut.js';
import { padded, show, styled, type Shown } from '../../terminal/shown.js';
import { points } from '../run/result-lines.js';

const NAME_WIDTH = 15;
const LEAD = 12;
const ROWS_MAX = 6;
const CELL_WIDTH = 6;

/** One line of headings and one for each reading, best first; empty where nothing was scored. */
export function scoreLines({ readings }: Explanation, isDecided: boolean): readonly Shown[] {
  const scored = readings.filter(({ total }) => total !== null);
  const [first] = scored;
  if (first === undefined) return [];
  const criteria = first.parts
    .filter(({ applicable, weight }) => applicable && weight > 0)
    .map(({ criterion }) => criterion);
  const heading = show`${'scores'.padEnd(LEAD)}${'reading'.padEnd(NAME_WIDTH)}${criteria.map((name) => name.padEnd(widthOf(name))).join('')}total`;
  const rows = scored.slice(0, ROWS_MAX).map((reading, index) => {
    const cells = criteria
      .map((name) =>
        points(reading.parts.find(({ criterion }) => criterion === name)?.ppm ?? 0).padEnd(widthOf(name)),
      )
      .join('');
    const lead = index === 0 && isDecided ? styled('good', show`  chosen`) : show``;
    return show`${padded(lead, LEAD)}${padded(show`${cut(reading.name, NAME_WIDTH - 1)}`, NAME_WIDTH)}${cells}${points(reading.total ?? 0)}`;
  });
  return [
    heading,
    ...rows,
    ...(scored.length > ROWS_MAX ? [show`${''.padEnd(LEAD)}and ${scored.length - ROWS_MAX} more`] : []),
  ];
}

function widthOf(criterion: string): number {
  return Math.max(criterion.length + 1, CELL_WIDTH);
}
