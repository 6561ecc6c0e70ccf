/**
 * What a file alone cannot show: runs that are sound from end to end, and are not the run that was. Only
 * a head kept outside, an expectation or another file tells.
 *
 * @module
 */
import { formatHeadLine } from '@assay/kernel';
import { fileOf, linesOf } from './forge.mjs';
import { AT, POLL, poll, without } from './runs.mjs';

/**
 * Forgeries that completeness catches where the user brings something from outside, and each of them as the
 * miss it is where the user brings nothing.
 */
export function rewriteForgeries() {
  const honest = poll();
  const head = headLine(honest);
  const said = POLL.answers;
  const answers = (change) => poll({ answers: said.map(change) });
  const again = (name, forged, records) => rewritten(name, forged, records, honest);
  const withHead = [
    missed(
      'cut-tail',
      'the last groups of the run cut off',
      fileOf(linesOf(honest.slice(0, AT.last))),
      { head },
      'truncated',
      null,
    ),
    again(
      'full-rewrite',
      'another poll under the same name',
      poll({
        answers: [
          { request_id: '1.0', value: { option: 'harbour' } },
          { request_id: '1.1', value: { option: 'harbour' } },
          { request_id: '1.2', value: { option: 'harbour' } },
        ],
      }),
    ),
    again(
      'rejected-proposal-dropped',
      'the rejected ballot left out, everything derived again',
      poll({ answers: without(2) }),
    ),
    again(
      'policy-changed',
      'another quorum, everything derived again',
      poll({ policy: { ...POLL.policy, quorum: 1 } }),
    ),
    again(
      'input-changed',
      'another question, everything derived again',
      poll({ input: { ...POLL.input, question: 'Where did we meet?' } }),
    ),
    again(
      'source-made-human',
      "answers written by hand shown as a person's, everything derived again",
      answers((answer) => ({ ...answer, source: 'human' })),
    ),
    again(
      'proposer-changed',
      'answers under another name, everything derived again',
      answers((answer) => ({ ...answer, proposer: 'fixture:election' })),
    ),
    again(
      'provenance-changed',
      'answers with an invented origin, everything derived again',
      answers((answer) => ({ ...answer, provenance: { seen_by: 'a notary' } })),
    ),
    again(
      'ballot-changed',
      'one ballot changed, everything derived again',
      answers((answer, index) => (index === 4 ? { ...answer, value: { option: 'harbour' } } : answer)),
    ),
    again(
      'back-dated',
      'an earlier base of logical time, everything derived again',
      poll({ ts_base: '2025-11-22' }),
    ),
    again(
      'answers-reordered',
      'two answers in the other order, everything derived again',
      poll({ answers: [said[1], said[0], ...said.slice(2)] }),
    ),
  ];
  return [...withHead.flatMap(pair), splitView(honest)];
}

/** Another run in the place of an honest one, caught by the honest one's head. */
export function rewritten(name, forged, records, honest, twin = 'twin-poll') {
  return {
    ...missed(
      name,
      forged,
      fileOf(linesOf(records)),
      { head: headLine(honest) },
      'head_mismatch',
      Math.min(records.length, honest.length) - 1,
    ),
    twin,
  };
}

/** A forgery with the head that catches it, and without. */
export function pair(forgery) {
  const miss = forgery.name === 'cut-tail' ? 'cut-tail-without-head' : forgery.name;
  return [
    { ...forgery, name: `${forgery.name}-with-head` },
    { ...forgery, name: miss, brought: {}, caught: null, off: null, exit: 0 },
  ];
}

/** The run itself, and what is left of it when it stops early or inside a group. */
export function runTwins() {
  const honest = poll();
  const lines = linesOf(honest);
  return [
    { name: 'twin-poll', what: 'the run as it was', bytes: fileOf(lines), head: headLine(honest) },
    {
      name: 'twin-refused',
      what: 'a poll without a quorum: a refusal is an outcome, not a fault',
      bytes: fileOf(
        linesOf(
          poll({
            run_id: 'poll-refused',
            answers: [{ request_id: '1.3', source: 'human', value: { end: true } }],
          }),
        ),
      ),
    },
    {
      name: 'twin-open',
      what: 'a run that goes on: what there is holds',
      bytes: fileOf(lines.slice(0, AT.last)),
    },
    {
      name: 'twin-due',
      what: 'a file that ends inside a group: open, with records due',
      bytes: fileOf(lines.slice(0, AT.finish)),
    },
  ];
}

/** Two files of one genesis that part: each is sound alone. */
function splitView(honest) {
  const other = poll({
    answers: [...POLL.answers.slice(0, 4), { request_id: '1.2', value: { option: 'harbour' } }],
  });
  const forgery = missed(
    'split-view',
    'two files of one run that part after the fourth answer',
    fileOf(linesOf(honest)),
    { other: 'other.ledger.jsonl' },
    'split_view',
    AT.last,
  );
  return { ...forgery, others: { 'other.ledger.jsonl': fileOf(linesOf(other)) } };
}

/** The head line of a run. */
export function headLine(records) {
  return formatHeadLine({ count: records.length, hash: records.at(-1).record_hash });
}

function missed(name, forged, bytes, brought, code, record) {
  const argument = Object.keys(brought)[0];
  return {
    name,
    forged,
    twin: 'twin-poll',
    bytes,
    brought,
    caught: { check: 'completeness', verdict: 'failed', code, record },
    off: { argument },
    exit: 3,
  };
}
