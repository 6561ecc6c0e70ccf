import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { memoryStore, type Store } from '@assay/host';
import { openGate, type Gate, type GateOptions } from '@assay/gate';
import { relayHttp } from '../src/relay/doors.ts';
import { relay } from '../src/relay/relay.ts';

const INITIALIZE = (capabilities: object = {}): JSONRPCMessage => ({
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'tester', version: '1' } },
});
const call = (id: number, name: string, more: Record<string, unknown> = {}): JSONRPCMessage => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { to: 'a' }, ...more } },
});
const result = (id: number | string, given: Record<string, unknown> = {}): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  result: given,
});
const settle = (until: () => unknown): Promise<void> =>
  vi.waitFor(() => {
    expect(until()).toBeTruthy();
  }, 30_000);

/** Both ends of a connection, with what each received. */
type Ends = {
  readonly client: InMemoryTransport;
  readonly server: InMemoryTransport;
  readonly atClient: JSONRPCMessage[];
  readonly atServer: JSONRPCMessage[];
};

async function listen(client: InMemoryTransport, server: InMemoryTransport): Promise<Ends> {
  const ends: Ends = { client, server, atClient: [], atServer: [] };
  const keep = (at: JSONRPCMessage[]) => ({ onmessage: (message: JSONRPCMessage) => void at.push(message) });
  Object.assign(client, keep(ends.atClient));
  Object.assign(server, keep(ends.atServer));
  await client.start();
  await server.start();
  return ends;
}

type Relayed = Ends & { readonly gate: Gate; readonly store: Store; readonly closed: Promise<void> };

async function through(policy: object, more: Partial<GateOptions> = {}, holdMs = 0): Promise<Relayed> {
  const store = memoryStore();
  const gate = await openGate({ policy: { gate: 1, ...policy } as never, store, run: 'r', ...more });
  const [client, front] = InMemoryTransport.createLinkedPair();
  const [back, server] = InMemoryTransport.createLinkedPair();
  const ends = await listen(client, server);
  const closed = relay(front, back, { gate, principal: 'bot', holdMs, onError: () => undefined });
  return { ...ends, gate, store, closed };
}

/** What a client and a server say to each other, in order; each is sent once the last one arrived. */
const TALK: readonly (readonly ['client' | 'server', JSONRPCMessage])[] = [
  ['client', INITIALIZE({ roots: {}, sampling: {}, elicitation: {} })],
  [
    'server',
    result(0, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's' } }),
  ],
  ['client', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  ['client', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
  [
    'server',
    result(1, { tools: [{ name: 'a', inputSchema: {} }, { name: 'b' }], nextCursor: 'x', _meta: { y: 1 } }),
  ],
  ['client', { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: 'x' } }],
  ['server', result(2, { tools: [] })],
  [
    'client',
    call(3, 'a', { _meta: { progressToken: 'p' }, arguments: { deep: [1, 2.5, null, { k: 'ö' }] } }),
  ],
  [
    'server',
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
  ],
  ['server', { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }],
  [
    'server',
    result(3, { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }], structuredContent: {} }),
  ],
  ['client', call(4, 'b')],
  ['server', { jsonrpc: '2.0', id: 4, error: { code: -32_602, message: 'no', data: { a: 1 } } }],
  ['client', call(5, 'b')],
  ['server', result(5, { content: [], isError: true })],
  ['client', { jsonrpc: '2.0', id: 'six', method: 'resources/list' }],
  ['server', result('six', { resources: [], nextCursor: 'n' })],
  ['client', { jsonrpc: '2.0', id: 7, method: 'resources/read', params: { uri: 'mem://r' } }],
  ['server', result(7, { contents: [{ uri: 'mem://r', blob: 'AA==' }] })],
  ['client', { jsonrpc: '2.0', id: 8, method: 'prompts/get', params: { name: 'p' } }],
  ['server', { jsonrpc: '2.0', id: 8, error: { code: -32_601, message: 'Method not found' } }],
  [
    'server',
    { jsonrpc: '2.0', id: 0, method: 'sampling/createMessage', params: { messages: [], maxTokens: 9 } },
  ],
  ['client', result(0, { role: 'assistant', model: 'm', content: { type: 'text', text: 't' } })],
  [
    'server',
    { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'm', requestedSchema: {} } },
  ],
  ['client', result(1, { action: 'accept', content: { name: 'n' } })],
  ['server', { jsonrpc: '2.0', id: 2, method: 'roots/list' }],
  ['client', { jsonrpc: '2.0', id: 2, error: { code: -32_603, message: 'none' } }],
  ['server', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }],
  ['client', { jsonrpc: '2.0', id: 9, method: 'logging/setLevel', params: { level: 'debug' } }],
  ['client', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9, reason: 'r' } }],
  ['client', { jsonrpc: '2.0', id: 10, method: 'vendor/unknown', params: { any: ['thing'] } }],
  ['server', result(10, {})],
  ['client', { jsonrpc: '2.0', id: 11, method: 'ping' }],
  ['server', result(11)],
  ['server', { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'mem://r' } }],
];

async function talk(ends: Ends): Promise<readonly JSONRPCMessage[]> {
  const heard: JSONRPCMessage[] = [];
  for (const [from, message] of TALK) {
    const at = from === 'client' ? ends.atServer : ends.atClient;
    const before = at.length;
    await ends[from].send(message);
    await settle(() => at.length > before);
    heard.push(...at.slice(before));
  }
  return heard;
}

describe('a relay', () => {
  it('gate/a-relay-that-allows-all-changes-no-message', async () => {
    const plain = await talk(await listen(...InMemoryTransport.createLinkedPair()));
    const relayed = await talk(await through({ allow: ['*'] }));
    expect(plain).toHaveLength(TALK.length);
    expect(JSON.stringify(relayed)).toBe(JSON.stringify(plain));
  });

  it('passes on no call that is refused, no call without an id, and offers no tool that no rule lets through', async () => {
    const { client, server, atClient, atServer, gate } = await through({
      allow: ['read', 'write(path: a/**)'],
      deny: ['wipe'],
    });
    await client.send(call(1, 'wipe'));
    await server.send(result(1, { content: [] }));
    await client.send({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'read' } });
    await client.send(call(2, 'write', { arguments: { path: 'b' } }));
    await client.send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { arguments: {} } });
    await settle(() => atClient.length === 3);
    expect(atServer).toEqual([]);
    expect(atClient[0]).toMatchObject({ error: { code: -32_602 } });
    expect(atClient.slice(1)).toMatchObject([
      {
        id: 1,
        result: { isError: true, _meta: { 'assay/gate': { code: 'rule', rules: ['deny wipe'], call: 1 } } },
      },
      { id: 2, result: { isError: true, _meta: { 'assay/gate': { code: 'no_rule', would: 'meet' } } } },
    ]);
    await client.send({ jsonrpc: '2.0', id: 4, method: 'tools/list' });
    const tools = ['read', 'write', 'wipe', 'other'].map((name) => ({ name }));
    await server.send(result(4, { tools }));
    await settle(() => atClient.length === 4);
    expect(atClient[3]).toEqual(result(4, { tools: [{ name: 'read' }, { name: 'write' }] }));
    expect(gate.summary).toMatchObject({ calls: 2, denied: 2 });
  });

  it('asks the person at the client, who may decline', async () => {
    const { client, server, atClient, atServer, gate } = await through({ ask: ['send'] });
    await client.send(INITIALIZE({ elicitation: {} }));
    for (const [id, approve] of [
      [1, true],
      [2, false],
    ] as const) {
      await client.send(call(id, 'send', { arguments: { id } }));
      await settle(() => 'method' in (atClient.at(-1) ?? {}));
      const asked = atClient.at(-1) as unknown as {
        readonly id: string;
        readonly params: { readonly message: string };
      };
      expect(asked.params.message).toContain('Allow send?');
      await client.send(result(asked.id, { action: 'accept', content: { approve } }));
      if (approve) {
        await settle(() => atServer.length === 2);
        await server.send(result(1, { content: [] }));
      }
      await settle(() => 'result' in (atClient.at(-1) ?? {}));
    }
    expect(atClient.at(-1)).toMatchObject({
      id: 2,
      result: { _meta: { 'assay/gate': { code: 'declined' } } },
    });
    expect(gate.summary).toMatchObject({ asked: 2, done: 1, declined: 1 });
  });

  it('holds a call for a person elsewhere; the same call again continues it', async () => {
    const { client, server, atClient, atServer, gate } = await through({ ask: ['send'] });
    await client.send(call(1, 'send'));
    await settle(() => atClient.length === 1);
    expect(atClient[0]).toMatchObject({ result: { _meta: { 'assay/gate': { code: 'pending', call: 1 } } } });
    await gate.answer(1, { approved: true, by: 'ada' });
    await client.send(call(2, 'send'));
    await settle(() => atServer.length === 1);
    await server.send(result(2, { content: [] }));
    await settle(() => atClient.length === 2);
    expect(gate.summary).toMatchObject({ calls: 1, done: 1 });
  });

  it('takes a call that is cancelled, or whose server goes away, for lost', async () => {
    const { client, server, atClient, atServer, gate, closed } = await through({ allow: ['*'] });
    await client.send(call(1, 'a'));
    await client.send(call(2, 'b'));
    await settle(() => atServer.length === 2);
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await settle(() => atServer.length === 3);
    await server.close();
    await closed;
    expect(atClient.map((message) => 'id' in message && message.id)).toEqual([2]);
    expect(gate.summary).toMatchObject({ calls: 2, failed: 2, done: 0 });
  });

  it.each([
    ['calls', { max: 20 }],
    ['tokens, of which a call may cost 100', { unit: 'tokens', max: 2_000 }],
    ['calls in an hour', { max: 20, window: '1h' }],
  ])('lets 20 of 50 calls at once through, for a budget of %s', async (_, budget) => {
    const bounds = [{ tool: '*', unit: 'tokens', max: 100 }];
    const { client, server, atClient, gate } = await through({ allow: ['*'], bounds, budgets: [budget] });
    Object.assign(server, {
      onmessage: (message: { readonly id: number }) => void server.send(result(message.id, { content: [] })),
    });
    await Promise.all(Array.from({ length: 50 }, (_, id) => client.send(call(id, 'a'))));
    await settle(() => atClient.length === 50);
    expect(atClient.filter((one) => 'result' in one && one.result['isError'] === undefined)).toHaveLength(20);
    expect(gate.summary).toMatchObject({ allowed: 20, denied: 30 });
  });

  it('passes on one of two calls that have one id', async () => {
    const slow = await through({ allow: ['*'] });
    await slow.client.send(call(1, 'a'));
    await slow.client.send(call(1, 'b'));
    await settle(() => slow.atClient.length === 1 && slow.atServer.length === 1);
    expect(slow.atClient[0]).toMatchObject({ id: 1, error: { code: -32_600 } });
    expect(slow.atServer).toHaveLength(1);
  });
});

describe('a relay over HTTP', () => {
  it('gives each token a principal and each session a server of its own, behind one gate', async () => {
    const [ada, bob] = ['ada-0123456789abcdef', 'bob-0123456789abcdef'];
    const gate = await openGate({
      ...{ policy: { gate: 1, allow: ['*'], budgets: [{ max: 3 }] }, store: memoryStore(), run: 'r' },
    });
    const server = {
      command: process.execPath,
      args: [fileURLToPath(new URL('tools/honest-server.mjs', import.meta.url))],
    };
    const tokens = new Map([
      [ada, 'ada'],
      [bob, 'bob'],
    ]);
    const listening = await relayHttp(
      { gate, server, holdMs: 0, onError: () => undefined },
      { host: '127.0.0.1', port: 0, tokens },
    );
    if (listening._tag === 'Left') throw new Error(listening.left.code);
    const { url, close } = listening.right;
    const connect = async (token: string, session?: string): Promise<Client> => {
      const client = new Client({ name: 'tester', version: '1' });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      const options = session === undefined ? { requestInit } : { requestInit, sessionId: session };
      const transport = new StreamableHTTPClientTransport(new URL(url), options);
      await client.connect(transport as never);
      return client;
    };
    await expect(connect('eve-0123456789abcdef')).rejects.toThrow('token');
    const clients = await Promise.all([connect(ada), connect(bob)]);
    const [tool] = (await clients[0].listTools()).tools;
    const call = (client: Client): Promise<unknown> =>
      client.callTool({ name: tool?.name ?? '', arguments: {} });
    for (const client of [...clients, ...clients]) await call(client);
    expect(gate.summary).toMatchObject({ calls: 4, denied: 1 });
    const { sessionId = '' } = clients[0].transport ?? {};
    const post = (headers: Record<string, string>): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bob}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    expect((await post({ 'mcp-session-id': sessionId })).status).toBe(404);
    // What begins no session leaves no server behind, which closing would wait for.
    expect((await post({})).status).toBe(400);
    await Promise.all(clients.map((client) => client.close()));
    await close();
  });
});
