import { describe, expect, it } from 'vitest';
import { ok, type EvidenceRecord, type Head } from '@assay/kernel';
import { FAULTS, NO_FAULTS, simulate } from '../../src/testing/index.ts';
import { faultyPorts } from '../../src/testing/faulty-port.ts';
import { type Life, Random } from '../../src/testing/world.ts';
import { headAfter, memorySnapshots, type PortAnswer, type Ports, type Store } from '../../src/index.ts';
import { pollOf, voters } from './scenarios.js';

/** Seeds until one shows a violation that matches. */
async function found(
  scenario: (seed: number) => ReturnType<typeof pollOf>,
  violation: RegExp,
  seeds = 60,
): Promise<number | null> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { violations } = await simulate(seed, scenario(seed));
    if (violations.some((text) => violation.test(text))) return seed;
  }
  return null;
}

describe('the simulation itself', () => {
  it('host/seed-replays-exactly: the same seed gives the same events, times and ledger', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const given = pollOf(seed, { processes: 1 + (seed % 2) });
      expect(await simulate(seed, given)).toEqual(await simulate(seed, given));
    }
    expect((await simulate(1, pollOf(1))).trace).not.toEqual((await simulate(2, pollOf(1))).trace);
  });

  it('finds a store that says durable too early; the failing seed replays exactly', async () => {
    const lying = (store: Store): Store => {
      let late: Promise<unknown> = Promise.resolve();
      return {
        ...store,
        append: async (runId: string, expected: Head | null, records: readonly EvidenceRecord[]) => {
          late = late.then(() => store.append(runId, expected, records));
          return ok(headAfter(runId, expected, records));
        },
      };
    };
    const scenario = (seed: number): ReturnType<typeof pollOf> =>
      pollOf(seed, { faults: NO_FAULTS, wrapStore: lying });
    const seed = await found(scenario, /which no durable record asks for/);
    expect(seed).not.toBeNull();
    const [one, two] = [
      await simulate(seed ?? 0, scenario(seed ?? 0)),
      await simulate(seed ?? 0, scenario(seed ?? 0)),
    ];
    expect(one.violations.length).toBeGreaterThan(0);
    expect(one).toEqual(two);
  });

  it('finds a store that sends a group again on whatever head it finds', async () => {
    const heedless = (store: Store): Store => ({
      ...store,
      append: async (runId: string, expected: Head | null, records: readonly EvidenceRecord[]) => {
        const appended = await store.append(runId, expected, records);
        const head = await store.head(runId);
        return appended._tag === 'Right' && head._tag === 'Right'
          ? store.append(runId, head.right, records)
          : appended;
      },
    });
    const scenario = (seed: number): ReturnType<typeof pollOf> =>
      pollOf(seed, { faults: NO_FAULTS, wrapStore: heedless });
    const seed = await found(scenario, /the ledger does not load|raised/);
    expect(seed).not.toBeNull();
    const [one, two] = [
      await simulate(seed ?? 0, scenario(seed ?? 0)),
      await simulate(seed ?? 0, scenario(seed ?? 0)),
    ];
    expect(one.violations.length).toBeGreaterThan(0);
    expect(one).toEqual(two);
  });

  it('finds a host that takes the second answer of a port that gives two', async () => {
    const faults = { ...NO_FAULTS, duplicate: 500_000 };
    /** Waits until everything has been said, and takes what was said last. */
    const last =
      (seed: number, life: Life): Ports =>
      (request) => {
        const port = faultyPorts(life, voters, seed, faults, new Set(), () => undefined)(request);
        return port === null
          ? null
          : {
              ...port,
              perform: (asked, call) =>
                new Promise((resolve, reject) => {
                  let latest: PortAnswer = {};
                  const take = (answer: PortAnswer): void => {
                    latest = answer;
                    void life.wait('dawdles', 950).then(() => resolve(latest));
                  };
                  port.perform(asked, call).then(take, reject);
                }),
            };
      };
    const scenario = (seed: number): ReturnType<typeof pollOf> =>
      pollOf(seed, {
        faults,
        deadlines: { call: 10_000 },
        options: (life) => ({ ports: last(seed, life) }),
      });
    const seed = await found(scenario, /expected .* got .*said again/);
    expect(seed).not.toBeNull();
    expect(await simulate(seed ?? 0, scenario(seed ?? 0))).toEqual(
      await simulate(seed ?? 0, scenario(seed ?? 0)),
    );
    expect((await simulate(seed ?? 0, pollOf(seed ?? 0, { faults }))).violations).toEqual([]);
  });

  it('finds a host that is deaf to its signal', async () => {
    const deaf = (seed: number): ReturnType<typeof pollOf> =>
      pollOf(seed, {
        faults: { ...NO_FAULTS, interrupt: 100_000 },
        options: () => ({ signal: new AbortController().signal }),
      });
    expect(await found(deaf, /performs .* after its signal was aborted/)).not.toBeNull();
    expect(await found(deaf, /records an answer after its signal was aborted/)).not.toBeNull();
  });

  it('finds a run that hangs', async () => {
    const silent = { ...NO_FAULTS, silent: 1_000_000 };
    expect(
      await found((seed) => pollOf(seed, { faults: silent, deadlines: { call: null } }), /did not end/, 1),
    ).toBe(1);
  });

  it('its faults happen: every kind of them shows in some trace', async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 200; seed += 1)
      for (const line of (await simulate(seed, pollOf(seed, { processes: 2 }))).trace)
        seen.add(line.replace(/^\S+ \S+ /, '').replace(/ [0-9.]+/g, ''));
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'killed',
        'interrupted',
        'locked',
        'stale_head',
        'unavailable',
        'answers late',
        'fails dns',
        'fails somehow',
        'stands by',
        'success',
        'answers again',
        'appends again',
        'a copy of comes',
        'lands',
      ]),
    );
    expect(FAULTS.crash).toBeGreaterThan(0);
  });

  it('host/snapshot-same-bytes: with snapshots at every turn, the bytes are those without', async () => {
    let loaded = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      const kept = new Map<string, Uint8Array>();
      const isTrusted = new Random(seed).happens(500_000);
      const keep = memorySnapshots(kept);
      const snapshots = {
        every: 1,
        isTrusted,
        keep: {
          save: keep.save,
          load: async (runId: string) => {
            const bytes = await keep.load(runId);
            if (bytes !== null) loaded += 1;
            return bytes;
          },
        },
      };
      const told: unknown[] = [];
      const without = await simulate(seed, pollOf(seed, { order: 'turn' }));
      const { text, violations } = await simulate(
        seed,
        pollOf(seed, {
          order: 'turn',
          options: () => ({
            snapshots,
            onEvent: (event) => {
              if (event.type === 'snapshot_error') told.push(event.fault);
            },
          }),
        }),
      );
      expect({ seed, violations, text, told }).toEqual({
        seed,
        violations: [],
        text: without.text,
        told: [],
      });
    }
    expect(loaded).toBeGreaterThan(100);
  });
});

describe('the stream of a seed', () => {
  it('is spread over its range, and the same again', () => {
    const random = new Random(7);
    const drawn = Array.from({ length: 10_000 }, () => random.integer(9));
    for (let value = 0; value < 10; value += 1)
      expect(Math.abs(drawn.filter((one) => one === value).length - 1_000)).toBeLessThan(150);
    expect(new Random(7).next()).toBe(new Random(7).next());
    expect(new Random(8).next()).not.toBe(new Random(7).next());
    expect([new Random(1).happens(0), new Random(1).happens(1_000_000)]).toEqual([false, true]);
  });
});
