/** `assay mcp`: runs offered to clients of the Model Context Protocol. */
import type * as Module from '@assay/mcp';
import type { Desk, ListenError } from '@assay/mcp';
import { loadOptional } from '../files/read.js';
import { EXIT, misuse, unreachable, type ExitCode, type Stop } from '../problems/problem.js';
import { show } from '../terminal/shown.js';
import { VERSION } from '../terminal/version.js';
import type { Context } from '../call/output.js';
import { type DeskFlags, openDesk } from './mcp/desk.js';

type McpOptions = DeskFlags & { readonly http?: string };

/** Where to listen. `host`: this machine alone where none is named. */
type Address = { readonly host: string; readonly port: number };

/** Variable of the environment that holds the token clients must send over HTTP. */
const TOKEN = 'ASSAY_MCP_TOKEN';

/**
 * Serves until standard input is closed or a signal comes, with `--http` until a signal comes: exit 0.
 * Standard output is the protocol's, everything else goes to standard error. Raises `Stop`: `package`,
 * `bad_value`, `token`, `listen`, `message_too_large` and those of {@link openDesk}.
 */
export async function mcp(context: Context, options: McpOptions): Promise<ExitCode> {
  const { output, interruption } = context;
  const address = options.http === undefined ? null : parseAddress(options.http);
  const served = await loadMcp('assay mcp');
  const desk = await openDesk(context, options);
  if (options.store === undefined) output.note(show`assay: no --store; runs are in memory and lost at exit`);
  try {
    await interruption.during((signal) =>
      address === null
        ? onStreams(context, served, desk, signal)
        : overHttp(context, served, desk, address, signal),
    );
    return EXIT.done;
  } finally {
    await desk.store.close();
  }
}

/** The package is an optional peer: who serves nobody need not install the SDK. */
export async function loadMcp(command: string): Promise<typeof Module> {
  const found = await loadOptional(() => import('@assay/mcp'));
  if (found !== null) return found;
  throw misuse(
    'package',
    `${command} needs a package that is not installed`,
    command,
    `npm install @assay/mcp@${VERSION}`,
  );
}

async function onStreams(
  { output }: Context,
  { serveStdio, MESSAGE_BYTES_MAX }: typeof Module,
  desk: Desk,
  signal: AbortSignal,
): Promise<void> {
  if (process.stdin.isTTY)
    output.note(
      show`assay: mcp speaks to a client over stdin and stdout (docs/guides/mcp.md). Ctrl-D ends it`,
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
      'no run was lost; the client can connect again',
    );
}

async function overHttp(
  { output, env }: Context,
  { serveHttp }: typeof Module,
  desk: Desk,
  { host, port }: Address,
  signal: AbortSignal,
): Promise<void> {
  const token = env[TOKEN] ?? '';
  const listening = await serveHttp(desk, {
    port,
    host,
    ...(token === '' ? {} : { token }),
  });
  if (listening._tag === 'Left') throw unheard(listening.left, `${host}:${port}`);
  const { url, close } = listening.right;
  output.note(show`assay: mcp at ${url}${token === '' ? '' : ', with the token'}; Ctrl-C ends it`);
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await close();
}

/** Reads `[HOST:]PORT`; an IPv6 host is in brackets. */
export function parseAddress(text: string): Address {
  const [, ipv6, name, digits = ''] = /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([^:\s]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535)
    throw misuse(
      'bad_value',
      'not a valid address',
      `--http ${text}`,
      'give PORT or HOST:PORT; the port is a number from 1 to 65535, or 0 for a free one',
    );
  return { host: ipv6 ?? name ?? '127.0.0.1', port };
}

export function unheard(error: ListenError, address: string): Stop {
  switch (error.code) {
    case 'token':
      return misuse(
        'token',
        `${TOKEN} must hold a token of at least 16 ASCII characters, without spaces`,
        TOKEN,
        'set it to the output of openssl rand -hex 32; only 127.0.0.1 works without a token',
      );
    case 'listen':
      return unreachable(
        'listen',
        `cannot listen on this address (${error.errno})`,
        address,
        'give another port with --http, or 0 for a free one',
      );
  }
}
