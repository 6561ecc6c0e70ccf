/**
 * A server over streamable HTTP: without sessions, one answer for each POST, on this machine unless somebody
 * says otherwise; who is let in.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, isIPv4 } from 'node:net';
import { err, ok, type Result } from '@assay/kernel';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Desk, CONNECTIONS_MAX, MESSAGE_BYTES_MAX } from './desk.js';
import { Calls, connect, newServer, makeTools } from './server.js';

/**
 * Where to listen. `host`: 127.0.0.1 by default; another than this machine's own needs a `token`,
 * which clients then send as `Authorization: Bearer`. `port`: 0 takes a free one. With a token, it
 * is asked for on this machine too.
 */
export type HttpOptions = {
  readonly host?: string;
  readonly port: number;
  readonly token?: string;
};

/** A server that listens. `close` gives up what is under way, between two records. */
export type Listening = { readonly url: string; readonly close: () => Promise<void> };

/**
 * Why nothing listens. `token`: it is not of at least 16 visible ASCII characters, and the host is not this
 * machine's own, or one was given; `listen`: the system's refusal.
 */
export type ListenError = { readonly code: 'token' } | { readonly code: 'listen'; readonly errno: string };

/** Path of the endpoint. */
const HTTP_PATH = '/mcp';
/** Without sessions there is nothing to listen to and nothing to end. */
const ROUTES: Routes = { [HTTP_PATH]: ['POST'] };
/** Characters that a token has at least. */
const TOKEN_UNITS_MIN = 16;

/** Serves over HTTP until it is closed. Leaves the store open. */
export async function serveHttp(
  desk: Desk,
  { host = '127.0.0.1', port, token }: HttpOptions,
): Promise<Result<ListenError, Listening>> {
  if ((!isLoopback(host) || token !== undefined) && !isToken(token ?? '')) return err({ code: 'token' });
  const calls = new Calls();
  const tools = makeTools(desk);
  const gate: { current: Gate } = { current: { hosts: [], token: token ?? null } };
  const open = new Set<Transport>();
  const http = createServer({ requestTimeout: 60_000, headersTimeout: 10_000 }, (request, response) => {
    const refusal = findRefusal(request, gate.current, ROUTES);
    if (refusal !== null) refuse(response, refusal);
    else
      answer(request, response).catch((error: unknown) => {
        desk.onDefect?.(error);
        response.destroy();
      });
  });
  http.maxConnections = CONNECTIONS_MAX;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: MESSAGE_BYTES_MAX,
    });
    // The SDK's own types differ from its interface in what may be undefined.
    const plain = transport as Transport;
    open.add(plain);
    response.once('close', () => {
      open.delete(plain);
      // Whoever went away waits for nothing: the signals of what is under way are aborted.
      void transport.close();
    });
    await connect(newServer(desk, tools, calls), plain);
    await transport.handleRequest(request, response);
  };
  const listening = await listen(http, host, port);
  if (listening._tag === 'Left') return listening;
  gate.current = { ...gate.current, hosts: listHosts(host, listening.right) };
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => http.close(resolve));
    await Promise.all([...open].map((transport) => transport.close()));
    await calls.settled();
    http.closeAllConnections();
    await closed;
  };
  return ok({ url: makeUrl(host, listening.right, HTTP_PATH), close });
}

/** What a header can carry as one word: a line end in a variable of the environment would let nobody in. */
export function isToken(token: string): boolean {
  return token.length >= TOKEN_UNITS_MIN && /^[\x21-\x7e]+$/.test(token);
}

export function listen(http: HttpServer, host: string, port: number): Promise<Result<ListenError, number>> {
  return new Promise((resolve) => {
    http.once('error', (error: NodeJS.ErrnoException) =>
      resolve(err({ code: 'listen', errno: error.code ?? error.name })),
    );
    http.listen({ host, port }, () => resolve(ok((http.address() as AddressInfo).port)));
  });
}

export function makeUrl(host: string, port: number, path: string): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
}

/** Answers with a status and a JSON document, and ends the connection. `body`: of JSON-RPC where none is given. */
export function refuse(
  response: ServerResponse,
  { status, code, allow }: Refusal,
  body: object = { jsonrpc: '2.0', id: null, error: { code: -32_000, message: code } },
): void {
  const headers = {
    'content-type': 'application/json',
    connection: 'close',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(allow === undefined ? {} : { allow }),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/**
 * What a request must hold. `hosts`: one of these in `Host`, and in `Origin` where there is one; null for any
 * `Host` and no `Origin`, where a token is asked for that no page has. `token`: null where none is asked for.
 */
export type Gate = { readonly hosts: readonly string[] | null; readonly token: string | null };

/** The methods of each path. */
export type Routes = Readonly<Record<string, readonly string[]>>;

/** Why a request is not let in. `allow`: the methods of its path, where it has another. */
export type Refusal = { readonly status: number; readonly code: string; readonly allow?: string };

/** True for the addresses and the name of this machine itself. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/**
 * The values of `Host` under which a server may be asked; null for one that others reach, under names it does
 * not know.
 */
export function listHosts(host: string, port: number): readonly string[] | null {
  if (!isLoopback(host)) return null;
  const names = new Set([host.includes(':') ? `[${host}]` : host, '127.0.0.1', 'localhost', '[::1]']);
  return [...names].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);
}

/** Why a request is not let in; null where it is. In this order: host, origin, token, path, method. */
export function findRefusal(
  { headers, method = '', url = '' }: Pick<IncomingMessage, 'headers' | 'method' | 'url'>,
  { hosts, token }: Gate,
  routes: Routes,
): Refusal | null {
  if (hosts !== null && !hosts.includes((headers.host ?? '').toLowerCase()))
    return { status: 403, code: 'host' };
  const { origin } = headers;
  if (origin !== undefined && !(hosts ?? []).some((host) => origin.toLowerCase() === `http://${host}`))
    return { status: 403, code: 'origin' };
  if (token !== null && !isSame(parseBearer(headers.authorization), token))
    return { status: 401, code: 'token' };
  const methods = Object.hasOwn(routes, url) ? (routes[url] ?? []) : null;
  if (methods === null) return { status: 404, code: 'path' };
  return methods.includes(method) ? null : { status: 405, code: 'method', allow: methods.join(', ') };
}

/** The name of a scheme has no case (RFC 9110 §11.1). */
export function parseBearer(authorization = ''): string {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash('sha256').update(text, 'utf8').digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
