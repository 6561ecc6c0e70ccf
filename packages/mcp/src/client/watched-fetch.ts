/**
 * `fetch` as servers are called with it: no more than so many bytes are read, no redirect is followed since
 * headers would go with it, and whoever waits is told when a stream ends.
 */
import { mediaTypeEssence } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import { keyTwiceIn } from '@assay/kernel/prompt';

/**
 * Told of what comes: `tooLarge`, the rest is not read; `unreadable`, a message cannot be recorded whole, and is
 * not passed on; `stray`, a line of a program's output that is no message, and whether it was meant as one;
 * `ended`, the stream of a response is over, whole or not.
 */
export type Watch = {
  readonly tooLarge: () => void;
  readonly unreadable: (fault: MemberFault) => void;
  readonly stray: (line: string, isBroken: boolean) => void;
  readonly ended: () => void;
};

/**
 * `fetch` under watch. A GET is answered by 405, as servers without a stream of their own do: nobody here
 * listens to one.
 */
export function watchedFetch(
  bytesMax: number,
  watch: Omit<Watch, 'stray'>,
): (input: string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    if (init?.method === 'GET') return new Response(null, { status: 405 });
    const response = await globalThis.fetch(input, { ...init, redirect: 'manual' });
    // The SDK follows one to the same origin by itself, wherever it finds an address.
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return new Response(null, { status: response.status });
    }
    if (response.body === null) return response;
    return new Response(
      watched(response.body, new RawBody(response.headers.get('content-type')), bytesMax, watch),
      { status: response.status, statusText: response.statusText, headers: response.headers },
    );
  };
}

function watched(
  body: ReadableStream<Uint8Array>,
  raw: RawBody,
  bytesMax: number,
  { tooLarge, unreadable, ended }: Omit<Watch, 'stray'>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) bytes += value.byteLength;
        const isTooLarge = bytes > bytesMax;
        const fault = isTooLarge ? null : done ? raw.end() : raw.push(value);
        if (isTooLarge || fault !== null) {
          controller.error(
            new RangeError(
              isTooLarge ? `the response is larger than ${bytesMax} bytes` : `a message has a ${fault}`,
            ),
          );
          if (fault === null) tooLarge();
          else unreadable(fault);
          await reader.cancel();
        } else if (done) {
          controller.close();
          ended();
        } else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        ended();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/**
 * Why a message cannot be recorded whole. `duplicate_key`: which of two values was meant would be a guess;
 * `reserved_key`: a member named `__proto__`, which the SDK leaves out.
 */
export type MemberFault = 'duplicate_key' | 'reserved_key';

/** The fault of a JSON text, at any depth; null also for what is no JSON: its reader says so. Linear. */
export function memberFault(text: string): MemberFault | null {
  const value = parsed(text);
  if (value === undefined) return null;
  if (keyTwiceIn(text) !== null) return 'duplicate_key';
  const rest: unknown[] = [value];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '__proto__')) return 'reserved_key';
    for (const item of Object.values(next) as readonly unknown[]) rest.push(item);
  }
  return null;
}

/**
 * True for a line that was meant as a message: an object that does not parse, also behind a byte order mark, or
 * one that names the protocol. Anything else is output of the program, such as a banner or a log.
 */
export function isBrokenMessage(line: string): boolean {
  if (!/^\ufeff?\s*\{/.test(line)) return false;
  const value = parsed(line);
  return value === undefined || Object.hasOwn(value as object, 'jsonrpc');
}

/** The value of a JSON text; undefined for what is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Lines as they come in pieces. Source of the three line ends: the WHATWG event stream. */
const LINE_END = /\r\n|\n|\r/;

/**
 * The three bytes of a byte order mark as letters: eventsource-parser, the SDK's reader, cuts them off its
 * first piece, though the decoder before it took the mark itself.
 */
const MARK = '\u00ef\u00bb\u00bf';

/** The body of a response, piece by piece: one JSON text, or an event stream of them. */
export class RawBody {
  private readonly isStream: boolean;
  private readonly decoder: InstanceType<typeof TextDecoder> = new TextDecoder();
  /** What is not yet a whole line; of a JSON text all of it. */
  private readonly held: string[] = [];
  private data: string[] = [];
  private isFirst: boolean = true;
  private isAfterReturn: boolean = false;

  constructor(contentType: string | null) {
    this.isStream = mediaTypeEssence(contentType) === 'text/event-stream';
  }

  /**
   * Takes a piece; the fault of an event that it ends. To be asked before anybody else sees the piece.
   */
  push(bytes: Uint8Array): MemberFault | null {
    let text = this.decoder.decode(bytes, { stream: true });
    if (!this.isStream) {
      this.held.push(text);
      return null;
    }
    // Half a character is no piece yet, for the SDK's reader neither.
    if (text === '') return null;
    if (this.isFirst && text.startsWith(MARK)) text = text.slice(MARK.length);
    this.isFirst = false;
    // A return ends its line at once; a line feed that follows in the next piece belongs to it.
    const isRestOfEnd = this.isAfterReturn && text.startsWith('\n');
    this.isAfterReturn = text.endsWith('\r');
    if (isRestOfEnd) text = text.slice(1);
    const [first = '', ...rest] = text.split(LINE_END);
    this.held.push(first);
    let fault: MemberFault | null = null;
    for (const next of rest) {
      fault ??= this.endLine();
      this.held.push(next);
    }
    return fault;
  }

  /** The body is over; the fault of the JSON text that it was. */
  end(): MemberFault | null {
    return this.isStream ? null : memberFault(this.held.splice(0).join(''));
  }

  /** The held line is whole: an empty one ends an event, whose data is JSON. */
  private endLine(): MemberFault | null {
    const line = this.held.splice(0).join('');
    if (line.startsWith('data:')) this.data.push(line.slice(5));
    if (line !== '') return null;
    const event = this.data.join('\n');
    this.data = [];
    return memberFault(event);
  }
}
