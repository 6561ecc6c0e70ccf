/**
 * `advance` on a machine whose state and graph grow by one entry a step (tally's notices): CPU time a step
 * as the run grows, and the fixed bytes of a step. Run after a build:
 *
 *   node packages/testing/bench/advance.bench.mjs [--json] [--rounds N]
 *
 * A window reaches from half of a length to that length, since the state is hashed in bursts whose
 * distance grows with it. Medians over rounds; user CPU time, because other work shares the machine.
 */
import { hash } from 'node:crypto';
import { advance, encodeLine, openRun, orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import { atMost, machine, shown } from '../../../bench/lib/targets.mjs';

const LENGTHS = [1_000, 10_000, 100_000];
const isJson = process.argv.includes('--json');
const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 3;
const options = { sha256: (bytes) => hash('sha256', bytes, 'hex') };

const proposal = (request_id, value) => ({
  request_id,
  source: 'synthetic',
  proposer: 'fixture:bench',
  confidence: null,
  value,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
});

function open() {
  const genesis = {
    run_id: 'bench',
    ts_base: 'T',
    policy: { voters: 3, quorum: 2, attempts: 2 },
    input: { question: 'Where to?', options: ['north', 'south'] },
  };
  return orThrow(openRun(tally, genesis, options)).run;
}

/**
 * A notice as people write it, and the shortest one: the shorter the entries, the more of them each byte of
 * hashed state is.
 */
const sentence = (step) =>
  `The ferry at pier ${step} leaves ten minutes later than planned; tell whoever waits there.`;
const tiny = (step) => `n${step}`;

/** Microseconds of CPU a step from half of `length` to `length`. */
function measure(length, text) {
  let run = open();
  let start = 0;
  for (let step = 0; step < length; step += 1) {
    if (step === length / 2) start = process.cpuUsage().user;
    run = orThrow(advance(run, proposal(run.state.invitation, { note: text(step) }))).run;
  }
  return (process.cpuUsage().user - start) / (length / 2);
}

/**
 * Bytes of a step's two records beyond its value, in a machine that answers one request by one event and one
 * ask.
 */
function fixedBytes() {
  const ask = { kind: 'tick', body: {}, accepts: ['synthetic'], attempts: 0 };
  const counter = {
    name: 'counter',
    version: 1,
    open: () => ({ _tag: 'Right', right: { state: 0, decision: { events: [{ t: 'start' }], asks: [ask] } } }),
    parse: (value) => ({ _tag: 'Right', right: value }),
    decide: () => ({ _tag: 'Right', right: { events: [{ t: 'tick' }], asks: [ask] } }),
    evolve: (state) => state + 1,
    encode: (state) => state,
    decode: (json) => ({ _tag: 'Right', right: json }),
  };
  const run = orThrow(
    openRun(counter, { run_id: 'bench', ts_base: 'T', policy: {}, input: {} }, options),
  ).run;
  const value = { n: 1 };
  const records = orThrow(advance(run, proposal('1.0', value))).records;
  return (
    records.reduce((sum, record) => sum + Buffer.byteLength(encodeLine(record)) + 1, 0) -
    JSON.stringify(value).length
  );
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function grow(text) {
  const taken = LENGTHS.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    LENGTHS.forEach((length, index) => taken[index].push(measure(length, text)));
  const steps = LENGTHS.map((length, index) => ({ steps: length, cpu_us_per_step: median(taken[index]) }));
  const all = steps.map((row) => row.cpu_us_per_step);
  const middle = (Math.min(...all) + Math.max(...all)) / 2;
  return { steps, spread: Math.max(...all) / middle - 1 };
}

measure(LENGTHS[1], sentence);
const report = {
  bench: 'advance',
  node: process.version,
  machine: machine(),
  rounds,
  sentence: grow(sentence),
  tiny: grow(tiny),
  spread_target: 0.2,
  fixed_bytes_per_step: fixedBytes(),
  fixed_bytes_target: 1100,
};
report.targets = [
  atMost(
    'advance-spread',
    '`advance` on a state that grows by a sentence a step, runs of 1,000 to 100,000 steps: how far from the middle',
    report.sentence.spread,
    0.2,
    'of its cost',
  ),
  atMost(
    'advance-spread-tiny',
    'the same where an entry is a few bytes, so that each byte of hashed state is many entries',
    report.tiny.spread,
    0.2,
    'of its cost',
  ),
  atMost('step-fixed', 'fixed bytes of a step of two records', report.fixed_bytes_per_step, 1_100, 'bytes'),
];
const lines = (name, { steps, spread }) => [
  ...steps.map((row) => `${name}: ${row.steps} steps: ${row.cpu_us_per_step} µs of CPU a step`),
  `${name}: spread around the middle ${spread} (target 0.2)`,
];
const printed = shown(report, 3);
const text = [
  ...lines('sentence', printed.sentence),
  ...lines('tiny', printed.tiny),
  `fixed bytes of a step: ${report.fixed_bytes_per_step} (target 1100)`,
].join('\n');
process.stdout.write(isJson ? `${JSON.stringify(printed)}\n` : `${text}\n`);
