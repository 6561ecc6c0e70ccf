/**
 * Servers that die, hang, flood and lie: each is a failure in the record by its class, soon, in bounded
 * memory, and no process is left.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Digest, JsonObject } from '@assay/kernel';
import { mcpResourcePort, mcpToolPort } from '../src/index.ts';
import type { McpToolOptions } from '../src/client/tool-port.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { command, ran } from './tools/driving.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let logs = 0;

/** A port to a server that behaves so, and what the server noted. */
function hostile(
  mode: string,
  given: Partial<McpToolOptions> = {},
): { readonly port: ReturnType<typeof mcpToolPort>; readonly noted: () => readonly string[] } {
  const log = join(folder, `${(logs += 1)}`);
  const place = { ...command('hostile-server.mjs', mode, log), env: { CANARY } };
  return {
    port: mcpToolPort({ place, label: 'bad', tool: 'lookup', ...given }),
    noted: () => readFileSync(log, 'utf8').trimEnd().split('\n'),
  };
}

const CANARY = 'mcp-canary-93c1e7a2';
/** A failure of a class. */
const failed = (code: string, of: string, final = false): JsonObject => ({
  code,
  final,
  detail: { class: of },
});
const AT_DEADLINE = { code: 'timeout', final: false, detail: { class: 'timeout', deadline: 'call' } };
/** An answer that was none. */
const malformed = (code: string): JsonObject => ({
  code: 'malformed',
  final: false,
  detail: { code, path: '', text: '' },
});
const failures = (proposals: readonly JsonObject[]): readonly unknown[] =>
  proposals.map(({ failure }) => failure);

/** Waits until a process has ended: killed ones take a moment. */
async function gone(notes: readonly string[]): Promise<void> {
  const pids = notes.filter((line) => line.startsWith('start')).map((line) => Number(line.slice(6)));
  expect(pids.length).toBeGreaterThan(0);
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  for (let tries = 0; pids.some(isAlive); tries += 1) {
    if (tries > 300) throw new Error(`left alive: ${pids.filter(isAlive).join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('on stdio', () => {
  test.each([
    ['dies', failed('unavailable', 'refused')],
    ['dies-early', failed('unavailable', 'refused')],
    ['rpc-error', failed('unavailable', 'permanent', true)],
    ['rpc-trouble', failed('unavailable', 'server_error')],
    ['rpc-own-code', failed('unavailable', 'server_error')],
    ['no-tools', failed('unavailable', 'permanent', true)],
    [
      'is-error',
      { code: 'unavailable', final: false, detail: { code: 'tool_error', text: 'no such thing' } },
    ],
    ['unstructured', malformed('no_structured_content')],
    [
      'wrong-structure',
      { code: 'malformed', final: false, detail: { code: 'output_schema', path: '/text', text: 'type' } },
    ],
    [
      'more-structure',
      {
        code: 'malformed',
        final: false,
        detail: { code: 'output_schema', path: '', text: 'additionalProperties' },
      },
    ],
    [
      'wrong-result',
      { code: 'malformed', final: false, detail: { code: 'protocol', path: '/content', text: '' } },
    ],
    ['twice', { code: 'malformed', final: true, detail: { code: 'tool_twice' } }],
    ['endless-list', { code: 'malformed', final: true, detail: { code: 'tool_list' } }],
    ['notification-flood', malformed('flood')],
    [
      'garbage-flood',
      {
        code: 'malformed',
        final: false,
        detail: { code: 'flood', path: '', text: 'this is no message', strays: expect.any(Number) },
      },
    ],
    ['one-endless-line', malformed('too_large')],
    ['fifty-megabytes', malformed('too_large')],
    ['dies-with-a-child', failed('unavailable', 'refused')],
    ['says-twice', malformed('duplicate_key')],
    ['too-deep', malformed('protocol')],
    ['echoes-secret', malformed('secret')],
  ])('a server that %s', async (mode, failure) => {
    const before = process.memoryUsage().rss;
    const { port, noted } = hostile(mode);
    const { end, proposals, text } = await ran(port, { deadlines: { call: 30_000 } });
    expect([end, failures(proposals)]).toEqual(['refused', [failure]]);
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain('secret words');
    expect(text.length).toBeLessThan(20_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000);
    await gone(noted());
  });

  test('no answer before the deadline is a timeout, and the process is killed', async () => {
    for (const mode of ['hangs', 'mute']) {
      const { port, noted } = hostile(mode);
      const { proposals } = await ran(port, { deadlines: { call: 2_000 } });
      expect(failures(proposals)).toEqual([AT_DEADLINE]);
      await gone(noted());
    }
  });

  test('its own limit of time is a timeout too', async () => {
    const { port, noted } = hostile('hangs', { timeoutMs: 300 });
    expect(failures((await ran(port)).proposals)).toEqual([failed('timeout', 'timeout')]);
    await gone(noted());
  });

  test('behind a shell the server is killed as well as the shell', async () => {
    const log = join(folder, 'wrapped');
    const { command: node, args = [] } = command('hostile-server.mjs', 'hangs', log);
    const place = { command: 'sh', args: ['-c', '"$0" "$@"; true', node, ...args] };
    const { proposals } = await ran(mcpToolPort({ place, label: 'bad', tool: 'lookup' }), {
      deadlines: { call: 3_000 },
    });
    expect(failures(proposals)).toEqual([AT_DEADLINE]);
    await gone(readFileSync(log, 'utf8').trimEnd().split('\n'));
  });

  test('what a server starts ends with it after an answer, and the caller can end', async () => {
    const log = join(folder, 'child');
    const place = command('hostile-server.mjs', 'leaves-a-child', log);
    const call = { kind: 'question', body: { question: 'why?' }, id: '1.0' };
    const script =
      `import { mcpToolPort } from '@assay/mcp';
      const port = mcpToolPort({ place: ${JSON.stringify(place)}, label: 'bad', tool: 'lookup' });
      console.log(JSON.stringify((await port.perform(${JSON.stringify(call)}, { key: 'k', signal: new ` +
      `AbortController().signal })).value));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      timeout: 60_000,
    });
    expect(stdout).toBe('{"text":"and a child"}\n');
    const notes = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(notes.filter((line) => line.startsWith('start'))).toHaveLength(2);
    await gone(notes);
  });

  test('abort ends the call, kills the process and records nothing', async () => {
    const { port, noted } = hostile('hangs');
    const controller = new AbortController();
    const running = ran(port, { signal: controller.signal });
    for (let tries = 0; tries < 600; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      try {
        if (noted().includes('call')) break;
      } catch {
        // It has not been started yet.
      }
    }
    controller.abort();
    const { end, proposals } = await running;
    expect([end, proposals]).toEqual(['interrupted', []]);
    await gone(noted());
  });

  test('one that stays after the end of its input is killed, and the answer does not wait for that', async () => {
    const { port, noted } = hostile('stays-alive');
    const { proposals } = await ran(port);
    expect(proposals[0]?.['value']).toEqual({ text: 'still here' });
    await gone(noted());
    expect(noted()).toContain('sigterm');
  });

  test('lines that are no messages before an answer are counted, and the answer is taken', async () => {
    const { proposals } = await ran(hostile('garbage').port);
    expect(proposals[0]).toMatchObject({ value: { text: 'after the banner' }, provenance: { strays: 2 } });
  });

  test('a command that is not there is a final failure', async () => {
    const { proposals } = await ran(
      mcpToolPort({ place: { command: join(folder, 'no-such-program') }, label: 'bad', tool: 'lookup' }),
      { attempts: 3 },
    );
    expect(failures(proposals)).toEqual([failed('unavailable', 'permanent', true)]);
  });
});

describe('what changes between two calls is noticed, and nothing is called', () => {
  test.each([
    ['other-schema', 'schema_changed'],
    ['other-name', 'server_changed'],
    ['other-version', 'server_changed'],
  ])('%s', async (mode, code) => {
    const { port, noted } = hostile(mode);
    const { end, proposals } = await ran(port, { questions: ['one', 'two'], attempts: 3 });
    expect([end, proposals[0]?.['value'], proposals[1]?.['failure']]).toEqual([
      'refused',
      { text: 'fine' },
      {
        code: 'denied',
        final: true,
        detail: expect.objectContaining({ code, pinned: expect.anything(), found: expect.anything() }),
      },
    ]);
    expect(noted().filter((line) => line === 'call')).toHaveLength(1);
  });

  test('a pin that does not fit: nothing is called at all', async () => {
    const { port, noted } = hostile('fine', { pin: { schemaHash: 'a'.repeat(64) as Digest, server: null } });
    const { proposals } = await ran(port, { attempts: 3 });
    expect(proposals.map(({ failure }) => failure)).toEqual([
      {
        code: 'denied',
        final: true,
        detail: {
          code: 'schema_changed',
          pinned: 'a'.repeat(64),
          found: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
    expect(noted()).not.toContain('call');
  });
});

describe.skipIf(!hasLoopback)('over HTTP', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** A server that is honest until a tool is called. */
  async function until(
    called: (response: ServerResponse, id: unknown) => void,
    answers: 'all' | 'call' = 'call',
  ): Promise<string> {
    const server = createServer((request, response) => {
      let text = '';
      request
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('end', () => {
          const { id, method } = (text === '' ? {} : JSON.parse(text)) as {
            readonly id?: unknown;
            readonly method?: string;
          };
          const result = (value: object): void =>
            void response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
          if (answers === 'all' || method === 'tools/call') called(response, id);
          else if (method === 'initialize')
            result({
              protocolVersion: '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: 'bad', version: '1' },
            });
          else if (method === 'tools/list')
            result({ tools: [{ name: 'lookup', inputSchema: { type: 'object' } }] });
          else response.writeHead(202).end();
        });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  const twice = (id: unknown): string =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"no ` +
    'secret words"}],"content":[{"type":"text","text":"secret words"}]}}';
  const SSE = { 'content-type': 'text/event-stream' };
  const endless = (response: ServerResponse, text: string): void => {
    const go = (): void => {
      while (!response.destroyed && response.write(text));
      if (!response.destroyed) response.once('drain', go);
    };
    go();
  };
  const inPieces = (response: ServerResponse, [first, ...rest]: readonly string[]): void => {
    if (first === undefined) return void response.end();
    response.write(first);
    setTimeout(() => inPieces(response, rest), 50);
  };
  test.each<[string, (response: ServerResponse, id: unknown) => void, unknown]>([
    [
      'a status of trouble',
      (response) => void response.writeHead(503).end('secret words'),
      failed('unavailable', 'server_error'),
    ],
    [
      'a refusal to let in',
      (response) => void response.writeHead(401).end('secret words'),
      failed('denied', 'denied', true),
    ],
    [
      'too many calls',
      (response) => void response.writeHead(429).end(),
      failed('unavailable', 'rate_limited'),
    ],
    [
      'a redirect elsewhere',
      (response) => void response.writeHead(307, { location: 'http://192.0.2.1/mcp' }).end(),
      failed('unavailable', 'permanent', true),
    ],
    [
      'a page',
      (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>secret words</p>'),
      malformed('protocol'),
    ],
    [
      'no JSON',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('secret words'),
      malformed('protocol'),
    ],
    [
      'JSON with a member twice',
      (response, id) => void response.writeHead(200, { 'content-type': 'application/json' }).end(twice(id)),
      malformed('duplicate_key'),
    ],
    [
      'a stream with a member twice',
      (response, id) => void response.writeHead(200, SSE).end(`event: message\ndata: ${twice(id)}\n\n`),
      malformed('duplicate_key'),
    ],
    [
      'a stream with a member twice, in two lines of data',
      (response, id) =>
        void response.writeHead(200, SSE).end(`data:${twice(id).replace(',', ',\rdata:')}\r\r`),
      malformed('duplicate_key'),
    ],
    [
      'a stream with a member twice, its type in odd case',
      (response, id) =>
        void response.writeHead(200, { 'content-type': 'Text/Event-Stream' }).end(`data: ${twice(id)}\n\n`),
      malformed('duplicate_key'),
    ],
    [
      'JSON with a member twice, a stream only by a parameter',
      (response, id) =>
        void response
          .writeHead(200, { 'content-type': 'application/json; x=text/event-stream' })
          .end(twice(id)),
      malformed('duplicate_key'),
    ],
    [
      'a stream with a member twice, a byte order mark spelled in letters before it',
      (response, id) => void response.writeHead(200, SSE).end(`\u00ef\u00bb\u00bfdata: ${twice(id)}\n\n`),
      malformed('duplicate_key'),
    ],
    [
      'a stream with a member twice, its line ends a byte at a time',
      (response, id) => inPieces(response.writeHead(200, SSE), [`data: ${twice(id)}\r`, '\n', '\n']),
      malformed('duplicate_key'),
    ],
    ['a cut connection', (response) => void response.destroy(), failed('unavailable', 'refused')],
    [
      'a stream that ends without an answer',
      (response) => void response.writeHead(200, SSE).end('event: message\ndata: no JSON\n\n'),
      failed('unavailable', 'refused'),
    ],
    [
      'a stream that asks to be asked again',
      (response) => void response.writeHead(200, SSE).end('id: 1\nretry: 10\ndata: \n\n'),
      failed('unavailable', 'refused'),
    ],
    [
      'a stream cut in the middle',
      (response) => {
        response.writeHead(200, SSE).write('event: message\ndata: {"jsonrpc"');
        setTimeout(() => response.destroy(), 100);
      },
      failed('unavailable', 'refused'),
    ],
    [
      'a flood of notifications',
      (response) =>
        endless(
          response.writeHead(200, SSE),
          'event: message\ndata: ' +
            '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n',
        ),
      malformed('flood'),
    ],
    [
      'an event without end',
      (response) => endless(response.writeHead(200, SSE), 'x'.repeat(65_536)),
      malformed('too_large'),
    ],
    [
      'JSON without end',
      (response) =>
        endless(response.writeHead(200, { 'content-type': 'application/json' }), 'x'.repeat(65_536)),
      malformed('too_large'),
    ],
  ])('%s', async (_, called, failure) => {
    const { proposals, text } = await ran(
      mcpToolPort({ place: { url: await until(called) }, label: 'web', tool: 'lookup' }),
      { deadlines: { call: 30_000 } },
    );
    expect(failures(proposals)).toEqual([failure]);
    expect(text).not.toContain('secret words');
  });

  test("silence is a timeout; nobody there is refused; both without a word of the address's parameters", async () => {
    const silent = await ran(
      mcpToolPort({ place: { url: await until(() => undefined, 'all') }, label: 'web', tool: 'lookup' }),
      { deadlines: { call: 1_000 } },
    );
    expect(failures(silent.proposals)).toEqual([AT_DEADLINE]);
    const url = await until(() => undefined);
    const [left] = servers.splice(-1);
    await new Promise((resolve) => left?.close(resolve));
    const nobody = await ran(
      mcpToolPort({ place: { url: `${url}?key=${CANARY}` }, label: 'web', tool: 'lookup' }),
    );
    expect(failures(nobody.proposals)).toEqual([failed('unavailable', 'refused')]);
    expect(nobody.text).not.toContain(CANARY);
  });

  test.each([301, 302, 303, 307, 308])(
    'a redirect %s on its own origin is not followed, and no header goes there',
    async (status) => {
      const asked: string[] = [];
      const url = await until((response) => {
        asked.push(`${response.req.url} ${response.req.headers.authorization}`);
        response.writeHead(status, { location: '/elsewhere' }).end();
      }, 'all');
      const { proposals } = await ran(
        mcpToolPort({
          place: { url, headers: { authorization: 'Bearer of-a-secret' } },
          label: 'web',
          tool: 'lookup',
        }),
      );
      expect(failures(proposals)).toEqual([failed('unavailable', 'permanent', true)]);
      expect(asked).toEqual(['/mcp Bearer of-a-secret']);
    },
  );

  test(
    'a secret of a header that stands in the address or in what is asked as well is masked ' +
      'in the record; in a name it is refused',
    async () => {
      const url = await until((response) => void response.writeHead(503).end());
      const place = { url: `${url}/${CANARY}?k=${CANARY}`, headers: { authorization: `Bearer ${CANARY}` } };
      for (const port of [
        mcpToolPort({ place, label: 'web', tool: 'lookup' }),
        mcpResourcePort({ place, label: 'web', uri: () => `test://${CANARY}/x` }),
      ]) {
        const { text, proposals } = await ran(port);
        expect([
          text.includes(CANARY.slice(0, 8)),
          (proposals[0]?.['provenance'] as JsonObject)['endpoint'],
        ]).toEqual([false, `${url}/***`]);
      }
      const named = (): unknown => mcpToolPort({ place, label: CANARY, tool: 'lookup' });
      expect(named).toThrow(
        new RangeError(
          'mcp: the label, or the name of the tool, holds a value of env or headers, and would stand in every record',
        ),
      );
    },
  );

  test('a secret of a header that comes back is withheld', async () => {
    const url = await until(
      (response, id) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            jsonrpc: '2.0',
            id,
            result: { content: [{ type: 'text', text: `you sent ${CANARY}` }] },
          }),
        ),
    );
    const { proposals, text } = await ran(
      mcpToolPort({
        place: { url, headers: { authorization: `Bearer ${CANARY}` } },
        label: 'web',
        tool: 'lookup',
      }),
    );
    expect(proposals[0]).toMatchObject({
      failure: { code: 'malformed', detail: { code: 'secret' } },
      provenance: { secret_withheld: true },
    });
    expect(text).not.toContain(CANARY);
  });
});
