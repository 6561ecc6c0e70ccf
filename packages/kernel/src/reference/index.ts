/**
 * The reference encoder: `fast-json-stable-stringify` behind admission. It shares no code with the
 * kernel's own encoder, which a law and `verify --checks twice` hold it against.
 *
 * @packageDocumentation
 */
import stringify from 'fast-json-stable-stringify';
import { admit, type AdmissionError } from '../canonical/admit.js';
import { err, ok, type Result } from '../result.js';

/**
 * Canonical text of any value by the reference encoder: RFC 8785 over what is admitted. Errors: admission
 * codes. Keys are compared by UTF-16 code units, which is what the encoder's own order is.
 *
 * Source: 001 §2.1; design §4.
 */
export function referenceEncode(value: unknown): Result<AdmissionError, string> {
  const admitted = admit(value);
  return admitted._tag === 'Left' ? err(admitted.left) : ok(stringify(admitted.right.value));
}
