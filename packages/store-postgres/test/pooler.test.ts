import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { headOfChain, smallChain } from '@assay/testing/store-contract';
import { openUrl } from '../src/index.ts';
import type { PostgresStore } from '../src/postgres-store.ts';
import { hasPgBouncer, startPgBouncer, startPooler } from './tools/pooler.js';
import { describeServer, freshName, server, sql, urlOf } from './tools/server.js';

/**
 * Two schemas, and a store for each that reaches the server through a pooler; which runs each schema holds in
 * the end.
 */
async function throughPooler(
  port: number,
  body: (stores: { readonly one: PostgresStore; readonly two: PostgresStore }) => Promise<void>,
): Promise<{ readonly one: string; readonly two: string }> {
  const [one, two] = [freshName(), freshName()];
  const open = (schema: string): PostgresStore =>
    orThrow(openUrl(urlOf(schema, { port }), { connections: 1, notify: false }));
  const stores = { one: open(one), two: open(two) };
  const runsOf = async (schema: string): Promise<string> =>
    String(
      (
        await sql(
          `SELECT string_agg(run || ' ' || count, ', ' ORDER BY run) AS runs FROM (SELECT run, ` +
            `count(*) FROM "${schema}".records GROUP BY run) AS r`,
        )
      )[0]?.['runs'],
    );
  try {
    await body(stores);
    return { one: await runsOf(one), two: await runsOf(two) };
  } finally {
    await stores.one.close();
    await stores.two.close();
    await sql(
      `SET client_min_messages = warning; DROP SCHEMA IF EXISTS "${one}" CASCADE; DROP SCHEMA ` +
        `IF EXISTS "${two}" CASCADE`,
    );
  }
}

describeServer('a pooler that shares connections between transactions', () => {
  it('lets no group land in another schema, where two stores use its connections in turn', async () => {
    const pooler = await startPooler();
    const ends = await throughPooler(pooler.port, async ({ one, two }) => {
      const [a, b, c] = [smallChain('a', 2), smallChain('b', 4), smallChain('c', 4)];
      // Each store has its statements kept on a connection of its own, and then uses the other's.
      orThrow(await one.append('a', null, a));
      const seen = orThrow(await one.append('c', null, c.slice(0, 2)));
      orThrow(await one.append('c', seen, c.slice(2, 3)));
      pooler.use(1);
      orThrow(await two.append('b', null, b.slice(0, 2)));
      orThrow(await two.append('b', headOfChain('b', b.slice(0, 2)), b.slice(2, 3)));
      orThrow(await one.append('d', null, smallChain('d', 2)));
      orThrow(await one.append('c', headOfChain('c', c.slice(0, 3)), c.slice(3)));
      pooler.use(0);
      orThrow(await two.append('e', null, smallChain('e', 2)));
      orThrow(await two.append('b', headOfChain('b', b.slice(0, 3)), b.slice(3)));
    });
    await pooler.close();
    expect(ends).toEqual({ one: 'a 2, c 4, d 2', two: 'b 4, e 2' });
  });
});

describe.skipIf(server === null || !hasPgBouncer())('PgBouncer, in its mode transaction', () => {
  it('keeps runs of two schemas apart, where their stores come by the same connections to the server', async () => {
    const pooler = await startPgBouncer(2);
    const ends = await throughPooler(pooler.port, async ({ one, two }) => {
      const drive = async (store: PostgresStore, name: string): Promise<void> => {
        const chain = smallChain(name, 3);
        const head = orThrow(await store.append(name, null, chain.slice(0, 2)));
        orThrow(await store.append(name, head, chain.slice(2)));
      };
      await drive(one, 'a');
      // Whoever is in a transaction keeps the connection used last; the stores take turns on the other.
      const holder = new Client(urlOf('assay', { port: pooler.port }));
      await holder.connect();
      await holder.query('BEGIN');
      await drive(two, 'b');
      await drive(one, 'c');
      await holder.query('COMMIT');
      await holder.end();
      await Promise.all([drive(one, 'd'), drive(two, 'e')]);
    });
    await pooler.close();
    expect(ends).toEqual({ one: 'a 3, c 3, d 3', two: 'b 3, e 3' });
  });
});
