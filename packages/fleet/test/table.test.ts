/** The two tables of a fleet, by one suite: what each step does, and that done twice it comes to the same. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postgresTable } from '../src/table/postgres.ts';
import { DEATHS_MAX, type Hold, type OpenEntry, type Table, type WorkerEntry } from '../src/table/table.ts';
import { describeServer, makePlace, sql, type ServerPlace } from '../../store-postgres/test/tools/server.js';
import { memoryTable } from './tools/memory-table.js';

/** `pass`: lets so much of the server's time go by. */
type Stage = { readonly table: Table; readonly pass: (ms: number) => Promise<void> };

const WORKER: WorkerEntry = {
  ...{ id: 'w1', host: 'here', pid: 1, serves: ['poll@1'], concurrency: 2, engine: 'none', leaseMs: 5_000 },
};
const ASKED: OpenEntry = {
  ...{ request: '1.0', attempt: 0, kind: 'ballot', accepts: ['human', 'rule'], body: '{"a":1}', until: null },
};
const hold = (run: string, ticket: string, worker = 'w1'): Hold => ({ run, ticket, worker });

/** Queues runs. */
async function submit(table: Table, runs: readonly string[], more: object = {}): Promise<unknown> {
  return table.submit({
    ...{ token: `s${runs.join('')}`, runs, geneses: runs.map((run) => `{"run_id":"${run}"}`) },
    ...{ machine: 'poll', version: 1, tenant: 't', priority: 0, at: null, maxQueued: 100 },
    ...more,
  });
}

const stateOf = async (table: Table, run: string): Promise<unknown> =>
  (await table.list({ state: null, tenant: null, run, after: '', limit: 1 }))[0]?.state ?? null;

/** Takes up a run, and leaves it for a person. */
async function park(table: Table, run: string): Promise<void> {
  await table.claim(hold(run, 't1'), 5_000, null);
  await table.park(hold(run, 't1'), 0, [ASKED], null);
}

function suite(stage: () => Stage): void {
  it('submits a run once, and says what is known, taken by another genesis, or too much', async () => {
    const { table } = stage();
    const twice = [await submit(table, ['a', 'b']), await submit(table, ['a', 'b'])];
    expect(twice).toEqual([
      { submitted: 2, known: 0, other: null, queued: 0 },
      { submitted: 2, known: 0, other: null, queued: 2 },
    ]);
    expect(await submit(table, ['a', 'c'], { token: 'x' })).toMatchObject({ submitted: 1, known: 1 });
    const other = await submit(table, ['d', 'a'], { token: 'y', geneses: ['{}', '{}'] });
    expect(other).toMatchObject({ submitted: 0, other: 'a' });
    expect(await submit(table, ['d', 'a'], { version: 2 })).toMatchObject({ submitted: 0, other: 'a' });
    expect(await submit(table, ['d', 'e'], { maxQueued: 4 })).toMatchObject({ submitted: 0, queued: 3 });
    expect(await submit(table, ['d', 'a'], { maxQueued: 4 })).toMatchObject({ submitted: 1, known: 1 });
  });

  it('lets one claim have a run, again by its ticket, and by another once its lease is over', async () => {
    const { table, pass } = stage();
    await submit(table, ['a']);
    const claimed = { genesis: '{"run_id":"a"}', machine: 'poll', version: 1, tenant: 't', answers: 0 };
    const claim = (ticket: string, worker = 'w1') => table.claim(hold('a', ticket, worker), 1_000, null);
    expect(await claim('t1')).toEqual({ ...claimed, segments: 1 });
    expect(await claim('t1')).toEqual({ ...claimed, segments: 1 });
    expect(await claim('t2', 'w2')).toBeNull();
    expect(await claim('t1', 'w2')).toEqual({ ...claimed, segments: 2 });
    expect(await table.release(hold('a', 't1'), 0)).toBe(false);
    expect((await table.beat(WORKER, [hold('a', 't1')])).own).toEqual([]);
    await pass(1_100);
    expect(await claim('t3')).toEqual({ ...claimed, segments: 3 });
    expect(await table.claim(hold('nobody', 't1'), 1_000, null)).toBeNull();
  });

  it('goes by what comes first of an answer and a parking', async () => {
    const { table } = stage();
    await submit(table, ['a']);
    await park(table, 'a');
    expect(await table.park(hold('a', 't1'), 0, [], null)).toBeNull();
    const given = { run: 'a', request: '1.0', value: '1', by: 'Jo', token: 'x' };
    expect([await table.answer(given), await table.answer(given)]).toEqual([null, null]);
    expect(await table.answer({ ...given, token: 'y' })).toBe('answered');
    expect(await stateOf(table, 'a')).toBe('queued');
    expect(await table.claim(hold('a', 't2'), 5_000, null)).toMatchObject({ answers: 1, segments: 2 });
    expect(await table.findAnswer('a', '1.0', 0)).toMatchObject({ value: '1', by: 'Jo' });
    expect(await table.findAnswer('a', '1.0', 1)).toBeNull();
    const again = [{ ...ASKED, attempt: 1 }];
    expect(await table.park(hold('a', 't2'), 0, again, null)).toEqual({ state: 'driving', answers: 1 });
    expect(await table.answer({ ...given, token: 'z' })).toBeNull();
    expect(await table.park(hold('a', 't2'), 1, again, null)).toEqual({ state: 'driving', answers: 2 });
    expect(await table.park(hold('a', 't2'), 2, again, null)).toEqual({ state: 'waiting', answers: 2 });
  });

  it('refuses an answer that nothing waits for, and keeps none of a closed run', async () => {
    const { table } = stage();
    await submit(table, ['a']);
    const given = { run: 'a', request: '1.0', value: '1', by: 'Jo', token: 'x' };
    expect(await table.answer({ ...given, run: 'b' })).toBe('unknown_run');
    expect(await table.answer(given)).toBe('closed_request');
    await table.claim(hold('a', 't1'), 5_000, null);
    await table.park(hold('a', 't1'), 0, [ASKED, { ...ASKED, request: '1.1', accepts: ['clock'] }], null);
    expect(await table.answer({ ...given, request: '1.1' })).toBe('source');
    expect(await table.answer(given)).toBeNull();
    await table.close('a', { outcome: 'success', count: 3, hash: 'h' });
    await table.close('a', { outcome: 'refused', count: 4, hash: 'i' });
    // The same answer again: its first try was carried out, and nobody heard of it.
    expect(await table.answer(given)).toBeNull();
    expect([await table.answer({ ...given, token: 'y' }), await table.findAnswer('a', '1.0', 0)]).toEqual([
      'closed_request',
      null,
    ]);
    const [row] = await table.list({ state: 'closed', tenant: 't', run: null, after: '', limit: 9 });
    expect(row).toMatchObject({ run: 'a', outcome: 'success', count: 3, hash: 'h', open: [], holder: null });
  });

  it('keeps a lease as long as its worker beats, and counts the segments that died of a run', async () => {
    const { table, pass } = stage();
    await submit(table, ['a', 'b']);
    await table.claim(hold('a', 't1'), 1_000, null);
    await pass(700);
    const { own, now } = await table.beat({ ...WORKER, leaseMs: 1_000 }, [hold('a', 't1'), hold('b', 't1')]);
    expect([own, Number.isSafeInteger(now)]).toEqual([['a'], true]);
    await pass(700);
    await table.sweep([], null);
    expect([await stateOf(table, 'a'), await table.listDead()]).toEqual(['driving', []]);
    for (let death = 1; death <= DEATHS_MAX; death += 1) {
      await pass(1_100);
      await table.sweep([], null);
      expect(await stateOf(table, 'a')).toBe(death < DEATHS_MAX ? 'queued' : 'failed');
      // From the second on it is not offered at once.
      if (death > 1) await pass(60_000);
      expect((await table.claim(hold('a', `d${death}`), 1_000, null)) === null).toBe(death === DEATHS_MAX);
    }
    expect(await table.listDead()).toEqual(['w1']);
    await table.removeWorkers(['w1']);
    expect([await table.listDead(), await table.listWorkers()]).toEqual([[], []]);
    const tickets = Array.from({ length: DEATHS_MAX }, (_, at) => hold('b', 't1', `v${at}`));
    const claims = [];
    for (const each of [hold('b', 't1'), ...tickets]) claims.push(await table.claim(each, 1_000, null));
    expect(claims.map((claim) => claim !== null)).toEqual([true, true, true, true, true, false]);
    expect(await table.list({ state: 'failed', tenant: null, run: 'b', after: '', limit: 1 })).toMatchObject([
      { fault: 'poison', holder: null },
    ]);
  });

  it('wakes at a time, gives back after a while, and submits for later', async () => {
    const { table, pass } = stage();
    const { now } = await table.beat(WORKER, []);
    await submit(table, ['a', 'c']);
    await submit(table, ['b'], { at: now + 600_000 });
    await table.claim(hold('a', 't1'), 9_000, null);
    await table.park(hold('a', 't1'), 0, [{ ...ASKED, until: now + 600_000 }], now + 600_000);
    await table.claim(hold('c', 't1'), 9_000, null);
    expect(await table.release(hold('c', 't1'), 600)).toBe(true);
    await table.sweep([], null);
    expect([await stateOf(table, 'a'), await table.feed('w1', null)]).toEqual(['waiting', []]);
    expect(await table.claim(hold('b', 't1'), 9_000, null)).toBeNull();
    await pass(700);
    await table.sweep([], null);
    expect((await table.feed('w1', null))?.map(({ run }) => run).sort()).toEqual(['a', 'b', 'c']);
  });

  it('feeds by priority, then from the tenant with the fewest runs under way, up to the window', async () => {
    const { table } = stage();
    await submit(table, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']);
    await submit(table, ['b1', 'b2'], { tenant: 'u' });
    await submit(table, ['c1'], { tenant: 'v', priority: 1 });
    await submit(table, ['x'], { machine: 'other' });
    expect(await table.feed('w1', null)).toEqual([]);
    await table.beat(WORKER, []);
    const offers = (await table.feed('w1', null)) ?? [];
    expect(offers.map(({ run }) => run)).toEqual(['c1', 'a1', 'b1', 'a2', 'b2', 'a3']);
    expect(await table.feed('w2', null)).toBeNull();
    await table.claim(hold('a1', 't1'), 5_000, null);
    await table.markOffered(offers);
    // One of six was taken up already: the engine has room for one more.
    expect((await table.feed('w1', null))?.map(({ run }) => run)).toEqual(['a4']);
    expect((await table.feed('w1', 3))?.map(({ run }) => run)).toEqual([]);
    expect(await table.listUnserved()).toEqual(['other@1']);
  });

  it('offers again what was offered long before an idle worker was brought nothing', async () => {
    const { table, pass } = stage();
    await submit(table, ['a']);
    await table.beat(WORKER, []);
    await table.markOffered((await table.feed('w1', null)) ?? []);
    await table.sweep(['poll@1'], 500);
    expect(await table.feed('w1', null)).toEqual([]);
    await pass(600);
    await table.sweep(['poll@1'], null);
    await table.sweep(['other@1'], 500);
    expect(await table.feed('w1', null)).toEqual([]);
    await table.sweep(['poll@1'], 500);
    expect(await table.feed('w1', null)).toMatchObject([{ run: 'a', segments: 0 }]);
  });

  it('holds a tenant to its limit', async () => {
    const { table, pass } = stage();
    await submit(table, ['a', 'b', 'c']);
    await submit(table, ['d'], { tenant: 'u' });
    const claim = async (run: string) => (await table.claim(hold(run, 't1'), 5_000, 2)) !== null;
    expect([await claim('a'), await claim('b'), await claim('c'), await claim('d')]).toEqual([
      ...[true, true, false, true],
    ]);
    // Brought again, a run that is driven is no further one.
    expect(await claim('a')).toBe(true);
    await table.release(hold('a', 't1'), 0);
    await pass(300);
    expect(await claim('c')).toBe(true);
  });

  it('holds a run back until it is tried again, and queues a failed one', async () => {
    const { table } = stage();
    await submit(table, ['a', 'b', 'c']);
    await table.beat(WORKER, []);
    await table.claim(hold('a', 't1'), 5_000, null);
    expect([await table.hold('a'), await table.hold('a'), await table.hold('none')]).toEqual([
      ...['driving', 'driving', null],
    ]);
    expect(await table.beat(WORKER, [hold('a', 't1')])).toMatchObject({ own: ['a'], held: ['a'] });
    await table.release(hold('a', 't1'), 0);
    await table.hold('b');
    expect((await table.feed('w1', null))?.map(({ run }) => run)).toEqual(['c']);
    expect(await table.claim(hold('a', 't2'), 5_000, null)).toBeNull();
    expect(await table.retry('a')).toEqual({ state: 'queued', held: true });
    expect((await table.feed('w1', null))?.map(({ run }) => run)).toEqual(['a', 'c']);
    await table.claim(hold('c', 't1'), 5_000, null);
    expect([await table.fail(hold('c', 't1'), 'threw/Error'), await stateOf(table, 'c')]).toEqual([
      ...[true, 'failed'],
    ]);
    expect([await table.retry('c'), await table.retry('c'), await table.retry('none')]).toEqual([
      { state: 'failed', held: false },
      { state: 'queued', held: false },
      null,
    ]);
    expect(await stateOf(table, 'c')).toBe('queued');
  });

  it('lists in pages, by state and tenant, with how many there are of each', async () => {
    const { table } = stage();
    await submit(table, ['c', 'a', 'b', 'd']);
    await submit(table, ['e'], { tenant: 'u', priority: -3 });
    await park(table, 'b');
    const list = async (query: object) =>
      table.list({ state: null, tenant: null, run: null, after: '', limit: 9, ...query });
    const ids = async (query: object) => (await list(query)).map(({ run }) => run).join('');
    expect([await ids({}), await ids({ after: 'b', limit: 2 }), await ids({ state: 'queued' })]).toEqual([
      ...['abcde', 'cd', 'acde'],
    ]);
    expect([await ids({ tenant: 'u' }), await ids({ tenant: 't', state: 'waiting' })]).toEqual(['e', 'b']);
    expect(await list({ run: 'b' })).toMatchObject([
      { state: 'waiting', open: [{ request: '1.0', kind: 'ballot', until: null }], segments: 1, held: false },
    ]);
    expect(await list({ run: 'e' })).toMatchObject([{ tenant: 'u', priority: -3, machine: 'poll' }]);
    expect([await table.countStates(null), await table.countStates('t')]).toEqual([
      { queued: 4, driving: 0, waiting: 1, closed: 0, failed: 0 },
      { queued: 3, driving: 0, waiting: 1, closed: 0, failed: 0 },
    ]);
    await table.beat(WORKER, []);
    expect(await table.listWorkers()).toMatchObject([WORKER]);
  });
}

describe('the table in memory', () => {
  let us = 0;
  let table = memoryTable(() => us);
  beforeEach(() => {
    us = 1_000_000;
    table = memoryTable(() => us);
  });
  suite(() => ({
    table,
    pass: async (ms) => {
      us += ms * 1_000;
    },
  }));
});

describeServer('the table in PostgreSQL', () => {
  let place: ServerPlace;
  let table: Table;
  let end = async (): Promise<void> => undefined;
  beforeAll(async () => {
    place = makePlace();
    const store = await place.open();
    table = postgresTable(store);
    await table.make();
    end = () => store.close();
  });
  beforeEach(async () => {
    const names = ['runs', 'open', 'answers', 'workers'].map((name) => `"${place.schema}_fleet".${name}`);
    await sql(`TRUNCATE ${names.join(', ')}; UPDATE "${place.schema}_fleet".meta SET feeder_until = 0`);
  });
  afterAll(async () => {
    await end();
    await place.remove();
    await sql(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS "${place.schema}_fleet" CASCADE`);
  });
  suite(() => ({ table, pass: (ms) => shift(place.schema, ms) }));
});

/** Time goes by: every time that the table has noted is that much earlier. */
async function shift(schema: string, ms: number): Promise<void> {
  const [runs, workers] = [`"${schema}_fleet".runs`, `"${schema}_fleet".workers`];
  const us = ms * 1_000;
  await sql(`UPDATE ${runs} SET wake_at = wake_at - ${us}, offered_at = offered_at - ${us},
    held_until = held_until - ${us}; UPDATE ${workers} SET at = at - ${us}`);
}
