/** An agent loop of our own: the kernel decides, this file performs what is asked and keeps the evidence. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { advance, encodeLine, follow, openRequests, openRun, orThrow } from '@assay/kernel';

const EMPTY = { confidence: null, value: null, failure: null, at_us: null, spent: {}, cites: [], provenance: {} };

/** Drives a run to its end, or takes up where its ledger ends. `perform(request)` calls the model, tool or person. */
export async function drive(machine, genesis, perform, path) {
  let step = existsSync(path) ? takeUp(machine, path) : orThrow(openRun(machine, genesis));
  const file = openSync(path, 'a');
  try {
    for (;;) {
      // A group of records is durable before anything it asks for is performed.
      writeSync(file, step.records.map((record) => `${encodeLine(record)}\n`).join(''));
      fsyncSync(file);
      const request = openRequests(step.run).find(({ attempts }) => attempts > 0);
      if (step.run.outcome !== null || request === undefined) return step.run;
      step = await answer(step.run, request, perform);
    }
  } finally {
    closeSync(file);
  }
}

/** Derives a stored run again; what a crash cut from its last group is due, and is written first. */
function takeUp(machine, path) {
  const bytes = readFileSync(path);
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1); // a line that was being written is written again
  truncateSync(path, whole.length);
  const [genesis, ...rest] = whole.toString().split('\n').slice(0, -1).map((line) => JSON.parse(line));
  const follower = rest.reduce((before, record) => orThrow(before.feed(record)), orThrow(follow(machine, genesis)));
  return { run: follower.run, records: follower.due };
}

/** One answer to one request. Whatever goes wrong outside becomes an answer too: a failure, on the record. */
async function answer(run, request, perform) {
  const said = await performed(request, perform);
  const step = advance(run, { ...EMPTY, ...said, request_id: request.id });
  if (step._tag === 'Right') return step.right;
  const { code, path } = step.left; // what cannot even be recorded, such as NaN
  const failure = { code: 'malformed', final: false, detail: { code, path, text: '' } };
  return orThrow(advance(run, { ...EMPTY, source: said.source, proposer: said.proposer, request_id: request.id, failure }));
}

async function performed(request, perform) {
  try {
    return await perform(request);
  } catch {
    return { source: 'tool', proposer: 'own-loop', failure: { code: 'unavailable', final: false, detail: null } };
  }
}
