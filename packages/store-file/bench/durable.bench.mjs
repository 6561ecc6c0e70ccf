/**
 * Durable appends to files: groups of two records (a proposal of 468 bytes and a small decision) by the store, against
 * bare appends of the same two lines, one write and one sync of the data each (target: at least 0.8 of their rate).
 *
 * In turn within each round, in an order that changes; the ratio is the median of the rounds' own ratios. Both files are
 * in one folder. Prints one JSON document.
 *
 *   npm run build && node packages/store-file/bench/durable.bench.mjs [--rounds N] [--groups N]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeLine, Ledger, logicalTime, orThrow } from '../../kernel/dist/index.js';
import { fileStore } from '../dist/index.js';
import { atLeast, machine, median, option, rounded } from '../../../bench/lib/targets.mjs';

const PROPOSAL_BYTES = 468;
const WARM_ROUNDS = 20;
const RUN = 'bench';
const rounds = option('--rounds', 151);
const groups = option('--groups', 10);
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const records = makeRecords((rounds + WARM_ROUNDS) * groups);
const contenders = { bare: await bare(), store: await stored() };
const names = Object.keys(contenders);
const nanoseconds = Object.fromEntries(names.map((name) => [name, []]));
for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
  const from = (round + WARM_ROUNDS) * groups;
  for (let turn = 0; turn < names.length; turn += 1) {
    const name = names[(turn + from / groups) % names.length];
    const start = process.hrtime.bigint();
    for (let group = from; group < from + groups; group += 1) await contenders[name].append(group * 2 + 1);
    if (round >= 0) nanoseconds[name].push(Number(process.hrtime.bigint() - start));
  }
}
for (const { close } of Object.values(contenders)) await close();
if (readFileSync(join(folder, 'bare.jsonl'), 'utf8') !== readFileSync(join(folder, `${RUN}.ledger.jsonl`), 'utf8')) throw new Error('the two files differ');

const writing = Object.fromEntries(
  names.map((name) => [name, { groups_per_second: Math.round((groups * 1e9) / median(nanoseconds[name])), best_per_second: Math.round((groups * 1e9) / Math.min(...nanoseconds[name])), ratio_to_bare: rounded(median(nanoseconds[name].map((value, round) => nanoseconds.bare[round] / value))) }]),
);
const target = atLeast('durable-file', 'a durable step in a file against a bare write and sync of the same two lines', writing.store.ratio_to_bare, 0.8, 'of their rate');
console.log(JSON.stringify({ bench: 'durable-file', node: process.version, machine: machine(), rounds, groups_a_round: groups, proposal_bytes: PROPOSAL_BYTES, writing, targets: [target] }));

/** The genesis, then so many groups. */
function makeRecords(wanted) {
  const ledger = new Ledger();
  orThrow(ledger.append(logicalTime('t0', 0), 'genesis', { run_id: RUN }));
  const fill = PROPOSAL_BYTES - JSON.stringify({ n: 1_000_000, value: '' }).length;
  for (let group = 0; group < wanted; group += 1) {
    orThrow(ledger.append(logicalTime('t0', ledger.count), 'proposal', { n: 1_000_000 + group, value: 'x'.repeat(fill) }));
    orThrow(ledger.append(logicalTime('t0', ledger.count), 'decision', { events: [{ t: 'counted', n: group }] }));
  }
  return ledger.records;
}

async function bare() {
  const file = await open(join(folder, 'bare.jsonl'), 'ax');
  const write = async (from, to) => {
    await file.write(records.slice(from, to).map((record) => `${encodeLine(record)}\n`).join(''));
    await file.datasync();
  };
  await write(0, 1);
  return { append: (at) => write(at, at + 2), close: () => file.close() };
}

async function stored() {
  const store = fileStore(folder);
  let head = orThrow(await store.append(RUN, null, records.slice(0, 1)));
  return {
    append: async (at) => {
      head = orThrow(await store.append(RUN, head, records.slice(at, at + 2)));
    },
    close: () => store.close(),
  };
}
