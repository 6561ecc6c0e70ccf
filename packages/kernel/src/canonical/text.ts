/**
 * Text as UTF-8 bytes and back, by the runtime's own codec (present in Node, Bun, Deno, workers and browsers).
 *
 * @module
 */
import { err, ok, type Result } from '../result.js';

declare const TextEncoder: new () => { encode(text: string): Uint8Array; encodeInto(text: string, into: Uint8Array): { readonly written: number } };
declare const TextDecoder: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string };

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Where short texts are encoded to be measured or hashed: written anew each time, and never kept. */
const SCRATCH = new Uint8Array(65_536);
/** A UTF-16 unit is at most three bytes, so such a text fits the scratch whatever it is. */
const SCRATCH_UNITS = SCRATCH.length / 3;

/** UTF-8 bytes of well-formed text. */
export function utf8Bytes(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** The UTF-8 bytes of well-formed text, given to a function that must not keep them: their memory is used again. */
export function withUtf8<T>(text: string, use: (bytes: Uint8Array) => T): T {
  return use(text.length <= SCRATCH_UNITS ? SCRATCH.subarray(0, ENCODER.encodeInto(text, SCRATCH).written) : ENCODER.encode(text));
}

/** Number of UTF-8 bytes of well-formed text. */
export function utf8Length(text: string): number {
  // The runtime's encoder counts faster than a loop but for the shortest texts.
  if (text.length > COUNTED_UNITS && text.length <= SCRATCH_UNITS) return ENCODER.encodeInto(text, SCRATCH).written;
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: each half adds one.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** Texts up to so many units are counted in a loop. */
const COUNTED_UNITS = 64;

/** Text of UTF-8 bytes; a malformed sequence is a Left, a byte order mark stays in the text. */
export function decodeUtf8(bytes: Uint8Array): Result<'malformed', string> {
  try {
    return ok(DECODER.decode(bytes));
  } catch {
    return err('malformed');
  }
}
