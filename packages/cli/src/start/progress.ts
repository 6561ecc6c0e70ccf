/**
 * How far a run is, in a line.
 *
 * @module
 */
import type { DriveEvent } from '@assay/host';
import type { Live } from '../terminal/live.js';
import type { Output } from '../call/output.js';
import { plain, show, type Shown } from '../terminal/shown.js';
import type { SoFar } from './stored-run.js';

/**
 * Shows how far a run is while it is driven: records, open requests, time and cost. `isTalking`: a person is
 * asked meanwhile. `before`: what is stored of it already.
 */
export function makeProgress(
  output: Output,
  runId: string,
  isTalking: boolean,
  before: SoFar | null = null,
): { readonly show: (event: DriveEvent) => void; readonly end: () => void } {
  const live: Live<SoFar | null> = output.live(
    (soFar, elapsedMs, columns) =>
      soFar === null
        ? show`assay: ${runId}: waiting for an answer, ${seconds(elapsedMs)}`
        : renderLine(runId, soFar, elapsedMs, columns),
    isTalking,
  );
  live.show(before);
  return {
    show: (event) => {
      if (event.type !== 'progress') return;
      const { records, open, spent } = event.progress;
      live.show({ records, open, spent: addSpent(before?.spent ?? {}, spent) });
    },
    end: () => {
      live.end();
    },
  };
}

/** Time as it is shown: tenths of seconds, from a minute on minutes and seconds. */
export function seconds(elapsedMs: number): string {
  const tenths = Math.floor(elapsedMs / 100);
  return tenths < 600
    ? `${Math.floor(tenths / 10)}.${tenths % 10} s`
    : `${Math.floor(tenths / 600)} min ${Math.floor((tenths % 600) / 10)} s`;
}

/**
 * The line in as much of its words as there is room for: what is cut then are the names of units, never a
 * figure.
 */
export function renderLine(
  runId: string,
  { records, open, spent }: SoFar,
  elapsedMs: number,
  columns: number,
): Shown {
  const units = Object.entries(spent).sort(([one], [other]) => (one < other ? -1 : 1));
  const text = (id: string, cost: string): Shown =>
    show`assay: ${id}: ${records} records, ${open} open, ${seconds(elapsedMs)}${
      units.length === 0 ? '' : `, spent ${cost}`
    }`;
  const named = units.map(([unit, amount]) => `${amount} ${unit}`).join(', ');
  const figures = `${units.map(([, amount]) => amount).join('/')} ${units.map(([unit]) => unit).join('/')}`;
  const shortened = [...runId].length > ID_POINTS ? `${[...runId].slice(0, ID_POINTS - 1).join('')}…` : runId;
  const [widest, ...narrower] = [
    text(runId, named),
    text(runId, figures),
    text(shortened, named),
    text(shortened, figures),
  ];
  return (
    [widest, ...narrower].find((line) => [...plain(line)].length <= columns) ?? narrower.at(-1) ?? widest
  );
}

/** Of a run's name as much as tells it from the other runs of a day. */
const ID_POINTS = 16;

function addSpent(one: SoFar['spent'], other: SoFar['spent']): SoFar['spent'] {
  const sum = new Map(Object.entries(one));
  for (const [unit, amount] of Object.entries(other)) sum.set(unit, (sum.get(unit) ?? 0) + amount);
  return Object.fromEntries(sum);
}
