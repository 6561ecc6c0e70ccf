/** Ed25519 in JavaScript, the same on every engine: the default, and what pages use. */
import { getPublicKey, hashes, Point, sign } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import type { Ed25519 } from './strict.js';

const KEY_BYTES = 32;

/**
 * `@noble/ed25519`. Its own verification multiplies by the cofactor; this one does not, as the runtimes' own
 * do not.
 */
export const nobleEd25519: Ed25519 = {
  publicKey: (secret) => withSha512(() => getPublicKey(secret)),
  sign: (message, secret) => withSha512(() => sign(message, secret)),
  verify: (signature, message, publicKey) => {
    const [r, s] = [signature.subarray(0, KEY_BYTES), signature.subarray(KEY_BYTES)];
    try {
      const k = sha512.create().update(r).update(publicKey).update(message).digest();
      const expected = Point.BASE.multiplyUnsafe(readNumber(s)).subtract(
        Point.fromBytes(publicKey).multiplyUnsafe(readNumber(k) % Point.CURVE().n),
      );
      const bytes = expected.toBytes();
      return r.length === KEY_BYTES && r.every((byte, at) => byte === bytes[at]);
    } catch {
      // A key that is no point of the curve, or a scalar out of range.
      return false;
    }
  },
};

/** The library takes its hash from outside. */
function withSha512(work: () => Uint8Array): Uint8Array {
  hashes.sha512 = sha512;
  return work();
}

/** True for 32 bytes that name a point of the curve. */
export function isPoint(bytes: Uint8Array): boolean {
  try {
    Point.fromBytes(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Little endian. */
function readNumber(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}
