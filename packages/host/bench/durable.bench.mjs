/**
 * Durable steps in files: a proposal of 468 bytes comes in, `advance` derives what follows, and both records
 * are appended, against bare appends of the same two lines, encoded before, one write and one sync of the
 * data each (target: at least 0.8 of their rate). Beside it the append alone, of records that were derived
 * before, and on Linux a bare write that is durable by itself (`O_DSYNC`), as the store's are: one call where
 * most programs make two. Targets are of the two calls; `ratio_to_one_call` is of the one.
 *
 * In turn within each round, in an order that changes; ratios are medians of the rounds' own ratios. All
 * files are on one medium. Prints one JSON document.
 *
 *   npm run build && node packages/host/bench/durable.bench.mjs [--rounds N] [--groups N]
 */
import { constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orThrow } from '../../kernel/dist/index.js';
import { fileStore } from '../dist/store-file/index.js';
import {
  A_STEP,
  linesOf,
  OPENING,
  PROPOSAL_BYTES,
  recordsOf,
  Stepping,
  WARM_STEPS,
} from '../../../bench/lib/steps.mjs';
import { atLeast, machine, median, option, rounded } from '../../../bench/lib/targets.mjs';

const RUN = 'bench';
const rounds = option('--rounds', 41);
const groups = option('--groups', 100);
const WARM_ROUNDS = Math.ceil(WARM_STEPS / groups);
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const total = (rounds + WARM_ROUNDS) * groups;
const records = recordsOf(RUN, total);
const lines = linesOf(records);
const contenders = {
  bare: await bare('bare', 'ax', (file) => file.datasync()),
  ...(process.platform === 'linux'
    ? {
        bare_one_call: await bare(
          'bare_one_call',
          constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_DSYNC,
          () => undefined,
        ),
      }
    : {}),
  append: await appending(),
  step: await stepping(),
};
const names = Object.keys(contenders);
const nanoseconds = Object.fromEntries(names.map((name) => [name, []]));
for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
  const from = (round + WARM_ROUNDS) * groups;
  for (let turn = 0; turn < names.length; turn += 1) {
    const name = names[(turn + from / groups) % names.length];
    const start = process.hrtime.bigint();
    for (let group = from; group < from + groups; group += 1)
      await contenders[name].append(OPENING + group * A_STEP);
    if (round >= 0) nanoseconds[name].push(Number(process.hrtime.bigint() - start));
  }
}
for (const { close } of Object.values(contenders)) await close();
const written = readFileSync(join(folder, 'bare.jsonl'), 'utf8');
for (const name of ['append', 'step'])
  if (readFileSync(join(folder, name, `${RUN}.ledger.jsonl`), 'utf8') !== written)
    throw new Error(`${name}: the two files differ`);

const ratiosTo = (floor) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      median(nanoseconds[name].map((value, round) => nanoseconds[floor][round] / value)),
    ]),
  );
const ratios = ratiosTo('bare');
const toOneCall = contenders.bare_one_call === undefined ? null : ratiosTo('bare_one_call');
const writing = Object.fromEntries(
  names.map((name) => [
    name,
    {
      groups_per_second: Math.round((groups * 1e9) / median(nanoseconds[name])),
      best_per_second: Math.round((groups * 1e9) / Math.min(...nanoseconds[name])),
      ratio_to_bare: rounded(ratios[name], 3),
      ...(toOneCall === null ? {} : { ratio_to_one_call: rounded(toOneCall[name], 3) }),
    },
  ]),
);
const targets = [
  atLeast(
    'durable-file',
    'a durable step (`advance` and an append to a file) against a bare write and sync of the same two lines',
    ratios.step,
    0.8,
    'of their rate',
  ),
  atLeast('durable-file-append', 'the append alone', ratios.append, 0.8, 'of their rate'),
];
console.log(
  JSON.stringify({
    bench: 'durable-file',
    node: process.version,
    machine: machine(),
    rounds,
    groups_a_round: groups,
    proposal_bytes: PROPOSAL_BYTES,
    writing,
    targets,
  }),
);

async function bare(name, flags, sync) {
  const file = await open(join(folder, `${name}.jsonl`), flags);
  const write = async (from, to) => {
    await file.write(
      lines
        .slice(from, to)
        .map((line) => `${line}\n`)
        .join(''),
    );
    await sync(file);
  };
  await write(0, OPENING);
  return { append: (at) => write(at, at + A_STEP), close: () => file.close() };
}

async function appending() {
  const store = fileStore(join(folder, 'append'));
  let head = orThrow(await store.append(RUN, null, records.slice(0, OPENING)));
  return {
    append: async (at) => {
      head = orThrow(await store.append(RUN, head, records.slice(at, at + A_STEP)));
    },
    close: () => store.close(),
  };
}

async function stepping() {
  const store = fileStore(join(folder, 'step'));
  const run = new Stepping(RUN, total);
  await run.begin(store);
  return { append: () => run.step(store), close: () => store.close() };
}
