import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { orThrow } from '@assay/kernel';
import { headOfChain, smallChain } from '@assay/testing/store-contract';
import { openUrl } from '../src/index.ts';
import type { PostgresStore } from '../src/postgres-store.ts';
import { startScripted, type Script } from './tools/scripted.js';
import { describeServer, freshName, sql, urlOf } from './tools/server.js';

const RUN = 'run';
const CANARY = 'c4n4ry-p4ssw0rd';
const chain = smallChain(RUN, 2);

/** What each operation of a store answers, its reading included. */
async function answers(store: PostgresStore): Promise<readonly unknown[]> {
  const read = (async () => {
    for await (const line of store.read(RUN)) return line;
    return null;
  })().catch((error: unknown) => error);
  return [
    await store.append(RUN, null, chain),
    await store.append(RUN, headOfChain(RUN, chain), []),
    await store.head(RUN),
    await store.list(),
    await read,
  ];
}

/** Every operation is unavailable for this reason, and nothing shows the password. */
async function expectUnavailable(url: string, errno: string, options = {}): Promise<void> {
  const store = orThrow(openUrl(url, options));
  const given = await answers(store);
  await store.close();
  const refused = (operation: string, run_id: string | null = RUN): unknown => ({
    _tag: 'Left',
    left: { code: 'unavailable', run_id, operation, errno },
  });
  expect(given.slice(0, 4)).toEqual([
    refused('append'),
    refused('append'),
    refused('head'),
    refused('list', null),
  ]);
  expect(given[4]).toMatchObject({
    name: 'StoreReadError',
    error: { code: 'unavailable', run_id: RUN, operation: 'read', errno },
  });
  for (const one of given)
    expect(
      inspect(one, { depth: 20, showHidden: true }) + (one instanceof Error ? String(one.stack) : ''),
    ).not.toContain(CANARY);
}

async function scripted(
  script: Script,
  body: (url: string, heard: () => string) => Promise<void>,
): Promise<void> {
  const server = await startScripted(script);
  try {
    await body(`postgres://app:${CANARY}@127.0.0.1:${server.port}/runs`, server.heard);
  } finally {
    await server.close();
  }
}

async function closedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

describe.skipIf(!hasLoopback)('a server that can not be used', () => {
  it('a port where nobody listens is ECONNREFUSED', async () =>
    expectUnavailable(`postgres://app:${CANARY}@127.0.0.1:${await closedPort()}/runs`, 'ECONNREFUSED'));

  it('a folder without a socket is ENOENT', () =>
    expectUnavailable('postgres:///runs?host=/no/such/folder', 'ENOENT'));

  it('a wrong password is 28P01, and is nowhere in what is answered', () =>
    scripted('password', async (url, heard) => {
      await expectUnavailable(url, '28P01');
      // It was this password that was refused.
      expect(heard()).toContain(CANARY);
    }));

  it('a wrong password that is not sent as it is (SCRAM) is 28P01 too, and never crosses the wire', () =>
    scripted('scram', async (url, heard) => {
      await expectUnavailable(url, '28P01');
      expect(heard()).toContain('SCRAM-SHA-256');
      expect(heard()).not.toContain(CANARY);
    }));

  it('no password for a server that wants one is 28P01', () =>
    scripted('scram', (url) => expectUnavailable(url.replace(`:${CANARY}`, ''), '28P01')));

  it('a server that is starting up is 57P03', () =>
    scripted('starting', (url) => expectUnavailable(url, '57P03')));

  it('a server that says nothing is ETIMEDOUT', () =>
    scripted('silent', (url) => expectUnavailable(url, 'ETIMEDOUT', { connectTimeoutMs: 60 })));

  it('a server that has no encryption, where the address asks for it, is 08001', () =>
    scripted('garbage', (url) => expectUnavailable(`${url}?sslmode=require`, '08001')));
});

describeServer('a real server', () => {
  it('without this database says 3D000', async () => {
    const url = new URL(urlOf('assay'));
    url.pathname = `/${freshName()}`;
    await expectUnavailable(url.href, '3D000');
  });

  it('without this role says 28000, or 28P01 where it tells nobody', async () => {
    const store = orThrow(openUrl(urlOf('assay', { user: freshName() })));
    expect(await store.list()).toMatchObject({
      left: { code: 'unavailable', errno: expect.stringMatching(/^28000$|^28P01$/) },
    });
    await store.close();
  });

  it('with all its connections taken says 53300', async () => {
    const role = freshName();
    await sql(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 0`);
    await expectUnavailable(urlOf('assay', { user: role }), '53300');
    await sql(`DROP ROLE ${role}`);
  });

  it('a role that may make no schema is told 42501, and nothing is made', async () => {
    const role = freshName();
    const schema = freshName();
    await sql(`CREATE ROLE ${role} LOGIN`);
    const store = orThrow(openUrl(urlOf(schema, { user: role })));
    expect(await store.append(RUN, null, chain)).toMatchObject({
      left: { code: 'unavailable', operation: 'append', errno: '42501' },
    });
    expect(orThrow(await store.list())).toEqual([]);
    await store.close();
    expect(await sql('SELECT nspname FROM pg_namespace WHERE nspname = $1', [schema])).toEqual([]);
    await sql(`DROP ROLE ${role}`);
  });
});
