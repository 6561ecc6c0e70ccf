/**
 * A tree as it is stored: every record hash and every complete node, in the order in which they become known,
 * so that writing only appends and any proof reads a few dozen of them.
 *
 * ```text
 * header   "assay-tree:0:" size ":" first 0A      13 decimal digits each; first: sequence of the first record
 * hashes   32 bytes each, 2·size − (ones in the binary digits of size) of them
 * ```
 *
 * Level 0 holds record hashes, not leaves: a proof names the record hash, and the leaf is one digest away. A
 * stored tree is a cache under no hash. Whoever reads it checks what comes out of it against a root known
 * otherwise.
 */
import { err, ok, RECORDS_MAX, type Digest, type Result } from '@assay/kernel';
import { fromHex } from '../bytes/read.js';
import type { TreeHasher } from './tree.js';

/** Bytes of the header of a stored tree. */
export const TREE_HEADER_BYTES = 41;
/** Bytes of each hash of a stored tree. */
export const TREE_HASH_BYTES = 32;

/** What the header of a stored tree says: leaves, and the sequence of the first record. */
export type TreeHeader = { readonly size: number; readonly first: number };

/** Reads the hash at an index of the stored order. */
export type ReadStored = (index: number) => Digest;

/**
 * Reads the root of the complete subtree `place` of a level, of the leaves from place · 2^level on; a leaf
 * at level 0.
 */
export type ReadNode = (level: number, place: number) => Digest;

/** The nodes of a stored tree, which holds record hashes where leaves would be. */
export function storedNodes(read: ReadStored, hasher: TreeHasher): ReadNode {
  return (level, place) => {
    const hash = read(storedIndex(level, place));
    return level === 0 ? hasher.leaf(hash) : hash;
  };
}

/** Text of a header. Throws a RangeError for a size or sequence outside 0 to 10^12. */
export function formatTreeHeader({ size, first }: TreeHeader): string {
  for (const value of [size, first])
    if (!Number.isInteger(value) || value < 0 || value > RECORDS_MAX)
      throw new RangeError(`formatTreeHeader: expected an integer from 0 to ${RECORDS_MAX}, got ${value}`);
  return `assay-tree:0:${digits(size)}:${digits(first)}\n`;
}

/** Reads a header. Error: `tree_header`, any other text. */
export function parseTreeHeader(text: string): Result<{ readonly code: 'tree_header' }, TreeHeader> {
  const parts = /^assay-tree:0:([0-9]{13}):([0-9]{13})\n$/.exec(text);
  const [size, first] = [Number(parts?.[1]), Number(parts?.[2])];
  return parts !== null && size >= 1 && size <= RECORDS_MAX && first <= RECORDS_MAX
    ? ok({ size, first })
    : err({ code: 'tree_header' });
}

/** How many hashes a stored tree of `size` leaves has. */
export function storedCount(size: number): number {
  let ones = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return 2 * size - ones;
}

/**
 * Where the complete subtree `place` of a level stands: it covers the leaves from place · 2^level, and
 * becomes known with the last of them.
 */
export function storedIndex(level: number, place: number): number {
  return storedCount((place + 1) * powerOfTwo(level) - 1) + level;
}

/** The 32 bytes of a hash, as they are stored. */
export function storedBytes(hash: Digest): Uint8Array {
  return fromHex(hash, TREE_HASH_BYTES) ?? new Uint8Array(TREE_HASH_BYTES);
}

/**
 * The root over the leaves from `start` up to `end`; start is a multiple of the power of two at or above
 * their number.
 */
export function computeRoot(read: ReadNode, hasher: TreeHasher, start: number, end: number): Digest {
  const count = end - start;
  const left = computeSplit(count);
  if (left * 2 === count || count === 1) return read(findLevel(count), start / count);
  return hasher.node(
    computeRoot(read, hasher, start, start + left),
    computeRoot(read, hasher, start + left, end),
  );
}

/** The largest power of two below a number of leaves; 1 for a single one. Source: RFC 6962 §2.1. */
export function computeSplit(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

function findLevel(count: number): number {
  let level = 0;
  for (let size = 1; size < count; size *= 2) level += 1;
  return level;
}

function powerOfTwo(level: number): number {
  let power = 1;
  for (let at = 0; at < level; at += 1) power *= 2;
  return power;
}

function digits(value: number): string {
  return String(value).padStart(13, '0');
}
