/**
 * The durable step that the benches of the stores measure: a proposal of 468 bytes comes in, `advance`
 * derives what follows, and both records are stored in one transaction.
 *
 * @module
 */
import {
  advance,
  canonicalize,
  encodeLine,
  makeHead,
  openRequests,
  openRun,
  orThrow,
} from '../../packages/kernel/dist/index.js';
import { nativeSha256 } from '../../packages/host/dist/index.js';
import { counter } from '../../packages/host/bench/counter.mjs';

/** Bytes of a proposal's payload as canonical text. */
export const PROPOSAL_BYTES = 468;
/** Records of an opening, and of a step. */
export const OPENING = 2;
export const A_STEP = 2;
/**
 * Steps of each side before anything is timed: the runtime compiles what derives a step while the first
 * thousands of them are taken.
 */
export const WARM_STEPS = 4_000;

const WORDS = 'an answer of the length that models give '.repeat(12);

/**
 * A run that takes so many steps; each `step` appends to a store what the next one gives, and goes on from
 * there.
 */
export class Stepping {
  constructor(runId, steps) {
    const opened = orThrow(
      openRun(
        counter,
        { run_id: runId, ts_base: 't0', policy: {}, input: { to: steps + 1 } },
        { sha256: nativeSha256 },
      ),
    );
    this.run = opened.run;
    this.opening = opened.records;
  }

  /** Stores the opening. */
  async begin(store) {
    orThrow(await store.append(this.opening[0].payload.run_id, null, this.opening));
  }

  /** One durable step: derived, then stored. */
  async step(store) {
    const { records, run } = this.next();
    orThrow(await store.append(run.genesis.run_id, makeHead(this.run), records));
    this.run = run;
  }

  proposal() {
    const { id } = openRequests(this.run)[0];
    return proposalFor(id, fillOf(id));
  }

  /** What the next step gives, not gone on from. */
  next() {
    return orThrow(advance(this.run, this.proposal()));
  }
}

/**
 * All records of such a run, before the first of them is stored: what the bare side writes, and the store
 * where nothing is derived.
 */
export function recordsOf(runId, steps) {
  const stepping = new Stepping(runId, steps);
  const records = [...stepping.opening];
  for (let step = 0; step < steps; step += 1) {
    const { records: more, run } = stepping.next();
    records.push(...more);
    stepping.run = run;
  }
  const odd = records.find(
    ({ kind, payload }) => kind === 'proposal' && orThrow(canonicalize(payload)).length !== PROPOSAL_BYTES,
  );
  if (odd !== undefined) throw new Error(`a proposal of ${orThrow(canonicalize(odd.payload)).length} bytes`);
  return records;
}

/** The same as canonical lines, without their line ends. */
export function linesOf(records) {
  return records.map(encodeLine);
}

function proposalFor(id, words) {
  return {
    request_id: id,
    source: 'rule',
    proposer: 'bench',
    confidence: null,
    value: { words: WORDS.slice(0, words) },
    failure: null,
    at_us: null,
    spent: { tokens: 12 },
    cites: [],
    provenance: {},
  };
}

/** Words that fill a proposal with an id of so many characters, which stands in it once. */
function wordsFor({ length }) {
  const empty = orThrow(advance(PROBE, proposalFor('1.0', 0))).records[0];
  return PROPOSAL_BYTES - orThrow(canonicalize(empty.payload)).length - (length - '1.0'.length);
}

const PROBE = orThrow(
  openRun(
    counter,
    { run_id: 'probe', ts_base: 't0', policy: {}, input: { to: 2 } },
    { sha256: nativeSha256 },
  ),
).run;
const FILLS = new Map();

/** Counted once for each length of an id. */
function fillOf(id) {
  const known = FILLS.get(id.length) ?? wordsFor(id);
  FILLS.set(id.length, known);
  return known;
}
