/**
 * Digests of evidence: what the auditor remembers of a text instead of the text.
 *
 * @module
 */
import { hashCanonical, type Digest, type Json, type Sha256 } from '@assay/kernel';

/**
 * The digest of a value; null for what has no canonical text, which only a chain of another kind can hold.
 */
export function digestOf(value: Json, sha256: Sha256): Digest | null {
  const hashed = hashCanonical(value, sha256);
  return hashed._tag === 'Right' ? hashed.right : null;
}
