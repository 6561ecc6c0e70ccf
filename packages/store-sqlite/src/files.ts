/** What bears the names of a database's files, looked at before SQLite opens them. */
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The code of the error for what is no file. */
const NO_FILE = 'ERR_NO_FILE';

/** Links that are followed; the system gives up before. */
const LINKS_MAX = 40;

/**
 * The file that a name means, links followed also where the last of them leads to nothing yet: SQLite opens
 * what is beside it, and not what is beside the link.
 */
function resolveTarget(path: string): string {
  let name = path;
  for (let links = 0; links < LINKS_MAX; links += 1) {
    if (statSync(name, { throwIfNoEntry: false }) !== undefined) return realpathSync(name);
    if (lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return name;
    // From where the link really stands: `..` leads up from there, also where a folder on the way is a link
    // itself.
    name = resolve(realpathSync(dirname(name)), readlinkSync(name));
  }
  return name;
}

/**
 * Raises the failure `ERR_NO_FILE` where the database or one of the files beside it is a pipe or device:
 * nobody answers at a pipe, and who opens it waits for somebody, within a call that no signal ends. Of a
 * folder SQLite says so itself. Raises the system's error where the database is not there, unless it is about
 * to be made (`isNew`): what stands beside its name is opened, or removed, all the same.
 */
export function requireFiles(path: string, { isNew = false }: { readonly isNew?: boolean } = {}): void {
  const target = resolveTarget(path);
  for (const end of ['', '-wal', '-shm', '-journal']) {
    const stat = statSync(`${target}${end}`, { throwIfNoEntry: end === '' && !isNew });
    if (stat !== undefined && !stat.isFile() && !stat.isDirectory())
      throw Object.assign(new RangeError(`${target}${end}: this is no file`), {
        code: NO_FILE,
        syscall: 'open',
      });
  }
}
