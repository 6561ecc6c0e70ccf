/** The stored tree of a ledger as a file: written while the ledger is judged, read at a few places. */
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { err, ok, type Digest, type Result, type Sha256 } from '@assay/kernel';
import {
  type Proof,
  proveConsistency,
  recomputes,
  storedRecordHash,
  type StoredTree,
} from '../proofs/proof.js';
import {
  formatTreeHeader,
  parseTreeHeader,
  storedBytes,
  storedCount,
  TREE_HASH_BYTES,
  TREE_HEADER_BYTES,
  type TreeHeader,
} from '../merkle/stored.js';
import { MerkleTree } from '../merkle/tree.js';

const BUFFER_BYTES = 1_048_576;

/** A stored tree at hand. `root`: that of all its leaves, as it was written. `close` when done. */
export type OpenTree = {
  readonly tree: Required<StoredTree>;
  readonly header: TreeHeader;
  readonly root: Digest;
  readonly close: () => void;
};

/**
 * Where a tree is from: `stored` before this call, `made` in it, `replaced` where another, older or damaged
 * one was there.
 */
export type TreeOrigin = 'stored' | 'made' | 'replaced';

/** Why there is no tree: a file that is no stored tree, or what reading it raised. */
type TreeFault = { readonly code: 'other_file' } | { readonly code: 'unreadable'; readonly cause: unknown };

/**
 * What a tree is made with. `read`: tells the hash of each record of a ledger whose integrity holds, and
 * gives where its first one stands. `last`: its last record; null if it has none. `beside`: a new name
 * beside a target; `moveInto`: puts the file of that name in the target's place, durably.
 */
type TreeMaking = {
  readonly sha256: Sha256;
  readonly read: (take: (recordHash: Digest) => void) => Promise<number>;
  readonly last: () => Promise<LastRecord | null>;
  readonly beside: (path: string) => string;
  readonly moveInto: (temporary: string, path: string) => Promise<void>;
};

/** The end of a ledger: its last record's hash and where it stands. */
type LastRecord = { readonly recordHash: Digest; readonly position: number };

/**
 * The tree of a ledger. With `path`, the one stored there, where it ends with the ledger's last record; else
 * it is made and kept there. Without a path it is kept for this call. `isAnew`: the stored one is not used.
 * Whoever makes proofs from it asks {@link leadsToRoot}. `other_file`: a file that is no stored tree, which
 * is left alone. Rejects with what reading the ledger and writing the tree reject with.
 */
export async function openTreeFile(
  path: string | null,
  isAnew: boolean,
  making: TreeMaking,
): Promise<Result<TreeFault, OpenTree & { readonly origin: TreeOrigin }>> {
  const opened = path === null ? ok('none' as const) : openTree(path, making.sha256);
  if (opened._tag === 'Left') return opened;
  const there = opened.right;
  if (typeof there === 'object') {
    if (!isAnew && endsWith(there, await making.last())) return ok({ ...there, origin: 'stored' });
    there.close();
  }
  if (path === null) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-tree-'));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      const fresh = await made(join(folder, 'tree'), making);
      return ok({ ...fresh, origin: 'made', close: () => (fresh.close(), remove()) });
    } catch (error) {
      remove();
      throw error;
    }
  }
  const temporary = making.beside(path);
  const fresh = await made(temporary, making);
  await making.moveInto(temporary, path);
  return ok({ ...fresh, origin: there === 'none' ? 'made' : 'replaced' });
}

/**
 * Whether a proof from a stored tree leads to the root that was written with it: a hash that was damaged
 * since, in the tree or in what names its root, leads elsewhere. Some hundred reads; the rest of the tree is
 * not looked at.
 */
export function leadsToRoot({ tree, header, root }: OpenTree, proof: Proof): boolean {
  const { sha256 } = tree;
  const { size, tree_root } = proof.t === 'assay.inclusion.v1' ? proof : proof.to;
  const { from, to, ...rest } = proveConsistency(tree, size, header.size);
  return (
    recomputes(proof, sha256) &&
    from.tree_root === tree_root &&
    to.tree_root === root &&
    recomputes({ ...rest, from, to }, sha256)
  );
}

async function made(path: string, { sha256, read }: TreeMaking): Promise<OpenTree> {
  const handle = openSync(path, 'wx+');
  try {
    const buffer = Buffer.alloc(BUFFER_BYTES);
    let [held, at] = [0, TREE_HEADER_BYTES];
    const flush = (): void => {
      for (let from = 0; from < held; ) from += writeSync(handle, buffer, from, held - from, at + from);
      at += held;
      held = 0;
    };
    const tree = new MerkleTree(sha256, (hash) => {
      if (held === BUFFER_BYTES) flush();
      buffer.set(storedBytes(hash), held);
      held += TREE_HASH_BYTES;
    });
    const first = await read((hash) => tree.add(hash));
    const root = tree.root();
    if (held === BUFFER_BYTES) flush();
    buffer.set(storedBytes(root), held);
    held += TREE_HASH_BYTES;
    flush();
    const header = { size: tree.size, first };
    writeSync(handle, formatTreeHeader(header), 0);
    return openedAs(handle, header, sha256);
  } catch (error) {
    closeSync(handle);
    rmSync(path, { force: true });
    throw error;
  }
}

/**
 * A stored tree that is whole. `none` for no file or an empty one; `cut` for a tree of another length, which
 * is written anew.
 */
function openTree(path: string, sha256: Sha256): Result<TreeFault, OpenTree | 'none' | 'cut'> {
  let handle: number | null = null;
  try {
    // A pipe or a device is asked for nothing: it may never answer.
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return ok('none');
    if (!stat.isFile()) return err({ code: 'other_file' });
    if (stat.size === 0) return ok('none');
    handle = openSync(path, 'r');
    const bytes = Buffer.alloc(TREE_HEADER_BYTES);
    readSync(handle, bytes, 0, TREE_HEADER_BYTES, 0);
    const header = parseTreeHeader(bytes.toString('latin1'));
    if (header._tag === 'Left') return err({ code: 'other_file' });
    if (fstatSync(handle).size !== TREE_HEADER_BYTES + (storedCount(header.right.size) + 1) * TREE_HASH_BYTES)
      return ok('cut');
    const opened = openedAs(handle, header.right, sha256);
    handle = null;
    return ok(opened);
  } catch (cause) {
    return err({ code: 'unreadable', cause });
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

function openedAs(handle: number, header: TreeHeader, sha256: Sha256): OpenTree {
  const bytes = Buffer.alloc(TREE_HASH_BYTES);
  const read = (index: number): Digest => {
    readSync(handle, bytes, 0, TREE_HASH_BYTES, TREE_HEADER_BYTES + index * TREE_HASH_BYTES);
    return bytes.toString('hex') as Digest;
  };
  return {
    tree: { read, sha256 },
    header,
    root: read(storedCount(header.size)),
    close: () => closeSync(handle),
  };
}

function endsWith({ tree, header }: OpenTree, last: LastRecord | null): boolean {
  return (
    last !== null &&
    storedRecordHash(tree, header.size - 1) === last.recordHash &&
    last.position === header.first + header.size - 1
  );
}
