/**
 * The stored tree of a ledger file: how the command reads the ledger, writes the tree, and what it says.
 *
 * @module
 */
import { dirname } from 'node:path';
import { treeOf, type OpenTree, type TreeOrigin } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { temporaryBeside } from '@assay/host/files';
import { factsOf } from '../../files/ledger.js';
import { notRead } from '../../files/read.js';
import { moveInto, requireTarget } from '../../files/write.js';
import { misuse } from '../../problems/problem.js';
import { lastRecord } from './ledger-ends.js';

/**
 * The tree of a ledger, stored at `path` or made anew, as {@link treeOf} does it. Raises `Stop`:
 * `other_file`, and those of files and ledgers.
 */
export async function treeOfFile(
  ledger: string,
  path: string | null,
  isAnew: boolean,
): Promise<OpenTree & { readonly origin: TreeOrigin }> {
  const tree = await treeOf(path, isAnew, {
    sha256: nativeSha256,
    read: async (take) => (await factsOf(ledger, ({ record_hash }) => take(record_hash))).first,
    last: async () => {
      const last = await lastRecord(ledger);
      return last === null ? null : { recordHash: last.record_hash, position: Number(last.ts.slice(-12)) };
    },
    beside: (target) => {
      requireTarget(target);
      return temporaryBeside(dirname(target));
    },
    moveInto,
  });
  if (tree._tag === 'Right') return tree.right;
  if (tree.left.code === 'unreadable') throw notRead(path ?? '', tree.left.cause);
  throw misuse(
    'other_file',
    'this file exists and is not a cached tree',
    path ?? '',
    'name another file for --tree; this one was not changed',
  );
}
