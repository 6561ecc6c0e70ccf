/** What the rules take from `node:crypto`, for a browser: the same digest, by the kernel's own code. */
import { sha256Hex } from '@assay/kernel';

export function hash(name, bytes, encoding) {
  if (name !== 'sha256' || encoding !== 'hex')
    throw new TypeError(`hash: expected sha256 and hex, got ${name} and ${encoding}`);
  return sha256Hex(bytes);
}
