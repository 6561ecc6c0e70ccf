import { createHash } from 'node:crypto';
import type { Digest, Sha256 } from '@assay/kernel';

/** The runtime's own digest: same bytes, faster on large records. */
export const native: Sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex') as Digest;
