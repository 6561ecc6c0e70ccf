/**
 * Where a gated server is reached: on standard input and output by one client, or over HTTP by several, of which each
 * session has a server of its own and all share one gate. Source: gate/G17.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Gate } from '@assay/gate';
import type { Result } from '@assay/kernel';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ChildTransport, type McpPlace } from '../client/child.js';
import { refuse, type Listening, type ListenError } from '../server/http.js';
import { MESSAGE_BYTES_MAX } from '../server/desk.js';
import { LineTransport } from '../server/stdio.js';
import { serveCallers, type Place } from './callers.js';
import { relay } from './relay.js';

/** A gate, the server behind it, and how long a call waits for a person where the client cannot ask one. */
export type DoorOptions = {
  readonly gate: Gate;
  readonly server: McpPlace;
  readonly holdMs: number;
  readonly onError: (error: unknown) => void;
};

/** Serves one client on streams until it or the server closes, or the signal is aborted. */
export async function relayStdio(
  options: DoorOptions & { readonly principal: string },
  streams: { readonly stdin: Readable; readonly stdout: Writable; readonly signal: AbortSignal },
): Promise<void> {
  const { stdin, stdout, signal } = streams;
  const client = new LineTransport(stdin, stdout);
  const close = (): void => void client.close();
  stdin.once('end', close).once('close', close);
  stdout.once('error', close);
  signal.addEventListener('abort', close, { once: true });
  await relay(client, connectTo(options), options);
}

const PATH = '/mcp';
const SESSIONS_MAX = 200;
const IDLE_MS = 3_600_000;

type Session = {
  readonly principal: string;
  readonly transport: StreamableHTTPServerTransport;
  usedAt: number;
};

/**
 * Serves over HTTP until it is closed. At most 200 sessions; one that is idle for an hour is closed. Errors: `token`,
 * `listen`.
 */
export async function relayHttp(options: DoorOptions, place: Place): Promise<Result<ListenError, Listening>> {
  const sessions = new Map<string, Session>();
  const relays = new Set<Promise<void>>();

  const begin = async (principal: string): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MESSAGE_BYTES_MAX,
      onsessioninitialized: (id) => void sessions.set(id, { principal, transport, usedAt: Date.now() }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    let start = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const server = connectTo(options, () => start());
    const ended = relay(transport, server, { ...options, principal });
    const done: Promise<void> = ended.catch(options.onError).finally(() => {
      relays.delete(done);
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    });
    relays.add(done);
    await Promise.race([started, ended]);
    return transport;
  };
  const idle = setInterval(() => {
    for (const { transport, usedAt } of sessions.values())
      if (Date.now() - usedAt > IDLE_MS) void transport.close();
  }, IDLE_MS / 60).unref();
  return serveCallers(place, {
    path: PATH,
    routes: { [PATH]: ['GET', 'POST', 'DELETE'] },
    answer: async (request, response, principal) => {
      const id = request.headers['mcp-session-id'];
      const session = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && session?.principal !== principal)
        return refuse(response, { status: 404, code: 'session' });
      if (session === undefined && sessions.size >= SESSIONS_MAX)
        return refuse(response, { status: 503, code: 'sessions' });
      if (session !== undefined) session.usedAt = Date.now();
      const transport = session?.transport ?? (await begin(principal));
      await transport.handleRequest(request, response);
      // A first request that begins no session ends what was started for it.
      if (transport.sessionId === undefined) await transport.close();
    },
    settle: async () => {
      clearInterval(idle);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
      await Promise.all(relays);
    },
    onError: options.onError,
  });
}

/** The transport to a server. What it says beside messages is told. `onStart`: once it can be written to. */
function connectTo({ server, onError }: DoorOptions, onStart: () => void = () => undefined): Transport {
  const transport =
    'url' in server
      ? (new StreamableHTTPClientTransport(new URL(server.url), {
          requestInit: { headers: { ...server.headers } },
        }) as Transport)
      : new ChildTransport(server, MESSAGE_BYTES_MAX, {
          tooLarge: () =>
            fail(new RangeError(`the server sent a message of more than ${MESSAGE_BYTES_MAX} bytes`)),
          unreadable: (fault) => fail(new Error(`the server sent a message with a ${fault}`)),
          stray: (line) =>
            onError(new Error(`the server wrote a line that is no message: ${line.slice(0, 200)}`)),
        });
  const fail = (error: Error): void => {
    onError(error);
    void transport.close();
  };
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    onStart();
  };
  return transport;
}
