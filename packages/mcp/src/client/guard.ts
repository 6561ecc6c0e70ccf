/**
 * A transport under guard: what a server may send during one call is bounded, what it starts is ended with
 * the call, and why a call failed.
 */
import { classOfError, classOfStatus, type FailureClass } from '@assay/host';
import { cutText } from '@assay/kernel';
import {
  type StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, McpError } from '@modelcontextprotocol/sdk/types.js';
import { ChildTransport, type McpPlace, transportTo } from './child.js';
import type { MemberFault } from './watched-fetch.js';

/** UTF-16 units of a stray line that are kept. */
const STRAY_UNITS_MAX = 240;
/** Messages of a server during one call, lines that are none included. */
const SERVER_MESSAGES_MAX = 1_000;

/**
 * Why a connection was given up. `closed`: by the other side; `flood`: more than {@link SERVER_MESSAGES_MAX};
 * `too_large`: a message, or a response; `not_a_message`: a line that was meant as one; `aborted`: nobody waits
 * any more.
 */
export type Fault = 'closed' | 'flood' | 'too_large' | 'not_a_message' | 'aborted' | MemberFault;

/** Milliseconds after the end of a stream in which its last message is still worked off. */
const LAG_MS = 250;
/** Milliseconds in which a server is told that its session is over. */
const GOODBYE_MS = 1_000;

/** The transport to a place, for one call. `fault`: why it was given up, null while it was not. */
export class Guard implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  fault: Fault | null = null;
  /** The version of the protocol that was agreed on. */
  protocol: string | null = null;
  /** Lines of its output that were no messages. */
  strays: number = 0;
  /** The first of them, cut; empty where there is none. */
  firstStray: string = '';
  private readonly inner: ChildTransport | StreamableHTTPClientTransport;
  private readonly waiting: Set<string | number> = new Set();
  private messages: number = 0;
  private isOver: boolean = false;

  constructor(place: McpPlace) {
    const inner = transportTo(place, {
      tooLarge: () => this.fail('too_large'),
      unreadable: (fault) => this.fail(fault),
      stray: (line, isBroken) => this.strayed(line, isBroken),
      ended: () => this.streamEnded(),
    });
    this.inner = inner;
    // Callbacks are properties in the SDK, which knows no listeners.
    Object.assign(inner, {
      onclose: () => this.fail('closed'),
      onmessage: (message: JSONRPCMessage) => this.take(message),
      onerror: () => void this.counted(),
    } satisfies Partial<Transport>);
  }

  async start(): Promise<void> {
    await this.inner.start();
    // Given up while it was being started.
    if (this.isOver) this.kill();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) this.waiting.add(message.id);
    await this.inner.send(message);
  }

  setProtocolVersion(version: string): void {
    this.protocol = version;
    if (!(this.inner instanceof ChildTransport)) this.inner.setProtocolVersion(version);
  }

  /**
   * Ends a connection that did what it should: its session is ended and its process asked to end. Does not
   * wait for the process.
   */
  async close(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    if (this.inner instanceof ChildTransport) {
      // A process that does not heed the end of its input is killed after some seconds.
      void this.inner.close();
    } else {
      const said = this.inner.terminateSession().catch(() => undefined);
      await Promise.race([said, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())]);
      await this.inner.close();
    }
    this.onclose?.();
  }

  /**
   * Gives the connection up at once, and kills the process. `fault`: null where what came over it was at
   * fault.
   */
  fail(fault: Fault | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.fault = fault;
    this.kill();
    this.onclose?.();
  }

  private take(message: JSONRPCMessage): void {
    if (this.isOver) return;
    if ('id' in message && !('method' in message) && message.id !== undefined)
      this.waiting.delete(message.id);
    if (this.counted()) this.onmessage?.(message);
  }

  private strayed(line: string, isBroken: boolean): void {
    if (this.isOver) return;
    this.strays += 1;
    if (this.strays === 1 || isBroken) this.firstStray = cutText(line, STRAY_UNITS_MAX);
    if (this.counted() && isBroken) this.fail('not_a_message');
  }

  private counted(): boolean {
    if (this.isOver) return false;
    this.messages += 1;
    if (this.messages <= SERVER_MESSAGES_MAX) return true;
    this.fail('flood');
    return false;
  }

  /**
   * A stream that ends before its answer came will not bring it: servers that want to be asked again are not.
   */
  private streamEnded(): void {
    const asked = [...this.waiting];
    setTimeout(() => {
      if (asked.some((id) => this.waiting.has(id))) this.fail('closed');
    }, LAG_MS).unref();
  }

  /** Whatever still holds a pipe, nobody waits for it. */
  private kill(): void {
    if (this.inner instanceof ChildTransport) this.inner.kill();
    else void this.inner.close().catch(() => undefined);
  }
}

/**
 * What is known of a failed call. `class`: null where it has none, and the call is tried again. `code`: of
 * the protocol or of HTTP; `fault`: why the connection was given up.
 */
export type CallFailure = {
  readonly class: FailureClass | null;
  readonly code: number | null;
  readonly fault: Fault | null;
};

/** What the SDK says of a version that it does not know, before the version. */
const OTHER_VERSION = "Server's protocol version is not supported: ";

/** The version of the protocol that a server answered with, where it is none of the SDK's; else null. */
export function otherVersionIn(error: unknown): string | null {
  return error instanceof Error && error.message.startsWith(OTHER_VERSION)
    ? error.message.slice(OTHER_VERSION.length)
    : null;
}

/** Reads an error. No getter of it is called. */
export function failureIn(error: unknown, fault: Fault | null): CallFailure {
  const code =
    error instanceof McpError || error instanceof StreamableHTTPError ? (error.code ?? null) : null;
  return { class: classify(error, fault), code, fault };
}

function classify(error: unknown, fault: Fault | null): FailureClass | null {
  if (fault === 'closed') return 'refused';
  if (fault !== null && fault !== 'aborted') return 'malformed';
  // The SDK has the code of a connection that ended from the range that servers use for errors of their own.
  if (error instanceof McpError && error.code === Number(ErrorCode.ConnectionClosed))
    return error.message.endsWith(': Connection closed') ? 'refused' : 'server_error';
  if (error instanceof McpError) return RPC.get(error.code) ?? 'server_error';
  // Without a status it was an answer of another type than the protocol has; a redirect is not followed.
  if (error instanceof StreamableHTTPError)
    return error.code === undefined || error.code < 0
      ? 'malformed'
      : (classOfStatus(error.code) ?? 'permanent');
  if (otherVersionIn(error) !== null) return 'malformed';
  const name = error instanceof Error ? error.name : '';
  // What the server sent is no JSON, or not of the protocol's shape.
  if (name === 'SyntaxError' || name === 'ZodError' || name === '$ZodError') return 'malformed';
  if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return 'permanent';
  return classOfError(error);
}

const RPC: ReadonlyMap<number, FailureClass> = new Map<number, FailureClass>([
  [ErrorCode.RequestTimeout, 'timeout'],
  [ErrorCode.ParseError, 'permanent'],
  [ErrorCode.InvalidRequest, 'permanent'],
  [ErrorCode.MethodNotFound, 'permanent'],
  [ErrorCode.InvalidParams, 'permanent'],
]);
