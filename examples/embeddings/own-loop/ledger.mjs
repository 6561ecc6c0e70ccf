/**
 * A run and the file of its ledger: each group of records is durable before anything it asks for is
 * performed.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { advance, encodeLine, follow, openRequests, openRun, orThrow } from '@assay/kernel';

export const EMPTY = {
  confidence: null,
  value: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};

/** Opens a run with a new file, or takes up where its file ends. */
export function openLedger(machine, genesis, path) {
  let { run, records } = existsSync(path)
    ? takeUp(machine, genesis, path)
    : orThrow(openRun(machine, genesis));
  const file = openSync(path, 'a');
  const append = (due) => {
    writeSync(file, due.map((record) => `${encodeLine(record)}\n`).join(''));
    fsyncSync(file);
  };
  append(records);
  return {
    /** The request that is answered next; undefined where the run is closed or nobody has to answer. */
    request: () => openRequests(run).find(({ attempts }) => attempts > 0),
    run: () => run,
    /** Records one answer; gives the rejection, null where it was accepted. */
    answer(request, said) {
      const step = stepOf(run, { ...EMPTY, ...said, request_id: request.id });
      ({ run, records } = step);
      append(records);
      return step.rejection;
    },
    close: () => closeSync(file),
  };
}

/** Derives a stored run again; what a crash cut from its last group is due, and is written first. */
function takeUp(machine, genesis, path) {
  const bytes = readFileSync(path);
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1); // a line that was being written is written again
  truncateSync(path, whole.length);
  if (whole.length === 0) return orThrow(openRun(machine, genesis));
  const [first, ...rest] = whole
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const follower = rest.reduce(
    (before, record) => orThrow(before.feed(record)),
    orThrow(follow(machine, first)),
  );
  return { run: follower.run, records: follower.due };
}

/** What cannot even be recorded, such as NaN, becomes a failure on the record. */
function stepOf(run, proposal) {
  const step = advance(run, proposal);
  if (step._tag === 'Right') return step.right;
  const failure = {
    code: 'malformed',
    final: false,
    detail: { code: step.left.code, path: step.left.path, text: '' },
  };
  return orThrow(
    advance(run, {
      ...EMPTY,
      source: proposal.source,
      proposer: proposal.proposer,
      request_id: proposal.request_id,
      failure,
    }),
  );
}
