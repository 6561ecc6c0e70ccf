/** A fleet over PostgreSQL, with an engine in memory: what it refuses, and what its workers do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { drive, loadRun, type Port, type Ports } from '@assay/host';
import { type GenesisInput, type Json, orThrow } from '@assay/kernel';
import { openUrl, type PostgresStore } from '@assay/store-postgres';
import { tally } from '@assay/testing';
import { memoryEngine, openFleet } from '../src/index.ts';
import { postgresTable } from '../src/table/postgres.ts';
import type { Fleet, FleetEvent, WorkEnd, WorkOptions } from '../src/types.ts';
import { startProxy } from '../../store-postgres/test/tools/proxy.js';
import { describeServer, makePlace, sql, urlOf } from '../../store-postgres/test/tools/server.js';

const clean: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of clean.splice(0).reverse()) await end();
});

type Open = { readonly fleet: Fleet; readonly store: PostgresStore; readonly schema: string };

/** A fleet in a schema of its own, or in that of another one. */
async function open(schema?: string, maxQueued?: number): Promise<Open> {
  const place = makePlace();
  const name = schema ?? place.schema;
  const store = orThrow(openUrl(urlOf(name)));
  clean.push(async () => {
    await store.close();
    const drop = `DROP SCHEMA IF EXISTS "${name}_fleet" CASCADE; DROP SCHEMA IF EXISTS "${name}" CASCADE`;
    if (schema === undefined) await sql(`SET client_min_messages = warning; ${drop}`);
  });
  const engine = memoryEngine();
  const fleet = orThrow(
    await openFleet({ store, engine, ...(maxQueued === undefined ? {} : { maxQueued }) }),
  );
  return { fleet, store, schema: name };
}

const genesis = (run_id: string, more: Partial<GenesisInput> = {}): GenesisInput => ({
  ...{ run_id, ts_base: 't', policy: { voters: 3, quorum: 2, attempts: 2 } },
  input: { question: 'What?', options: ['tea', 'coffee'] },
  ...more,
});
const TALLY = { name: 'tally', version: 1 };
const VOTER: Port = {
  ...{ source: 'rule', proposer: 'voter' },
  perform: async () => ({ value: { option: 'tea' } }),
};
const votes: WorkOptions['ports'] = () => (request) => (request.kind === 'ballot' ? VOTER : null);
const withPerson: WorkOptions['ports'] =
  ({ inbox }) =>
  (request) =>
    request.kind !== 'ballot' ? null : request.id === '1.1' ? inbox : VOTER;

/** Works in the background; `stop` ends it. */
function start(fleet: Fleet, options: Partial<WorkOptions> = {}) {
  const stopping = new AbortController();
  const events: FleetEvent[] = [];
  const working = fleet.work({
    ...{ machines: [tally], ports: votes, leaseMs: 3_000, signal: stopping.signal },
    onEvent: (event) => events.push(event),
    ...options,
  });
  const stop = async (): Promise<WorkEnd> => {
    stopping.abort();
    return orThrow(await working);
  };
  clean.push(async () => void (await stop()));
  return { stop, events, working };
}

const find = async (fleet: Fleet, run: string) => orThrow(await fleet.runs({ run })).runs[0];

/** Waits until a run is as said. */
async function until(fleet: Fleet, run: string, state: string): Promise<void> {
  await expect
    .poll(async () => (await find(fleet, run))?.state, { timeout: 10_000, interval: 20 })
    .toBe(state);
}

const spoil = (code: string, more: object = {}): object => ({ _tag: 'Left', left: { code, ...more } });

describeServer('a fleet over PostgreSQL', () => {
  it('submits all of a list or nothing', async () => {
    const { fleet } = await open(undefined, 3);
    const list = [genesis('a'), genesis('b')];
    expect(orThrow(await fleet.submit(tally, [...list, ...list]))).toEqual({ submitted: 2, known: 2 });
    const other = [genesis('c'), genesis('a', { ts_base: 'u' })];
    expect(await fleet.submit(TALLY, other)).toMatchObject(spoil('exists', { run_id: 'a' }));
    expect(await fleet.submit(TALLY, [genesis('c'), genesis('d')])).toMatchObject(
      spoil('full', { limit: 3 }),
    );
    const bad = [genesis('c'), genesis('d', { policy: 1 })];
    expect(await fleet.submit(tally, bad)).toMatchObject(
      spoil('genesis', { index: 1, run_id: 'd', rejection: { code: 'bad_policy' } }),
    );
    const none = 'no genesis' as unknown as GenesisInput;
    expect(await fleet.submit(TALLY, [genesis('c'), none])).toMatchObject(
      spoil('genesis', { index: 1, run_id: null, rejection: { code: 'genesis_shape' } }),
    );
    const nan = genesis('c', { input: NaN as Json });
    expect(await fleet.submit(TALLY, [nan])).toMatchObject(
      spoil('genesis', { rejection: { code: 'inadmissible', detail: { reason: 'not_finite' } } }),
    );
    expect(orThrow(await fleet.runs()).runs.map(({ run_id }) => run_id)).toEqual(['a', 'b']);
  });

  it('takes an answer once, under the name of who gave it, and another where the machine rejects it', async () => {
    const { fleet, store } = await open();
    orThrow(await fleet.submit(tally, [genesis('a')]));
    start(fleet, { ports: withPerson });
    await until(fleet, 'a', 'waiting');
    const answer = (value: Json, by = 'Jo', request = '1.1') => fleet.answer('a', request, { value, by });
    expect(await fleet.answer('b', '1.1', { value: 1, by: 'Jo' })).toMatchObject(spoil('unknown_run'));
    expect(await answer(1, 'Jo', '1.9')).toMatchObject(spoil('closed_request'));
    expect(await answer(1, '')).toMatchObject(spoil('by'));
    expect(await answer(NaN as Json)).toMatchObject(spoil('value'));
    expect(await answer('x'.repeat(5_000_000))).toMatchObject(spoil('too_large', { limit: 1_048_576 }));
    expect(await find(fleet, 'a')).toMatchObject({ state: 'waiting', segments: 1 });
    orThrow(await answer({ option: 'milk' }));
    await expect.poll(async () => (await find(fleet, 'a'))?.segments).toBe(2);
    await until(fleet, 'a', 'waiting');
    const both = await Promise.all([answer({ option: 'tea' }, 'Ann'), answer({ option: 'coffee' }, 'Bob')]);
    expect(both.filter(({ _tag }) => _tag === 'Right').length).toBe(1);
    expect(both.find(({ _tag }) => _tag === 'Left')).toMatchObject(spoil('answered'));
    await until(fleet, 'a', 'closed');
    expect(await answer({ option: 'tea' })).toMatchObject(spoil('closed_request'));
    const given = [];
    for await (const line of store.read('a')) {
      const { kind, payload } = JSON.parse(Buffer.from(line).toString('utf8'));
      if (kind === 'proposal' && payload.source === 'human') given.push(payload.provenance.by);
    }
    expect([given[0], ['Ann', 'Bob'].includes(given[1]), given.length]).toEqual(['Jo', true, 2]);
    expect(await find(fleet, 'a')).toMatchObject({ outcome: 'success', waiting: [], holder: null });
  });

  it('takes up a run that the store has by other means, and fails one of another genesis', async () => {
    const { fleet, store } = await open();
    const given = { store, ports: () => null, steps: 1 };
    void orThrow(await drive(tally, genesis('a'), given));
    void orThrow(await drive(tally, genesis('b', { ts_base: 'u' }), given));
    orThrow(await fleet.submit(tally, [genesis('a'), genesis('b')]));
    orThrow(await fleet.submit(TALLY, [genesis('c', { policy: null })]));
    start(fleet);
    await until(fleet, 'a', 'closed');
    await until(fleet, 'b', 'failed');
    await until(fleet, 'c', 'failed');
    expect([(await find(fleet, 'b'))?.fault, (await find(fleet, 'c'))?.fault]).toEqual([
      ...['exists', 'rejected/bad_policy'],
    ]);
    const loaded = orThrow(await loadRun(tally, 'a', store));
    expect((await find(fleet, 'a'))?.head).toEqual({ count: loaded.head.count, hash: loaded.head.hash });
  });

  it('fails a run whose machine or ports throw, tells no message, and drives it again on demand', async () => {
    const { fleet, schema } = await open();
    orThrow(await fleet.submit(tally, [genesis('a'), genesis('b')]));
    let isBroken = true;
    const machine = {
      ...tally,
      decide: (...given: Parameters<typeof tally.decide>) => {
        if (isBroken && given[2].run_id === 'b') throw new TypeError('canary-1');
        return tally.decide(...given);
      },
    };
    const ports: WorkOptions['ports'] = (run) => {
      if (isBroken && run.run_id === 'a') throw new RangeError('canary-2');
      return votes(run);
    };
    const { events } = start(fleet, { machines: [machine], ports });
    await until(fleet, 'a', 'failed');
    await until(fleet, 'b', 'failed');
    const faults = [(await find(fleet, 'a'))?.fault, (await find(fleet, 'b'))?.fault];
    expect(faults).toEqual(['threw/RangeError', 'threw/TypeError']);
    expect(events.filter(({ type }) => type === 'segment')).toMatchObject([
      { end: 'failed' },
      { end: 'failed' },
    ]);
    const [row] = await sql(`SELECT string_agg(r::text, '') AS all FROM "${schema}_fleet".runs r`);
    expect(String(row?.['all'])).not.toContain('canary');
    expect(await fleet.hold('a')).toMatchObject(spoil('state', { state: 'failed' }));
    isBroken = false;
    orThrow(await fleet.retry('a'));
    orThrow(await fleet.retry('b'));
    await until(fleet, 'a', 'closed');
    await until(fleet, 'b', 'closed');
    expect(await fleet.retry('a')).toMatchObject(spoil('state', { state: 'closed' }));
    expect(await fleet.retry('none')).toMatchObject(spoil('unknown_run'));
  });

  it('gives back at its end, in seconds, what ports hold that ignore their signals; held runs stay back', async () => {
    const { fleet } = await open();
    orThrow(await fleet.submit(tally, [genesis('a'), genesis('b')], { tenant: 'x' }));
    const stuck: Port = { ...VOTER, perform: () => new Promise(() => undefined) };
    const ports: WorkOptions['ports'] = () => (request) => (request.kind === 'ballot' ? stuck : null);
    const { stop } = start(fleet, { ports });
    await until(fleet, 'a', 'driving');
    orThrow(await fleet.hold('a'));
    await until(fleet, 'a', 'queued');
    await until(fleet, 'b', 'driving');
    const from = performance.now();
    expect(await stop()).toMatchObject({ closed: 0, waiting: 0, failed: 0, unserved: [] });
    expect(performance.now() - from).toBeLessThan(4_500);
    expect(orThrow(await fleet.runs({ tenant: 'x' }))).toMatchObject({
      runs: [
        { state: 'queued', held: true, holder: null },
        { state: 'queued', held: false, holder: null },
      ],
      totals: { queued: 2, driving: 0 },
    });
    expect(orThrow(await fleet.workers())).toEqual([]);
    start(fleet);
    await until(fleet, 'b', 'closed');
    expect(await find(fleet, 'a')).toMatchObject({ state: 'queued', held: true });
    orThrow(await fleet.retry('a'));
    await until(fleet, 'a', 'closed');
  });

  it('makes no call before it was told that the run is open, and none where that fails', async () => {
    const { fleet } = await open();
    orThrow(await fleet.submit(tally, [genesis('a')]));
    const seen: string[] = [];
    let fails = 1;
    const ports: WorkOptions['ports'] = () => (request) =>
      request.kind !== 'ballot'
        ? null
        : { ...VOTER, perform: async (...given) => (seen.push('call'), VOTER.perform(...given)) };
    const opened: WorkOptions['opened'] = async ({ run_id, genesis_hash, machine }) => {
      await sleep(30);
      seen.push(`${run_id} ${genesis_hash.length} ${machine.name}@${machine.version}`);
      if ((fails -= 1) >= 0) throw new Error('no witness');
    };
    start(fleet, { ports, opened });
    await until(fleet, 'a', 'closed');
    const said = 'a 64 tally@1';
    expect(seen).toEqual([said, said, 'call', 'call', 'call']);
    expect(await find(fleet, 'a')).toMatchObject({ segments: 2, outcome: 'success' });
  });

  it('claims no run of a tenant beyond its limit, however many claim at once', async () => {
    const { fleet, store, schema } = await open();
    const runs = Array.from({ length: 24 }, (_, at) => `a${at}`);
    orThrow(
      await fleet.submit(
        TALLY,
        runs.map((run) => genesis(run)),
      ),
    );
    const others = [store, (await open(schema)).store, (await open(schema)).store];
    const claims = runs.map((run, at) =>
      postgresTable(others[at % 3] ?? store).claim({ run, ticket: `t${at}`, worker: `w${at}` }, 5_000, 5),
    );
    expect((await Promise.all(claims)).filter((claim) => claim !== null).length).toBe(5);
    const [row] = await sql(`SELECT count(*) AS n FROM "${schema}_fleet".runs WHERE state = 'driving'`);
    expect(row?.['n']).toBe('5');
    const racing = runs.map((_, at) =>
      postgresTable(others[at % 3] ?? store).claim(
        { run: 'a23', ticket: `u${at}`, worker: 'w' },
        5_000,
        null,
      ),
    );
    await sql(`UPDATE "${schema}_fleet".runs SET wake_at = NULL`);
    expect((await Promise.all(racing)).filter((claim) => claim !== null).length).toBeLessThanOrEqual(1);
  });

  it('comes to the same where connections break again and again, after their statements were done', async () => {
    const { schema, fleet } = await open();
    const proxy = await startProxy();
    const store = orThrow(openUrl(urlOf(schema, { port: proxy.port })));
    clean.push(async () => {
      await store.close();
      await proxy.close();
    });
    const cut = orThrow(await openFleet({ store, engine: memoryEngine() }));
    proxy.cutNext('run-to-cut', 'carry');
    expect(orThrow(await cut.submit(TALLY, [genesis('run-to-cut')]))).toEqual({ submitted: 1, known: 0 });
    expect(proxy.cuts()).toBe(1);
    // Whatever of the run is under way: its claim, its records, its parking, its answer, its end.
    const cutOne = (): void => proxy.cutNext('run-to-cut', 'carry');
    cutOne();
    const cutting = setInterval(cutOne, 150);
    clean.push(async () => clearInterval(cutting));
    start(cut, { ports: withPerson });
    await until(fleet, 'run-to-cut', 'waiting');
    cutOne();
    orThrow(await cut.answer('run-to-cut', '1.1', { value: { option: 'tea' }, by: 'Jo' }));
    await until(fleet, 'run-to-cut', 'closed');
    clearInterval(cutting);
    expect(proxy.cuts()).toBeGreaterThan(2);
    const { due, head } = orThrow(await loadRun(tally, 'run-to-cut', store));
    const run = await find(fleet, 'run-to-cut');
    expect([run?.outcome, run?.head, due]).toEqual(['success', { count: head.count, hash: head.hash }, []]);
  });

  it('makes its tables once, and leaves those of others alone', async () => {
    const { schema, store, fleet } = await open();
    const [other, engine] = [`${schema}_fleet`, memoryEngine()];
    expect(orThrow(await fleet.runs())).toMatchObject({ runs: [], after: null });
    expect(await sql('SELECT FROM pg_namespace WHERE nspname = $1', [other])).toEqual([]);
    const four = await Promise.all([open(schema), open(schema), open(schema), open(schema)]);
    const made = four.map(({ fleet: each }, at) => each.submit(TALLY, [genesis(`r${at}`)]));
    expect((await Promise.all(made)).map((each) => orThrow(each).submitted)).toEqual([1, 1, 1, 1]);
    await sql(`UPDATE "${other}".meta SET version = 2`);
    expect(await openFleet({ store, engine })).toEqual(
      spoil('fleet_schema', { detail: 'version', found: 2, expected: 1 }),
    );
    await sql(`UPDATE "${other}".meta SET version = 1; ALTER TABLE "${other}".runs ADD COLUMN more text`);
    expect(await openFleet({ store, engine })).toMatchObject(spoil('fleet_schema', { detail: 'foreign' }));
    await sql(
      `DROP SCHEMA "${other}" CASCADE; CREATE SCHEMA "${other}"; CREATE TABLE "${other}".runs (a text)`,
    );
    expect(await openFleet({ store, engine })).toMatchObject(spoil('fleet_schema', { found: null }));
    const role = `${schema}_reader`;
    await sql(`DROP SCHEMA "${other}" CASCADE; CREATE ROLE "${role}" LOGIN`);
    clean.push(async () => void (await sql(`DROP ROLE "${role}"`)));
    const reader = orThrow(openUrl(urlOf(schema, { user: role })));
    clean.push(() => reader.close());
    const read = orThrow(await openFleet({ store: reader, engine }));
    expect(await read.submit(TALLY, [genesis('x')])).toMatchObject(spoil('unavailable', { errno: '42501' }));
    const long = orThrow(openUrl(urlOf('s'.repeat(58))));
    clean.push(() => long.close());
    expect(await openFleet({ store: long, engine })).toMatchObject(spoil('url', { url: 's'.repeat(58) }));
    const away = orThrow(openUrl(urlOf(schema, { port: 1 })));
    clean.push(() => away.close());
    expect(await openFleet({ store: away, engine })).toMatchObject(
      spoil('unavailable', { errno: 'ECONNREFUSED' }),
    );
  });

  it('charges once, on another worker, a call that one was in when it went', async () => {
    const { fleet, store } = await open();
    const calls: string[] = [];
    const bounded = (perform: Port['perform']): Ports => {
      const port: Port = { ...VOTER, bound: () => ({ calls: 1 }), perform };
      return (request) => (request.kind === 'ballot' ? port : null);
    };
    const gone = new AbortController();
    const hanging = bounded(async ({ id }) => {
      calls.push(id);
      gone.abort();
      return new Promise(() => undefined);
    });
    const notes = store.journal.calls;
    const budget = { limits: { calls: 9 }, notes };
    orThrow(await drive(tally, genesis('a'), { store, ports: hanging, signal: gone.signal, budget }));
    orThrow(await fleet.submit(tally, [genesis('a')]));
    const ports = bounded(async ({ id }) => {
      calls.push(id);
      return { value: { option: 'tea' }, spent: { calls: 1 } };
    });
    start(fleet, { ports: () => ports, drive: { budget: { limits: { calls: 9 } } } });
    await until(fleet, 'a', 'closed');
    let [text, spent] = ['', 0];
    for await (const line of store.read('a')) text += Buffer.from(line).toString('utf8');
    for (const [, calls_] of text.matchAll(/"spent":\{"calls":(\d)\}/g)) spent += Number(calls_);
    expect([calls.length, spent, text.match(/"lost_calls":1/g)?.length]).toEqual([4, 4, 1]);
  });

  it('ends with the code of an engine that cannot be reached, and names what nobody serves', async () => {
    const { fleet, store } = await open();
    orThrow(await fleet.submit({ name: 'nobody', version: 7 }, [genesis('a')]));
    const engine = {
      ...memoryEngine(),
      take: () => Promise.reject(Object.assign(new Error('canary'), { code: 'ECONNREFUSED' })),
    };
    const broken = orThrow(await openFleet({ store, engine }));
    expect(await broken.work({ machines: [tally], ports: votes })).toEqual(
      spoil('engine', { errno: 'ECONNREFUSED' }),
    );
    const { events, stop } = start(fleet);
    await expect
      .poll(() => events.filter(({ type }) => type === 'unserved'))
      .toEqual([{ type: 'unserved', machines: ['nobody@7'] }]);
    expect((await stop()).unserved).toEqual(['nobody@7']);
    const ports: Ports = () => null;
    await expect(fleet.work({ machines: [], ports: () => ports })).rejects.toThrow('machines');
    await expect(fleet.work({ machines: [tally], ports: () => ports, leaseMs: 10 })).rejects.toThrow(
      'leaseMs',
    );
  });
});
