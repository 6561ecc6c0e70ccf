import { expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { headOfChain, smallChain } from '@assay/testing/store-contract';
import { openUrl } from '@assay/store-postgres';
import { message, READY, startScripted } from './tools/scripted.js';
import { startTlsProxy } from './tools/tls-proxy.js';
import { atPlace, describeServer, urlOf } from './tools/server.js';

const RUN = 'run';
const chain = smallChain(RUN, 3);

describeServer('sslmode', () => {
  it('require encrypts, and asks nobody who the server is', () =>
    atPlace(async ({ schema }) => {
      const proxy = await startTlsProxy();
      const store = orThrow(openUrl(`${urlOf(schema, { port: proxy.port })}&sslmode=require`));
      expect(await store.append(RUN, null, chain)).toEqual({ _tag: 'Right', right: headOfChain(RUN, chain) });
      await store.close();
      expect(proxy.encrypted()).toBeGreaterThan(0);
      await proxy.close();
    }));

  it('require: what the driver cannot read ends the connection, not the process', async () => {
    const scripts: readonly (readonly [string, readonly Buffer[]])[] = [
      ['EPROTONOSUPPORT', [message('R', Buffer.from([0, 0, 0, 7]))]],
      ['EPROTO', [READY, message('D', Buffer.from([0, 1]))]],
    ];
    for (const [errno, script] of scripts) {
      const behind = await startScripted(script);
      const proxy = await startTlsProxy({ host: '127.0.0.1', port: behind.port });
      const store = orThrow(openUrl(`postgres://app:secret@127.0.0.1:${proxy.port}/runs?sslmode=require`));
      expect(await store.list()).toMatchObject({ left: { code: 'unavailable', errno } });
      expect(proxy.encrypted()).toBeGreaterThan(0);
      await store.close();
      await proxy.close();
      await behind.close();
    }
  });

  it('verify-full refuses a certificate that nobody signed, and tells the server nothing', () =>
    atPlace(async ({ schema }) => {
      const proxy = await startTlsProxy();
      const store = orThrow(openUrl(`${urlOf(schema, { port: proxy.port })}&sslmode=verify-full`));
      expect(await store.append(RUN, null, chain)).toEqual({
        _tag: 'Left',
        left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      });
      await store.close();
      expect(proxy.encrypted()).toBe(0);
      await proxy.close();
    }));

  it('channel_binding=require answers no login that is not bound to the connection', async () => {
    for (const script of ['password', 'scram', [READY]] as const) {
      const behind = await startScripted(script);
      const proxy = await startTlsProxy({ host: '127.0.0.1', port: behind.port });
      const address = `postgres://app:c4n4ry@127.0.0.1:${proxy.port}/runs?sslmode=require`;
      const store = orThrow(openUrl(`${address}&channel_binding=require`));
      expect(await store.list()).toMatchObject({ left: { code: 'unavailable', errno: 'CHANNEL_BINDING' } });
      await store.close();
      expect(behind.heard()).not.toContain('c4n4ry');
      await proxy.close();
      await behind.close();
    }
  });

  it('disable, as where none is given, does not ask for it', () =>
    atPlace(async ({ schema }) => {
      const proxy = await startTlsProxy();
      for (const more of ['', '&sslmode=disable']) {
        const store = orThrow(openUrl(urlOf(schema, { port: proxy.port }) + more));
        expect(await store.list()).toMatchObject({ left: { code: 'unavailable', errno: 'ECONNRESET' } });
        await store.close();
      }
      expect(proxy.encrypted()).toBe(0);
      await proxy.close();
    }));
});
