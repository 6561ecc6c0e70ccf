/** Bytes as text: hexadecimal and Base64, read strictly; closed JSON objects. */
import { canonicalize, decodeUtf8, isObject, orThrow, type Json, type JsonObject } from '@assay/kernel';

/** The canonical text of an admitted value. */
export function canonicalText(value: unknown): string {
  return orThrow(decodeUtf8(orThrow(canonicalize(value))));
}

/** Lower-case hex digits of bytes. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16);
  return text;
}

/**
 * Writes the bytes of hex digits into `into`, from `at` on. The digits must be lower-case hex, an even number
 * of them.
 */
export function writeHex(hex: string, into: Uint8Array, at: number): void {
  for (let index = 0; index < hex.length; index += 2)
    into[at + (index >> 1)] = (nibble(hex.charCodeAt(index)) << 4) | nibble(hex.charCodeAt(index + 1));
}

/** The bytes of hex digits. Null if the text is anything but `bytes` times two lower-case hex digits. */
export function fromHex(text: string, bytes: number): Uint8Array | null {
  if (text.length !== bytes * 2 || !/^[0-9a-f]*$/.test(text)) return null;
  const read = new Uint8Array(bytes);
  writeHex(text, read, 0);
  return read;
}

function nibble(unit: number): number {
  // Without a branch, twice as fast: letters have bit 6, and follow nine behind their low digit.
  return (unit & 15) + (unit >> 6) * 9;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: ReadonlyMap<string, number> = new Map(
  [...ALPHABET].map((character, value): [string, number] => [character, value]),
);

/** Base64 of bytes, padded. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two, three] = bytes.subarray(at, at + 3);
    text += letter(one >> 2) + letter(((one & 3) << 4) | ((two ?? 0) >> 4));
    text +=
      two === undefined
        ? '=='
        : letter(((two & 15) << 2) | ((three ?? 0) >> 6)) + (three === undefined ? '=' : letter(three & 63));
  }
  return text;
}

/**
 * The bytes of a base64 text; null for any text {@link toBase64} does not write (other alphabet, no padding,
 * loose last bits, spaces).
 */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const letters = text.length - padding;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let index = 0; index < letters; index += 1) {
    const value = VALUES.get(text[index] ?? '');
    if (value === undefined) return null;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = (held >> bits) & 0xff;
    at += 1;
  }
  return (held & ((1 << bits) - 1)) === 0 ? bytes : null;
}

function letter(value: number): string {
  return ALPHABET.charAt(value);
}

/** True for an object with exactly these keys. */
export function hasKeys(value: Json, keys: readonly string[]): value is JsonObject {
  return (
    isObject(value) &&
    Object.keys(value).length === keys.length &&
    keys.every((key) => Object.hasOwn(value, key))
  );
}

/** True for an integer from `least` to `most`. */
export function isWithin(value: Json | undefined, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
