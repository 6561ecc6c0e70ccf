/** The contract's three functions. Source: 001 §2.1, §4.1. */
import { ok, type Result } from '../result.js';
import { hashText, nobleSha256, type Digest, type Sha256 } from '../hash/sha256.js';
import { admit, type AdmissionError } from './admit.js';
import { utf8Bytes } from '../text.js';

/**
 * RFC 8785 bytes of an admitted value: no white space, keys by UTF-16 code units, UTF-8.
 *
 * Errors: every code of {@link admit}, with a JSON pointer. Linear in the value.
 *
 * @example
 * ```ts
 * canonicalize({ b: 1, a: [true, null] }); // Right: the bytes of {"a":[true,null],"b":1}
 * canonicalize({ a: NaN });                // Left: { code: 'not_finite', path: '/a' }
 * ```
 * Source: 001 §2.1.
 */
export function canonicalize(value: unknown): Result<AdmissionError, Uint8Array> {
  const admitted = admit(value);
  return admitted._tag === 'Left' ? admitted : ok(utf8Bytes(admitted.right.text));
}

/**
 * SHA-256 of the canonical bytes of a value, 64 lower-case hex digits. Errors as {@link canonicalize}.
 * Source: 001 §2.1.
 */
export function hashCanonical(value: unknown, sha256: Sha256 = nobleSha256): Result<AdmissionError, Digest> {
  const admitted = admit(value);
  return admitted._tag === 'Left' ? admitted : ok(hashText(admitted.right.text, sha256));
}
