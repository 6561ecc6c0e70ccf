import { describe, expect, it } from 'vitest';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { orThrow } from '@assay/kernel';
import { openUrl } from '@assay/store-postgres';
import { message, READY, startScripted, type Script } from './tools/scripted.js';

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const login = (kind: number, ...rest: readonly Buffer[]): Buffer =>
  message('R', Buffer.concat([int32(kind), ...rest]));
const sasl = login(10, Buffer.from('SCRAM-SHA-256\0\0'));

/** What listing says of a server that answers so. A process that ends, or does not, fails the whole file. */
async function listed(script: Script | readonly Buffer[], password = ':secret'): Promise<unknown> {
  const server = await startScripted(script);
  const store = orThrow(
    openUrl(`postgres://app${password}@127.0.0.1:${server.port}/runs`, {
      connectTimeoutMs: 20_000,
      answerTimeoutMs: 20_000,
    }),
  );
  try {
    return await store.list();
  } finally {
    await store.close();
    await server.close();
  }
}

const unavailable = (errno: string): unknown => ({
  _tag: 'Left',
  left: { code: 'unavailable', run_id: null, operation: 'list', errno },
});

describe.skipIf(!hasLoopback)('what answers and is no PostgreSQL server that can be used', () => {
  it('a way to log in that the driver has not is EPROTONOSUPPORT', async () => {
    expect(await listed([login(7)])).toEqual(unavailable('EPROTONOSUPPORT'));
    expect(await listed([login(10, Buffer.from('SCRAM-SHA-999\0\0'))])).toEqual(
      unavailable('EPROTONOSUPPORT'),
    );
  });

  it.each([
    ['MySQL', 'mysql'],
    ['a letter that is no message', [message('?', Buffer.alloc(0))]],
    ['an error without fields', [message('E', Buffer.from('\0'))]],
    ['a login without its kind', [message('R', Buffer.alloc(0))]],
    ['the second step of SASL first', [login(11, Buffer.from('xxxx'))]],
    ['the third step of SASL first', [login(12, Buffer.from('xxxx'))]],
    ['a challenge that is none', [sasl, login(11, Buffer.from('r=x,s=y'))]],
    ['a short row', [READY, message('D', Buffer.from([0, 1]))]],
    ['an unknown message in answer to a statement', [READY, message('?', Buffer.alloc(0))]],
  ] as const)('%s is EPROTO', async (_, script) => {
    expect(await listed(script)).toEqual(unavailable('EPROTO'));
  });

  it('a server that lets in and says nothing then is ETIMEDOUT after the time of one answer', async () => {
    const server = await startScripted([READY]);
    const store = orThrow(
      openUrl(`postgres://app@127.0.0.1:${server.port}/runs`, { answerTimeoutMs: 2_000 }),
    );
    const begun = performance.now();
    expect(await store.list()).toEqual(unavailable('ETIMEDOUT'));
    expect(performance.now() - begun).toBeLessThan(3_900);
    await store.close();
    await server.close();
  });

  it.each([
    ['as it is', login(3)],
    ['by MD5', login(5, Buffer.from('salt'))],
  ] as const)(
    'a password that is asked for (%s) and not given is a refusal, and ends nothing',
    async (_, asks) => {
      expect(await listed([asks, message('E', Buffer.from('SFATAL\0C28P01\0Mno\0\0'))], '')).toEqual(
        unavailable('28P01'),
      );
    },
  );
});
