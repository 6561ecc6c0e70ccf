/**
 * The tree of a log in tiles of 256 hashes, as C2SP tlog-tiles lays them out, and where its files are.
 *
 * ```text
 * tile/L/N        hashes N·256 to N·256 + 255 of level 8·L; N as x001/x234/067; the last, of W < 256: N.p/W
 * entries/N       the lines of the entries N·256 to N·256 + 255, named likewise
 * ```
 *
 * There is no `tile/entries`: an entry there would be the 32 bytes of a line's digest.
 */
import { type Digest, type Sha256 } from '@assay/kernel';
import type { ReadNode } from '../merkle/stored.js';
import { MerkleTree, TreeHasher } from '../merkle/tree.js';

/** Hashes of a tile, lines of a file of entries. */
export const TILE_WIDTH = 256;
/** Levels of the tree that one level of tiles covers. */
const TILE_LEVELS = 8;
const DIGITS = 3;

/** A tile: its level and place among tiles, and its hashes, fewer than 256 only in the last of a level. */
export type Tile = { readonly level: number; readonly place: number; readonly hashes: readonly Digest[] };

/** Where a tile is, or with the level `entries` a file of entries. */
export function tilePath(level: number | 'entries', place: number, width: number): string {
  const digits = String(place);
  const padded = digits.padStart(Math.ceil(digits.length / DIGITS) * DIGITS, '0');
  const parts = padded.match(/.{3}/g) ?? [];
  const path = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join('/');
  const folder = level === 'entries' ? 'entries' : `tile/${level}`;
  return `${folder}/${path}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/** How many hashes the tile at a place has in a tree of `size` leaves; 0 for one that there is not. */
export function tileWidth(level: number, place: number, size: number): number {
  let count = size;
  for (let below = 0; below < level; below += 1) count = Math.floor(count / TILE_WIDTH);
  return Math.max(0, Math.min(TILE_WIDTH, count - place * TILE_WIDTH));
}

/** A tree that grows, tile by tile. Kept: the last tile of each level. */
export class TiledTree {
  private readonly hasher: TreeHasher;
  private readonly tree: MerkleTree;
  /** The record hash and the nodes that the last entry completed. */
  private completed: Digest[] = [];
  private readonly rows: { place: number; hashes: Digest[] }[] = [];

  constructor(sha256: Sha256) {
    this.hasher = new TreeHasher(sha256);
    this.tree = new MerkleTree(sha256, (hash) => this.completed.push(hash));
  }

  /** Number of entries. */
  get size(): number {
    return this.tree.size;
  }

  /** The next entry, by the digest of its line; the tiles that it fills. */
  add(digest: Digest): readonly Tile[] {
    this.completed = [];
    this.tree.add(digest);
    const full: Tile[] = [];
    for (let level = 0; level * TILE_LEVELS < this.completed.length; level += 1) {
      const hash = this.completed[level * TILE_LEVELS] ?? digest;
      const row = (this.rows[level] ??= { place: 0, hashes: [] });
      row.hashes.push(level === 0 ? this.hasher.leaf(hash) : hash);
      if (row.hashes.length < TILE_WIDTH) continue;
      full.push({ level, place: row.place, hashes: row.hashes });
      this.rows[level] = { place: row.place + 1, hashes: [] };
    }
    return full;
  }

  /** The tiles that are not full. */
  partial(): readonly Tile[] {
    return this.rows.flatMap(({ place, hashes }, level) =>
      hashes.length === 0 ? [] : [{ level, place, hashes: [...hashes] }],
    );
  }

  /** The root over all entries; there must be one. */
  root(): Digest {
    return this.tree.root();
  }
}

/** Gives the hashes of a tile that a tree of this size has. */
export type ReadTile = (level: number, place: number) => readonly Digest[];

/** The nodes of a tree from its tiles. */
export function tileNodes(read: ReadTile, hasher: TreeHasher): ReadNode {
  const node = (level: number, place: number): Digest => {
    if (level % TILE_LEVELS !== 0)
      return hasher.node(node(level - 1, 2 * place), node(level - 1, 2 * place + 1));
    const hashes = read(level / TILE_LEVELS, Math.floor(place / TILE_WIDTH));
    const hash = hashes[place % TILE_WIDTH];
    if (hash === undefined) throw new RangeError(`tileNodes: no node ${place} at level ${level}`);
    return hash;
  };
  return node;
}
