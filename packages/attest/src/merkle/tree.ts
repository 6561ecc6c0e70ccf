/**
 * How a tree hashes, and the tree of a ledger as its records come, in logarithmic memory. Source: RFC 6962
 * §2.1; ledger format, "Heads".
 */
import { type Digest, InvariantError, nobleSha256, type Sha256 } from '@assay/kernel';
import { writeHex } from '../bytes/read.js';

/**
 * Is told each hash of the tree once, in the order of a stored tree: a record hash, then the nodes it
 * completes, lowest first.
 */
type TreeSink = (hash: Digest) => void;

/**
 * Takes record hashes one by one. Kept: one hash for each complete subtree not yet joined, at most 40 of
 * them. A record costs two digests on average.
 *
 * @example
 * ```ts
 * const tree = new MerkleTree();
 * for (const record of records) tree.add(record.record_hash);
 * const root = tree.root(); // the tree_root of a signed head
 * ```
 */
export class MerkleTree {
  private readonly hasher: TreeHasher;
  private readonly sink: TreeSink | null;
  /** Roots of complete subtrees, largest first. */
  private readonly pending: Digest[] = [];
  private leaves = 0;

  /** `sha256`: noble's by default. `sink`: where a stored tree is written. */
  constructor(sha256: Sha256 = nobleSha256, sink: TreeSink | null = null) {
    this.hasher = new TreeHasher(sha256);
    this.sink = sink;
  }

  /** Number of leaves. */
  get size(): number {
    return this.leaves;
  }

  /** The next record's hash. */
  add(recordHash: Digest): void {
    let hash = this.hasher.leaf(recordHash);
    this.sink?.(recordHash);
    // Each time the number of leaves is even again, two subtrees of one size stand side by side.
    for (let count = this.leaves; count % 2 === 1; count = (count - 1) / 2) {
      hash = this.hasher.node(this.pending.pop() ?? hash, hash);
      this.sink?.(hash);
    }
    this.pending.push(hash);
    this.leaves += 1;
  }

  /**
   * The root over all leaves so far; O(log n), and more can be added. Throws an InvariantError for no leaf: a
   * ledger has a record.
   */
  root(): Digest {
    const root = this.pending.reduceRight<Digest | null>(
      (right, left) => (right === null ? left : this.hasher.node(left, right)),
      null,
    );
    if (root === null) throw new InvariantError('MerkleTree.root', 'a tree without leaves has no root here');
    return root;
  }
}

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
