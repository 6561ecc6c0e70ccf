/**
 * The digest. Pure JavaScript by default, the runtime's own where a shell injects it: same bytes.
 * Source: 001 §2.1; design §4.
 */
import { sha256 as noble } from '@noble/hashes/sha2.js';
import { utf8Bytes, withUtf8 } from '../text.js';

declare const brand: unique symbol;
/** 64 lower-case hex digits: a SHA-256 digest as JSON carries it. */
export type Digest = string & { readonly [brand]: 'Digest' };

/**
 * A SHA-256 implementation: bytes in, 64 lower-case hex digits out. Give {@link openRun} and the verifier a
 * native one for speed. It must neither keep the bytes, whose memory is used again, nor call the kernel.
 */
export type Sha256 = (bytes: Uint8Array) => Digest;

/** The default digest: `@noble/hashes`, pure JavaScript, the same on every engine. */
export function nobleSha256(bytes: Uint8Array): Digest {
  return toHex(noble(bytes)) as Digest;
}

/** SHA-256 of bytes, or of a string's UTF-8 bytes; a lone surrogate counts as U+FFFD. Source: 001 §2.1. */
export function sha256Hex(data: Uint8Array | string, sha256: Sha256 = nobleSha256): Digest {
  return sha256(typeof data === 'string' ? utf8Bytes(data) : data);
}

/** SHA-256 of the UTF-8 bytes of well-formed text. */
export function hashText(text: string, sha256: Sha256): Digest {
  return withUtf8(text, sha256);
}

/** True for 64 lower-case hex digits. */
export function isDigest(value: unknown): value is Digest {
  if (typeof value !== 'string' || value.length !== 64) return false;
  for (let index = 0; index < 64; index += 1) {
    const unit = value.charCodeAt(index);
    if (unit < 0x30 || unit > 0x66 || (unit > 0x39 && unit < 0x61)) return false;
  }
  return true;
}

function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16);
  return text;
}
