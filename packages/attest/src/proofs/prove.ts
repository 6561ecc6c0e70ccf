/**
 * Making proofs from a stored tree. Source: RFC 6962 §2.1.1, §2.1.2.
 *
 * @module
 */
import { nobleSha256, type Digest, type EvidenceRecord, type Sha256 } from '@assay/kernel';
import { TreeHasher } from '../merkle/hasher.js';
import { proveSubtree } from '../merkle/proof.js';
import { storedIndex, storedRoot, type ReadStored } from '../merkle/stored.js';
import type { ConsistencyProof, InclusionProof } from './proof.js';

/** A stored tree, of which only hashes at a few places are read. */
export type StoredTree = { readonly read: ReadStored; readonly sha256?: Sha256 };

/** Record hash at a position of the file. */
export function storedRecordHash({ read }: StoredTree, index: number): Digest {
  return read(storedIndex(0, index));
}

/** The root over the first `size` leaves. O(log² size) reads. */
function treeRootAt({ read, sha256 = nobleSha256 }: StoredTree, size: number): Digest {
  return storedRoot(read, new TreeHasher(sha256), 0, size);
}

/**
 * Proof that the record at `index` stands in the tree of `size` leaves. Throws a RangeError for an index
 * outside of it.
 */
export function proveInclusion(
  tree: StoredTree,
  index: number,
  size: number,
  record: EvidenceRecord | null = null,
): InclusionProof {
  const hasher = new TreeHasher(tree.sha256);
  const path = proveSubtree(tree.read, hasher, { start: index, end: index + 1 }, size);
  return {
    t: 'assay.inclusion.v1',
    genesis_hash: storedRecordHash(tree, 0),
    size,
    tree_root: treeRootAt(tree, size),
    index,
    record_hash: storedRecordHash(tree, index),
    record,
    path,
  };
}

/**
 * Proof that the tree of `to` leaves begins with that of `from` leaves. Throws a RangeError unless 1 ≤ from ≤
 * to.
 */
export function proveConsistency(tree: StoredTree, from: number, to: number): ConsistencyProof {
  const path = proveSubtree(tree.read, new TreeHasher(tree.sha256), { start: 0, end: from }, to);
  return {
    t: 'assay.consistency.v1',
    genesis_hash: storedRecordHash(tree, 0),
    from: { size: from, tree_root: treeRootAt(tree, from) },
    to: { size: to, tree_root: treeRootAt(tree, to) },
    path,
  };
}
