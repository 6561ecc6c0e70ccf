/** A server on standard input and output: the protocol has stdout for itself. */
import type { Readable, Writable } from 'node:stream';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineReader } from '../lines.js';
import { type Desk, MESSAGE_BYTES_MAX } from './desk.js';
import { Calls, connect, newServer, makeTools } from './server.js';

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
  const server = newServer(desk, makeTools(desk), calls);
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
  await connect(server, new LineTransport(stdin, stdout));
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

/**
 * Messages as lines. A request that is not formed as one is answered as well: its client waits.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly stdin: Readable;
  private readonly stdout: Writable;
  private readonly take: (chunk: Buffer) => void;
  private readonly fail = (error: Error): void => this.onerror?.(error);

  constructor(stdin: Readable, stdout: Writable) {
    this.stdin = stdin;
    this.stdout = stdout;
    const lines = new LineReader(
      MESSAGE_BYTES_MAX,
      (line) => this.read(line),
      () => {
        this.fail(new RangeError(`a message has more than ${MESSAGE_BYTES_MAX} bytes`));
        void this.close();
      },
    );
    this.take = (chunk) => lines.push(chunk);
  }

  async start(): Promise<void> {
    this.stdin.on('data', this.take).on('error', this.fail);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.write(message);
  }

  async close(): Promise<void> {
    this.stdin.off('data', this.take).off('error', this.fail).pause();
    this.onclose?.();
  }

  private read(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch (error) {
      this.fail(error as Error);
      const refusal = findRefusal(line);
      if (refusal !== null) void this.write(refusal);
      return;
    }
    this.onmessage?.(message);
  }

  private async write(message: object): Promise<void> {
    if (!this.stdout.write(serializeMessage(message as JSONRPCMessage)))
      await new Promise((resolve) => this.stdout.once('drain', resolve));
  }
}

/** The protocol's error for a line that waits for an answer, and is no request; null where nobody waits. */
function findRefusal(line: string): object | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const refusal = (id: unknown, code: number, message: string): object => {
    return { jsonrpc: '2.0', id, error: { code, message } };
  };
  if (Array.isArray(value)) return refusal(null, ErrorCode.InvalidRequest, 'batches are not supported');
  const { jsonrpc, id, method, ...rest } = Object(value) as { readonly [key: string]: unknown };
  if ((typeof id !== 'string' && typeof id !== 'number') || 'result' in rest || 'error' in rest) return null;
  return jsonrpc === '2.0' && typeof method === 'string'
    ? refusal(id, ErrorCode.InvalidParams, 'params: expected an object')
    : refusal(id, ErrorCode.InvalidRequest, 'expected a request of JSON-RPC 2.0, its method a text');
}
