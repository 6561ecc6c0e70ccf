/**
 * The folder of a log, read. Source: docs/formats/log.md.
 *
 * ```text
 * entries/…, tile/…    as `tilePath` names them; none is ever changed
 * checkpoint           the newest; witnesses append their lines to it
 * cosigned             the last one before it that a witness had cosigned, if there was one
 * ```
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, type Sha256, utf8Bytes } from '@assay/kernel';
import { toHex } from '../bytes/read.js';
import {
  type Checkpoint,
  isSigned,
  logKey,
  type NoteCrypto,
  parseCheckpoint,
  readCosignatures,
} from '../log/checkpoint.js';
import { formatEntry, type LogEntry, parseEntry, type RunEnd, type RunOpened } from '../log/entry.js';
import type { RunProof } from '../log/run-proof.js';
import { TILE_WIDTH, TiledTree, tileNodes, tilePath, tileWidth, type Tile } from '../log/tiles.js';
import { formatNote } from '../log/note.js';
import { foldPath, proveSubtree } from '../merkle/proof.js';
import { type ReadNode } from '../merkle/stored.js';
import { TreeHasher } from '../merkle/tree.js';
import { nativeEd25519 } from './key-files.js';

/**
 * Why a log is not read, continued or cosigned. `log_missing`: no checkpoint. `log_damaged`: a file is not
 * what the checkpoint signs, or is not there. `log_key`: the log of another key. `log_locked`: another
 * process continues it. `inconsistent`: it does not extend an earlier checkpoint. `log_state`: no state of
 * a witness of this log. `log_unwitnessed`: no cosignature came in time.
 */
export type LogFault =
  | 'log_missing'
  | 'log_damaged'
  | 'log_key'
  | 'log_locked'
  | 'inconsistent'
  | 'log_state'
  | 'log_unwitnessed';

/** What the shell of a log raises; failures of the system pass as they are. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly code: LogFault;
  /** The file or run concerned, or who holds the lock. */
  readonly place: string;
  constructor(code: LogFault, place: string) {
    super(`${code}: ${place}`);
    this.code = code;
    this.place = place;
  }
}

/** Digest and curve, as the shell has them. */
export function noteCrypto(sha256: Sha256): NoteCrypto {
  return { engine: nativeEd25519, sha256 };
}

/** The bytes of a file, null if it is not there. */
export function readIfThere(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * A checkpoint of the folder, its log's signature verified; null if it is not there. A line that is being
 * appended is not read. Raises `log_damaged`.
 */
export function readCheckpoint(
  folder: string,
  sha256: Sha256,
  name: 'checkpoint' | 'cosigned' = 'checkpoint',
): Checkpoint | null {
  const bytes = readIfThere(join(folder, name));
  if (bytes === null) return null;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const read = parseCheckpoint(text.slice(0, text.lastIndexOf('\n') + 1));
  if (read._tag === 'Right' && isSigned(read.right, noteCrypto(sha256))) return read.right;
  throw new LogError('log_damaged', join(folder, name));
}

/**
 * The newest checkpoint of this log that one of these witnesses cosigned soundly, by keys in hex; null for any
 * witness but the log itself. Null if there is none.
 */
export function readCosigned(
  folder: string,
  sha256: Sha256,
  witnesses: readonly string[] | null,
): Checkpoint | null {
  const newest = readCheckpoint(folder, sha256);
  for (const name of ['checkpoint', 'cosigned'] as const) {
    const checkpoint = name === 'checkpoint' ? newest : readCheckpoint(folder, sha256, name);
    const isCosigned =
      checkpoint !== null &&
      checkpoint.origin === newest?.origin &&
      readCosignatures(checkpoint, noteCrypto(sha256)).some(
        ({ key, isSound }) =>
          isSound && key !== logKey(checkpoint) && (witnesses === null || witnesses.includes(key)),
      );
    if (isCosigned) return checkpoint;
  }
  return null;
}

/** Follows the entries of a log from one checkpoint to the next, in the memory of a tree. */
export class LogReader {
  private readonly folder: string;
  private readonly sha256: Sha256;
  /** The tree over all entries read. */
  readonly tree: TiledTree;

  constructor(folder: string, sha256: Sha256) {
    this.folder = folder;
    this.sha256 = sha256;
    this.tree = new TiledTree(sha256);
  }

  /**
   * Reads on to a checkpoint, whose root the entries must lead to. `take` is given each line before that is
   * known, and the tiles that it fills. Raises `log_damaged`; a checkpoint behind what was read is
   * `inconsistent`.
   */
  extendTo(
    { size, root }: Pick<Checkpoint, 'size' | 'root'>,
    take: (entry: LogEntry, read: { line: string; digest: Digest; full: readonly Tile[] }) => void,
  ): void {
    if (size < this.tree.size) throw new LogError('inconsistent', `${this.tree.size} entries, then ${size}`);
    while (this.tree.size < size) {
      const place = Math.floor(this.tree.size / TILE_WIDTH);
      const { path, lines } = readEntryLines(this.folder, place, size);
      for (const line of lines.slice(this.tree.size % TILE_WIDTH)) {
        const bytes = utf8Bytes(line);
        const entry = parseEntry(bytes);
        if (entry._tag === 'Left') throw new LogError('log_damaged', path);
        const digest = this.sha256(bytes);
        take(entry.right, { line, digest, full: this.tree.add(digest) });
      }
    }
    if (this.tree.root() !== root) throw new LogError('log_damaged', join(this.folder, 'entries'));
  }
}

/** The lines of a file of entries, as many as a tree of this size has. Raises `log_damaged`. */
function readEntryLines(
  folder: string,
  place: number,
  size: number,
): { path: string; lines: readonly string[] } {
  const width = tileWidth(0, place, size);
  const { path, bytes } = readTileFile(folder, 'entries', place, width);
  const lines = new TextDecoder().decode(bytes).split('\n').slice(0, width);
  // The last line has an end: what was cut off is no line.
  if (lines.length < width || bytes.filter((byte) => byte === LINE_END).length < width)
    throw new LogError('log_damaged', path);
  return { path, lines };
}

const LINE_END = 0x0a;
const HASH_BYTES = 32;

/** A file by its width, or the full one that took its place. Raises `log_damaged` where there is neither. */
function readTileFile(
  folder: string,
  level: number | 'entries',
  place: number,
  width: number,
): { readonly path: string; readonly bytes: Uint8Array } {
  const path = join(folder, tilePath(level, place, width));
  const bytes = readIfThere(path) ?? readIfThere(join(folder, tilePath(level, place, TILE_WIDTH)));
  if (bytes === null) throw new LogError('log_damaged', path);
  return { path, bytes };
}

/**
 * The nodes of the tree of this size, by the tiles of the folder, each read once. They raise `log_damaged`.
 */
export function folderNodes(folder: string, size: number, sha256: Sha256): ReadNode {
  const tiles = new Map<string, readonly Digest[]>();
  return tileNodes((level, place) => {
    const width = tileWidth(level, place, size);
    const name = tilePath(level, place, width);
    const known = tiles.get(name);
    if (known !== undefined) return known;
    const { path, bytes } = readTileFile(folder, level, place, width);
    if (bytes.length < width * HASH_BYTES) throw new LogError('log_damaged', path);
    const hashes = Array.from(
      { length: width },
      (_, at) => toHex(bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)) as Digest,
    );
    tiles.set(name, hashes);
    return hashes;
  }, new TreeHasher(sha256));
}

/**
 * Whether the tree of a checkpoint begins with an earlier one, by the tiles of the folder. Raises
 * `log_damaged`.
 */
export function extendsTree(
  folder: string,
  earlier: Pick<Checkpoint, 'size' | 'root'>,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
  sha256: Sha256,
): boolean {
  if (earlier.size > size) return false;
  const hasher = new TreeHasher(sha256);
  const range = { start: 0, end: earlier.size };
  const path = proveSubtree(folderNodes(folder, size, sha256), hasher, range, size);
  const folded = foldPath(hasher, range, size, earlier.root, path);
  if (folded !== null && folded.root === root && folded.subtree === earlier.root) return true;
  // So say tiles that are damaged: the entries decide.
  const reader = new LogReader(folder, sha256);
  let isMet = false;
  reader.extendTo({ size, root }, () => {
    if (reader.tree.size === earlier.size) isMet = reader.tree.root() === earlier.root;
  });
  if (isMet) throw new LogError('log_damaged', join(folder, 'tile'));
  return false;
}

/**
 * The proof of a run under a checkpoint; null if it is not there. Entries are searched as bytes, the
 * newest first: those of 100,000 runs take a tenth of a second. Raises `log_damaged` where the paths do not
 * lead to the root.
 */
export function proveRun(
  folder: string,
  checkpoint: Checkpoint,
  runId: string,
  sha256: Sha256,
): RunProof | null {
  const { size, root, note } = checkpoint;
  let end: { index: number; entry: RunEnd } | null = null;
  let opened: { index: number; entry: RunOpened } | null = null;
  for (let place = Math.ceil(size / TILE_WIDTH) - 1; place >= 0 && opened === null; place -= 1) {
    for (const { index, entry } of findEntries(folder, place, size, runId)) {
      if (entry.t === 'assay.run-opened.v1') opened = { index, entry };
      else end = { index, entry };
    }
  }
  if (opened === null) {
    // Not there, or in what was cut off.
    new LogReader(folder, sha256).extendTo(checkpoint, () => undefined);
    return null;
  }
  const hasher = new TreeHasher(sha256);
  const nodes = folderNodes(folder, size, sha256);
  const placed = <E extends LogEntry>({ index, entry }: { index: number; entry: E }) => {
    const range = { start: index, end: index + 1 };
    const path = proveSubtree(nodes, hasher, range, size);
    const leaf = hasher.leaf(sha256(utf8Bytes(formatEntry(entry))));
    if (foldPath(hasher, range, size, leaf, path)?.root !== root)
      throw new LogError('log_damaged', join(folder, 'tile'));
    return { index, entry, path };
  };
  return {
    t: 'assay.log-proof.v1',
    checkpoint: formatNote(note),
    opened: placed(opened),
    end: end === null ? null : placed(end),
  };
}

/** The entries of one run in one file, whose lines are not read where they do not name it. */
function findEntries(
  folder: string,
  place: number,
  size: number,
  runId: string,
): readonly { readonly index: number; readonly entry: LogEntry }[] {
  const { bytes } = readTileFile(folder, 'entries', place, tileWidth(0, place, size));
  const needle = `"run_id":"${runId}"`;
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(needle)) return [];
  return readEntryLines(folder, place, size).lines.flatMap((line, at) => {
    const entry = line.includes(needle) ? parseEntry(utf8Bytes(line)) : null;
    return entry?._tag === 'Right' ? [{ index: place * TILE_WIDTH + at, entry: entry.right }] : [];
  });
}
