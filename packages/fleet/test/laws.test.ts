/** The laws of a fleet, each seen to fail where its rule is taken away. */
import { describe, expect, it } from 'vitest';
import { type CallNotes, drive, memoryStore, type Port, type Ports } from '@assay/host';
import type { Life } from '@assay/host/testing';
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import type { Hold, OpenEntry, Table } from '../src/table/table.ts';
import { memoryTable } from './tools/memory-table.js';
import {
  type Call,
  FLEET_FAULTS,
  type FleetScenario,
  NO_FLEET_FAULTS,
  SIMULATED_LEASE_MS,
  simulatedGenesis,
  type SimulatedFleet,
  simulateFleet,
} from './tools/simulated-fleet.js';

/** Seeds of each law; `ASSAY_LAW_RUNS` raises them. */
const SEEDS = Math.max(4, Math.floor(Number(process.env['ASSAY_LAW_RUNS'] ?? 100) / 25));

const CALM: FleetScenario = { faults: NO_FLEET_FAULTS, runs: 20, workers: 2, concurrency: 4 };
const BAD: FleetScenario = {
  faults: FLEET_FAULTS,
  runs: 20,
  workers: 3,
  concurrency: 4,
  tenant: (run) => `t${run % 3}`,
};
const STOPPED: FleetScenario = {
  ...BAD,
  faults: { ...NO_FLEET_FAULTS, kill: 400, pause: 4_000 },
};

/** Simulates from each seed. */
async function simulateEach(
  scenario: FleetScenario,
  seeds: number = SEEDS,
): Promise<readonly SimulatedFleet[]> {
  const all = [];
  for (let seed = 1; seed <= seeds; seed += 1) all.push(await simulateFleet(seed, scenario));
  return all;
}

async function findViolations(scenario: FleetScenario, seeds?: number): Promise<readonly string[]> {
  return (await simulateEach(scenario, seeds)).flatMap(({ violations }) => violations);
}

const isOfPerson = (run: string): boolean => Number(run.slice(1)) % 5 === 0;

describe('laws of a fleet', () => {
  it('fleet/no-run-lost: every run is closed, whatever is killed, stopped, refused, lost, late or doubled', async () => {
    expect(await findViolations(BAD)).toEqual([]);
    expect(await findViolations({ ...BAD, tenantLimit: 2 }, 2)).toEqual([]);
    const breaks = (table: Table): Table => ({ ...table, sweep: async () => undefined });
    const unswept = { ...BAD, breaks, eventsMax: 8_000 };
    expect((await findViolations(unswept, 1)).some((text) => text.includes('is queued'))).toBe(true);
  });

  it('fleet/same-bytes: a run has the bytes of an undisturbed drive where no person answered', async () => {
    const [calm, ...bad] = [await simulateFleet(1, CALM), ...(await simulateEach(BAD))];
    const port: Port = {
      source: 'rule',
      proposer: 'voter',
      perform: async ({ id }) => ({ value: { option: id === '1.1' ? 'coffee' : 'tea' } }),
    };
    for (const [run, text] of calm.texts) {
      if (isOfPerson(run)) continue;
      const store = memoryStore();
      const ports: Ports = ({ kind }) => (kind === 'ballot' ? port : null);
      void orThrow(await drive(tally, simulatedGenesis(Number(run.slice(1))), { store, ports }));
      for (const { texts } of bad) expect([run, texts.get(run)]).toEqual([run, text]);
    }
    expect(bad.some(({ strikes }) => strikes > 0)).toBe(true);
    const ports: FleetScenario['ports'] = (life, _run, begin) => (request) =>
      request.kind === 'ballot' ? voterOf(life, begin, life.name.startsWith('w0') ? 'tea' : 'coffee') : null;
    const unlike = await simulateFleet(1, { ...CALM, workers: 3, ports });
    expect([...unlike.texts].every(([run, text]) => text === calm.texts.get(run))).toBe(false);
  });

  it('fleet/no-repeat-without-fault: each call is made once, each run offered once for each of its segments', async () => {
    const { violations, calls, offers, rows } = await simulateFleet(1, CALM);
    expect(violations).toEqual([]);
    expect([...calls.values()].filter((each) => each.length !== 1)).toEqual([]);
    for (const [run, { segments }] of rows) expect([run, offers.get(run)]).toEqual([run, segments]);
    const breaks = (table: Table): Table => ({ ...table, markOffered: async () => undefined });
    const unmarked = await simulateFleet(1, { ...CALM, breaks });
    expect([...unmarked.rows].some(([run, { segments }]) => unmarked.offers.get(run) !== segments)).toBe(
      true,
    );
  });

  it('fleet/no-backlog-offered-twice: what waits long in the engine, behind slow runs, is not offered again', async () => {
    const slow = (life: Life): Port => ({
      source: 'rule',
      proposer: 'voter',
      perform: () => life.wait('thinks', 2 * SIMULATED_LEASE_MS).then(() => ({ value: { option: 'tea' } })),
    });
    const scenario: FleetScenario = {
      ...{ faults: NO_FLEET_FAULTS, runs: 12, workers: 1, concurrency: 2 },
      ports: (life) => (request) => (request.kind === 'ballot' ? slow(life) : null),
    };
    const { violations, offers, seconds } = await simulateFleet(1, scenario);
    expect([violations, new Set(offers.values()), seconds > 60]).toEqual([[], new Set([1]), true]);
    const breaks = (table: Table): Table => ({ ...table, sweep: (serves) => table.sweep(serves, 3_000) });
    const swept = await simulateFleet(1, { ...scenario, breaks });
    expect(Math.max(...swept.offers.values())).toBeGreaterThan(1);
  });

  it('fleet/woken-begins-nothing: a worker that was stopped past its lease begins no call and changes no byte', async () => {
    const all = await simulateEach(STOPPED);
    expect(all.flatMap(({ violations }) => violations)).toEqual([]);
    expect(all.reduce((sum, { strikes }) => sum + strikes, 0)).toBeGreaterThan(SEEDS);
    // A clock that stands still while its worker is stopped.
    const timer: FleetScenario['timer'] = (life) => {
      let [seen, lost] = [0, 0];
      const now = (): number => {
        if (life.world.now - seen > SIMULATED_LEASE_MS) lost += life.world.now - seen;
        seen = life.world.now;
        return seen - lost;
      };
      return { now, sleep: life.timer.sleep };
    };
    const unfenced = await findViolations({ ...STOPPED, timer });
    expect(unfenced.some((text) => text.includes('silent for a lease'))).toBe(true);
  });

  it('fleet/waiting-holds-nothing: a run that waits is in no worker and in no engine', async () => {
    const isOver: FleetScenario['isOver'] = (rows) =>
      rows.every(({ state, run }) => state === (isOfPerson(run) ? 'waiting' : 'closed'));
    const { violations, jobs, rows } = await simulateFleet(1, { ...CALM, answers: false, isOver });
    const waiting = [...rows.values()].filter(({ state }) => state === 'waiting');
    expect([violations.filter((text) => !text.includes('is waiting')), waiting.length]).toEqual([[], 4]);
    expect(waiting.map(({ holder, offeredAt, heldUntil }) => [holder, offeredAt, heldUntil])).toEqual(
      waiting.map(() => [null, null, 0]),
    );
    expect(jobs).toBeLessThanOrEqual(1);
    const breaks = (table: Table): Table => ({
      ...table,
      park: async (hold) => {
        await table.release(hold, 0);
        return null;
      },
    });
    const unparked = await simulateFleet(1, { ...CALM, answers: false, isOver, breaks, eventsMax: 8_000 });
    expect([...unparked.rows.values()].filter(({ state }) => state === 'waiting')).toEqual([]);
  });

  it('fleet/tenant-limit: by the times of calls no tenant has more runs driven at once than its limit', async () => {
    const scenario: FleetScenario = { ...CALM, tenant: (run) => `t${run % 2}`, tenantLimit: 2, workers: 3 };
    const all = await simulateEach(scenario, 2);
    expect(all.flatMap(({ violations }) => violations)).toEqual([]);
    expect(Math.max(...all.map(countAtOnce))).toBe(2);
    const breaks = (table: Table): Table => ({
      ...table,
      feed: (feeder) => table.feed(feeder, null),
      claim: (hold, leaseMs) => table.claim(hold, leaseMs, null),
    });
    expect(countAtOnce(await simulateFleet(1, { ...scenario, breaks }))).toBeGreaterThan(2);
  });

  it('fleet/others-not-held-up: runs of one tenant wait for no backlog of another', async () => {
    const isLast = (run: string): boolean => Number(run.slice(1)) > 80;
    const scenario: FleetScenario = {
      ...{ faults: NO_FLEET_FAULTS, runs: 84, workers: 1, concurrency: 2 },
      isOver: (rows) => rows.every(({ run, state }) => !isLast(run) || state === 'closed'),
    };
    const countLeft = async (tenant: (run: number) => string): Promise<number> => {
      const { rows } = await simulateFleet(1, { ...scenario, tenant });
      return [...rows.values()].filter(({ segments }) => segments === 0).length;
    };
    const [apart, together] = [await countLeft((run) => (run > 80 ? 'b' : 'a')), await countLeft(() => 'a')];
    expect([apart > 50, together]).toEqual([true, 0]);
  });

  it('fleet/poison-stops-at-five: a run that its workers die of is failed after five, and no other', async () => {
    let deaths = 0;
    const ports: FleetScenario['ports'] =
      (life, { run_id }) =>
      (request) => {
        if (request.kind !== 'ballot') return null;
        return {
          source: 'rule',
          proposer: 'voter',
          perform: async () => {
            if (run_id !== 'r1') return { value: { option: 'tea' } };
            deaths += 1;
            life.kill();
            return new Promise(() => undefined);
          },
        };
      };
    const isOver: FleetScenario['isOver'] = (rows) =>
      rows.every(({ state }) => state === 'closed' || state === 'failed');
    const { rows } = await simulateFleet(1, { ...CALM, runs: 4, ports, isOver });
    expect([deaths, rows.get('r1')?.state, rows.get('r1')?.fault]).toEqual([5, 'failed', 'poison']);
    expect([...rows.values()].filter(({ state }) => state === 'closed').length).toBe(3);
    deaths = 0;
    const breaks = (table: Table): Table => ({
      ...table,
      sweep: async (...given) => {
        await table.sweep(...given);
        await table.retry('r1');
      },
    });
    await simulateFleet(1, { ...CALM, runs: 4, ports, isOver: () => deaths > 5, breaks, eventsMax: 20_000 });
    expect(deaths).toBeGreaterThan(5);
  });

  it('fleet/versions-side-by-side: a run is driven by its own version alone', async () => {
    const drivers = new Map<string, Set<string>>();
    const scenario: FleetScenario = {
      ...{ faults: { ...FLEET_FAULTS, doubled: 0 }, runs: 16, workers: 4, concurrency: 2 },
      machine: (run) => (run % 2 === 0 ? tally : LATER_TALLY),
      machines: (worker) => [worker % 2 === 0 ? tally : LATER_TALLY],
      ports:
        (life, { run_id, machine }, begin) =>
        (request) => {
          const of = `${Number(run_id.slice(1)) % 2} ${machine.version}`;
          drivers.set(of, (drivers.get(of) ?? new Set()).add(life.name.slice(0, 2)));
          return request.kind === 'ballot' ? voterOf(life, begin) : null;
        },
    };
    expect((await simulateFleet(1, scenario)).violations).toEqual([]);
    expect(Object.fromEntries([...drivers].map(([of, by]) => [of, [...by].sort()]))).toEqual({
      '0 1': ['w0', 'w2'],
      '1 2': ['w1', 'w3'],
    });
    const asFirst = <A extends { readonly version: number }>(of: A): A => ({ ...of, version: tally.version });
    const breaks = (table: Table): Table => ({
      ...table,
      feed: async (...given) => (await table.feed(...given))?.map(asFirst) ?? null,
      claim: async (...given) => {
        const claimed = await table.claim(...given);
        return claimed === null ? null : asFirst(claimed);
      },
    });
    await simulateFleet(1, { ...scenario, breaks, eventsMax: 8_000 });
    expect(drivers.has('1 1')).toBe(true);
  });

  it('fleet/lost-call-charged-once: what a worker dies in is charged with the next attempt, within the budget', async () => {
    const kills = new Set<string>();
    const scenario = (limit: number, notes?: CallNotes): FleetScenario => ({
      ...{ ...CALM, runs: 1 },
      drive: { budget: { limits: { calls: limit }, ...(notes === undefined ? {} : { notes }) } },
      ports: (life, _run, begin) => (request) => {
        if (request.kind !== 'ballot') return null;
        const { perform, ...voter } = voterOf(life, begin);
        return {
          ...voter,
          bound: () => ({ calls: 1 }),
          perform: async (...given) => {
            const isLost = request.id === '1.1' && kills.size < 2;
            if (isLost) kills.add(life.name);
            const answering = perform(...given);
            if (isLost) life.kill();
            return { ...(await answering), spent: { calls: 1 } };
          },
        };
      },
    });
    const within = await simulateFleet(1, scenario(20));
    const text = within.texts.get('r0') ?? '';
    expect([within.violations, kills.size]).toEqual([[], 2]);
    expect([...text.matchAll(/"lost_calls":(\d)/g)].map(([, lost]) => lost)).toEqual(['2']);
    const spent = [...text.matchAll(/"spent":\{"calls":(\d)\}/g)].reduce(
      (sum, [, calls]) => sum + Number(calls),
      0,
    );
    expect(spent).toBe([...within.calls.values()].flat().length);
    kills.clear();
    const short = await simulateFleet(1, scenario(5));
    const made = [...short.calls.values()].flat().length;
    expect([short.violations, made <= 5, short.texts.get('r0')?.includes('"code":"budget"')]).toEqual([
      ...[[], true, true],
    ]);
    kills.clear();
    const unnoted = await simulateFleet(1, scenario(20, { begin: async () => [] }));
    expect([kills.size, unnoted.texts.get('r0')?.includes('"lost_calls"')]).toEqual([2, false]);
  });
});

/** `tally` as it is later. */
const LATER_TALLY = { ...tally, version: 2 };

function voterOf(life: Life, begin: (key: string) => Call, option: string = 'tea'): Port {
  return {
    source: 'rule',
    proposer: 'voter',
    perform: async (_request, { key }) => {
      const call = begin(key);
      await life.delay('votes', 300);
      call.until = life.world.now;
      return { value: { option } };
    },
  };
}

/** The most runs of a tenant that had calls under way at once. */
function countAtOnce({ calls, rows }: SimulatedFleet): number {
  const all = [...calls.values()].flat();
  const tenantOf = (run: string): string | undefined => rows.get(run)?.given.tenant;
  const at = (call: Call): number =>
    new Set(
      all
        .filter(
          ({ run, from, until }) =>
            tenantOf(run) === tenantOf(call.run) && from <= call.from && until > call.from,
        )
        .map(({ run }) => run),
    ).size;
  return Math.max(...all.map(at));
}

/** What may happen around one answer, in every order. */
describe('laws of a wake', () => {
  const ASKED: OpenEntry = {
    ...{ request: '1.0', attempt: 0, kind: 'ballot', accepts: ['human'], body: '{}', until: null },
  };

  /** A worker that looks for the answer and parks where it finds none; each `yield` is a moment others may use. */
  async function* drives(table: Table, worker: string, ticket: string): AsyncGenerator<undefined> {
    const hold: Hold = { run: 'r', ticket, worker };
    const claimed = await table.claim(hold, 1_000, null);
    yield;
    for (let answers = claimed?.answers ?? -1; answers >= 0; ) {
      const given = await table.findAnswer('r', '1.0', 0);
      yield;
      if (given !== null) {
        await table.close('r', { outcome: 'success', count: 1, hash: 'h' });
        return;
      }
      const parked = await table.park(hold, answers, [ASKED], null);
      yield;
      answers = parked?.state === 'driving' ? parked.answers : -1;
    }
  }

  /** Every order of the steps of all actors: true where the run was closed at the end of each. */
  async function lossesOf(breaks: (table: Table) => Table): Promise<number> {
    let [losses, orders] = [0, 0];
    // A worker's steps, a kill among them at any place or none; another worker that the same offer reaches; an
    // answer; a sweep, before which a lease goes by.
    const merge = async (order: readonly number[], left: readonly number[]): Promise<void> => {
      if (left.every((steps) => steps === 0)) {
        orders += 1;
        for (const kill of [0, 1, 2, 3, 9]) losses += (await isLost(breaks, order, kill)) ? 1 : 0;
        return;
      }
      for (const [actor, steps] of left.entries())
        if (steps > 0)
          await merge(
            [...order, actor],
            left.map((each, at) => (at === actor ? each - 1 : each)),
          );
    };
    await merge([], [5, 2, 1, 1]);
    expect(orders).toBe(1_512);
    return losses;
  }

  async function isLost(
    breaks: (table: Table) => Table,
    order: readonly number[],
    kill: number,
  ): Promise<boolean> {
    let us = 1_000_000;
    const truth = memoryTable(() => us);
    const table = breaks(truth);
    await table.submit({
      ...{ token: 's', runs: ['r'], geneses: ['{}'], machine: 'poll', version: 1, tenant: '', priority: 0 },
      ...{ at: null, maxQueued: 9 },
    });
    // It was parked before, and is queued again for a reason of its own.
    await table.claim({ run: 'r', ticket: 't0', worker: 'w0' }, 1_000, null);
    await truth.park({ run: 'r', ticket: 't0', worker: 'w0' }, 0, [ASKED], us);
    await table.sweep([], null);
    const workers = [drives(table, 'w1', 't1'), drives(table, 'w2', 't1')];
    let steps = 0;
    for (const actor of order)
      if (actor === 0 && (steps += 1) > kill) continue;
      else if (actor < 2) await workers[actor]?.next();
      else if (actor === 2)
        await table.answer({ run: 'r', request: '1.0', value: '1', by: 'Jo', token: 'a' });
      else {
        us += 1_100_000;
        await table.sweep([], null);
      }
    // Then the dust settles: whoever lives goes on, leases end, what is queued is driven.
    for (const worker of kill > 3 ? workers : workers.slice(1)) while ((await worker.next()).done !== true);
    for (let round = 0; round < 3; round += 1) {
      us += 2_000_000;
      await table.sweep([], null);
      for await (const _ of drives(table, `v${round}`, `n${round}`));
    }
    return truth.rows.get('r')?.state !== 'closed';
  }

  it('fleet/no-wake-lost: in every order of answer, parking, sweep and kill the answer is heard', async () => {
    expect(await lossesOf((table) => table)).toBe(0);
    // Parking that does not look whether somebody answered.
    const park: (table: Table) => Table['park'] = (table) => async (hold, answers, open, wakeAt) => {
      const parked = await table.park(hold, answers, open, wakeAt);
      return parked?.state === 'driving' ? table.park(hold, parked.answers, open, wakeAt) : parked;
    };
    expect(await lossesOf((table) => ({ ...table, park: park(table) }))).toBeGreaterThan(0);
  });
});
