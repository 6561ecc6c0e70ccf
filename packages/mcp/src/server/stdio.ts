/**
 * A server on standard input and output: the protocol has stdout for itself.
 *
 * @module
 */
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Desk } from './desk.js';
import { MESSAGE_BYTES_MAX } from './limits.js';
import { Calls, newServer, toolsOf } from './server.js';

/**
 * Milliseconds that calls under way have once the client has closed its end. Clients wait about two seconds
 * before they kill.
 */
const GRACE_MS = 1_000;

/** The streams, and what ends the serving. `tell`: told of what is no message, at most twenty times. */
type StdioOptions = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
  readonly tell?: (line: string) => void;
};

/**
 * Why serving ended: `closed`, the client closed its end, or cannot be written to any more; `stopped`, by the
 * signal; `too_large`, a message above 4 MiB.
 */
type StdioEnd = 'closed' | 'stopped' | 'too_large';

/**
 * Serves until the client closes its end or the signal is aborted. Calls under way get a second to end, are
 * then given up between two records, and are over when this resolves. Leaves the store open. Does not reject.
 */
export async function serveStdio(
  desk: Desk,
  { stdin, stdout, signal, tell }: StdioOptions,
): Promise<StdioEnd> {
  const calls = new Calls();
  const server = newServer(desk, toolsOf(desk), calls);
  let told = 0;
  const onerror = (error: Error): void => {
    told += 1;
    if (told <= TELL_MAX) tell?.(error.message.slice(0, LINE_UNITS_MAX));
  };
  const ended = new Promise<StdioEnd>((resolve) => {
    stdin.once('end', () => resolve('closed')).once('close', () => resolve('closed'));
    stdout.once('error', () => resolve('closed'));
    // The transport closes by itself only where a message has no end.
    Object.assign(server, { onerror, onclose: () => resolve('too_large') });
    if (signal.aborted) resolve('stopped');
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  await server.connect(new StdioServerTransport(stdin, stdout, { maxBufferSize: MESSAGE_BYTES_MAX }));
  const why = await ended;
  if (why === 'closed')
    await Promise.race([calls.settled(), new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())]);
  // Closing aborts the signals of what is still under way.
  await server.close();
  await calls.settled();
  return why;
}

const TELL_MAX = 20;
const LINE_UNITS_MAX = 200;
