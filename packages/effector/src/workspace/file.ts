/**
 * One regular file of the workspace, opened so that nothing else can be in its place: no link is followed, a
 * FIFO or a device does not make the call wait, and what was opened is looked at before it is used.
 *
 * @module
 */
import { constants, promises as fs, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { err, ok, type Result } from '@assay/kernel';
import { errnoOf } from '@assay/host/files';
import { denied, type Refusal } from '../refusal.js';
import { addressOf, type Spot } from './descend.js';

/** A file that is open, and what it was when it was opened. */
export type OpenFile = { readonly handle: FileHandle; readonly look: Stats };

const FLAGS = {
  read: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
  append:
    constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
} as const;

/**
 * Opens the file of a spot; the caller closes it. Codes: `not_a_file`, `symlink`, `not_found`, and those of
 * the system.
 */
export async function openFile(spot: Spot, mode: 'read' | 'append'): Promise<Result<Refusal, OpenFile>> {
  if (spot.name === null) return err(notAFile(spot));
  // A look ahead, for opening some devices has an effect of its own; what is opened is looked at again.
  const ahead = await fs.lstat(addressOf(spot));
  if (ahead.isSymbolicLink())
    return err(denied('symlink', `${spot.path.text}: a symbolic link stands there`));
  if (!ahead.isFile()) return err(notAFile(spot));
  const handle = await fs.open(addressOf(spot), FLAGS[mode]);
  const look = await handle.stat();
  if (look.isFile()) return ok({ handle, look });
  await handle.close();
  return err(notAFile(spot));
}

/** Does `act` with the file of a spot and closes it. */
export async function withFile<T>(
  spot: Spot,
  mode: 'read' | 'append',
  act: (file: OpenFile) => Promise<Result<Refusal, T>>,
): Promise<Result<Refusal, T>> {
  const file = await openFile(spot, mode);
  if (file._tag === 'Left') return file;
  try {
    return await act(file.right);
  } finally {
    await file.right.handle.close();
  }
}

/** What stands at a spot, a link as itself; null where nothing does. */
export async function lookAtSpot(spot: Spot): Promise<Stats | null> {
  if (spot.name === null) return spot.folder.handle.stat();
  try {
    return await fs.lstat(addressOf(spot));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The refusal of whatever is no regular file. */
export function notAFile(spot: Spot): Refusal {
  return denied('not_a_file', `${spot.path.text}: no regular file`);
}
