/**
 * The few file operations the store needs, as one small facade: tests put faults behind it.
 *
 * @module
 */
import { constants, lstatSync, promises as fs, statSync, type BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '@assay/host';

/**
 * What stands under a name, or is open. `identity`: of the file itself, whatever it is called, and of no
 * other file as long as this one is there or open. `size`: in bytes.
 */
export type Look = {
  readonly identity: string;
  readonly size: number;
  readonly isFile: boolean;
  readonly isFolder: boolean;
};

/** One open file. A failing operation rejects with the system's error, whose `code` names it. */
export type DiskFile = {
  readonly look: () => Promise<Look>;
  /** Bytes read into `into`, 0 at the end. */
  readonly read: (into: Uint8Array, position: number) => Promise<number>;
  /** Bytes written, perhaps fewer than given. */
  readonly write: (bytes: Uint8Array, position: number) => Promise<number>;
  readonly truncate: (size: number) => Promise<void>;
  /** Returns when content and size are on the medium; the times of the file need not be. */
  readonly sync: () => Promise<void>;
  /** True where {@link write} itself returns only then, for what it wrote. False by default. */
  readonly writesThrough?: boolean;
  readonly close: () => Promise<void>;
};

/** Files and folders. */
export type Disk = {
  /** `create` makes a file where nothing has its name, not a link either (`EEXIST`). */
  readonly open: (path: string, mode: 'read' | 'write' | 'create') => Promise<DiskFile>;
  /** Null where nothing of that name is. */
  readonly look: (path: string) => Promise<Look | null>;
  /** The same of a link itself, which is no file. */
  readonly lookAtName: (path: string) => Promise<Look | null>;
  /** Replaces a file at `to`; a folder only where it is empty. */
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** Names in a folder. */
  readonly list: (path: string) => Promise<readonly string[]>;
  /** Makes a folder and what is missing above it; the topmost folder made, null where it stood already. */
  readonly makeFolder: (path: string) => Promise<string | null>;
  /** Removes an empty folder. */
  readonly removeFolder: (path: string) => Promise<void>;
  /** Returns when the names in a folder are on the medium. */
  readonly syncFolder: (path: string) => Promise<void>;
};

/** The machine's own file system. */
export const nodeDisk: Disk = {
  async open(path, mode) {
    const handle = await fs.open(path, FLAGS[mode]);
    return {
      look: async () => lookOf(await handle.stat({ bigint: true })),
      read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
      write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
      truncate: (size) => handle.truncate(size),
      // Content and what is needed to read it back, the size among it (fdatasync(2); POSIX: synchronized I/O
      // data integrity completion), without a second write for the time of change. Where a system has no such
      // call libuv makes it fsync.
      sync: () => handle.datasync(),
      writesThrough: mode === 'write' && WRITES_THROUGH,
      close: () => handle.close(),
    };
  },
  // Within the call: it takes 3 µs where the way through the thread pool takes 20 and waits there behind the
  // syncs of other runs, and each append looks twice.
  async look(path) {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : lookOf(stats);
  },
  async lookAtName(path) {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : lookOf(stats);
  },
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.unlink(path),
  list: (path) => fs.readdir(path),
  makeFolder,
  removeFolder: (path) => fs.rmdir(path),
  syncFolder,
};

/**
 * Makes a folder and what is missing above it; each name of it that is new, and its own, is on the medium
 * when this returns.
 */
export async function makeDurableFolder(disk: Disk, path: string): Promise<void> {
  const first = await disk.makeFolder(path);
  if (first === null) await syncNameOf(disk, path);
  // The folder above a relative name is `.`, which is above itself.
  else
    for (let folder = path; folder.length >= first.length && folder !== '.'; folder = dirname(folder))
      await disk.syncFolder(dirname(folder));
}

/**
 * Of a folder that stood already: whoever made it may have died before its name was synced. Where the folder
 * above is not ours to read, its owner made this one.
 */
async function syncNameOf(disk: Disk, path: string): Promise<void> {
  try {
    await disk.syncFolder(dirname(path));
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) throw error;
  }
}

/** The system's name of a failure (`ENOSPC` …); null for anything that is no failure of the system. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && 'syscall' in error ? (systemCode(error) ?? null) : null;
}

/**
 * Whether a write to an open ledger returns as a write and `datasync` after it would (`O_DSYNC`, open(2)):
 * one way through the thread pool in the place of two. Elsewhere than on Linux the flag promises less than
 * what libuv does for `datasync` (macOS), or there is none; nor may a runtime know it.
 */
const WRITES_THROUGH = process.platform === 'linux' && constants.O_DSYNC > 0;
const FLAGS = {
  read: 'r',
  write: WRITES_THROUGH ? constants.O_RDWR | constants.O_DSYNC : 'r+',
  create: 'wx',
} as const;

function lookOf(stats: BigIntStats): Look {
  return {
    identity: `${stats.dev}:${stats.ino}`,
    size: Number(stats.size),
    isFile: stats.isFile(),
    isFolder: stats.isDirectory(),
  };
}

/** Not `mkdir` with `recursive`: that one calls a read-only medium ENOENT. */
async function makeFolder(path: string): Promise<string | null> {
  let above: string | null = null;
  for (let round = 0; ; round += 1) {
    try {
      await fs.mkdir(path);
      return above ?? path;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'EEXIST') return above;
      // The folder above may be removed again by somebody who found it empty.
      if (errno !== 'ENOENT' || round === MAKE_ROUNDS || dirname(path) === path) throw error;
      above = (await makeFolder(dirname(path))) ?? above;
    }
  }
}

const MAKE_ROUNDS = 16;

async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder as a file, and its file systems keep names without being asked.
  if (process.platform === 'win32') return;
  const handle = await fs.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
