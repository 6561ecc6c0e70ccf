import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { headOfChain, smallChain } from '@assay/testing/store-contract';
import { openUrl } from '../src/index.ts';
import type { PostgresStore } from '../src/postgres-store.ts';
import { startProxy, type Proxy } from './tools/proxy.js';
import { describeServer, evidence, makePlace, sql, urlOf, type ServerPlace } from './tools/server.js';

const RUN = 'run';
const chain = smallChain(RUN, 8);
const stored = chain.slice(0, 2);
const before = headOfChain(RUN, stored);
const group = chain.slice(2, 5);
const after = headOfChain(RUN, chain.slice(0, 5));

let place: ServerPlace;
let proxy: Proxy;
let store: PostgresStore;

/** What every such loss must leave: each record once, in order. */
async function sequences(): Promise<readonly unknown[]> {
  return (await sql(`SELECT seq::int FROM "${place.schema}".records WHERE run = $1 ORDER BY seq`, [RUN])).map(
    ({ seq }) => seq,
  );
}

describeServer('a connection lost while a group is appended', () => {
  beforeEach(async () => {
    place = makePlace();
    proxy = await startProxy();
    store = orThrow(openUrl(urlOf(place.schema, { port: proxy.port }), { notify: false }));
    orThrow(await store.append(RUN, null, stored));
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
    await place.remove();
  });

  it.each(['carry', 'forget', 'late'] as const)(
    '%s: the group is there once, and the head is returned',
    async (cut) => {
      proxy.cutNext('INSERT INTO', cut);
      expect(await store.append(RUN, before, group)).toEqual({ _tag: 'Right', right: after });
      expect(proxy.cuts()).toBe(1);
      expect(await sequences()).toEqual([0, 1, 2, 3, 4]);
      expect(orThrow(await store.head(RUN))).toEqual(after);
    },
  );

  it('whose request arrives after it was sent again finds another head, and does nothing', async () => {
    proxy.cutNext('INSERT INTO', 'late');
    orThrow(await store.append(RUN, before, group));
    const then = await evidence(place.schema);
    await proxy.release();
    expect(await evidence(place.schema)).toEqual(then);
    expect(await store.append(RUN, after, chain.slice(5))).toEqual({
      _tag: 'Right',
      right: headOfChain(RUN, chain),
    });
  });

  it('of a new run: it begins once', async () => {
    const other = smallChain('other', 3);
    for (const cut of ['carry', 'forget'] as const) {
      proxy.cutNext('INSERT INTO', cut);
      const id = `other-${cut}`;
      const own = smallChain(id, 3);
      expect(await store.append(id, null, own)).toEqual({ _tag: 'Right', right: headOfChain(id, own) });
      // Who comes with the same group, and lost nothing, is told that it is there.
      expect(await store.append(id, null, own)).toMatchObject({
        left: { code: 'stale_head', actual: headOfChain(id, own) },
      });
    }
    expect(await store.append('other', null, other)).toMatchObject({ _tag: 'Right' });
  });

  it("whose group was stored before another writer's is reported as stored", async () => {
    const rival = await place.open();
    proxy.cutNext('INSERT INTO', 'carry');
    const appending = store.append(RUN, before, group);
    while (orThrow(await rival.head(RUN))?.count !== 5)
      await new Promise((resolve) => setTimeout(resolve, 1));
    orThrow(await rival.append(RUN, after, chain.slice(5)));
    expect(await appending).toEqual({ _tag: 'Right', right: after });
    expect(await store.append(RUN, after, chain.slice(5))).toMatchObject({
      left: { code: 'stale_head', actual: headOfChain(RUN, chain) },
    });
    await rival.close();
  });

  it('while another writer took the head: stale_head, and nothing of the group is stored', async () => {
    const rival = await place.open();
    const fork = smallChain(RUN, 3).slice(2);
    proxy.cutNext('INSERT INTO', 'forget', 100);
    const appending = store.append(RUN, before, group);
    orThrow(await rival.append(RUN, before, fork));
    proxy.cutNext('never', 'forget');
    expect(await appending).toMatchObject({
      left: { code: 'stale_head', expected: before, actual: headOfChain(RUN, [...stored, ...fork]) },
    });
    expect(await sequences()).toEqual([0, 1, 2]);
    await rival.close();
  });

  it('again and again: unavailable after six tries, and the head says what is stored', async () => {
    proxy.cutNext('INSERT INTO', 'forget', 100);
    expect(await store.append(RUN, before, group)).toEqual({
      _tag: 'Left',
      left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: 'ECONNRESET' },
    });
    expect(proxy.cuts()).toBe(6);
    expect(orThrow(await store.head(RUN))).toEqual(before);
    proxy.cutNext('never', 'forget');
    expect(await store.append(RUN, before, group)).toEqual({ _tag: 'Right', right: after });
  });

  it('and the server with it: unavailable', async () => {
    proxy.cutNext('INSERT INTO', 'forget');
    const appending = store.append(RUN, before, group);
    while (proxy.cuts() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    proxy.shut();
    expect(await appending).toMatchObject({ left: { code: 'unavailable', errno: 'ECONNRESET' } });
    expect(await sequences()).toEqual([0, 1]);
  });

  it("by an administrator, while it waits for a rival's lock: the group is there once", async () => {
    const waits = `application_name = 'assay' AND wait_event_type = 'Lock' AND query LIKE '%"${place.schema}".records%'`;
    const rival = new Client(urlOf(place.schema));
    await rival.connect();
    await rival.query(`BEGIN; UPDATE "${place.schema}".runs SET hash = hash WHERE run = '${RUN}'`);
    const appending = store.append(RUN, before, group);
    for (let ended = 0; ended === 0; )
      ended = (await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waits}`)).length;
    await rival.query('COMMIT');
    await rival.end();
    expect(await appending).toEqual({ _tag: 'Right', right: after });
    expect(await sequences()).toEqual([0, 1, 2, 3, 4]);
  });

  it('by a server that does not answer in time: it is asked again on another connection', async () => {
    const hasty = orThrow(openUrl(urlOf(place.schema), { notify: false, answerTimeoutMs: 1_000 }));
    const lock = sql(
      `BEGIN; UPDATE "${place.schema}".runs SET hash = hash WHERE run = '${RUN}'; SELECT pg_sleep(1.5); COMMIT`,
    );
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(await hasty.append(RUN, before, group)).toEqual({ _tag: 'Right', right: after });
    await lock;
    await hasty.close();
    expect(await sequences()).toEqual([0, 1, 2, 3, 4]);
  });
});

describeServer('a connection lost while nothing is appended', () => {
  beforeEach(async () => {
    place = makePlace();
    proxy = await startProxy();
    store = orThrow(openUrl(urlOf(place.schema, { port: proxy.port }), { notify: false }));
    orThrow(await store.append(RUN, null, chain));
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
    await place.remove();
  });

  it('between two calls is not noticed', async () => {
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'assay' ` +
        `AND query LIKE '%"${place.schema}".%'`,
    );
    expect(orThrow(await store.head(RUN))).toEqual(headOfChain(RUN, chain));
  });

  it.each([
    ['LEFT JOIN LATERAL', 'head'],
    ['WHERE before', 'read'],
    ['SELECT run FROM', 'list'],
  ] as const)('at "%s" is made good by another: %s', async (text, operation) => {
    proxy.cutNext(text, 'forget', 2);
    if (operation === 'head') expect(orThrow(await store.head(RUN))).toEqual(headOfChain(RUN, chain));
    if (operation === 'list') expect(orThrow(await store.list())).toEqual([RUN]);
    if (operation === 'read') {
      let count = 0;
      for await (const line of store.read(RUN)) count += Math.sign(line.length);
      expect(count).toBe(chain.length);
    }
    expect(proxy.cuts()).toBe(2);
  });
});
