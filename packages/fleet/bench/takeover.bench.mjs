/**
 * How soon a fleet goes on: after a worker was killed (lease of 5 s) until another makes the call that was under way, 30
 * times; and from an answer to the next call of the waiting run, 30 times. Prints one JSON document.
 *
 *   npm run build && ASSAY_TEST_POSTGRES=postgres://… ASSAY_TEST_REDIS=redis://… node
 *   packages/fleet/bench/takeover.bench.mjs [--samples 30]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import { atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { endChild, ENGINES, heard, makeFleet, makeGenesis, requireServers, startChild } from './fleets.mjs';

const SAMPLES = option('--samples', 30);
/** Fleets that are killed at the same time. */
const ABREAST = 3;
const GIVEN = { concurrency: 4, leaseMs: 5_000, isTelling: true };

const targetsOf = (figures) =>
  ENGINES.flatMap((kind) => [
    atMost(
      `fleet-takeover-${kind}`,
      `takeover after kill -9 at a lease of 5 s with ${kind}, median`,
      figures?.[kind].takeover.median ?? null,
      5_000,
      'ms',
    ),
    atMost(
      `fleet-takeover-worst-${kind}`,
      `takeover after kill -9 at a lease of 5 s with ${kind}, the worst of ${SAMPLES}`,
      figures?.[kind].takeover.worst ?? null,
      8_000,
      'ms',
    ),
    atMost(
      `fleet-answer-${kind}`,
      `answer to next call of a waiting run with ${kind}, median`,
      figures?.[kind].answer.median ?? null,
      500,
      'ms',
    ),
  ]);

requireServers('fleet-takeover', targetsOf(null));

/** Kills whoever holds a run, again and again: one that comes up takes its place. */
async function takeovers(kind, count) {
  const place = await makeFleet();
  const taken = [];
  let holder = await startChild(place, kind, GIVEN);
  try {
    for (let sample = 0; sample < count; sample += 1) {
      holder.send({ hold: true });
      const begun = heard([holder], (told) => told.call !== undefined);
      orThrow(await place.fleet.submit(tally, [makeGenesis(`r-${sample}`)]));
      await begun;
      const next = await startChild(place, kind, GIVEN);
      // At any moment of its beat.
      await sleep(Math.random() * 2_000);
      const again = heard([next], (told) => told.call !== undefined);
      const over = heard([next], (told) => told.closed !== undefined);
      const start = performance.now();
      await endChild(holder, 'SIGKILL');
      taken.push((await again) - start);
      await over;
      holder = next;
    }
  } finally {
    await endChild(holder, 'SIGKILL');
    await place.remove();
  }
  return taken;
}

async function answers(kind) {
  const place = await makeFleet();
  const taken = [];
  const worker = await startChild(place, kind, GIVEN);
  try {
    // What a child said before somebody listens comes first: that of the run that made the tables.
    await heard([worker], ({ closed }) => closed === 'r-first');
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const run = `h-${sample}`;
      orThrow(await place.fleet.submit(tally, [makeGenesis(run)]));
      while (orThrow(await place.fleet.runs({ run })).runs[0]?.state !== 'waiting') await sleep(20);
      await sleep(Math.random() * 1_000);
      const next = heard([worker], (told) => told.call !== undefined);
      const over = heard([worker], (told) => told.closed === run);
      const start = performance.now();
      orThrow(await place.fleet.answer(run, '1.0', { value: { option: 'soup' }, by: 'a person' }));
      taken.push((await next) - start);
      await over;
    }
  } finally {
    await endChild(worker, 'SIGKILL');
    await place.remove();
  }
  return taken;
}

const sum = (taken) => ({ median: median(taken), worst: Math.max(...taken), samples: taken.length });
const figures = {};
for (const kind of ENGINES) {
  const each = Array.from({ length: ABREAST }, () => takeovers(kind, Math.ceil(SAMPLES / ABREAST)));
  figures[kind] = { takeover: sum((await Promise.all(each)).flat()), answer: sum(await answers(kind)) };
}
const said = { bench: 'fleet-takeover', node: process.version, machine: machine() };
console.log(JSON.stringify(shown({ ...said, ...figures, targets: targetsOf(figures) }), null, 2));
process.exit(0);
