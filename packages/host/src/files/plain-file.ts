/**
 * Files, and nothing else that may bear their name: a named pipe would hold a thread, and with it the end of
 * the process; a device may have no end.
 *
 * @module
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { systemCode } from './errno.js';

/**
 * The code of the error for what is no file. Before the system is asked, which names only some such things
 * (EISDIR, ENXIO).
 */
export const NO_FILE = 'ERR_NO_FILE';

/** What a file is opened for: to be read, or for lines to be put at its end, made where it is missing. */
export type Purpose = 'read' | 'append';

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

/** The bytes of a file, as {@link openIfThere} opens it; null where nothing of that name is. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  const file = await openIfThere(path);
  if (file === null) return null;
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
