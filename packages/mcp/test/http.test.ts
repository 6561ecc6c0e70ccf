/** The server over HTTP: who is let in, and round trips with the official SDK. */
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { orThrow } from '@assay/kernel';
import type { Ports } from '@assay/host';
import { rulesPort } from '@assay/proposers';
import { serveHttp } from '../src/index.ts';
import type { HttpOptions, Listening } from '../src/server/http.ts';
import { MESSAGE_BYTES_MAX } from '../src/server/desk.ts';
import { REQUEST } from '../../models/test/tools/synthetic.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { desk, overHttp } from './tools/desk.ts';

const open: Listening[] = [];
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.close();
});
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A request as it is sent, `Host` included. */
function sent(
  url: string,
  headers: Readonly<Record<string, string>>,
  {
    method = 'POST',
    body = PING,
    path,
  }: { readonly method?: string; readonly body?: string; readonly path?: string } = {},
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path: path ?? pathname, method, headers: { ...HEADERS, ...headers } },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () => resolve({ status: response.statusCode, text }));
      },
    );
    request.on('error', reject).end(body);
  });
}

async function listening(options: Partial<HttpOptions> = {}): Promise<Listening> {
  const listens = orThrow(await serveHttp(desk(), { port: 0, ...options }));
  open.push(listens);
  return listens;
}

describe.skipIf(!hasLoopback)('on this machine', () => {
  test('a round trip with the official SDK: run, verify, resources', async () => {
    const { listening: listens, asking } = await overHttp(desk());
    open.push(listens);
    const { json } = await asking.call('run', { request: REQUEST });
    expect(
      (await asking.call('verify', { run_id: json['run_id'], head: json['head_line'] })).json['results'][0]
        .checks.completeness.verdict,
    ).toBe('held');
    expect((await asking.client.listResources()).resources).toHaveLength(3);
    expect((await asking.call('nothing')).error?.code).toBe('unknown_tool');
    await asking.client.close();
  });

  test('names that a page made point here are not let in: neither as Host nor as Origin', async () => {
    const { url } = await listening();
    const { port } = new URL(url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect((await sent(url, { host })).status).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1.evil.example:${port}`,
      `localhost.:${port}`,
    ])
      expect([host, await sent(url, { host })]).toEqual([
        host,
        { status: 403, text: expect.stringContaining('"host"') },
      ]);
    expect((await sent(url, { origin: `http://localhost:${port}` })).status).toBe(200);
    for (const origin of [
      'http://evil.example',
      `https://127.0.0.1:${port}`,
      'null',
      `http://127.0.0.1:${Number(port) + 1}`,
    ])
      expect([origin, await sent(url, { origin })]).toEqual([
        origin,
        { status: 403, text: expect.stringContaining('"origin"') },
      ]);
  });

  test('other paths and methods are refused; what is no JSON and what is too large too', async () => {
    const { url } = await listening();
    expect((await sent(url, {}, { path: '/' })).status).toBe(404);
    expect((await sent(url, {}, { path: '/mcp?x=1' })).status).toBe(404);
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT'])
      expect((await sent(url, {}, { method, body: '' })).status).toBe(405);
    expect((await sent(url, {}, { body: 'no JSON' })).status).toBe(400);
    expect((await sent(url, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await sent(url, {}, { body: `"${'x'.repeat(MESSAGE_BYTES_MAX)}"` })).status).toBe(413);
  });

  test('with a token, only who has it is let in', async () => {
    const token = 'a-token-of-sixteen-or-more';
    const { url } = await listening({ token });
    expect((await sent(url, {})).status).toBe(401);
    expect((await sent(url, { authorization: `Bearer ${token}x` })).status).toBe(401);
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await sent(url, { authorization: `${scheme} ${token}` })).status).toBe(200);
    for (const other of ['', 'Bearer', `Basic ${token}`, `Bearer${token}`, `Bearer ${token} x`])
      expect([other, (await sent(url, { authorization: other })).status]).toEqual([other, 401]);
  });

  test('a token that no header can carry is refused at the start', async () => {
    for (const token of [
      'a-token-of-sixteen-or-more\n',
      'a token of sixteen or more',
      'a-token-of-sixt\u00e9en-or-more',
    ])
      expect(await serveHttp(desk(), { port: 0, token })).toEqual({ _tag: 'Left', left: { code: 'token' } });
  });

  test('a client that goes away stops its call, and closing waits for no one', async () => {
    const begun: string[] = [];
    const proposers = new Map<string, Ports>([
      [
        'rules',
        () => ({
          ...rulesPort,
          perform: () => {
            begun.push('one');
            return new Promise(() => undefined);
          },
        }),
      ],
    ]);
    const listens = orThrow(await serveHttp(desk({ proposers }), { port: 0 }));
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'run', arguments: { request: REQUEST } },
    });
    const given = sent(listens.url, {}, { body }).catch(() => 'gone');
    while (begun.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await listens.close();
    expect(await given).toEqual(expect.anything());
  });

  test('a port that is taken is told', async () => {
    const { url } = await listening();
    expect(await serveHttp(desk(), { port: Number(new URL(url).port) })).toEqual({
      _tag: 'Left',
      left: { code: 'listen', errno: 'EADDRINUSE' },
    });
  });
});

test('hosts that others reach need a token of some length', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.org', '127.0.0.1.example.org', '']) {
    for (const token of [undefined, '', 'short'])
      expect(
        await serveHttp(desk(), {
          port: 0,
          host,
          ...(token === undefined ? {} : { token }),
        }),
      ).toEqual({ _tag: 'Left', left: { code: 'token' } });
  }
  expect(await serveHttp(desk(), { port: 0, token: 'short' })).toEqual({
    _tag: 'Left',
    left: { code: 'token' },
  });
});
