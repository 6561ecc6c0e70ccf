/**
 * The two hashes of an RFC 6962 tree. Source: RFC 6962 §2.1; ledger format, "Heads".
 *
 * ```text
 * leaf = SHA-256(00 || 32 bytes of a record hash)
 * node = SHA-256(01 || left || right)
 * ```
 *
 * @module
 */
import { nobleSha256, type Digest, type Sha256 } from '@assay/kernel';
import { writeHex } from '../bytes/hex.js';

const DIGEST_BYTES = 32;

/** Leaves and nodes, hashed without an allocation of its own. */
export class TreeHasher {
  private readonly sha256: Sha256;
  private readonly leafBytes: Uint8Array = new Uint8Array(1 + DIGEST_BYTES);
  private readonly nodeBytes: Uint8Array = new Uint8Array(1 + 2 * DIGEST_BYTES);

  /** `sha256`: the digest, noble's by default. */
  constructor(sha256: Sha256 = nobleSha256) {
    this.sha256 = sha256;
    this.leafBytes[0] = 0;
    this.nodeBytes[0] = 1;
  }

  /** The leaf of a record hash. */
  leaf(recordHash: Digest): Digest {
    writeHex(recordHash, this.leafBytes, 1);
    return this.sha256(this.leafBytes);
  }

  /** The node over two hashes. */
  node(left: Digest, right: Digest): Digest {
    writeHex(left, this.nodeBytes, 1);
    writeHex(right, this.nodeBytes, 1 + DIGEST_BYTES);
    return this.sha256(this.nodeBytes);
  }
}
