/**
 * Snapshots of stored runs, kept beside the store.
 *
 * @module
 */
import { folderSnapshots, maskedAddress, type SnapshotUse } from '@assay/host';
import { misuse } from '../problem.js';
import { placeBeside } from './place-beside.js';

/** How many records may lie between two snapshots at the most, by `--snapshot-every`. */
const EVERY_MAX = 1_000_000_000;

/**
 * Snapshots as `<run>.snapshot.json` in the folder of a file store, or of a database: taken where `every` is
 * given, used wherever one lies there that the ledger bears out. Null for a server, which has no folder.
 * Raises `Stop`: `snapshot_every` for what is no number from 1, and for a server.
 */
export async function snapshotsBeside(url: string, every: string | undefined): Promise<SnapshotUse | null> {
  if (every !== undefined && !(/^[1-9][0-9]{0,9}$/.test(every) && Number(every) <= EVERY_MAX))
    throw misuse(
      'snapshot_every',
      'this is no number of records',
      every,
      `give a whole number from 1 to ${EVERY_MAX}`,
    );
  const folder = (await placeBeside(url))?.folder ?? null;
  if (folder === null && every !== undefined)
    throw misuse(
      'snapshot_every',
      'a server has no folder to keep snapshots in',
      maskedAddress(url),
      'leave --snapshot-every out; a run is resumed without snapshots, too',
    );
  return folder === null
    ? null
    : {
        keep: folderSnapshots(folder),
        every: every === undefined ? Number.POSITIVE_INFINITY : Number(every),
      };
}
