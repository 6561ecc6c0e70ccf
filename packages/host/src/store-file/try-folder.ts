/**
 * Whether a folder takes what a store writes, found out by writing there.
 *
 * @module
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { errnoOf } from '../files/index.js';
import type { Disk } from './disk.js';
import { closing, writeAll } from './ledger-file.js';

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
    await unlessRefused(disk.remove(path));
    await unlessRefused(disk.removeFolder(place));
  }
}

const TRY_BYTES = 4_096;

async function unlessRefused(action: Promise<void>): Promise<void> {
  try {
    await action;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
}
