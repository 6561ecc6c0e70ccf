/**
 * Runs served to a page on this machine: raw ledger bytes, never verdicts; the page checks them itself. Read
 * only, on 127.0.0.1 only, behind a random token.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { err, ok, type Result } from '@assay/kernel';

const HOST = '127.0.0.1';
const TOKEN_BYTES = 16;
const POLL_MS = 250;
const BEAT_MS = 15_000;

/** A run that is served. `bytes`: null where that is not known without reading it. */
export type ServedRun = { readonly id: string; readonly bytes: number | null };

/** Where runs come from. */
export type Runs = {
  readonly list: () => Promise<readonly ServedRun[]>;
  /** Bytes there are so far; null where there is no such run. */
  readonly size: (id: string) => Promise<number | null>;
  /** The bytes of a run from one of them on. */
  readonly read: (id: string, from: number) => AsyncIterable<Uint8Array>;
  /** Calls where a run may have grown; it is looked at regularly besides. Gives how to end that. */
  readonly watch: (id: string, onWake: () => void) => () => void;
};

/** What is served, where, and how to end it. */
export type Serving = { readonly url: string; readonly close: () => Promise<void> };

/**
 * Serves runs. `page`: a shell; it is given leave to ask this server, and nobody else. `port`: 0 for a free
 * one. Error `listen`, with the system's name.
 */
export async function serveRuns(
  runs: Runs,
  { page, port }: { readonly page: string; readonly port: number },
): Promise<Result<{ readonly code: 'listen'; readonly errno: string }, Serving>> {
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const served = servedPage(page);
  const ends = new Set<() => void>();
  const server = createServer((request, response) => {
    answer(request, response, { runs, token, served, ends }).catch(() => response.destroy());
  });
  const errno = await new Promise<string | null>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, HOST, () => resolve(null));
  });
  if (errno !== null) return err({ code: 'listen', errno });
  const { port: actual } = server.address() as AddressInfo;
  return ok({
    url: `http://${HOST}:${actual}/${token}/`,
    close: async () => {
      for (const end of ends) end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** The page with leave to ask the server that it comes from. Throws a RangeError for no shell of ours. */
function servedPage(page: string): string {
  const served = page
    .replace("connect-src 'none'", "connect-src 'self'")
    .replace('data-assay="checking"', 'data-assay="checking" data-source="server"');
  if (served.length !== page.length + ' data-source="server"'.length)
    throw new RangeError('serveRuns: expected a shell');
  return served;
}

type Serve = {
  readonly runs: Runs;
  readonly token: string;
  readonly served: string;
  readonly ends: Set<() => void>;
};

async function answer(request: IncomingMessage, response: ServerResponse, serve: Serve): Promise<void> {
  const { runs, token, served } = serve;
  const { localPort } = request.socket;
  // Another name for this machine would let a page of somebody else's ask.
  if (request.headers.host !== `${HOST}:${localPort}`) return ended(response, 403, 'not this host');
  if (request.method !== 'GET') return ended(response, 405, 'GET only');
  const url = new URL(request.url ?? '/', `http://${HOST}:${localPort}`);
  const [, given = '', kind = '', id = '', ...rest] = url.pathname.split('/').map(decoded);
  if (given !== token || rest.length > 0) return ended(response, 404, 'not found');
  if (kind === '' && id === '') return sent(response, 'text/html; charset=utf-8', served);
  if (kind === 'runs' && id === '')
    return sent(response, 'application/json', JSON.stringify(await runs.list()));
  const size = kind === 'run' || kind === 'follow' ? await runs.size(id) : null;
  if (size === null) return ended(response, 404, 'no such run');
  if (kind === 'follow') return followed(request, response, serve, id);
  const from = Number(/^[0-9]{1,15}$/.exec(url.searchParams.get('from') ?? '')?.[0] ?? 0);
  response.writeHead(200, headers('application/octet-stream'));
  // Ends the reading where the reader goes away.
  await pipeline(takeFirst(from < size ? runs.read(id, from) : [], size - from), response);
}

/** The first bytes of chunks. */
async function* takeFirst(
  chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** Events: how many bytes there are, with the number of records as id; `anew` where there are fewer. */
async function followed(
  request: IncomingMessage,
  response: ServerResponse,
  { runs, ends }: Serve,
  id: string,
): Promise<void> {
  response.writeHead(200, headers('text/event-stream'));
  // With nothing to tell, the page would else not learn that it is connected.
  response.flushHeaders();
  // What was told before a connection broke is not told again.
  let told = Number(/^[0-9]{1,15}$/.exec(String(request.headers['last-event-id']))?.[0] ?? 0);
  let [bytes, records, isBusy] = [0, 0, false];
  const look = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    const size = (await runs.size(id)) ?? 0;
    if (size > bytes) {
      for await (const part of takeFirst(runs.read(id, bytes), size - bytes)) records += linesIn(part);
      if (records > told) response.write(`id: ${records}\ndata: ${size}\n\n`);
    }
    // Also where it shrank while nobody was connected.
    if (size < bytes || records < told) {
      response.write('event: anew\nid: 0\ndata: 0\n\n');
      records = size < bytes ? 0 : records;
    }
    [bytes, told] = [size < bytes ? 0 : size, records];
    isBusy = false;
  };
  const wake = (): void => void look().catch(() => response.destroy());
  const unwatch = runs.watch(id, wake);
  const timer = setInterval(wake, POLL_MS);
  const beat = setInterval(() => response.write(':\n\n'), BEAT_MS);
  const end = (): void => {
    clearInterval(timer);
    clearInterval(beat);
    unwatch();
    ends.delete(end);
    response.end();
  };
  ends.add(end);
  response.once('close', end);
  await look();
}

function linesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function sent(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, headers(type));
  response.end(text);
}

function ended(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, headers('text/plain; charset=utf-8'));
  response.end(`${text}\n`);
}

function headers(type: string): { readonly [name: string]: string } {
  return {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy': "frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
