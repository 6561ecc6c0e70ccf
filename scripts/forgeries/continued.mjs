/**
 * Runs that stand on another ledger, or cite one: what is claimed of that ledger is a fact from outside, and
 * shows only to who has it.
 *
 * @module
 */
import { advance, makeContinuation, openRequests, openRun, orThrow, snapshot } from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import { tally } from '@assay/testing';
import { fileOf, hashOf, linesOf } from './forge.mjs';
import { AT, POLL, poll } from './runs.mjs';

const KEPT = 'kept';
const TWIN = 'twin-continued';
const FORKED = 'twin-forked';
const ANSWER = {
  source: 'synthetic',
  proposer: 'fixture:poll',
  confidence: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};
const FOUR = { ...POLL.policy, voters: 4 };
const SECOND = { ...POLL, run_id: 'poll-continued', ts_base: '2026-11-23' };

/**
 * A run that goes on from another's snapshot and cites its head, and one that was fed another's answers, each
 * with that ledger at hand.
 */
export function continuedTwins() {
  const { parent, base } = honest();
  const bytes = continued(base, [headOf(base)]);
  return [
    {
      name: TWIN,
      what: 'a run that goes on from the snapshot of another, which is at hand',
      bytes,
      others: kept(parent),
      brought: { folder: KEPT },
    },
    {
      name: FORKED,
      what: 'a fork for four voters, fed the answers of another run, which is at hand, and then told one more',
      bytes: forked(poll()),
      others: kept(poll()),
      brought: { folder: KEPT },
    },
  ];
}

/** Bases and cites that are not so, each with the ledger at hand and without. */
export function continuedForgeries() {
  const { parent, base } = honest();
  const votes = { claims: [], votes: [['harbour', 2]], waiting: [['1.2', 2]] };
  const { 1.2: last, 1.3: notice } = base.snapshot.open;
  const snapshotInvented = {
    ...base,
    snapshot: {
      ...base.snapshot,
      machine: { ...base.snapshot.machine, ...votes },
      open: { 1.2: last, 1.3: notice },
    },
  };
  return [
    ...pair(
      'snapshot-invented',
      'a continuation from a state with two votes that nobody cast',
      continued(snapshotInvented, [], '1.2'),
      parent,
      0,
    ),
    ...pair(
      'base-never-written',
      'a continuation from a head that the base never had',
      continued({ ...base, hash: hashOf('another history') }, []),
      parent,
      0,
    ),
    ...pair(
      'fork-answers-invented',
      'a fork whose second answer says that it was taken over, and was not given there',
      forked(
        poll({ answers: POLL.answers.with(1, { ...POLL.answers[1], value: { option: 'harbour' } }) }),
        poll(),
      ),
      poll(),
      4,
      FORKED,
    ),
    ...pair(
      'cite-never-written',
      'an answer that cites a head which the other ledger never had',
      continued(base, [{ ...headOf(base), hash: hashOf('another head') }]),
      parent,
      2,
    ),
  ];
}

function honest() {
  const { records, run } = orThrow(
    openRun(tally, { run_id: POLL.run_id, ts_base: POLL.ts_base, policy: POLL.policy, input: POLL.input }),
  );
  return { parent: records, base: makeContinuation(snapshot(run)) };
}

function headOf({ run_id, count, hash }) {
  return { run_id, count, hash };
}

function continued(base, cites, request_id = '1.0') {
  const { run_id, ts_base, policy, input } = SECOND;
  const opened = orThrow(openRun(tally, { run_id, ts_base, policy, input, base }));
  const step = orThrow(advance(opened.run, { ...ANSWER, request_id, value: { option: 'harbour' }, cites }));
  return fileOf(linesOf([...opened.records, ...step.records]));
}

/** Fed with a parent's answers up to the second vote, on a base that says whose they are. */
function forked(parent, claimed = parent) {
  const [fed, base] = [parent, claimed].map((records) => ({
    run_id: POLL.run_id,
    count: AT.last,
    hash: records[AT.revoted].record_hash,
    snapshot: null,
  }));
  const given = { run_id: 'poll-forked', ts_base: '2026-11-24', policy: FOUR, input: POLL.input };
  const { run, records } = orThrow(forkRun(tally, { ...given, base: fed }, parent));
  const answers = [
    ...records
      .filter(({ kind }) => kind === 'proposal')
      .map(({ payload: { proposal_hash: _, ...answer } }) => answer),
    { ...ANSWER, request_id: openRequests(run)[0].id, value: { option: 'library' } },
  ];
  let step = orThrow(openRun(tally, { ...given, base }));
  const lines = [...step.records];
  for (const answer of answers) {
    step = orThrow(advance(step.run, answer));
    lines.push(...step.records);
  }
  return fileOf(linesOf(lines));
}

function kept(parent) {
  return { [`${KEPT}/${POLL.run_id}.ledger.jsonl`]: fileOf(linesOf(parent)) };
}

function pair(name, forged, bytes, parent, record, twin = TWIN) {
  const caught = { check: 'completeness', verdict: 'failed', code: 'head_mismatch', record };
  return [
    {
      name: `${name}-with-base`,
      forged,
      twin,
      bytes,
      others: kept(parent),
      brought: { folder: KEPT },
      caught,
      off: { argument: 'folder' },
      exit: 3,
    },
    { name, forged, twin, bytes, brought: {}, caught: null, off: null, exit: 0 },
  ];
}
