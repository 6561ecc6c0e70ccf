/**
 * How far a run is, in a line.
 *
 * @module
 */
import type { Progress } from '@assay/host';
import type { Live } from '../output/live.js';
import type { Output } from '../output/output.js';
import { show } from '../output/shown.js';

/** Shows how far a run is while it is driven: records, open requests, time and cost. `isTalking`: a person is asked meanwhile. */
export function progressOf(output: Output, runId: string, isTalking: boolean): { readonly show: (progress: Progress) => void; readonly end: () => void } {
  const live: Live<Progress | null> = output.live((progress, elapsedMs) => {
    if (progress === null) return show`assay: ${runId}: waiting for an answer, ${seconds(elapsedMs)}`;
    const { records, open, spent } = progress;
    return show`assay: ${runId}: ${records} records, ${open} open, ${seconds(elapsedMs)}${spentText(spent)}`;
  }, isTalking);
  live.show(null);
  return {
    show: (progress) => {
      live.show(progress);
    },
    end: () => {
      live.end();
    },
  };
}

/** Time as it is shown: tenths of seconds, from a minute on minutes and seconds. */
export function seconds(elapsedMs: number): string {
  const tenths = Math.floor(elapsedMs / 100);
  return tenths < 600 ? `${Math.floor(tenths / 10)}.${tenths % 10} s` : `${Math.floor(tenths / 600)} min ${Math.floor((tenths % 600) / 10)} s`;
}

function spentText(spent: Progress['spent']): string {
  const units = Object.entries(spent).sort(([one], [other]) => (one < other ? -1 : 1));
  return units.length === 0 ? '' : `, spent ${units.map(([unit, amount]) => `${amount} ${unit}`).join(', ')}`;
}
