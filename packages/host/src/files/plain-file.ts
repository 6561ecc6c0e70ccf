/**
 * Files, and nothing else that may bear their name, read and appended to: a named pipe would hold a thread,
 * and with it the end of the process; a device may have no end.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from './errno.js';
import { syncFolderSync } from './folder.js';

/**
 * The code of the error for what is no file. Before the system is asked, which names only some such things
 * (EISDIR, ENXIO).
 */
export const NO_FILE = 'ERR_NO_FILE';

/** What a file is opened for: to be read, or for lines to be put at its end, made where it is missing. */
type Purpose = 'read' | 'append';

const FLAGS: { readonly [purpose in Purpose]: number } = {
  read: constants.O_RDONLY,
  append: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT,
};

/**
 * Opens a file without waiting for whoever would be at the other end of a pipe. Rejects with the system's
 * errors, and with {@link NO_FILE}.
 */
export async function openFileOnly(path: string, purpose: Purpose): Promise<FileHandle> {
  const file = await open(path, FLAGS[purpose] | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile())
      throw Object.assign(new RangeError(`${path}: this is no file`), { code: NO_FILE });
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The same to be read; null where nothing of that name is. */
export async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await openFileOnly(path, 'read');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The bytes of a file, as `openIfThere` opens it; null where nothing of that name is. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  const file = await openIfThere(path);
  if (file === null) return null;
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/**
 * Adds bytes at the end, wherever it is by then, in one write, and syncs: who replaced the file by what it
 * read a moment ago would take away what others added meanwhile. A link is followed. Makes the file and its
 * folder where they are missing. Raises the system's error, and takes back what was written of it, where not
 * all of it could be and nobody has written behind it.
 */
export function appendTo(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const handle = openSync(path, 'a');
  try {
    const before = fstatSync(handle).size;
    const written = writeSync(handle, bytes);
    if (written < bytes.length) throw takenBack(handle, before, written);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolderSync(dirname(path));
}

/**
 * Ends the last line of a file of so many bytes. At that very place, not wherever the end is by then: others
 * who found the line without its end put the same byte there, and a second one at the end would be a blank
 * line. Raises the system's error.
 */
export function endLineAt(path: string, size: number): void {
  const handle = openSync(path, 'r+');
  try {
    writeSync(handle, LINE_FEED, 0, 1, size);
  } finally {
    closeSync(handle);
  }
}

const LINE_FEED = Uint8Array.of(0x0a);

/**
 * Where a write came short, the medium has no room: a write of the rest would be another line's neighbour.
 */
function takenBack(handle: number, before: number, written: number): Error {
  // Where others have written too, the end is not ours to cut: the beginning of a line stays, which no reader
  // takes.
  if (fstatSync(handle).size === before + written) ftruncateSync(handle, before);
  return Object.assign(new Error('the write came short'), { code: 'ENOSPC' });
}
