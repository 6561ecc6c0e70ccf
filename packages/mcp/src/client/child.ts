/**
 * A server as a child process, in a process group of its own: what it starts ends with it. The SDK's
 * transport knows the first process only, and behind a shell or npx that is not the server.
 *
 * Windows has no such groups: there the first process alone is killed, and what it started ends when it
 * notices that its input has. Elsewhere only what leaves the group by itself (a daemon) stays.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineReader } from '../lines.js';
import { isBrokenMessage, memberFault, type Watch, watchedFetch } from './watched-fetch.js';

/**
 * A server on its standard input and output, started for each call. `env`: what it gets beside PATH, HOME and
 * the few others that are safe to pass on. `stderr`: `ignore` by default. No shell reads the command.
 */
export type McpCommand = {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stderr?: 'ignore' | 'inherit';
};

/** Milliseconds that a server has to end by itself, after the end of its input and again after SIGTERM. */
const PATIENCE_MS = 2_000;
/** Milliseconds after the end of the first process in which its last message is still read. */
const LAG_MS = 250;

const HAS_GROUPS = process.platform !== 'win32';

/** Children that have not ended: none outlives this process where it ends in order. */
const alive = new Set<ChildTransport>();
const killAll = (): void => {
  for (const each of alive) each.kill();
};

/**
 * Standard input and output of a command. `bytesMax`: of one message. Who watches is to
 * {@link ChildTransport.kill} it.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly command: McpCommand;
  private readonly watch: Omit<Watch, 'ended'>;
  private readonly lines: LineReader;
  private child: ChildProcessByStdio<Writable, Readable, null> | null = null;

  constructor(command: McpCommand, bytesMax: number, watch: Omit<Watch, 'ended'>) {
    this.command = command;
    this.watch = watch;
    this.lines = new LineReader(bytesMax, (line) => this.read(line), watch.tooLarge);
  }

  /** Starts the command. Rejects where it cannot be started. */
  async start(): Promise<void> {
    const { command, args = [], env, cwd, stderr = 'ignore' } = this.command;
    const child = spawn(command, [...args], {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: ['pipe', 'pipe', stderr],
      windowsHide: true,
      detached: HAS_GROUPS,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.child = child;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout
      .on('error', (error) => this.onerror?.(error))
      .on('data', (chunk: Buffer) => this.lines.push(chunk));
    if (child.pid !== undefined) this.remember();
    child
      .once('exit', () => {
        // What it started goes too, and its pipes with it; what it wrote last is read first.
        this.signal('SIGKILL');
        this.forget();
        setTimeout(() => this.ended(), LAG_MS).unref();
      })
      .once('close', () => this.ended());
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject).once('spawn', resolve);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { child } = this;
    if (child === null) throw new Error('the server is not connected');
    // A pipe that broke is told by its own event, and by the end of the process.
    await new Promise<void>((resolve) => {
      child.stdin.write(serializeMessage(message), () => resolve());
    });
  }

  /**
   * Ends the input, asks the process to end where it stays, and kills the group where that is not heeded.
   * Does not wait.
   */
  async close(): Promise<void> {
    const { child } = this;
    if (child === null || !alive.has(this)) return;
    child.stdout.removeAllListeners('data').resume();
    child.stdin.end();
    // The process itself keeps this one waiting, no longer than that.
    const patience = [
      setTimeout(() => this.signal('SIGTERM'), PATIENCE_MS).unref(),
      setTimeout(() => this.kill(), 2 * PATIENCE_MS).unref(),
    ];
    child.once('exit', () => {
      for (const timer of patience) clearTimeout(timer);
    });
  }

  /** Kills the process and what it started, and lets go of its pipes. */
  kill(): void {
    this.signal('SIGKILL');
    this.forget();
    this.ended();
    this.child?.unref();
  }

  /** Reads a line; one that is no message is a stray, or a message that is broken. */
  private read(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.watch.stray(line, isBrokenMessage(line));
      return;
    }
    const fault = memberFault(line);
    if (fault === null) this.onmessage?.(message);
    else this.watch.unreadable(fault);
  }

  private signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const pid = this.child?.pid;
    if (pid === undefined || !alive.has(this)) return;
    try {
      process.kill(HAS_GROUPS ? -pid : pid, signal);
    } catch {
      // Everything has ended by itself.
    }
  }

  private remember(): void {
    if (alive.size === 0) process.once('exit', killAll);
    alive.add(this);
  }

  private forget(): void {
    alive.delete(this);
    if (alive.size === 0) process.off('exit', killAll);
  }

  private ended(): void {
    const { child } = this;
    child?.stdin.destroy();
    child?.stdout.destroy();
    this.lines.clear();
    const { onclose } = this;
    delete this.onclose;
    onclose?.();
  }
}

/** A server over streamable HTTP. `headers`: sent with each request. Redirects are not followed. */
type McpAddress = { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/**
 * Where a server is. Every value of `env` and `headers` of at least 8 characters counts as a secret: an
 * answer that holds one is not recorded, and in an address it reads `***`.
 */
export type McpPlace = McpCommand | McpAddress;

/** Bytes of one message of a server. */
const SERVER_MESSAGE_BYTES_MAX = 8_388_608;

/**
 * The transport to a place: the SDK's own over HTTP. Throws a TypeError where a url is none of http or https,
 * or holds a name or a password.
 */
export function transportTo(place: McpPlace, watch: Watch): ChildTransport | StreamableHTTPClientTransport {
  if ('url' in place) {
    const url = parseAddress(place.url);
    return new StreamableHTTPClientTransport(url, {
      fetch: watchedFetch(SERVER_MESSAGE_BYTES_MAX, watch),
      requestInit: { headers: { ...place.headers } },
    });
  }
  return new ChildTransport(place, SERVER_MESSAGE_BYTES_MAX, watch);
}

/**
 * The address of a server as it stands in a record: without parameters; null for a command, whose words may
 * hold a secret or a path.
 */
export function findEndpoint(place: McpPlace): string | null {
  if (!('url' in place)) return null;
  const { origin, pathname } = parseAddress(place.url);
  return `${origin}${pathname}`;
}

/** What must not get into a record: values of the environment and of headers, and the words of the latter. */
export function listSecrets(place: McpPlace): readonly string[] {
  if (!('url' in place)) return Object.values(place.env ?? {});
  const values = Object.values(place.headers ?? {});
  const { search } = parseAddress(place.url);
  return [...values, ...values.flatMap((value) => value.split(' ')), ...new URLSearchParams(search).values()];
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError(
      'mcp: expected an address like http://127.0.0.1:3000/mcp without a name or a password; secrets go into headers',
    );
  return url;
}
