/**
 * Base64 with padding, one text for each byte string. Source: RFC 4648 §4, §3.5.
 *
 * @module
 */

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
