/**
 * The few file operations the store needs, as one small facade: tests put faults behind it. Files that stay
 * open between two appends.
 */
import { type BigIntStats, constants, promises as fs, lstatSync, statSync } from 'node:fs';
import { type Folders, nodeFolders } from '../files/folder.js';

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
export type Disk = Folders & {
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
  /** Removes an empty folder. */
  readonly removeFolder: (path: string) => Promise<void>;
};

/** The machine's own file system. */
export const nodeDisk: Disk = {
  async open(path, mode) {
    const handle = await fs.open(path, FLAGS[mode]);
    return {
      look: async () => makeLook(await handle.stat({ bigint: true })),
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
    return stats === undefined ? null : makeLook(stats);
  },
  async lookAtName(path) {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : makeLook(stats);
  },
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.unlink(path),
  list: (path) => fs.readdir(path),
  removeFolder: (path) => fs.rmdir(path),
  ...nodeFolders,
};

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

function makeLook(stats: BigIntStats): Look {
  return {
    identity: `${stats.dev}:${stats.ino}`,
    size: Number(stats.size),
    isFile: stats.isFile(),
    isFolder: stats.isDirectory(),
  };
}

/**
 * How many files are kept open. Systems allow a process some hundred at the least; further runs open theirs
 * for each append.
 */
export const KEPT_MAX = 64;

/** Open files by run, at most {@link KEPT_MAX}: of more, the one longest unused is closed. */
export class KeptFiles {
  /** In the order in which they were kept. */
  private readonly files = new Map<string, DiskFile>();

  /** The file of a run, which is the caller's to close from now on; null where none is kept. */
  take(runId: string): DiskFile | null {
    const file = this.files.get(runId) ?? null;
    this.files.delete(runId);
    return file;
  }

  /** Keeps the file of a run of which none is kept. */
  async keep(runId: string, file: DiskFile): Promise<void> {
    this.files.set(runId, file);
    const [eldest] = this.files.keys();
    if (this.files.size > KEPT_MAX && eldest !== undefined) await this.take(eldest)?.close();
  }
}
