/**
 * Text as UTF-8 bytes and back, by the runtime's own codec (present in Node, Bun, Deno, workers and browsers).
 *
 * @module
 */
import { err, ok, type Result } from '../result.js';

declare const TextEncoder: new () => {
  encode(text: string): Uint8Array;
  encodeInto(text: string, target: Uint8Array): { readonly written: number };
};
declare const TextDecoder: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string };

const ENCODER = new TextEncoder();
const SCRATCH_BYTES = 65_536;
/** One buffer for {@link lendUtf8}: allocating bytes costs more than hashing them. Taken while lent, so that a nested call gets its own. */
const spare = [new Uint8Array(SCRATCH_BYTES)];

/** UTF-8 bytes of well-formed text. */
export function utf8Bytes(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** Gives the UTF-8 bytes of well-formed text to a function. They are lent: valid, and unchanged, only until it returns. */
export function lendUtf8<A>(text: string, use: (bytes: Uint8Array) => A): A {
  if (text.length * BYTES_PER_UNIT_MAX > SCRATCH_BYTES) return use(ENCODER.encode(text));
  const scratch = spare.pop() ?? new Uint8Array(SCRATCH_BYTES);
  const result = use(scratch.subarray(0, ENCODER.encodeInto(text, scratch).written));
  if (spare.length === 0) spare.push(scratch);
  return result;
}

const BYTES_PER_UNIT_MAX = 3;
/** Below this many units counting is faster than the runtime's encoder. */
const SHORT = 64;

/** Number of UTF-8 bytes of well-formed text. Allocates nothing. */
export function utf8Length(text: string): number {
  if (text.length > SHORT && text.length * BYTES_PER_UNIT_MAX <= SCRATCH_BYTES) return lendUtf8(text, lengthOf);
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: each half adds one.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

function lengthOf(bytes: Uint8Array): number {
  return bytes.length;
}

/** Text of UTF-8 bytes; a malformed sequence is a Left, a byte order mark stays in the text. */
export function decodeUtf8(bytes: Uint8Array): Result<'malformed', string> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return err('malformed');
  }
}
