/**
 * A fleet of 100,000 runs: how fast they are submitted, what they cost a worker while they wait, and how soon the first
 * page is listed by the command. That they wait is written into the table, where driving each would take long. Prints
 * one JSON document.
 *
 *   npm run build && ASSAY_TEST_POSTGRES=postgres://… ASSAY_TEST_REDIS=redis://… node
 *   packages/fleet/bench/many.bench.mjs [--runs 100000]
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import { atLeast, atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { endChild, ENGINES, makeFleet, makeGenesis, requireServers, startChild } from './fleets.mjs';

const RUNS = option('--runs', 100_000);
const SUBMITTED = 10_000;
const IDLE_MS = 10_000;
const LISTINGS = 5;
const MIB = 2 ** 20;
const COMMAND = fileURLToPath(new URL('../../cli/bin/assay.mjs', import.meta.url));

const targetsOf = (figures) => [
  atLeast('fleet-submit', `\`submit\` of ${RUNS} runs`, figures?.submit_per_s ?? null, 3_000, 'runs/s'),
  atMost(
    'fleet-page',
    `first page of \`store list --fleet\` at ${RUNS} runs`,
    figures?.page_ms ?? null,
    300,
    'ms',
  ),
  ...ENGINES.flatMap((kind) => [
    atMost(
      `fleet-waiting-memory-${kind}`,
      `memory of a worker with ${kind} for ${RUNS} waiting runs, above none`,
      figures?.[kind].above_mib ?? null,
      20,
      'MiB',
    ),
    atMost(
      `fleet-waiting-cpu-${kind}`,
      `idle worker with ${kind} at ${RUNS} waiting runs`,
      figures?.[kind].cpu_percent ?? null,
      2,
      '% of a core',
    ),
  ]),
];

requireServers('fleet-many', targetsOf(null));

/** What a worker takes that has nothing to do. */
async function idle(place, kind) {
  const child = await startChild(place, kind, { concurrency: 8 });
  const ask = async () => {
    child.send('usage');
    for (;;) {
      const [told] = await once(child, 'message');
      if (told.usage !== undefined) return told.usage;
    }
  };
  await sleep(2_000);
  const before = await ask();
  await sleep(IDLE_MS);
  const after = await ask();
  await endChild(child);
  const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system;
  return { mib: after.rss / MIB, cpu_percent: cpu / 10 / IDLE_MS };
}

const empty = await makeFleet();
const none = {};
for (const kind of ENGINES) none[kind] = await idle(empty, kind);
await empty.remove();

const place = await makeFleet();
try {
  const start = performance.now();
  for (let from = 0; from < RUNS; from += SUBMITTED)
    orThrow(
      await place.fleet.submit(
        tally,
        Array.from({ length: SUBMITTED }, (_, n) => makeGenesis(`r-${from + n}`)),
      ),
    );
  const submit_per_s = (RUNS * 1_000) / (performance.now() - start);
  const tables = `"${place.schema}_fleet"`;
  await place.store.ask(
    `UPDATE ${tables}.runs SET state = 'waiting'; INSERT INTO ${tables}.open (run, request, attempt, kind, accepts, body) ` +
      `SELECT run, '1.1', 0, 'ballot', '["human"]', '{}' FROM ${tables}.runs; ANALYZE ${tables}.runs; ANALYZE ${tables}.open`,
  );
  const listed = [];
  for (let n = 0; n < LISTINGS; n += 1) {
    const began = performance.now();
    execFileSync(process.execPath, [COMMAND, 'store', 'list', place.storeUrl, '--fleet'], {
      stdio: 'ignore',
    });
    listed.push(performance.now() - began);
  }
  const figures = { submit_per_s, page_ms: median(listed) };
  for (const kind of ENGINES) {
    const full = await idle(place, kind);
    figures[kind] = {
      ...full,
      above_mib: full.mib - none[kind].mib,
      cpu_percent_of_none: none[kind].cpu_percent,
    };
  }
  const said = { bench: 'fleet-many', node: process.version, machine: machine(), runs: RUNS };
  console.log(JSON.stringify(shown({ ...said, ...figures, targets: targetsOf(figures) }), null, 2));
} finally {
  await place.remove();
}
process.exit(0);
