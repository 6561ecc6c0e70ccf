/**
 * Text as UTF-8 bytes and back, by the runtime's own codec (present in Node, Bun, Deno, workers and browsers).
 *
 * @module
 */
import { err, ok, type Result } from '../result.js';

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string };

const ENCODER = new TextEncoder();

/** UTF-8 bytes of well-formed text. */
export function utf8Bytes(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** Number of UTF-8 bytes of well-formed text, without encoding it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: each half adds one.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** Text of UTF-8 bytes; a malformed sequence is a Left, a byte order mark stays in the text. */
export function decodeUtf8(bytes: Uint8Array): Result<'malformed', string> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return err('malformed');
  }
}
