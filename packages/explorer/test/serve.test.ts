/** The server of a page: raw bytes for whoever has the address, and for nobody else. */
import { request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { orThrow } from '@assay/kernel';
import { serveRuns, type Runs, type Serving } from '@assay/explorer';
import { renderPage } from '../src/build/build.ts';

let text = '{"a":1}\n{"b":2}\n';
let wake = (): void => undefined;
const runs: Runs = {
  list: async () => [{ id: 'one/../run é.jsonl', bytes: text.length }],
  size: async (id) => (id === 'one/../run é.jsonl' ? text.length : null),
  read: async function* (_id, from) {
    yield Buffer.from(text).subarray(from);
  },
  watch: (_id, onWake) => {
    wake = onWake;
    return () => undefined;
  },
};
const serving: Serving = orThrow(await serveRuns(runs, { page: renderPage('', 'let a;'), port: 0 }));
afterAll(() => serving.close());
const { pathname, port } = new URL(serving.url);
const ID = encodeURIComponent('one/../run é.jsonl');

type Answer = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string };
/** Asks without tidying the path up, as a browser would. */
const asked = (path: string, options: { method?: string; host?: string } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', host = `127.0.0.1:${port}` } = options;
    const sent = request({ port, host: '127.0.0.1', path, method, headers: { host } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on('error', reject).end();
  });

describe('explorer/served', () => {
  test('the page may ask its own server and nobody else; no other page may frame it', async () => {
    const page = await asked(pathname);
    expect(page.status).toBe(200);
    expect(page.body).toContain("connect-src 'self'");
    expect(page.body).toContain('data-source="server"');
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "frame-ancestors 'none'",
    });
    expect(page.headers['access-control-allow-origin']).toBe(undefined);
  });

  test('bytes of a run, whole and from one of them on', async () => {
    expect(JSON.parse((await asked(`${pathname}runs`)).body)).toEqual(await runs.list());
    expect((await asked(`${pathname}run/${ID}`)).body).toBe(text);
    expect((await asked(`${pathname}run/${ID}?from=8`)).body).toBe('{"b":2}\n');
    expect((await asked(`${pathname}run/${ID}?from=99`)).body).toBe('');
  });

  test.each([
    ['a wrong token', () => asked(`/${'0'.repeat(32)}/`), 404],
    ['no token', () => asked('/'), 404],
    ['another host', () => asked(pathname, { host: 'evil.example' }), 403],
    ['localhost, which others can rebind', () => asked(pathname, { host: `localhost:${port}` }), 403],
    ['POST', () => asked(pathname, { method: 'POST' }), 405],
    ['OPTIONS', () => asked(pathname, { method: 'OPTIONS' }), 405],
    ['a run that is not there', () => asked(`${pathname}run/other`), 404],
    ['a path with ..', () => asked(`${pathname}run/../../etc/passwd`), 404],
    ['a path with .. in it, encoded', () => asked(`${pathname}run/..%2f..%2fetc%2fpasswd`), 404],
    ['broken escapes', () => asked(`${pathname}run/%zz`), 404],
  ])('%s is refused', async (_name, ask, status) => {
    const answer = await ask();
    expect([answer.status, answer.body.includes('{"a"')]).toEqual([status, false]);
  });

  test('what is appended is told with the number of records; fewer bytes are told anew', async () => {
    const response = await fetch(`${serving.url}follow/${ID}`);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const told = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await told()).toBe('id: 2\ndata: 16\n\n');
    text += '{"c":3}\n';
    wake();
    expect(await told()).toBe('id: 3\ndata: 24\n\n');
    text = '{"a":1}\n';
    expect(await told()).toMatch(/^event: anew/);
    await reader.cancel();
    text = '{"a":1}\n{"b":2}\n';
  });

  test('after a broken connection nothing is told that was told before', async () => {
    const headers = { 'last-event-id': '2' };
    const response = await fetch(`${serving.url}follow/${ID}`, { headers });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    text += '{"c":3}\n';
    wake();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('id: 3\ndata: 24\n\n');
    await reader.cancel();
    text = '{"a":1}\n{"b":2}\n';
  });

  test('a run that is shorter than before a connection broke is told anew, and then followed', async () => {
    const response = await fetch(`${serving.url}follow/${ID}`, { headers: { 'last-event-id': '5' } });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const told = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await told()).toMatch(/^event: anew\nid: 0\n/);
    text += '{"c":3}\n';
    wake();
    expect(await told()).toBe('id: 3\ndata: 24\n\n');
    await reader.cancel();
    text = '{"a":1}\n{"b":2}\n';
  });

  test('a reader that goes away ends the reading', async () => {
    let ended = (): void => undefined;
    const isEnded = new Promise<void>((resolve) => (ended = resolve));
    const endless: Runs = {
      ...runs,
      size: async () => 1e12,
      read: async function* () {
        try {
          for (;;) yield new Uint8Array(1_048_576);
        } finally {
          ended();
        }
      },
    };
    const other = orThrow(await serveRuns(endless, { page: renderPage('', 'let a;'), port: 0 }));
    const response = await fetch(`${other.url}run/x`);
    await response.body?.cancel();
    await isEnded;
    await other.close();
  });

  test('a port that is taken is an error, and a page that is no shell a defect', async () => {
    expect(await serveRuns(runs, { page: renderPage('', ''), port: Number(port) })).toMatchObject({
      _tag: 'Left',
      left: { code: 'listen', errno: 'EADDRINUSE' },
    });
    await expect(serveRuns(runs, { page: '<p>', port: 0 })).rejects.toThrow(RangeError);
  });
});
