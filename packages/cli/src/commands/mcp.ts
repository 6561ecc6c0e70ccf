/** `assay mcp`: runs offered to clients of the Model Context Protocol. */
import type * as Module from '@assay/mcp';
import type { Desk } from '@assay/mcp';
import { loadMcp, parseAddress, TOKEN, unheard, type Address } from '../options/mcp.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import { show } from '../terminal/shown.js';
import { untilAborted } from '../terminal/signals.js';
import type { Context } from '../call/output.js';
import { type DeskFlags, openDesk } from './mcp/desk.js';

type McpOptions = DeskFlags & { readonly http?: string };

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
  await untilAborted(signal);
  await close();
}
