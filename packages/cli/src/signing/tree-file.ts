/**
 * The stored tree of a ledger as a file: written while the ledger is judged, read at a few places.
 *
 * @module
 */
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  formatTreeHeader,
  MerkleTree,
  parseTreeHeader,
  proveConsistency,
  recomputes,
  storedBytes,
  storedCount,
  storedRecordHash,
  TREE_HASH_BYTES,
  TREE_HEADER_BYTES,
  type Proof,
  type StoredTree,
  type TreeHeader,
} from '@assay/attest';
import { nativeSha256 } from '@assay/host';
import { temporaryBeside } from '@assay/host/files';
import type { Digest } from '@assay/kernel';
import { notRead } from '../files/read.js';
import { moveInto, requireTarget } from '../files/write.js';
import { factsOf } from '../inputs/ledger.js';
import { misuse, type Stop } from '../problem.js';
import { lastRecord } from './ledger-ends.js';

const BUFFER_BYTES = 1_048_576;

/** A stored tree at hand. `root`: that of all its leaves, as it was written. `close` when done. */
export type OpenTree = {
  readonly tree: StoredTree;
  readonly header: TreeHeader;
  readonly root: Digest;
  readonly close: () => void;
};

/**
 * Where a tree is from: `stored` before this call, `made` in it, `replaced` where another, older or damaged
 * one was there.
 */
export type TreeOrigin = 'stored' | 'made' | 'replaced';

/**
 * The tree of a ledger. With `path`, the one stored there, where it ends with the ledger's last record; else
 * it is made, from a ledger whose integrity holds, and kept there. Without a path it is kept for this call.
 * `isAnew`: the stored one is not used. Whoever makes proofs from it asks {@link leadsToRoot}. Raises `Stop`:
 * `other_file` for a file that is no stored tree, which is left alone.
 */
export async function treeOf(
  ledger: string,
  path: string | null,
  isAnew: boolean,
): Promise<OpenTree & { readonly origin: TreeOrigin }> {
  const there = path === null ? 'none' : openTree(path);
  if (typeof there === 'object') {
    if (!isAnew && (await endsWith(there, ledger))) return { ...there, origin: 'stored' };
    there.close();
  }
  if (path === null) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-tree-'));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      const fresh = await made(ledger, join(folder, 'tree'));
      return { ...fresh, origin: 'made', close: () => (fresh.close(), remove()) };
    } catch (error) {
      remove();
      throw error;
    }
  }
  requireTarget(path);
  const temporary = temporaryBeside(dirname(path));
  const fresh = await made(ledger, temporary);
  await moveInto(temporary, path);
  return { ...fresh, origin: there === 'none' ? 'made' : 'replaced' };
}

/**
 * Whether a proof from a stored tree leads to the root that was written with it: a hash that was damaged
 * since, in the tree or in what names its root, leads elsewhere. Some hundred reads; the rest of the tree is
 * not looked at.
 */
export function leadsToRoot({ tree, header, root }: OpenTree, proof: Proof): boolean {
  const { size, tree_root } = proof.t === 'assay.inclusion.v1' ? proof : proof.to;
  const { from, to, ...rest } = proveConsistency(tree, size, header.size);
  return (
    recomputes(proof, nativeSha256) &&
    from.tree_root === tree_root &&
    to.tree_root === root &&
    recomputes({ ...rest, from, to }, nativeSha256)
  );
}

async function made(ledger: string, path: string): Promise<OpenTree> {
  const handle = openSync(path, 'wx+');
  try {
    const buffer = Buffer.alloc(BUFFER_BYTES);
    let [held, at] = [0, TREE_HEADER_BYTES];
    const flush = (): void => {
      for (let from = 0; from < held; ) from += writeSync(handle, buffer, from, held - from, at + from);
      at += held;
      held = 0;
    };
    const tree = new MerkleTree(nativeSha256, (hash) => {
      if (held === BUFFER_BYTES) flush();
      buffer.set(storedBytes(hash), held);
      held += TREE_HASH_BYTES;
    });
    const { first } = await factsOf(ledger, ({ record_hash }) => tree.add(record_hash));
    const root = tree.root();
    if (held === BUFFER_BYTES) flush();
    buffer.set(storedBytes(root), held);
    held += TREE_HASH_BYTES;
    flush();
    const header = { size: tree.size, first };
    writeSync(handle, formatTreeHeader(header), 0);
    return openedAs(handle, header);
  } catch (error) {
    closeSync(handle);
    rmSync(path, { force: true });
    throw error;
  }
}

/**
 * A stored tree that is whole. `none` for no file or an empty one; `cut` for a tree of another length, which
 * is written anew. Raises `Stop`: `other_file`, `unreadable`.
 */
function openTree(path: string): OpenTree | 'none' | 'cut' {
  const refuse = (): Stop =>
    misuse(
      'other_file',
      'there is a file of this name that is no stored tree',
      path,
      'name another file for --tree; this one was left as it is',
    );
  let handle: number | null = null;
  try {
    // A pipe or a device is asked for nothing: it may never answer.
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return 'none';
    if (!stat.isFile()) throw refuse();
    if (stat.size === 0) return 'none';
    handle = openSync(path, 'r');
    const bytes = Buffer.alloc(TREE_HEADER_BYTES);
    readSync(handle, bytes, 0, TREE_HEADER_BYTES, 0);
    const header = parseTreeHeader(bytes.toString('latin1'));
    if (header._tag === 'Left') throw refuse();
    if (fstatSync(handle).size !== TREE_HEADER_BYTES + (storedCount(header.right.size) + 1) * TREE_HASH_BYTES)
      return 'cut';
    const opened = openedAs(handle, header.right);
    handle = null;
    return opened;
  } catch (error) {
    throw notRead(path, error);
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

function openedAs(handle: number, header: TreeHeader): OpenTree {
  const bytes = Buffer.alloc(TREE_HASH_BYTES);
  const read = (index: number): Digest => {
    readSync(handle, bytes, 0, TREE_HASH_BYTES, TREE_HEADER_BYTES + index * TREE_HASH_BYTES);
    return bytes.toString('hex') as Digest;
  };
  return {
    tree: { read, sha256: nativeSha256 },
    header,
    root: read(storedCount(header.size)),
    close: () => closeSync(handle),
  };
}

async function endsWith({ tree, header }: OpenTree, ledger: string): Promise<boolean> {
  const last = await lastRecord(ledger);
  return (
    last !== null &&
    storedRecordHash(tree, header.size - 1) === last.record_hash &&
    Number(last.ts.slice(-12)) === header.first + header.size - 1
  );
}
