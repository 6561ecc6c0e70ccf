/**
 * The runtime's own SHA-256, for shells to inject: the same bytes as the kernel's default, faster.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { isDigest, InvariantError, type Digest } from '@assay/kernel';

/** SHA-256 by `node:crypto`, as a `Sha256` of the kernel. */
export function nativeSha256(bytes: Uint8Array): Digest {
  const hex = createHash('sha256').update(bytes).digest('hex');
  if (!isDigest(hex)) throw new InvariantError('sha256', `node:crypto gave ${hex}`);
  return hex;
}
