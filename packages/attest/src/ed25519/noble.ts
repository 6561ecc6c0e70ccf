/** Ed25519 in JavaScript, the same on every engine: the default, and what pages use. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import type { Ed25519 } from './strict.js';

const KEY_BYTES = 32;

/**
 * `@noble/curves`. Its own verification multiplies by the cofactor; this one does not, as the runtimes' own
 * do not.
 */
export const nobleEd25519: Ed25519 = {
  publicKey: (secret) => ed25519.getPublicKey(secret),
  sign: (message, secret) => ed25519.sign(message, secret),
  verify: (signature, message, publicKey) => {
    const { Point } = ed25519;
    const [r, s] = [signature.subarray(0, KEY_BYTES), signature.subarray(KEY_BYTES)];
    try {
      const k = sha512.create().update(r).update(publicKey).update(message).digest();
      const expected = Point.BASE.multiplyUnsafe(readNumber(s)).subtract(
        Point.fromBytes(publicKey).multiplyUnsafe(Point.Fn.create(readNumber(k))),
      );
      const bytes = expected.toBytes();
      return r.length === KEY_BYTES && r.every((byte, at) => byte === bytes[at]);
    } catch {
      // A key that is no point of the curve, or a scalar out of range.
      return false;
    }
  },
};

/** True for 32 bytes that name a point of the curve. */
export function isPoint(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Little endian. */
function readNumber(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}
