/**
 * Records verified a second, native digest: strict (integrity and re-derivation), integrity alone, and
 * hash-only, against the floor of JSON.stringify and two native one-shot SHA-256 of the same bytes.
 *
 * All are timed in turn within each round, so that a busy machine slows all; prints one JSON document with
 * medians (targets: strict at least 45,000 records/s, hash-only 200,000).
 *
 *   npm run build && node packages/verifier/bench/verify.bench.mjs [rounds] [records]
 */
import { hash } from 'node:crypto';
import { encodeLine, replayable } from '../../kernel/dist/index.js';
import { verify } from '../dist/index.js';
import { atLeast, machine, shown } from '../../../bench/lib/targets.mjs';
import { relay, relayGroups } from './relay.mjs';

const rounds = Number(process.argv[2] ?? 15);
const wanted = Number(process.argv[3] ?? 20_000);
const CHUNK = 65_536;
const WARM_ROUNDS = 2;

const sha256 = (bytes) => hash('sha256', bytes, 'hex');
const records = [...relayGroups(wanted, sha256)].flat();
const file = Buffer.concat(records.map((record) => Buffer.from(`${encodeLine(record)}\n`)));

function* chunks() {
  for (let from = 0; from < file.length; from += CHUNK) yield file.subarray(from, from + CHUNK);
}

function expectHeld(options, checks) {
  const { document } = verify('bench', chunks(), { sha256, ...options });
  for (const check of checks)
    if (document.checks[check].verdict !== 'held') throw new Error(JSON.stringify(document));
}

const CONTENDERS = {
  floor: () => {
    for (const { payload, payload_hash, kind, parent, ts, v } of records) {
      hash('sha256', JSON.stringify(payload), 'hex');
      hash('sha256', JSON.stringify({ kind, parent, payload_hash, ts, v }), 'hex');
    }
  },
  hash_only: () => expectHeld({ hashOnly: true }, ['integrity']),
  integrity: () => expectHeld({ machines: [] }, ['integrity']),
  strict: () => expectHeld({ machines: [replayable(relay)] }, ['integrity', 'rederivation']),
};

const spent = Object.fromEntries(Object.keys(CONTENDERS).map((name) => [name, []]));
for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
  for (const [name, run] of Object.entries(CONTENDERS)) {
    const start = process.hrtime.bigint();
    run();
    if (round >= 0) spent[name].push(Number(process.hrtime.bigint() - start) / 1e3 / records.length);
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const result = Object.fromEntries(
  Object.entries(spent).map(([name, values]) => {
    const us = median(values);
    return [
      name,
      {
        us_per_record: us,
        best_us: Math.min(...values),
        records_per_second: 1e6 / us,
        ratio_to_floor: us / median(spent.floor),
      },
    ];
  }),
);
const targets = [
  atLeast(
    'verify-strict',
    'strict verification from text, native digest',
    result.strict.records_per_second,
    45_000,
    'records/s',
  ),
  atLeast(
    'verify-hash-only',
    'hash-only verification',
    result.hash_only.records_per_second,
    200_000,
    'records/s',
  ),
];
console.log(
  JSON.stringify(
    shown({
      bench: 'verify',
      node: process.version,
      machine: machine(),
      rounds,
      records: records.length,
      mean_bytes: file.length / records.length,
      ...result,
      targets,
    }),
    null,
    2,
  ),
);
