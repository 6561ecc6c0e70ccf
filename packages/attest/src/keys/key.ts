/**
 * Keys as one copyable line each, and their ids.
 *
 * ```text
 * assay-secret-key:1:<64 hex digits of the seed>
 * assay-public-key:1:<64 hex digits>
 * keyid = H({"public_key": hex, "t": "assay.key.v1"})
 * ```
 */
import {
  err,
  hashCanonical,
  nobleSha256,
  ok,
  orThrow,
  type Digest,
  type Result,
  type Sha256,
} from '@assay/kernel';
import { fromHex, toHex } from '../bytes/read.js';
import { type Ed25519, isSoundKey } from '../ed25519/strict.js';
import { isPoint } from '../ed25519/noble.js';

const KEY_BYTES = 32;
const LINE = /^assay-(secret|public)-key:1:([0-9a-f]{64})\n?$/;

/** A key somebody trusts: its bytes, and the id by which signatures name it. */
export type PublicKey = { readonly id: Digest; readonly bytes: Uint8Array };

/**
 * Why a line is no key. `key_line`: another form; `secret_key`: a secret where a public key is asked for, or
 * the other way round `public_key`; `weak_key`: no point of the curve, of small order, or spelled in a second
 * way.
 */
export type KeyError = { readonly code: 'key_line' | 'secret_key' | 'public_key' | 'weak_key' };

/** The id of a public key. An id is no evidence: whoever verifies has the key itself. */
export function keyId(publicKey: Uint8Array, sha256: Sha256 = nobleSha256): Digest {
  return orThrow(hashCanonical({ public_key: toHex(publicKey), t: 'assay.key.v1' }, sha256));
}

/** The line of a public key, without a line end. */
export function formatPublicKey(publicKey: Uint8Array): string {
  return `assay-public-key:1:${toHex(publicKey)}`;
}

/** Reads the line of a public key; one final line feed is ignored. Errors: {@link KeyError}. */
export function parsePublicKey(line: string, sha256: Sha256 = nobleSha256): Result<KeyError, PublicKey> {
  const [, kind, hex = ''] = LINE.exec(line) ?? [];
  if (kind === 'secret') return err({ code: 'secret_key' });
  const bytes = kind === undefined ? null : fromHex(hex, KEY_BYTES);
  if (bytes === null) return err({ code: 'key_line' });
  return isSoundKey(bytes) && isPoint(bytes)
    ? ok({ id: keyId(bytes, sha256), bytes })
    : err({ code: 'weak_key' });
}

/** The line of a secret key, without a line end. Throws a RangeError for another length than 32 bytes. */
export function formatSecretKey(seed: Uint8Array): string {
  if (seed.length !== KEY_BYTES)
    throw new RangeError(`formatSecretKey: expected ${KEY_BYTES} bytes, got ${seed.length}`);
  return `assay-secret-key:1:${toHex(seed)}`;
}

/** Reads the line of a secret key: its seed. Errors: `key_line`, `public_key`; they never quote the line. */
export function parseSecretKey(line: string): Result<KeyError, Uint8Array> {
  const [, kind, hex = ''] = LINE.exec(line) ?? [];
  if (kind === 'public') return err({ code: 'public_key' });
  const seed = kind === undefined ? null : fromHex(hex, KEY_BYTES);
  return seed === null ? err({ code: 'key_line' }) : ok(seed);
}

/** The public key of a seed. */
export function derivePublicKey(seed: Uint8Array, engine: Ed25519, sha256: Sha256 = nobleSha256): PublicKey {
  const bytes = engine.publicKey(seed);
  return { id: keyId(bytes, sha256), bytes };
}
