/**
 * Who answered in an intent run.
 *
 * @module
 */
import type { Panel, Row } from '../view/picture.js';
import type { IntentFold } from './fold.js';

/** Every recorded answer. */
export function answersPanel({ replies }: IntentFold): Panel {
  const rows = replies.map(
    ({ record, slot, proposer, source, readings, code, exceeded }): Row => ({
      record,
      cells: [
        slot === null ? null : [{ said: slot }],
        [{ said: proposer }],
        source === 'synthetic' ? 'synthetic, written by hand' : source,
        readings === null ? null : { n: readings, unit: 'count', exact: null },
        code === null
          ? null
          : [FAILED.get(code) ?? code, ...(exceeded === null ? [] : [': ', { said: exceeded }])],
      ],
      tone: code === null ? 'plain' : 'bad',
    }),
  );
  return {
    id: 'answers',
    title: 'Who answered',
    says: 'Every recorded answer, in order.',
    page: 'course',
    left_out: 0,
    block: { t: 'table', columns: ['slot', 'by', 'source', 'readings', 'not accepted'], rows },
  };
}

/** Words for the codes of failures that a reader can do something about; any other stands as it is. */
const FAILED: ReadonlyMap<string, string> = new Map([
  ['recording_miss', 'the recording has no answer to this'],
  ['left_out', 'left out'],
  ['too_long', 'the text is too long'],
  ['refusal', 'the model refuses'],
  ['truncated', 'the answer is longer than it may be'],
  ['answer_too_long', 'the answer is longer than it may be'],
  ['cut_off', 'the connection broke in the middle of the answer'],
  ['not_in_request', 'the answer quotes words that are not in the request'],
  ['budget', 'the budget does not cover it'],
  ['nothing_found', 'no sentence says what must, should or must not be'],
]);
