/**
 * How much longer a fleet takes than `drive` alone: 1,000 polls of three calls, 200 of fifty, one worker at 32 against
 * `drive` at 32 with as many connections, tools of 10 ms; and two workers against one where calls take 200 ms. In turn,
 * each round; prints one JSON document. Ratios are medians of ratios within a round.
 *
 *   npm run build && ASSAY_TEST_POSTGRES=postgres://… ASSAY_TEST_REDIS=redis://… node
 *   packages/fleet/bench/rate.bench.mjs [--rounds 3] [--runs 1000]
 */
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import { atLeast, atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { endChild, ENGINES, heard, makeFleet, makeGenesis, requireServers, startChild } from './fleets.mjs';

const ROUNDS = option('--rounds', 3);
const RUNS = option('--runs', 1_000);
const AT = { concurrency: 32, connections: 36 };
const BOUNDS = { short: { dbos: 1.8, bullmq: 1.3 }, long: { dbos: 1.15, bullmq: 1.15 } };

const targetsOf = (figures) => [
  ...ENGINES.flatMap((kind) => [
    atMost(
      `fleet-short-${kind}`,
      `1,000 polls of 3 calls with ${kind}, one worker at 32, against \`drive\` alone at 32`,
      figures?.short[kind] ?? null,
      BOUNDS.short[kind],
      'times the time',
    ),
    atMost(
      `fleet-long-${kind}`,
      `polls of 50 calls with ${kind}, one worker at 32, against \`drive\` alone at 32`,
      figures?.long[kind] ?? null,
      BOUNDS.long[kind],
      'times the time',
    ),
    atLeast(
      `fleet-two-${kind}`,
      `two workers with ${kind} against one, calls of 200 ms`,
      figures?.two[kind] ?? null,
      1.8,
      'times the rate',
    ),
  ]),
];

requireServers('fleet-rate', targetsOf(null));

const fleet = await makeFleet();
let batch = 0;

/** Milliseconds until `count` polls are closed, from when they are submitted, or handed to `drive`. */
async function time(kind, count, voters, given, workers = 1) {
  batch += 1;
  const geneses = Array.from({ length: count }, (_, n) => makeGenesis(`r-${batch}-${n}`, voters));
  const starting = Array.from({ length: workers }, () =>
    startChild(fleet, kind.replace('+notes', ''), given),
  );
  const children = await Promise.all(starting);
  let closed = 0;
  const all = heard(children, (told) => told.closed?.startsWith(`r-${batch}-`) && ++closed === count);
  const start = performance.now();
  if (kind.startsWith('drive')) children[0].send({ drive: geneses, notes: kind !== 'drive' });
  else orThrow(await fleet.fleet.submit(tally, geneses));
  const ms = (await all) - start;
  await Promise.all(
    children.map((child) => endChild(child, kind.startsWith('drive') ? 'SIGKILL' : 'SIGTERM')),
  );
  return ms;
}

const rounds = [];
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    const taken = { short: {}, long: {}, one: {}, two: {} };
    for (const kind of ['drive', 'drive+notes', ...ENGINES]) {
      taken.short[kind] = await time(kind, RUNS, 3, AT);
      taken.long[kind] = await time(kind, RUNS / 5, 50, AT);
    }
    for (const kind of ENGINES) {
      const slow = { concurrency: 8, connections: 8, toolMs: 200 };
      taken.one[kind] = await time(kind, RUNS / 5, 3, slow);
      taken.two[kind] = await time(kind, RUNS / 5, 3, slow, 2);
    }
    rounds.push(taken);
  }
} finally {
  await fleet.remove();
}

const ratio = (of) => median(rounds.map(of));
const figures = {
  short: Object.fromEntries(ENGINES.map((kind) => [kind, ratio(({ short }) => short[kind] / short.drive)])),
  long: Object.fromEntries(ENGINES.map((kind) => [kind, ratio(({ long }) => long[kind] / long.drive)])),
  two: Object.fromEntries(ENGINES.map((kind) => [kind, ratio(({ one, two }) => one[kind] / two[kind])])),
};
const besideNotes = Object.fromEntries(
  ENGINES.map((kind) => [kind, ratio(({ short }) => short[kind] / short['drive+notes'])]),
);
const report = {
  bench: 'fleet-rate',
  node: process.version,
  machine: machine(),
  runs: RUNS,
  rounds_ms: rounds,
  ...figures,
  short_against_drive_with_notes: besideNotes,
  targets: targetsOf(figures),
};
console.log(JSON.stringify(shown(report), null, 2));
process.exit(0);
