/**
 * One writer for each run, across processes.
 *
 * ```text
 * .locks/<run_id>/                         the lock: held while it contains a file
 * .locks/<run_id>/<pid>,<start>,…,<host>   its owner; the name says it all, the file is empty
 * .locks/.new-<owner>/                     a lock being made
 * ```
 *
 * Taking: a folder that already contains the owner's file is renamed to the lock's name, which succeeds
 * only where nothing or an empty folder stands there. Taking over: the dead owner's file is removed *by its
 * own, unique name*, so a contender that comes late removes nothing of the winner's. No step needs a
 * second lock, and a crash between any two leaves a lock that is free, dead or held.
 */
import { join } from 'node:path';
import { err, ok, type Result } from '@assay/kernel';
import { readErrno } from '../files/index.js';
import type { Disk } from './disk.js';
import { describeOwner, isKnownToLive, parseToken, renderToken, type Processes } from './owner.js';

/** A lock that is held. */
export type Lock = {
  /** False where somebody removed it by hand. */
  readonly isHeld: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

/** Who holds a lock, in words. `isAlive`: that process is known to live, else nothing is known of it. */
type Holder = { readonly owner: string; readonly isAlive: boolean };

const IS_NAME = /^[^/\\\0]{1,255}$/;

/** Name of the folder with the locks, beside the ledgers. */
export const LOCKS = '.locks';

/**
 * Takes the lock of a run, from a dead owner too. Left: who holds it. Never takes it from an owner that
 * lives, or of whom it is not known. `runId`: any one name, of what is no run too. Rejects with the system's
 * error, and with a `RangeError` for what is no name in a folder.
 */
export async function takeLock(
  disk: Disk,
  processes: Processes,
  folder: string,
  runId: string,
): Promise<Result<Holder, Lock>> {
  if (!IS_NAME.test(runId) || runId === '.' || runId === '..')
    throw new RangeError(`takeLock: expected a name, got ${JSON.stringify(runId)}`);
  const locks = join(folder, LOCKS);
  try {
    return await contend(disk, processes, locks, runId);
  } catch (error) {
    if (readErrno(error) === null) throw error;
    // What keeps every run from being locked, or this one, is told by its own name: the folder of the store
    // is one, and may be written to.
    if (await isForeign(disk, locks, 'or a link')) throw named(NO_LOCKS, `${LOCKS}: this is no folder`);
    if (await isForeign(disk, join(locks, runId))) throw named(NO_LOCK, `${LOCKS}/${runId}: this is no lock`);
    throw error;
  }
}

/**
 * The names of failures: what is called {@link LOCKS} is no folder; what is called like a run in it is no
 * folder, or holds one in the place of an owner.
 */
const NO_LOCKS = 'ERR_NO_LOCKS';
const NO_LOCK = 'ERR_NO_LOCK';

function named(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, syscall: 'mkdir' });
}

/** True where there is something of this name that is no folder; with `or a link`, nor a link to one. */
async function isForeign(disk: Disk, path: string, also: 'or a link' | null = null): Promise<boolean> {
  try {
    const found = await disk.lookAtName(path);
    return found !== null && !found.isFolder && (also === null || (await disk.look(path))?.isFolder !== true);
  } catch {
    return false;
  }
}

async function contend(
  disk: Disk,
  processes: Processes,
  locks: string,
  runId: string,
): Promise<Result<Holder, Lock>> {
  const place = join(locks, runId);
  const token = renderToken(processes.self());
  const making = join(locks, `.new-${token}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const holder = await clearDead(disk, processes, place);
    if (holder !== null) return err(holder);
    await make(disk, making, token);
    try {
      if (await claim(disk, making, place)) return ok(heldLock(disk, locks, place, token));
    } catch (error) {
      // Why it cannot be taken is told; what was made to take it is nobody's.
      await discard(disk, making, token).catch(() => undefined);
      throw error;
    }
    await discard(disk, making, token);
  }
  return err({ owner: describeOwner(null, processes.self()), isAlive: false });
}

/** Contenders that keep coming between; each round one of them wins. */
const ROUNDS = 16;

/** Removes dead owners; the owner that lives, or null where the lock is free. */
async function clearDead(disk: Disk, processes: Processes, place: string): Promise<Holder | null> {
  const names = await listOrNone(disk, place);
  // What a link leads to is somebody else's: nobody there holds this run, and nothing there is ours to
  // remove.
  if (names.length > 0 && (await isForeign(disk, place))) throw named(NO_LOCK, `${place}: this is a link`);
  for (const name of names) {
    const owner = parseToken(name);
    if (owner === null || processes.isAlive(owner))
      return {
        owner: describeOwner(owner, processes.self()),
        isAlive: owner !== null && isKnownToLive(owner, processes.self()),
      };
    try {
      await unless(['ENOENT'], disk.remove(join(place, name)));
    } catch (error) {
      if ((await disk.lookAtName(join(place, name)))?.isFolder === true)
        throw named(NO_LOCK, `${place}: a folder bears the name of an owner`);
      throw error;
    }
  }
  return null;
}

async function make(disk: Disk, making: string, token: string): Promise<void> {
  await disk.makeFolder(making);
  const file = await disk.open(join(making, token), 'create');
  await file.close();
}

/** True where the made folder is now the lock. */
async function claim(disk: Disk, making: string, place: string): Promise<boolean> {
  // Not every system renames onto an empty folder; a folder that is not empty stays.
  await unless(TAKEN, disk.removeFolder(place));
  return unless(TAKEN, disk.rename(making, place));
}

/** How systems say that a folder is not empty, or no longer there; Windows says it with less care. */
const TAKEN: readonly string[] = [
  'ENOENT',
  'ENOTEMPTY',
  'EEXIST',
  ...(process.platform === 'win32' ? ['EPERM', 'EACCES', 'EBUSY'] : []),
];

/**
 * How they say that the folder of all locks cannot be taken away: it is a link or a mount, or the folder it
 * is in may not be written to. It is left, since the lock itself is let go of by then.
 */
const STAYS: readonly string[] = [...TAKEN, 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'];

function heldLock(disk: Disk, locks: string, place: string, token: string): Lock {
  const file = join(place, token);
  return {
    isHeld: async () => (await disk.look(file)) !== null,
    async release() {
      await unless(['ENOENT'], disk.remove(file));
      await unless(TAKEN, disk.removeFolder(place));
      await unless(STAYS, disk.removeFolder(locks));
    },
  };
}

async function discard(disk: Disk, making: string, token: string): Promise<void> {
  await unless(['ENOENT'], disk.remove(join(making, token)));
  await unless(TAKEN, disk.removeFolder(making));
}

async function listOrNone(disk: Disk, path: string): Promise<readonly string[]> {
  try {
    return await disk.list(path);
  } catch (error) {
    if (readErrno(error) === 'ENOENT') return [];
    throw error;
  }
}

/** False where the action fails for one of these expected reasons; other failures are passed on. */
async function unless(errnos: readonly string[], action: Promise<void>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    const errno = readErrno(error);
    if (errno !== null && errnos.includes(errno)) return false;
    throw error;
  }
}
