/**
 * The honest runs that forgeries are made from: polls of the machine `tally`.
 *
 * @module
 */
import { advance, openRun, orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';

/** Policy, input and answers of the poll; every one of them can be replaced. */
export const POLL = {
  run_id: 'poll',
  ts_base: '2026-11-22',
  policy: { voters: 3, quorum: 2, attempts: 2 },
  input: { question: 'Where do we meet?', options: ['library', 'harbour'] },
  answers: [
    { request_id: '1.3', value: { note: 'The library closes at six \u{1f4da}' }, confidence: 1e-7 },
    { request_id: '1.0', value: { option: 'library' } },
    { request_id: '1.1', value: { option: 'park' } },
    { request_id: '1.1', value: { option: 'harbour' } },
    { request_id: '1.2', value: { option: 'library' }, spent: { minutes: 3 } },
  ],
};

/** Positions in the ledger of {@link POLL}. */
export const AT = {
  genesis: 0,
  opening: 1,
  notice: 2,
  noted: 3,
  ballot: 4,
  voted: 5,
  unknown: 6,
  rejection: 7,
  second: 8,
  revoted: 9,
  last: 10,
  finish: 11,
  minutes: 12,
  result: 13,
  close: 14,
};

/** Runs a poll on answers written by hand: its records. Answers are `synthetic` unless they say otherwise. */
export function poll(changes = {}) {
  const { run_id, ts_base, policy, input, answers } = { ...POLL, ...changes };
  const first = orThrow(openRun(tally, { run_id, ts_base, policy, input }));
  const records = [...first.records];
  let { run } = first;
  for (const answer of answers) {
    const step = orThrow(
      advance(run, {
        source: 'synthetic',
        proposer: 'fixture:poll',
        confidence: null,
        failure: null,
        at_us: null,
        spent: {},
        cites: [],
        provenance: {},
        ...answer,
      }),
    );
    records.push(...step.records);
    run = step.run;
  }
  return records;
}

/** The poll's answers without the one at `index`. */
export function without(index) {
  return POLL.answers.filter((_, at) => at !== index);
}
