/**
 * What one `Ledger.append` costs with the native digest, and with the JavaScript one that a browser has, as
 * ratios to the floor no record can go below: JSON.stringify of the payload and of the envelope, and two
 * native one-shot SHA-256 of those texts.
 *
 * All are timed in alternating slices of the same rounds, so that a busy machine slows all. Prints one JSON
 * document; the median of the rounds' own ratios is the number to watch (targets: at most 1.4, with noble
 * only 2.7).
 *
 *   npm run build && node packages/kernel/bench/record.bench.mjs [rounds]
 */
import { createHash, hash } from 'node:crypto';
import { Ledger, canonicalize, orThrow } from '../dist/index.js';
import { atMost, machine } from '../../../bench/lib/targets.mjs';
import { corpus } from './corpus.mjs';

const COUNT = 4_000;
const SLICE = 250;
const WARM_ROUNDS = 8;
const rounds = Number(process.argv[2] ?? 31);

const native = (bytes) => hash('sha256', bytes, 'hex');
const records = corpus(COUNT);
const ts = (index) => `2026-01-01T00:00:00Z#${String(index).padStart(12, '0')}`;
const stamps = records.map((_, index) => ts(index));

function floor(from, to) {
  let parent = null;
  for (let index = from; index < to; index += 1) {
    const { kind, payload } = records[index];
    const payload_hash = hash('sha256', JSON.stringify(payload), 'hex');
    parent = hash('sha256', JSON.stringify({ kind, parent, payload_hash, ts: stamps[index], v: 1 }), 'hex');
  }
  return parent;
}

function append(from, to, ledger = new Ledger(native)) {
  for (let index = from; index < to; index += 1) {
    const { kind, payload } = records[index];
    if (ledger.append(stamps[index], kind, payload)._tag === 'Left')
      throw new Error(`record ${index} is refused`);
  }
  return ledger.hash;
}

/** The default digest: noble's, which needs no module of Node. */
function appendByNoble(from, to) {
  return append(from, to, new Ledger());
}

/** Microseconds a record of one pass over the corpus for each contender, their slices taken in turn. */
function pass() {
  const spent = { floor: 0, append: 0, noble: 0 };
  for (let from = 0; from < COUNT; from += SLICE) {
    for (const [name, run] of (from / SLICE) % 2 === 0 ? CONTENDERS : [...CONTENDERS].reverse()) {
      const start = process.hrtime.bigint();
      run(from, from + SLICE);
      spent[name] += Number(process.hrtime.bigint() - start) / 1e3 / COUNT;
    }
  }
  return spent;
}

const CONTENDERS = [
  ['floor', floor],
  ['append', append],
  ['noble', appendByNoble],
];

for (let round = 0; round < WARM_ROUNDS; round += 1) pass();
const passes = Array.from({ length: rounds }, pass);
const microseconds = (name) => summary(passes.map((one) => one[name]));
const ratioOf = (name) => median(passes.map((one) => one[name] / one.floor));
const bytes = records.map(({ payload }) => orThrow(canonicalize(payload)));
const digest = createHash('sha256');
for (const text of bytes) digest.update(text);

const report = {
  bench: 'record',
  machine: machine(),
  node: process.version,
  corpus: {
    records: COUNT,
    mean_bytes: Math.round(bytes.reduce((sum, text) => sum + text.length, 0) / COUNT),
    sha256: digest.digest('hex'),
  },
  rounds,
  floor_us: microseconds('floor'),
  append_us: microseconds('append'),
  noble_us: microseconds('noble'),
  ratio: round(ratioOf('append')),
  noble_ratio: round(ratioOf('noble')),
  targets: [
    atMost(
      'record',
      'appending a record, native digest, against JSON.stringify and SHA-256 of the same bytes',
      ratioOf('append'),
      1.4,
      'times its cost',
    ),
    atMost('record-noble', 'the same with the JavaScript digest', ratioOf('noble'), 2.7, 'times its cost'),
  ],
};
console.log(JSON.stringify(report, null, 2));

function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: round(median(values)), least: round(sorted[0]), most: round(sorted.at(-1)) };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function round(value) {
  return Math.round(value * 100) / 100;
}
