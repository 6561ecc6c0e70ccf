/**
 * The runtime's own Ed25519, for shells to inject: the same bytes as noble's, 15 to 20 times as fast.
 *
 * @module
 */
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { Ed25519 } from '../ed25519/engine.js';

/** What stands before a raw key in its DER form (RFC 8410 §4, §7). */
const PUBLIC_PREFIX: Uint8Array = Buffer.from('302a300506032b6570032100', 'hex');
const SECRET_PREFIX: Uint8Array = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

/** Ed25519 by `node:crypto`, as an `Ed25519` of the package. */
export const nativeEd25519: Ed25519 = {
  publicKey: (secret) =>
    Uint8Array.from(
      createPublicKey(secretKey(secret)).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES),
    ),
  sign: (message, secret) => Uint8Array.from(sign(null, message, secretKey(secret))),
  verify: (signature, message, publicKey) => {
    try {
      return verify(
        null,
        message,
        createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' }),
        signature,
      );
    } catch {
      // Bytes that are no point of the curve.
      return false;
    }
  },
};

function secretKey(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([SECRET_PREFIX, secret]), format: 'der', type: 'pkcs8' });
}
