/**
 * Bytes as lower-case hex digits, and back.
 *
 * @module
 */

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

/** The bytes of hex digits. Null where the text is anything but `bytes` times two lower-case hex digits. */
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
