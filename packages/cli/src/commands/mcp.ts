/**
 * `assay mcp`: runs offered to clients of the Model Context Protocol.
 *
 * @module
 */
import type * as Module from '@assay/mcp';
import type { Desk, ListenError } from '@assay/mcp';
import type { Context } from './context.js';
import { EXIT, type ExitCode } from '../problems/exit.js';
import { show } from '../terminal/shown.js';
import { misuse, unreachable, type Stop } from '../problems/problem.js';
import { openDesk, type DeskFlags } from './mcp/desk.js';
import { VERSION } from '../terminal/version.js';

type McpOptions = DeskFlags & {
  readonly http?: string;
  readonly host?: string;
  readonly allowRemote?: boolean;
};

/** Variable of the environment that holds the token clients must send over HTTP. */
const TOKEN = 'ASSAY_MCP_TOKEN';

/**
 * Serves until standard input is closed or a signal comes, with `--http` until a signal comes: exit 0.
 * Standard output is the protocol's, everything else goes to standard error. Raises `Stop`: `package`,
 * `http`, `listen`, `message_too_large` and those of {@link openDesk}.
 */
export async function mcp(context: Context, options: McpOptions): Promise<ExitCode> {
  const { output, interruption } = context;
  if (options.http === undefined && (options.host !== undefined || options.allowRemote === true))
    throw misuse(
      'http',
      '--host and --allow-remote work only with --http',
      options.host === undefined ? '--allow-remote' : `--host ${options.host}`,
      'add --http PORT',
    );
  const port = options.http === undefined ? null : portOf(options.http);
  const served = await loaded();
  const desk = await openDesk(context, options);
  if (options.store === undefined)
    output.note(show`assay: no --store: runs are kept in memory and are lost when this ends`);
  try {
    await interruption.during((signal) =>
      port === null
        ? onStreams(context, served, desk, signal)
        : overHttp(context, served, desk, port, options, signal),
    );
    return EXIT.done;
  } finally {
    await desk.store.close();
  }
}

/** The package is an optional peer: who serves nobody need not install the SDK. */
async function loaded(): Promise<typeof Module> {
  try {
    return await import('@assay/mcp');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw misuse(
      'package',
      'assay mcp needs a package that is not installed',
      'assay mcp',
      `npm install @assay/mcp@${VERSION}`,
    );
  }
}

async function onStreams(
  { output }: Context,
  { serveStdio, MESSAGE_BYTES_MAX }: typeof Module,
  desk: Desk,
  signal: AbortSignal,
): Promise<void> {
  if (process.stdin.isTTY)
    output.note(
      show`assay: mcp talks to a client program over stdin and stdout; put this command into the client's configuration (docs/guides/mcp.md). Ctrl-D ends it`,
    );
  const end = await serveStdio(desk, {
    stdin: process.stdin,
    stdout: process.stdout,
    signal,
    tell: (line) => output.note(show`assay: mcp: ${line}`),
  });
  // A stream that is not read any more would still hold the process.
  process.stdin.destroy();
  if (end === 'too_large')
    throw misuse(
      'message_too_large',
      `the client sent a message of more than ${MESSAGE_BYTES_MAX} bytes`,
      'standard input',
      'nothing was lost; the client can connect again',
    );
}

async function overHttp(
  { output, env }: Context,
  { serveHttp }: typeof Module,
  desk: Desk,
  port: number,
  { host, allowRemote }: McpOptions,
  signal: AbortSignal,
): Promise<void> {
  const token = env[TOKEN] ?? '';
  const listening = await serveHttp(desk, {
    port,
    ...(host === undefined ? {} : { host }),
    allowRemote: allowRemote === true,
    ...(token === '' ? {} : { token }),
  });
  if (listening._tag === 'Left') throw unheard(listening.left, host ?? '127.0.0.1', port);
  const { url, close } = listening.right;
  output.note(show`assay: mcp at ${url}${token === '' ? '' : ', with the token'}; Ctrl-C ends it`);
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await close();
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535))
    throw misuse(
      'http',
      'not a port',
      `--http ${text}`,
      'give a number from 1 to 65535, or 0 for a free one',
    );
  return port;
}

function unheard(error: ListenError, host: string, port: number): Stop {
  switch (error.code) {
    case 'remote':
      return misuse(
        'http',
        'other machines can reach this address, and whoever does can have requests decided here',
        `--host ${host}`,
        `leave it out, or give --allow-remote and a token in ${TOKEN}`,
      );
    case 'token':
      return misuse(
        'http',
        `${TOKEN} must hold a token: at least 16 ASCII characters, no spaces or line ends`,
        TOKEN,
        'make one, for example with: openssl rand -hex 32',
      );
    case 'listen':
      return unreachable(
        'listen',
        `cannot listen on this address (${error.errno})`,
        `${host}:${port}`,
        'give another --http PORT, or 0 for a free one',
      );
  }
}
