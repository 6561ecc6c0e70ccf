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

const ACCESS = 'check the owner and the permissions, also of the folder above';

/** What to do about a condition, by the system's name or by SQLite's. */
const REMEDIES: { readonly [errno: string]: string | ((place: string, runId: string) => Remedy) } = {
  EBUSY: 'another program uses the store; wait until it ends, then try again',
  ENOSPC: 'the disk is full; free some space, then try again',
  EDQUOT: 'the disk quota is used up; free some space, then try again',
  EROFS: 'the disk is read-only; mount it writable, or give another store',
  EACCES: ACCESS,
  EPERM: ACCESS,
  EIO: 'the disk has errors; see the system log, and copy the data to another disk',
  ELOOP: 'the link leads back to itself; replace it with the file',
  ENAMETOOLONG: 'the name is too long; give a shorter one',
  EISDIR: 'this is a folder; give the path of a database',
  ENOTDIR: 'a part of the path is a file; give the path of a folder',
  ERR_FOREIGN_NAME: 'remove the link, pipe or folder named RUN.ledger.jsonl.new',
  ERR_NO_LOCKS: 'what is called .locks there is no folder: take it away',
  ERR_NO_LOCK: (place, runId) =>
    show`what is called .locks/${
      runId
    } there is no folder, or holds one, and a lock is a folder with a file: take it away: ${commandLine([
      'rm',
      '-r',
      lockOf(place, runId) ?? '',
    ])}`,
  ERR_NO_FILE:
    'it, or a file beside it (-wal, -shm, -journal), is a pipe or a device, and no file: ' +
    'take that away, or give the path of a database',
  EMFILE: 'this process has too many files open: raise its limit (ulimit -n)',
  ENFILE: 'the system has too many files open',
  SQLITE_CONSTRAINT:
    'an index that others put on its tables takes no such record: take it away, then run it again',
  SQLITE_READONLY_ROLLBACK: (place) =>
    show`a write to it was cut off, and is taken back by who may write: ${commandLine([
      'assay',
      'doctor',
      '--store',
      place,
    ])} does, and resume and run do`,
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
  const remedy = REMEDIES[errno] ?? 'check that the disk is there and answers';
  return unreachable(
    'store_unavailable',
    `the store cannot ${doingOf(operation)} (${errno})`,
    place,
    typeof remedy === 'string' ? remedy : remedy(place, run_id ?? ''),
  );
}
