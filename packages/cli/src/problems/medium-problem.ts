/**
 * What the system said of a store's medium, in words.
 *
 * @module
 */
import type { StoreError } from '@assay/host';
import { show } from '../terminal/shown.js';
import { unreachable, unsound, type Remedy, type Stop } from './problem.js';
import { lockOf } from './locked-problem.js';
import { doingOf } from './store-operation.js';
import { commandLine } from '../terminal/quote.js';

const ACCESS = 'check who owns it and who may read and write it, the folder above too';

/** What to do about a condition, by the system's name or by SQLite's. */
const REMEDIES: { readonly [errno: string]: string | ((place: string, runId: string) => Remedy) } = {
  EBUSY: 'another program has the store in use: wait until it ends, then run it again',
  ENOSPC: 'its disk is full: make room there, then run it again',
  EDQUOT: 'no room is left to this user there: make room, then run it again',
  EROFS: 'its disk only reads: mount it so that it can be written, or give another store',
  EACCES: ACCESS,
  EPERM: ACCESS,
  EIO: 'the medium fails: the log of the system says more; copy what can be read to another',
  ELOOP: 'its name is a link that leads back to itself: put the file there',
  ENAMETOOLONG: 'its name is longer than the file system takes: give a shorter one',
  EISDIR: 'it is a folder: give the path of a database',
  ENOTDIR: 'it is a file, or lies under one: give the path of a folder',
  ERR_FOREIGN_NAME:
    'a link, a pipe or a folder has the name under which the ledger would be made (RUN.ledger.jsonl.new): take it away',
  ERR_NO_LOCKS: 'what is called .locks there is no folder: take it away',
  ERR_NO_LOCK: (place, runId) =>
    show`what is called .locks/${runId} there is no folder, or holds one, and a lock is a folder with a file: take it away: ${commandLine(['rm', '-r', lockOf(place, runId) ?? ''])}`,
  ERR_NO_FILE:
    'it, or a file beside it (-wal, -shm, -journal), is a pipe or a device, and no file: ' +
    'take that away, or give the path of a database',
  EMFILE: 'this process has too many files open: raise its limit (ulimit -n)',
  ENFILE: 'the system has too many files open',
  SQLITE_CONSTRAINT:
    'an index that others put on its tables takes no such record: take it away, then run it again',
  SQLITE_READONLY_ROLLBACK: (place) =>
    show`a write to it was cut off, and is taken back by who may write: ${commandLine(['assay', 'doctor', '--store', place])} does, and resume and run do`,
};

/** A database whose pages do not hold together, whichever run was asked for, exit 3. */
export function damagedProblem(place: string): Stop {
  return unsound(
    'store_torn',
    'the database is damaged (SQLITE_CORRUPT)',
    place,
    'nothing was changed; restore the database from a copy',
  );
}

/** The problem, exit 5; 3 where the medium answers, and what it holds is damaged. */
export function mediumProblem(
  { errno, operation, run_id }: Extract<StoreError, { code: 'unavailable' }>,
  place: string,
): Stop {
  if (errno === 'SQLITE_CORRUPT') return damagedProblem(place);
  const remedy = REMEDIES[errno] ?? 'check the medium: whether it is there, and whether it answers';
  return unreachable(
    'store_unavailable',
    `the store cannot ${doingOf(operation)} (${errno})`,
    place,
    typeof remedy === 'string' ? remedy : remedy(place, run_id ?? ''),
  );
}
