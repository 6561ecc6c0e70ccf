/**
 * Tools and resources of real servers as ports: round trips with the official SDK, and what stands in the
 * record.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { hashCanonical, isDigest, ok, orThrow, type Json, type JsonObject } from '@assay/kernel';
import { memoryStore } from '@assay/host';
import { mcpResourcePort, mcpToolPort, recordedPin } from '@assay/mcp';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { honest } from './tools/honest-server.mjs';
import { command, ran } from './tools/driving.ts';

const HONEST = command('honest-server.mjs');
const toText = ({ text }: { readonly text: string }) => ok<Json>({ text });
const of = (proposal: JsonObject | undefined): JsonObject => (proposal?.['provenance'] ?? {}) as JsonObject;

describe('a tool of a server of the official SDK, on stdio', () => {
  test('proposes its structured content as source tool, with server, version and schema hash', async () => {
    const { end, proposals, errors } = await ran(
      mcpToolPort({ place: HONEST, label: 'lib', tool: 'lookup', now: () => 5 }),
      { questions: ['why?', 'how?'] },
    );
    expect([end, errors, proposals.map(({ value }) => value)]).toEqual([
      'success',
      [],
      [{ text: 're: why?' }, { text: 're: how?' }],
    ]);
    expect(proposals[0]).toMatchObject({
      source: 'tool',
      proposer: 'mcp:lib/lookup',
      at_us: 5_000,
      failure: null,
    });
    const provenance = of(proposals[0]);
    expect(provenance).toMatchObject({
      transport: 'stdio',
      endpoint: null,
      tool: 'lookup',
      server: { name: 'honest', version: '1.2.3' },
      is_error: false,
      strays: 0,
    });
    expect([
      isDigest(provenance['schema_hash']),
      isDigest(provenance['sent_hash']),
      isDigest(provenance['raw_response_hash']),
    ]).toEqual([true, true, true]);
    expect(provenance['sent_hash']).toBe(orThrow(hashCanonical({ question: 'why?' })));
    expect(of(proposals[1])['schema_hash']).toBe(provenance['schema_hash']);
    // No command, no path and no argument of it stands in a record.
    expect(JSON.stringify(proposals)).not.toContain('honest-server.mjs');
  });

  test('the idempotency key goes with the call, hashed', async () => {
    const { proposals } = await ran(mcpToolPort({ place: HONEST, label: 'lib', tool: 'lookup' }), {
      questions: ['key?'],
    });
    expect(proposals[0]?.['value']).toEqual({ text: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test('reads its text if it has no structured content; a request it cannot take is a final failure', async () => {
    const { proposals } = await ran(mcpToolPort({ place: HONEST, label: 'lib', tool: 'env', read: toText }), {
      questions: ['name?'],
    });
    expect(proposals[0]?.['value']).toEqual({ text: 'nothing' });
    const none = await ran(mcpToolPort({ place: HONEST, label: 'lib', tool: 'env', arguments: () => null }), {
      attempts: 3,
    });
    expect([none.end, none.proposals.map(({ failure }) => failure)]).toEqual([
      'refused',
      [{ code: 'unavailable', final: true, detail: { code: 'no_question', kind: 'lookup' } }],
    ]);
  });

  test.each([
    ['reserved-key', { code: 'reserved_key' }],
    ['not-a-number', { code: 'not_a_message', strays: 1, text: expect.stringContaining('NaN') }],
    ['null-result', { code: 'not_a_message', strays: 1, text: expect.stringContaining('"result":null') }],
    ['byte-order-mark', { code: 'not_a_message', strays: 1 }],
    ['pretty', { code: 'not_a_message', strays: 1, text: '{' }],
    ['unknown-block', { code: 'content_block', path: '/content/0', text: 'smell' }],
    ['other-protocol', { code: 'protocol_version', text: '2099-01-01' }],
  ])('an answer that cannot be recorded whole is malformed, and named: %s', async (mode, detail) => {
    const place = command('hostile-server.mjs', mode);
    const { proposals } = await ran(mcpToolPort({ place, label: 'lib', tool: 'lookup' }));
    expect(proposals[0]).toMatchObject({ value: null, failure: { code: 'malformed', detail } });
  });

  test('a text that is JSON is offered read beside the text', async () => {
    const read = ({ json, text }: { readonly json: Json; readonly text: string }) => ok<Json>({ json, text });
    const { proposals } = await ran(mcpToolPort({ place: HONEST, label: 'lib', tool: 'json', read }));
    expect(proposals[0]?.['value']).toEqual({ json: { celsius: 21 }, text: '{"celsius":21}' });
  });

  test('an error of the tool is tried again and recorded with its words', async () => {
    const { proposals } = await ran(mcpToolPort({ place: HONEST, label: 'lib', tool: 'fails' }), {
      attempts: 2,
    });
    expect(proposals.map(({ failure }) => failure)).toEqual(
      [1, 2].map(() => ({
        code: 'unavailable',
        final: false,
        detail: { code: 'tool_error', text: 'out of order' },
      })),
    );
  });

  test('arguments that the tool does not take, and a tool that is not there', async () => {
    const bad = await ran(
      mcpToolPort({ place: HONEST, label: 'lib', tool: 'lookup', arguments: () => ({ other: 1 }) }),
    );
    expect(bad.proposals[0]?.['failure']).toMatchObject({
      code: 'unavailable',
      detail: { code: 'tool_error' },
    });
    const none = await ran(mcpToolPort({ place: HONEST, label: 'lib', tool: 'nothing' }), { attempts: 3 });
    expect(none.proposals.map(({ failure }) => failure)).toEqual([
      { code: 'unavailable', final: true, detail: { code: 'no_such_tool' } },
    ]);
  });

  test('the environment of this process is not passed on, but for what is named', async () => {
    process.env['ASSAY_TEST_UNNAMED'] = 'unnamed';
    const { proposals } = await ran(
      mcpToolPort({ place: { ...HONEST, env: { NAMED: 'short' } }, label: 'lib', tool: 'env', read: toText }),
      { questions: ['ASSAY_TEST_UNNAMED', 'NAMED'] },
    );
    expect(proposals.map(({ value }) => value)).toEqual([{ text: 'undefined' }, { text: 'short' }]);
  });
});

test('a resource is read as a tool is called; one that is not there is a failure', async () => {
  const { proposals } = await ran(
    mcpResourcePort({ place: HONEST, label: 'lib', uri: () => 'notes://all', read: toText }),
  );
  expect(proposals[0]).toMatchObject({
    source: 'tool',
    proposer: 'mcp:lib',
    value: { text: 'a note' },
    provenance: { resource: 'notes://all', server: { name: 'honest' } },
  });
  const none = await ran(
    mcpResourcePort({ place: HONEST, label: 'lib', uri: () => 'notes://none', read: toText }),
    { attempts: 2 },
  );
  expect(none.proposals.map(({ failure }) => failure)).toEqual([
    { code: 'unavailable', final: true, detail: { class: 'permanent' } },
  ]);
});

test('the pin of a run is read back from its ledger, and holds in the next process', async () => {
  const store = memoryStore();
  await ran(mcpToolPort({ place: HONEST, label: 'lib', tool: 'lookup' }), { store });
  const pin = await recordedPin(store, 'run', 'mcp:lib/lookup');
  expect(pin).toEqual({
    schemaHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    server: { name: 'honest', version: '1.2.3' },
  });
  expect(await recordedPin(store, 'run', 'mcp:lib/other')).toBeNull();
  expect((await ran(mcpToolPort({ place: HONEST, label: 'lib', tool: 'lookup', pin }))).end).toBe('success');
});

test('names that cannot stand in a record, and addresses with a password, are refused where the port is made', () => {
  expect(() => mcpToolPort({ place: HONEST, label: 'my lib', tool: 'lookup' })).toThrow(RangeError);
  expect(() =>
    mcpToolPort({ place: { url: 'http://me:secret@127.0.0.1/mcp' }, label: 'lib', tool: 'lookup' }),
  ).toThrow(TypeError);
  expect(() => mcpToolPort({ place: { url: 'file:///etc/passwd' }, label: 'lib', tool: 'lookup' })).toThrow(
    TypeError,
  );
});

describe.skipIf(!hasLoopback)('over HTTP', () => {
  let http: Server;
  let url = '';
  let how: 'json' | 'sse' = 'sse';
  const seen: string[] = [];
  beforeAll(async () => {
    http = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization ?? ''}`);
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: how === 'json' });
      void honest()
        .connect(transport as Transport)
        .then(() => transport.handleRequest(request, response));
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  });
  afterAll(() => {
    http.closeAllConnections();
    http.close();
  });

  test.each(['json', 'sse'] as const)('a server of the official SDK that answers as %s', async (form) => {
    how = form;
    const { end, proposals, errors } = await ran(
      mcpToolPort({
        place: { url: `${url}?token=abcdefgh12345678`, headers: { authorization: 'Bearer a-key-of-ours' } },
        label: 'web',
        tool: 'lookup',
      }),
    );
    expect([end, errors, proposals[0]?.['value']]).toEqual(['success', [], { text: 're: why?' }]);
    expect(of(proposals[0])).toMatchObject({
      transport: 'http',
      endpoint: url,
      protocol: expect.stringMatching(/^20\d\d-/),
    });
    expect(seen.every((line) => line === 'POST Bearer a-key-of-ours')).toBe(true);
    expect(JSON.stringify(proposals)).not.toMatch(/a-key-of-ours|abcdefgh12345678/);
  });
});
