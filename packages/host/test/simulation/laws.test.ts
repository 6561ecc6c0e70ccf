import { describe, expect, it } from 'vitest';
import { isObject, type Json } from '@assay/kernel';
import { FAULTS, NO_FAULTS, simulate } from '../../src/testing/index.ts';
import { eachSeed, firstAnswerOf, pollOf, SEEDS, talkative, voters } from './scenarios.js';

/**
 * The ledger of an undisturbed process that asks one request after the other; each key fares as on the bad
 * day.
 */
async function undisturbed(seed: number, ports = voters): Promise<string> {
  const faults = { ...FAULTS, crash: 0, interrupt: 0, storeError: 0 };
  const { text, violations } = await simulate(
    seed,
    pollOf(seed, { faults, ports, order: 'turn', concurrency: 1 }),
  );
  expect(violations).toEqual([]);
  return text;
}

/** One process, everything failing now and then. */
async function aBadDay(name: string, ports: typeof voters): Promise<void> {
  const totals = await eachSeed(
    `one process, ${name}`,
    (seed) => pollOf(seed, { ports }),
    ({ status }) => expect(status).not.toBeNull(),
  );
  // Else the faults were switched off.
  expect(totals.crashes).toBeGreaterThan(totals.seeds / 2);
  expect(totals.performed).toBeGreaterThan(totals.seeds * 3);
}

const artifacts = (text: string): readonly Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)
    .flatMap((record) =>
      isObject(record) && record['kind'] === 'artifact' ? [record['payload'] ?? null] : [],
    );

describe(`a run in a simulated world, ${SEEDS} seeds each`, {
  timeout: 600_000 * Math.max(1, SEEDS / 1_000),
}, () => {
  // The world judges both laws in every simulation here; these two give it one kind of port each.
  it('host/evidence-before-effect: killed, interrupted, refused by its store anywhere', () =>
    aBadDay('voters', voters));

  it('host/nothing-lost-nothing-doubled: the same where somebody brings news between the votes', () =>
    aBadDay('talkative', talkative));

  it("host/turn-order-bytes: where ports answer by request and key, an undisturbed drive's bytes", async () => {
    await eachSeed(
      'order turn',
      (seed) => pollOf(seed, { ports: talkative, order: 'turn', concurrency: 1 + (seed % 4) }),
      async ({ text }, seed) => expect(text).toBe(await undisturbed(seed, talkative)),
    );
  });

  it('host/arrival-order-invariant: the same artifacts in every order in which answers come', async () => {
    await eachSeed(
      'order arrival',
      (seed) => pollOf(seed, { order: 'arrival', concurrency: 4 }),
      async ({ text }, seed) => expect(artifacts(text)).toEqual(artifacts(await undisturbed(seed))),
    );
  });

  it('host/one-ledger: two processes drive the same run', async () => {
    const totals = await eachSeed(
      'two processes',
      (seed) => pollOf(seed, { processes: 2 }),
      ({ status }) => expect(status).not.toBeNull(),
    );
    expect(totals.crashes).toBeGreaterThan(totals.seeds / 2);
  });

  it('host/abort-is-heeded: interrupted at any event, nothing more is performed or recorded', async () => {
    const faults = { ...FAULTS, crash: 0, interrupt: 150_000 };
    const seen = await eachSeed(
      'interrupted',
      (seed) => pollOf(seed, { faults, concurrency: 3 }),
      ({ status }) => expect(status).not.toBeNull(),
    );
    expect(seen.interrupts).toBeGreaterThan(seen.seeds);
  });

  it('host/later-leaves-nothing: where answers come another day, the artifacts of an undisturbed drive', async () => {
    const seen = { putOff: 0 };
    const faults = { ...FAULTS, later: 300_000 };
    await eachSeed(
      'later',
      (seed) => pollOf(seed, { faults }),
      async ({ text, trace }, seed) => {
        seen.putOff += trace.filter((line) => line.endsWith(' waiting')).length;
        expect(artifacts(text)).toEqual(artifacts(await undisturbed(seed)));
      },
    );
    expect(seen.putOff).toBeGreaterThan(SEEDS / 4);
  });

  it('host/liveness: nothing fails, so it ends, by as many answers as there are voters and rejections', async () => {
    await eachSeed(
      'liveness',
      (seed) => pollOf(seed, { faults: NO_FAULTS, eventsMax: 400 }),
      ({ status, crashes }) => expect([status, crashes]).toEqual([expect.any(String), 0]),
    );
  });

  it('host/liveness: a drive ends with the last thing that happens', async () => {
    const seen = { withdrawn: 0 };
    await eachSeed('withdrawn', firstAnswerOf, ({ text }) => {
      seen.withdrawn += Number(/"withdrawn":\["/.test(text));
    });
    expect(seen.withdrawn).toBeGreaterThan(SEEDS / 2);
  });
});
