/**
 * The persistent map: a hash trie with string keys, for tables in a machine's state and in a run.
 *
 * One update among 100,000 entries copies a handful of small nodes. Iteration order is fixed by the
 * keys alone, whatever the order of insertion, and machines encode states in it: the hash below never
 * changes. Keys may come from evidence; text chosen to collide in
 * 32 bits makes an update linear in the number of such keys.
 */
import { compareText } from '../json.js';

const BITS = 5;
const MASK = 31;

/**
 * A leaf keeps its entry as the pair that iteration hands out, so that listing a map allocates nothing for
 * it.
 */
type Leaf<V> = { readonly tag: 'leaf'; readonly hash: number; readonly entry: readonly [string, V] };
type Bucket<V> = { readonly tag: 'bucket'; readonly hash: number; readonly leaves: readonly Leaf<V>[] };
type Branch<V> = { readonly tag: 'branch'; readonly bitmap: number; readonly nodes: readonly Node<V>[] };
type Node<V> = Leaf<V> | Bucket<V> | Branch<V>;

/** An immutable map from strings to values. */
export class PersistentMap<V> implements Iterable<readonly [string, V]> {
  /** Number of entries. */
  readonly size: number;
  private readonly root: Node<V> | null;

  private constructor(root: Node<V> | null, size: number) {
    this.root = root;
    this.size = size;
    Object.freeze(this);
  }

  /** The map without entries. */
  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>(null, 0);
  }

  /** The map of some entries; of equal keys the later wins. */
  static from<V>(entries: Iterable<readonly [string, V]>): PersistentMap<V> {
    let map = PersistentMap.empty<V>();
    for (const [key, value] of entries) map = map.set(key, value);
    return map;
  }

  /** The value under a key, or undefined. */
  get(key: string): V | undefined {
    const leaf = this.root === null ? null : find(this.root, hashKey(key), 0, key);
    return leaf?.entry[1];
  }

  /** True when the key has an entry, whatever its value. */
  has(key: string): boolean {
    return this.root !== null && find(this.root, hashKey(key), 0, key) !== null;
  }

  /** The map with an entry added or replaced; the same map where it holds this very value already. */
  set(key: string, value: V): PersistentMap<V> {
    const leaf: Leaf<V> = {
      tag: 'leaf',
      hash: hashKey(key),
      entry: Object.freeze<[string, V]>([key, value]),
    };
    if (this.root === null) return new PersistentMap<V>(leaf, 1);
    const before = find(this.root, leaf.hash, 0, key);
    if (before !== null && Object.is(before.entry[1], value)) return this;
    return new PersistentMap<V>(insert(this.root, leaf, 0), before === null ? this.size + 1 : this.size);
  }

  /** The map without an entry; the same map if there is none. */
  delete(key: string): PersistentMap<V> {
    const hash = hashKey(key);
    if (this.root === null || find(this.root, hash, 0, key) === null) return this;
    return new PersistentMap<V>(remove(this.root, hash, 0, key), this.size - 1);
  }

  /** The entries, in the order of the trie. */
  [Symbol.iterator](): Iterator<readonly [string, V]> {
    return this.entries()[Symbol.iterator]();
  }

  /** The entries in ascending order of keys by UTF-16 code units, or by another order. O(n log n). */
  sorted(compare: (a: string, b: string) => number = compareText): readonly (readonly [string, V])[] {
    if (this.size < 2) return this.entries();
    // Sorting bare keys and looking the entries up is quicker than comparing entries: machines call this for
    // every state hash.
    const byKey = new Map(this.entries().map((entry) => [entry[0], entry]));
    return [...byKey.keys()].sort(compare).map((key) => byKey.get(key) as readonly [string, V]);
  }

  private entries(): (readonly [string, V])[] {
    const entries: (readonly [string, V])[] = [];
    if (this.root !== null) collect(this.root, entries);
    return entries;
  }
}

/** FNV-1a over UTF-16 code units with a final mix: the same on every engine. */
function hashKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function find<V>(start: Node<V>, hash: number, depth: number, key: string): Leaf<V> | null {
  let node = start;
  let shift = depth;
  while (node.tag === 'branch') {
    const bit = bitAt(hash, shift);
    if ((node.bitmap & bit) === 0) return null;
    const child = node.nodes[place(node.bitmap, bit)];
    if (child === undefined) return null;
    node = child;
    shift += BITS;
  }
  if (node.tag === 'leaf') return node.entry[0] === key ? node : null;
  return node.leaves.find((leaf) => leaf.entry[0] === key) ?? null;
}

function insert<V>(node: Node<V>, leaf: Leaf<V>, shift: number): Node<V> {
  if (node.tag === 'branch') {
    const bit = bitAt(leaf.hash, shift);
    const index = place(node.bitmap, bit);
    const child = node.nodes[index];
    if ((node.bitmap & bit) === 0 || child === undefined) {
      return { tag: 'branch', bitmap: node.bitmap | bit, nodes: node.nodes.toSpliced(index, 0, leaf) };
    }
    return {
      tag: 'branch',
      bitmap: node.bitmap,
      nodes: node.nodes.with(index, insert(child, leaf, shift + BITS)),
    };
  }
  if (node.tag === 'leaf' && node.entry[0] === leaf.entry[0]) return leaf;
  if (node.hash === leaf.hash) {
    const others =
      node.tag === 'leaf' ? [node] : node.leaves.filter(({ entry }) => entry[0] !== leaf.entry[0]);
    return {
      tag: 'bucket',
      hash: leaf.hash,
      leaves: [...others, leaf].sort((a, b) => compareText(a.entry[0], b.entry[0])),
    };
  }
  return split(node, leaf, shift);
}

/** Two nodes of different hashes below a common branch. */
function split<V>(node: Leaf<V> | Bucket<V>, leaf: Leaf<V>, shift: number): Node<V> {
  const a = bitAt(node.hash, shift);
  const b = bitAt(leaf.hash, shift);
  if (a === b) return { tag: 'branch', bitmap: a, nodes: [split(node, leaf, shift + BITS)] };
  // Places follow the unsigned order of the five bits.
  return { tag: 'branch', bitmap: a | b, nodes: a >>> 0 < b >>> 0 ? [node, leaf] : [leaf, node] };
}

function remove<V>(node: Node<V>, hash: number, shift: number, key: string): Node<V> | null {
  if (node.tag === 'leaf') return null;
  if (node.tag === 'bucket') {
    const leaves = node.leaves.filter((leaf) => leaf.entry[0] !== key);
    const [only] = leaves;
    return leaves.length === 1 && only !== undefined ? only : { ...node, leaves };
  }
  const bit = bitAt(hash, shift);
  const index = place(node.bitmap, bit);
  const child = node.nodes[index];
  if (child === undefined) return node;
  const left = remove(child, hash, shift + BITS, key);
  const nodes = left === null ? node.nodes.toSpliced(index, 1) : node.nodes.with(index, left);
  const [only] = nodes;
  if (only === undefined) return null;
  // A branch over one entry folds away, so that equal maps have equal tries.
  if (nodes.length === 1 && only.tag !== 'branch') return only;
  return { tag: 'branch', bitmap: left === null ? node.bitmap & ~bit : node.bitmap, nodes };
}

function collect<V>(node: Node<V>, into: (readonly [string, V])[]): void {
  if (node.tag === 'leaf') into.push(node.entry);
  else if (node.tag === 'bucket') for (const { entry } of node.leaves) into.push(entry);
  else for (const child of node.nodes) collect(child, into);
}

function bitAt(hash: number, shift: number): number {
  return 1 << ((hash >>> shift) & MASK);
}

/** How many children lie before a bit: a population count of the bits below it. */
function place(bitmap: number, bit: number): number {
  let bits = bitmap & (bit - 1);
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
