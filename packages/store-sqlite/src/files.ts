/**
 * What bears the names of a database's files, looked at before SQLite opens them.
 *
 * @module
 */
import { statSync } from 'node:fs';

/** The code of the error for what is no file. */
const NO_FILE = 'ERR_NO_FILE';

/**
 * Raises the failure `ERR_NO_FILE` where the database or one of the files beside it is a pipe or device: nobody answers at a pipe, and who opens it waits for somebody,
 * within a call that no signal ends. Of a folder SQLite says so itself. Raises the system's error where the database is not there, unless it is about to be made (`isNew`): what stands beside its name
 * is opened, or removed, all the same.
 */
export function requireFiles(path: string, { isNew = false }: { readonly isNew?: boolean } = {}): void {
  for (const end of ['', '-wal', '-shm', '-journal']) {
    const stat = statSync(`${path}${end}`, { throwIfNoEntry: end === '' && !isNew });
    if (stat !== undefined && !stat.isFile() && !stat.isDirectory()) throw Object.assign(new RangeError(`${path}${end}: this is no file`), { code: NO_FILE, syscall: 'open' });
  }
}
