/**
 * Proofs as canonical lines, made and read: that a record stands in a tree, and that one tree goes on from
 * another. Source: issue 5, "Signed heads"; RFC 6962 §2.1.1, §2.1.2; docs/formats/heads.md.
 */
import {
  type Digest,
  err,
  type EvidenceRecord,
  field,
  isArray,
  isDigest,
  type Json,
  LineSplitter,
  linkFault,
  nobleSha256,
  ok,
  parseEnvelope,
  readCanonical,
  RECORDS_MAX,
  type Result,
  type Sha256,
} from '@assay/kernel';
import { canonicalText, hasKeys, isWithin } from '../bytes/read.js';
import { type Envelope, parseEnvelopeLine } from '../dsse/envelope.js';
import { foldPath, proveSubtree, verifyInclusion } from '../merkle/proof.js';
import { computeRoot, type ReadStored, storedIndex, storedNodes } from '../merkle/stored.js';
import { TreeHasher } from '../merkle/tree.js';

/** A tree by its size and root. */
export type TreeHead = { readonly size: number; readonly tree_root: Digest };

/**
 * The record at `index` (its position in the file) stands in the tree. `record`: the record itself, with or
 * without its payload, where it is shown along; else null.
 */
type InclusionProof = TreeHead & {
  readonly t: 'assay.inclusion.v1';
  readonly genesis_hash: Digest;
  readonly index: number;
  readonly record_hash: Digest;
  readonly record: EvidenceRecord | null;
  readonly path: readonly Digest[];
};

/** The tree `to` begins with all leaves of the tree `from`. */
type ConsistencyProof = {
  readonly t: 'assay.consistency.v1';
  readonly genesis_hash: Digest;
  readonly from: TreeHead;
  readonly to: TreeHead;
  readonly path: readonly Digest[];
};

/** One line of a file of proofs. */
export type Proof = InclusionProof | ConsistencyProof;

/** A line that is no proof: `proof`. */
type ProofError = { readonly code: 'proof' };

/** Hashes of a path at most: two for each level of the largest tree. */
const PATH_MAX = 80;
const INCLUSION_KEYS: readonly string[] = [
  't',
  'genesis_hash',
  'size',
  'tree_root',
  'index',
  'record_hash',
  'record',
  'path',
];
const CONSISTENCY_KEYS: readonly string[] = ['t', 'genesis_hash', 'from', 'to', 'path'];

/** The canonical line of a proof, without a line end. */
export function formatProof(proof: Proof): string {
  return canonicalText(proof);
}

/**
 * Reads a line, given without its line end. Error: `proof`, for every other text. Nothing is recomputed:
 * `recomputes` does.
 */
export function parseProof(line: Uint8Array): Result<ProofError, Proof> {
  const read = readCanonical(line);
  const value = read._tag === 'Right' ? read.right.value : null;
  return value !== null && (isInclusion(value) || isConsistency(value))
    ? ok(value as unknown as Proof)
    : err({ code: 'proof' });
}

/**
 * Whether a proof agrees with itself: its path leads to the roots it names, and the record it shows has its
 * hash. Where it is from is asked elsewhere.
 */
export function recomputes(proof: Proof, sha256: Sha256): boolean {
  const hasher = new TreeHasher(sha256);
  if (proof.t === 'assay.consistency.v1') {
    const { from, to, path } = proof;
    const folded = foldPath(hasher, { start: 0, end: from.size }, to.size, from.tree_root, path);
    return folded !== null && folded.root === to.tree_root && folded.subtree === from.tree_root;
  }
  const { record, record_hash, tree_root, path } = proof;
  if (
    record !== null &&
    (record.record_hash !== record_hash || linkFault(record, record.parent, null, sha256) !== null)
  )
    return false;
  return verifyInclusion(hasher, proof, hasher.leaf(record_hash), path, tree_root);
}

function isInclusion(value: Json): boolean {
  if (!hasKeys(value, INCLUSION_KEYS) || field(value, 't') !== 'assay.inclusion.v1' || !isTree(value))
    return false;
  const [record = null, size, path] = [field(value, 'record'), field(value, 'size'), field(value, 'path')];
  const isShown = record === null || parseEnvelope(record)._tag === 'Right';
  return (
    isShown &&
    typeof size === 'number' &&
    isWithin(field(value, 'index'), 0, size - 1) &&
    isDigest(field(value, 'genesis_hash')) &&
    isDigest(field(value, 'record_hash')) &&
    isPath(path)
  );
}

function isConsistency(value: Json): boolean {
  if (!hasKeys(value, CONSISTENCY_KEYS) || field(value, 't') !== 'assay.consistency.v1') return false;
  const [from = null, to = null] = [field(value, 'from'), field(value, 'to')];
  return (
    hasKeys(from, ['size', 'tree_root']) &&
    isTree(from) &&
    hasKeys(to, ['size', 'tree_root']) &&
    isTree(to) &&
    isDigest(field(value, 'genesis_hash')) &&
    isPath(field(value, 'path'))
  );
}

function isTree(value: Json): boolean {
  return (
    isWithin(field(value as { readonly [key: string]: Json }, 'size'), 1, RECORDS_MAX) &&
    isDigest(field(value as { readonly [key: string]: Json }, 'tree_root'))
  );
}

function isPath(value: Json | undefined): boolean {
  return value !== undefined && isArray(value) && value.length <= PATH_MAX && value.every(isDigest);
}

/** What stands in a file, and how many lines are neither: those are never passed over in silence. */
export type EvidenceLines = {
  readonly envelopes: readonly Envelope[];
  readonly proofs: readonly Proof[];
  readonly unread: number;
};

/** Reads a file whole. A last line without its line end is taken, as an editor or a shell leaves it. */
export function readEvidenceLines(bytes: Uint8Array): EvidenceLines {
  const splitter = new LineSplitter();
  const envelopes: Envelope[] = [];
  const proofs: Proof[] = [];
  let unread = 0;
  for (const line of [...splitter.push(bytes), ...splitter.end()]) {
    const envelope = parseEnvelopeLine(line.bytes);
    const proof = envelope._tag === 'Left' ? parseProof(line.bytes) : null;
    if (envelope._tag === 'Right') envelopes.push(envelope.right);
    else if (proof?._tag === 'Right') proofs.push(proof.right);
    else unread += 1;
  }
  return { envelopes, proofs, unread };
}

/** A stored tree, of which only hashes at a few places are read. */
export type StoredTree = { readonly read: ReadStored; readonly sha256?: Sha256 };

/** Record hash at a position of the file. */
export function storedRecordHash({ read }: StoredTree, index: number): Digest {
  return read(storedIndex(0, index));
}

/** The root over the first `size` leaves. O(log² size) reads. */
function treeRootAt({ read, sha256 = nobleSha256 }: StoredTree, size: number): Digest {
  const hasher = new TreeHasher(sha256);
  return computeRoot(storedNodes(read, hasher), hasher, 0, size);
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
  const path = proveSubtree(storedNodes(tree.read, hasher), hasher, { start: index, end: index + 1 }, size);
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
  const hasher = new TreeHasher(tree.sha256);
  const path = proveSubtree(storedNodes(tree.read, hasher), hasher, { start: 0, end: from }, to);
  return {
    t: 'assay.consistency.v1',
    genesis_hash: storedRecordHash(tree, 0),
    from: { size: from, tree_root: treeRootAt(tree, from) },
    to: { size: to, tree_root: treeRootAt(tree, to) },
    path,
  };
}
