/**
 * Writing one ledger file: made whole, extended group by group, mended where a write was cut; a folder tried
 * without touching a run.
 */
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { encodeLine, type EvidenceRecord, utf8Bytes } from '@assay/kernel';
import { readErrno } from '../files/index.js';
import type { Disk, DiskFile, Look } from './disk.js';

/** The bytes of a group: each record's canonical line and 0A. */
export function groupBytes(records: readonly EvidenceRecord[]): Uint8Array {
  return utf8Bytes(records.map((record) => `${encodeLine(record)}\n`).join(''));
}

/**
 * Makes a ledger file that holds a first group: written beside, synced, renamed, the folder synced. So a
 * run exists with its whole first group or not at all. The caller holds the lock and has seen that no such
 * file exists. The file that was made.
 */
export async function createLedger(disk: Disk, path: string, bytes: Uint8Array): Promise<Look> {
  const making = `${path}.new`;
  await clearLeftover(disk, making);
  const file = await disk.open(making, 'create');
  let place = making;
  try {
    const made = await closing(file, async () => {
      await writeAll(file, bytes, 0);
      await file.sync();
      return file.look();
    });
    await disk.rename(making, path);
    place = path;
    await disk.syncFolder(dirname(path));
    return made;
  } catch (error) {
    // A failure leaves nothing half made; a crash may leave a file of the other name, which the next attempt
    // removes.
    if (readErrno(error) !== null) await attempt(disk.remove(place));
    throw error;
  }
}

/**
 * What bears the name under which a ledger is made, and is no file: no store of ours left it. As the system
 * names a failure.
 */
const FOREIGN_NAME = 'ERR_FOREIGN_NAME';

/**
 * Removes what a crash left under the name, by that name: nothing is ever written through it. A link, pipe,
 * device or folder is refused and stays, since no crash leaves one: somebody put it there, and may want it.
 */
async function clearLeftover(disk: Disk, making: string): Promise<void> {
  const found = await disk.lookAtName(making);
  if (found === null) return;
  if (!found.isFile)
    throw Object.assign(new Error(`${making}: this is no file`), { code: FOREIGN_NAME, syscall: 'open' });
  await disk.remove(making);
}

/**
 * Appends a group at `end`: one write and one sync, or one write that is both. Where it fails the file is cut
 * back to `end`, so that what a failed sync may have left only in memory is written again by the next
 * attempt, never taken for durable; and the cut is synced, so that records which a short write left on the
 * medium do not come back.
 */
export async function extendLedger(file: DiskFile, bytes: Uint8Array, end: number): Promise<void> {
  try {
    await writeAll(file, bytes, end);
    if (file.writesThrough !== true) await file.sync();
  } catch (error) {
    if (readErrno(error) !== null) await attempt(cutBack(file, end));
    throw error;
  }
}

async function cutBack(file: DiskFile, end: number): Promise<void> {
  await file.truncate(end);
  await file.sync();
}

/** Does something with a file, which is closed afterwards whatever came of it. */
export async function closing<T>(file: DiskFile, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } finally {
    await file.close();
  }
}

/**
 * Writes all of the bytes, in as many parts as the medium takes. Rejects with `EIO` where it takes nothing
 * and says no failure: it would be asked for ever.
 */
export async function writeAll(file: DiskFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let held = 0; held < bytes.length; ) {
    const written = await file.write(bytes.subarray(held), position + held);
    if (written === 0)
      throw Object.assign(new Error('nothing was written'), { code: 'EIO', syscall: 'write' });
    held += written;
  }
}

/** Tidies up after a failure; the failure is what is reported. */
async function attempt(action: Promise<void>): Promise<void> {
  try {
    await action;
  } catch (error) {
    if (readErrno(error) === null) throw error;
  }
}

/**
 * Makes a folder beside the ledgers, as a lock does, writes and syncs a file of 4 KiB in it, and removes
 * both. The name begins with a dot: what a process leaves that is killed meanwhile is no run. Of a folder
 * that is there. Rejects with the system's error.
 */
export async function tryFolder(disk: Disk, folder: string): Promise<void> {
  const place = join(folder, `.try-${randomBytes(8).toString('hex')}`);
  const path = join(place, 'file');
  await disk.makeFolder(place);
  try {
    const file = await disk.open(path, 'create');
    await closing(file, async () => {
      await writeAll(file, new Uint8Array(TRY_BYTES), 0);
      await file.sync();
    });
    await disk.syncFolder(folder);
  } finally {
    // What kept it from being written is what is reported.
    await attempt(disk.remove(path));
    await attempt(disk.removeFolder(place));
  }
}

const TRY_BYTES = 4_096;
