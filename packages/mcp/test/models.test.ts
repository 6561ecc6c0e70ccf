import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryStore, type Store } from '@assay/host';
import { openGate, type Gate } from '@assay/gate';
import { err } from '@assay/kernel';
import { serveModels } from '../src/relay/models.ts';

const TOKEN = 'ada-0123456789abcdef';
const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
/** Each call is held at 1,000 tokens. */
const BOUNDS = [{ tool: 'model/*', unit: 'tokens', max: 1_000, at: '/bound/tokens', times: 1 }];

type Upstream = (request: IncomingMessage, response: ServerResponse, body: string) => void;
type Door = {
  readonly gate: Gate;
  readonly asked: { readonly url: string; readonly key: string; readonly body: Record<string, unknown> }[];
  readonly errors: unknown[];
  readonly ask: (body: unknown, more?: RequestInit) => Promise<Response>;
  readonly url: string;
  readonly close: () => Promise<void>;
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const complete: Upstream = (_, response) =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ id: 'c', choices: [{ message: { content: 'hi' } }], usage: USAGE }));

async function open(
  policy: object,
  upstream: Upstream = complete,
  store: Store = memoryStore(),
): Promise<Door> {
  const asked: Door['asked'] = [];
  const errors: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.once('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { url = '', headers } = request;
      asked.push({ url, key: headers.authorization ?? '', body: JSON.parse(body === '' ? '{}' : body) });
      upstream(request, response, body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gate = await openGate({ policy: { gate: 1, ...policy } as never, store, run: 'r' });
  const listening = await serveModels(
    {
      gate,
      upstream: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      key: 'upstream-key',
      holdMs: 0,
      onError: (error) => errors.push(error),
    },
    { host: '127.0.0.1', port: 0, tokens: new Map([[TOKEN, 'ada']]) },
  );
  if (listening._tag === 'Left') throw new Error(listening.left.code);
  const { url, close } = listening.right;
  closing.push(close, async () => {
    server.closeAllConnections();
    server.close();
  });
  const ask: Door['ask'] = (body, more = {}) =>
    fetch(`${url}/chat/completions`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...more,
    });
  return { gate, asked, errors, ask, url, close };
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000 });
const latch = (): { readonly opened: Promise<void>; readonly open: () => void } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};
const chat = (more: object = {}): object => ({
  ...{ model: 'small', max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] },
  ...more,
});
const code = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { readonly error: { readonly code: unknown } }).error.code;

const budget = (unit: string, max: number, more: object = {}): object => ({ id: unit, unit, max, ...more });

describe('a gate in front of models', () => {
  it('passes a request on with a bound and a key of its own, and settles it by the usage', async () => {
    const door = await open({ allow: ['model/small'], bounds: BOUNDS, budgets: [budget('tokens', 5_000)] });
    const answered = await door.ask(chat({ max_tokens: undefined, max_completion_tokens: 20, top_k: 3 }));
    expect(answered.status).toBe(200);
    expect(await answered.json()).toMatchObject({ choices: [{}], usage: USAGE });
    expect(door.asked).toMatchObject([
      { key: 'Bearer upstream-key', body: { max_completion_tokens: 20, top_k: 3 } },
    ]);
    expect(door.asked[0]?.body).not.toHaveProperty('max_tokens');
    expect(door.gate.summary).toMatchObject({ calls: 1, done: 1, spent: [['tokens', 10]] });
    const unbounded = await open({ allow: ['model/small'] });
    await (await unbounded.ask(chat({ max_tokens: null, stream: true }))).text();
    expect(unbounded.asked[0]?.body).toMatchObject({
      max_tokens: 4_096,
      stream_options: { include_usage: true },
    });
  });

  it('passes a stream on while it comes, and settles it by its last usage, or at its bound without one', async () => {
    const step = latch();
    const door = await open(
      { allow: ['*'], bounds: BOUNDS, budgets: [budget('tokens', 2_000)] },
      (_, response, body) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"choices":[]}\n\n');
        const usage = body.includes('"mute"')
          ? ''
          : `data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\n`;
        void step.opened.then(() => response.end(`${usage}data: [DONE]\n\n`));
      },
    );
    const answered = await door.ask(chat({ stream: true }));
    const reader = (answered.body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('data: {"choices":[]}\n\n');
    step.open();
    const rest: Uint8Array[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) rest.push(next.value);
    expect(Buffer.concat(rest).toString()).toContain('"total_tokens":10');
    expect(door.gate.summary).toMatchObject({ done: 1, spent: [['tokens', 10]] });
    await (await door.ask(chat({ model: 'mute', stream: true }))).text();
    const bytes = Buffer.byteLength(JSON.stringify(door.asked[1]?.body));
    expect(door.gate.summary).toMatchObject({ done: 2, spent: [['tokens', 10 + bytes + 10]] });
  });

  it.each([
    ['calls', {}],
    ['tokens', {}],
    ['tokens', { window: '1h' }],
  ] as const)('lets 20 of 50 requests at once through, for a budget of %s %o', async (unit, more) => {
    const wait = latch();
    // Each request is held at 100 tokens.
    const bounds = [{ tool: 'model/*', unit: 'tokens', max: 100_000, at: '/n', times: 100 }];
    const door = await open(
      { allow: ['*'], bounds, budgets: [budget(unit, unit === 'calls' ? 20 : 2_000, more)] },
      (...asked) => void wait.opened.then(() => complete(...asked)),
    );
    let refused = 0;
    const ask = async (): Promise<number> => {
      const { status } = await door.ask(chat({ max_tokens: 1 }));
      refused += Number(status !== 200);
      if (refused === 30) wait.open();
      return status;
    };
    const statuses = await Promise.all(Array.from({ length: 50 }, ask));
    expect(door.asked).toHaveLength(20);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === ('window' in more ? 429 : 402))).toHaveLength(30);
  });

  it('says why a request gets no completion, and asks no model', async () => {
    const window = { window: '1h' };
    const door = await open({
      ...{ allow: ['model/small', 'model/rare', 'model/once'], ask: ['model/asked'], bounds: BOUNDS },
      budgets: [
        { id: 'rare', tool: 'model/rare', max: 0 },
        { id: 'once', tool: 'model/once', max: 1, ...window },
      ],
    });
    expect((await door.ask(chat({ model: 'once' }))).status).toBe(200);
    const late = await door.ask(chat({ model: 'once' }));
    expect([late.status, Number(late.headers.get('retry-after')) > 3_500]).toEqual([429, true]);
    for (const [body, status, told] of [
      ['{"model":', 400, 'not_json'],
      ['[]', 400, 'not_json'],
      [`${'['.repeat(100_000)}`, 400, 'not_json'],
      [chat({ model: '' }), 400, 'model'],
      [chat({ n: 0 }), 400, 'n'],
      [chat({ max_tokens: 1.5 }), 400, 'max_tokens'],
      [chat({ max_completion_tokens: '9' }), 400, 'max_tokens'],
      [chat({ web_search_options: {} }), 400, 'not_metered'],
      [chat({ modalities: ['text', 'audio'] }), 400, 'not_metered'],
      [chat({ tools: [{ type: 'web_search' }] }), 400, 'not_metered'],
      [chat({ messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }), 400, 'not_metered'],
      [chat({ model: 'large' }), 403, 'no_rule'],
      [chat({ model: 'rare' }), 413, 'budget'],
      [chat({ max_tokens: 2_000 }), 413, 'bound'],
      [chat({ n: 128 }), 413, 'bound'],
      [chat({ model: 'asked' }), 409, 'pending'],
      ['x'.repeat(4_194_305), 413, 'too_large'],
    ] as const) {
      const answered = await door.ask(body);
      expect([answered.status, await code(answered)], JSON.stringify(body).slice(0, 80)).toEqual([
        status,
        told,
      ]);
    }
    expect(door.asked).toHaveLength(1);
    const [{ n } = { n: 0 }] = door.gate.waiting();
    await door.gate.answer(n, { approved: true, by: 'ada' });
    expect((await door.ask(chat({ model: 'asked' }))).status).toBe(200);
    expect(door.asked).toHaveLength(2);
  });

  it('charges nothing for what the model refuses or cannot be reached for, the bound for what was cut off', async () => {
    const policy = { allow: ['*'], bounds: BOUNDS, budgets: [budget('tokens', 10_000)] };
    const refusing = await open(
      policy,
      (_, response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
    );
    const refused = await refusing.ask(chat());
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
    expect(refusing.gate.summary).toMatchObject({ failed: 1, spent: [['tokens', 0]] });

    const broken = await open(policy, (_, response) => void response.destroy());
    expect((await broken.ask(chat())).status).toBe(502);
    const bound = (door: Door): number => Buffer.byteLength(JSON.stringify(door.asked[0]?.body)) + 10;
    expect(broken.gate.summary).toMatchObject({ failed: 1, spent: [['tokens', bound(broken)]] });

    const slow = await open(policy, () => undefined);
    const leave = new AbortController();
    const asking = slow.ask(chat(), { signal: leave.signal });
    await until(() => expect(slow.asked).toHaveLength(1));
    leave.abort();
    await expect(asking).rejects.toThrow('aborted');
    await until(() => expect(slow.gate.summary).toMatchObject({ failed: 1 }));
    expect(slow.gate.summary).toMatchObject({ spent: [['tokens', bound(slow)]] });

    const closed = await open(policy, () => undefined);
    const cut = closed.ask(chat());
    await until(() => expect(closed.asked).toHaveLength(1));
    await Promise.all([closed.close(), expect(cut).rejects.toThrow('fetch failed')]);
    expect(closed.gate.summary).toMatchObject({ failed: 1, spent: [['tokens', bound(closed)]] });
  });

  it('stores twice a completion, and asks no model where the decision cannot be stored', async () => {
    const store = memoryStore();
    let isFull = false;
    let appends = 0;
    const full: Store = {
      ...store,
      append: async (...given) => {
        appends += 1;
        return isFull ? err({ code: 'unavailable', errno: 'ENOSPC' } as never) : store.append(...given);
      },
    };
    const door = await open({ allow: ['*'] }, complete, full);
    const before = appends;
    await (await door.ask(chat())).text();
    expect(appends - before).toBe(2);
    isFull = true;
    const answered = await door.ask(chat());
    expect([answered.status, await code(answered), door.asked.length]).toEqual([503, 'store', 1]);
  });

  it('lets in who shows a token, and lists the models that a rule could let through', async () => {
    const door = await open(
      { allow: ['model/small'] },
      (_, response) =>
        void response.end(JSON.stringify({ object: 'list', data: [{ id: 'small' }, { id: 'large' }] })),
    );
    for (const token of ['', 'x', 'bob-0123456789abcdef']) {
      const headers = { authorization: `Bearer ${token}` };
      const answered = await door.ask(chat(), { headers });
      expect([answered.status, await code(answered)]).toEqual([401, 'token']);
    }
    const headers = { authorization: `Bearer ${TOKEN}` };
    const listed = await fetch(`${door.url}/models`, { headers });
    expect(await listed.json()).toEqual({ object: 'list', data: [{ id: 'small' }] });
    expect((await fetch(`${door.url}/embeddings`, { method: 'POST', headers })).status).toBe(404);
    expect((await fetch(`${door.url}/chat/completions`, { headers })).status).toBe(405);
    expect(door.gate.summary).toMatchObject({ calls: 0 });
  });
});
