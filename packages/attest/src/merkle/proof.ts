/**
 * Proofs that some leaves stand in a tree. One rule covers both kinds: an inclusion proof is about the
 * subtree of one leaf, a consistency proof about the subtree of the first leaves. Source: RFC 6962 §2.1.1,
 * §2.1.2.
 *
 * ```text
 * P([s, e), n, known)
 *   s = 0, e = n    nothing where `known`, else root[0, n)
 *   e ≤ k           P([s, e), k) over the left side, then the right side's root      k: largest power of two below n
 *   s ≥ k           P([s−k, e−k), n−k) over the right side, then the left side's root
 *   else (s = 0)    P([0, e−k), n−k, not known) over the right side, then the left side's root
 * ```
 */
import type { Digest } from '@assay/kernel';
import type { TreeHasher } from './tree.js';
import { computeRoot, computeSplit, type ReadNode } from './stored.js';

/** Leaves from `start` up to, not including, `end`. A single leaf, or leaves from 0, are always a subtree. */
type LeafRange = { readonly start: number; readonly end: number };

/** What a path leads to: the root of the tree, and the subtree's own as the path has it. */
type Folded = { readonly subtree: Digest; readonly root: Digest };

/**
 * True for a range that is a subtree of a tree of `size` leaves: not empty, inside, start a multiple of the
 * power of two at or above its length.
 */
export function isSubtree({ start, end }: LeafRange, size: number): boolean {
  if (![start, end, size].every(Number.isSafeInteger) || start < 0 || start >= end || end > size)
    return false;
  let power = 1;
  while (power < end - start) power *= 2;
  return start % power === 0;
}

/**
 * The path from a subtree to the root of a tree of `size` leaves. At most two hashes a level. Throws a
 * RangeError for what is no subtree.
 */
export function proveSubtree(
  read: ReadNode,
  hasher: TreeHasher,
  range: LeafRange,
  size: number,
): readonly Digest[] {
  if (!isSubtree(range, size))
    throw new RangeError(`proveSubtree: [${range.start}, ${range.end}) is no subtree of ${size} leaves`);
  const path: Digest[] = [];
  collect(read, hasher, { ...range, size, base: 0, isKnown: true }, path);
  return path;
}

/**
 * Follows a path. Null if it has not the length or the form that range and size ask for; else the two
 * roots, for the caller to compare. `subtree`: root of the range, for one leaf its leaf hash.
 */
export function foldPath(
  hasher: TreeHasher,
  range: LeafRange,
  size: number,
  subtree: Digest,
  path: readonly Digest[],
): Folded | null {
  return isSubtree(range, size) ? fold(hasher, { ...range, size, isKnown: true }, subtree, path) : null;
}

/** True if a leaf stands at an index of the tree with this root. */
export function verifyInclusion(
  hasher: TreeHasher,
  at: { readonly index: number; readonly size: number },
  leaf: Digest,
  path: readonly Digest[],
  root: Digest,
): boolean {
  return foldPath(hasher, { start: at.index, end: at.index + 1 }, at.size, leaf, path)?.root === root;
}

/**
 * True if the tree of `size` leaves with this root begins with the range's leaves, whose root is
 * `subtree`. Range [0, m): consistency of two trees.
 */
export function verifyConsistency(
  hasher: TreeHasher,
  range: LeafRange,
  size: number,
  subtree: Digest,
  path: readonly Digest[],
  root: Digest,
): boolean {
  const folded = foldPath(hasher, range, size, subtree, path);
  return folded !== null && folded.root === root && folded.subtree === subtree;
}

type Part = LeafRange & { readonly size: number; readonly isKnown: boolean };

function collect(
  read: ReadNode,
  hasher: TreeHasher,
  { start, end, size, base, isKnown }: Part & { readonly base: number },
  path: Digest[],
): void {
  if (start === 0 && end === size) {
    if (!isKnown) path.push(computeRoot(read, hasher, base, base + size));
    return;
  }
  const left = computeSplit(size);
  if (end <= left) {
    collect(read, hasher, { start, end, size: left, base, isKnown }, path);
    path.push(computeRoot(read, hasher, base + left, base + size));
    return;
  }
  const isRight = start >= left;
  collect(
    read,
    hasher,
    {
      start: isRight ? start - left : 0,
      end: end - left,
      size: size - left,
      base: base + left,
      isKnown: isRight && isKnown,
    },
    path,
  );
  path.push(computeRoot(read, hasher, base, base + left));
}

/**
 * The last hash of a path belongs to the root, so the tree is entered from the top and the path from its end.
 */
function fold(
  hasher: TreeHasher,
  { start, end, size, isKnown }: Part,
  subtree: Digest,
  path: readonly Digest[],
): Folded | null {
  const last = path.at(-1);
  const rest = path.slice(0, -1);
  if (start === 0 && end === size) {
    const known = isKnown ? subtree : last;
    return known === undefined || path.length !== (isKnown ? 0 : 1) ? null : { subtree: known, root: known };
  }
  if (last === undefined) return null;
  const left = computeSplit(size);
  if (end <= left) {
    const inner = fold(hasher, { start, end, size: left, isKnown }, subtree, rest);
    return inner === null ? null : { subtree: inner.subtree, root: hasher.node(inner.root, last) };
  }
  const isRight = start >= left;
  const inner = fold(
    hasher,
    { start: isRight ? start - left : 0, end: end - left, size: size - left, isKnown: isRight && isKnown },
    subtree,
    rest,
  );
  if (inner === null) return null;
  return {
    subtree: isRight ? inner.subtree : hasher.node(last, inner.subtree),
    root: hasher.node(last, inner.root),
  };
}
