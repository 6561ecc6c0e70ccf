/**
 * Forgeries of golden runs: one record of what was decided or answered is changed, and every hash computed again.
 *
 * @module
 */
import { differs } from './decisions.mjs';
import { chain, changed, draftsOf, fileOf, linesOf, proposed, reclosed } from './forge.mjs';
import { headLine } from './rewrites.mjs';
import { readRecords } from '../lib/goldens.mjs';

/** A forger of one golden run: of the first event of a kind, or of a record. */
export function forger(name, twin) {
  const records = readRecords(name);
  const drafts = draftsOf(records);
  const write = (position, change) => fileOf(chain(reclosed(changed(drafts, position, change))));
  return {
    event: (id, what, holds, change) => {
      const position = records.findIndex(
        ({ kind, payload }) => kind === 'decision' && payload.events.some(holds),
      );
      if (position < 0) throw new Error(`${id}: the golden run has no such event`);
      const bytes = write(position, (payload) => void change(payload.events.find(holds)));
      return differs(id, what, bytes, position, twin);
    },
    answer: (id, what, holds, change) => {
      const position = records.findIndex(({ kind, payload }) => kind === 'proposal' && holds(payload));
      const bytes = write(position, (payload) => proposed({ ...payload, value: change(payload.value) }));
      return differs(id, what, bytes, position + 1, twin);
    },
  };
}

/** An event of a kind. */
export const is =
  (t, holds = () => true) =>
  (event) =>
    event.t === t && holds(event);

/** A golden run as the honest twin of its forgeries. */
export function goldenTwin(name, what, from) {
  const records = readRecords(from);
  return { name, what, bytes: fileOf(linesOf(records)), head: headLine(records) };
}
