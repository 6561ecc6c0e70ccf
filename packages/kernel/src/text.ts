/**
 * Text as UTF-8 bytes and back, by the runtime's own codec (present in Node, Bun, Deno, workers and
 * browsers).
 */
import { err, ok, type Result } from './result.js';

declare const TextEncoder: new () => {
  encode(text: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { readonly written: number };
};
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Where texts are encoded to be measured or hashed. It remembers the last one, since what is measured is
 * mostly hashed next.
 */
class Scratch {
  private readonly bytes = new Uint8Array(65_536);
  private text: string | null = null;
  private written = 0;

  /** A UTF-16 unit is at most three bytes. */
  fits(text: string): boolean {
    return text.length <= this.bytes.length / 3;
  }

  lengthOf(text: string): number {
    if (text !== this.text) {
      this.written = ENCODER.encodeInto(text, this.bytes).written;
      this.text = text;
    }
    return this.written;
  }

  /** So many bytes of it to use at once. Whatever is done with them, the next text is written anew. */
  handOut(length: number): Uint8Array {
    this.text = null;
    return length > this.bytes.length ? new Uint8Array(length) : this.bytes.subarray(0, length);
  }
}

const SCRATCH = new Scratch();

/** Well-formed text of at most `units` UTF-16 units, cut at a code point. */
export function cutText(text: string, units: number): string {
  // One unit more than is kept, so that it is seen whether a code point is split; of a long text nothing else
  // is copied.
  const whole = text.slice(0, units + 1).toWellFormed();
  if (whole.length <= units) return whole;
  const isSplit = (whole.charCodeAt(units) & 0xfc00) === 0xdc00;
  return whole.slice(0, isSplit ? units - 1 : units);
}

/** UTF-8 bytes of well-formed text. */
export function utf8Bytes(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/**
 * The UTF-8 bytes of well-formed text, given to a function that must not keep them: their memory is used
 * again.
 */
export function withUtf8<T>(text: string, use: (bytes: Uint8Array) => T): T {
  return use(SCRATCH.fits(text) ? SCRATCH.handOut(SCRATCH.lengthOf(text)) : ENCODER.encode(text));
}

/** The same of ASCII text with bytes behind it. */
export function withUtf8Before<T>(text: string, behind: Uint8Array, use: (bytes: Uint8Array) => T): T {
  const bytes = SCRATCH.handOut(text.length + behind.length);
  ENCODER.encodeInto(text, bytes);
  bytes.set(behind, text.length);
  return use(bytes);
}

/** Number of UTF-8 bytes of well-formed text. */
export function utf8Length(text: string): number {
  return SCRATCH.fits(text) ? SCRATCH.lengthOf(text) : ENCODER.encode(text).length;
}

/** True for the UTF-8 bytes of a text. */
export function isTextOf(bytes: Uint8Array, text: string): boolean {
  const decoded = decodeUtf8(bytes);
  return decoded._tag === 'Right' && decoded.right === text;
}

/** Text of UTF-8 bytes; a malformed sequence is a Left, a byte order mark stays in the text. */
export function decodeUtf8(bytes: Uint8Array): Result<'malformed', string> {
  try {
    return ok(DECODER.decode(bytes));
  } catch {
    return err('malformed');
  }
}

/** Letters to change, add or take away until two texts are one: Levenshtein's distance. */
export function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= b.length; at += 1)
      next[at] = Math.min(
        (row[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
