/**
 * The stored tree of a ledger as a file: written while the ledger is judged, read at a few places.
 *
 * @module
 */
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatTreeHeader, MerkleTree, parseTreeHeader, storedBytes, storedCount, storedRecordHash, TREE_HASH_BYTES, TREE_HEADER_BYTES, type StoredTree, type TreeHeader } from '@assay/attest';
import { nativeSha256 } from '@assay/host';
import type { Digest } from '@assay/kernel';
import { moveInto, requireTarget, temporaryBeside } from '../files/write.js';
import { factsOf } from '../inputs/ledger.js';
import { errnoOf } from '../problem.js';
import { lastRecord } from './ledger-ends.js';

const BUFFER_BYTES = 1_048_576;

/** A stored tree at hand. `close` when done. */
export type OpenTree = { readonly tree: StoredTree; readonly header: TreeHeader; readonly close: () => void };

/**
 * The tree of a ledger. With `path`, the one stored there, where it ends with the ledger's last record; else it is made,
 * from a ledger whose integrity holds, and kept there. Without a path it is kept for this call. Raises `Stop`.
 */
export async function treeOf(ledger: string, path: string | null): Promise<OpenTree & { readonly isFresh: boolean }> {
  const stored = path === null ? null : openTree(path);
  if (stored !== null) {
    if (await endsWith(stored, ledger)) return { ...stored, isFresh: false };
    stored.close();
  }
  if (path === null) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-tree-'));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      const fresh = await made(ledger, join(folder, 'tree'));
      return { ...fresh, isFresh: true, close: () => (fresh.close(), remove()) };
    } catch (error) {
      remove();
      throw error;
    }
  }
  requireTarget(path);
  const temporary = temporaryBeside(dirname(path));
  const fresh = await made(ledger, temporary);
  await moveInto(temporary, path);
  return { ...fresh, isFresh: true };
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

/** A stored tree that is whole; null for anything else, which is written anew. */
function openTree(path: string): OpenTree | null {
  try {
    const handle = openSync(path, 'r');
    const bytes = Buffer.alloc(TREE_HEADER_BYTES);
    readSync(handle, bytes, 0, TREE_HEADER_BYTES, 0);
    const header = parseTreeHeader(bytes.toString('latin1'));
    if (header._tag === 'Right' && fstatSync(handle).size === TREE_HEADER_BYTES + storedCount(header.right.size) * TREE_HASH_BYTES) return openedAs(handle, header.right);
    closeSync(handle);
    return null;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

function openedAs(handle: number, header: TreeHeader): OpenTree {
  const bytes = Buffer.alloc(TREE_HASH_BYTES);
  const read = (index: number): Digest => {
    readSync(handle, bytes, 0, TREE_HASH_BYTES, TREE_HEADER_BYTES + index * TREE_HASH_BYTES);
    return bytes.toString('hex') as Digest;
  };
  return { tree: { read, sha256: nativeSha256 }, header, close: () => closeSync(handle) };
}

async function endsWith({ tree, header }: OpenTree, ledger: string): Promise<boolean> {
  const last = await lastRecord(ledger);
  return last !== null && storedRecordHash(tree, header.size - 1) === last.record_hash && Number(last.ts.slice(-12)) === header.first + header.size - 1;
}
