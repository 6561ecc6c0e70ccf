/** What keeps a store from being used, and what to type about it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallNotesFault, StoreError } from '@assay/host';
import { commandLine, show, type Shown } from '../terminal/shown.js';
import { misuse, unreachable, unsound, type Remedy, type Stop } from './problem.js';

/**
 * The problem, exit 5. A lock of a dead process of this machine is taken over; of one elsewhere nothing can
 * be known, so a person has to look, and of one that is known to live there is no lock to take away. `place`:
 * the store's address.
 */
export function lockedProblem(
  { isAlive, owner, run_id }: Extract<StoreError, { code: 'locked' }>,
  place: string,
): Stop {
  // Of a server, which opens the store anew for each call that writes.
  if (owner === 'this process')
    return unreachable(
      'store_locked',
      'another call in this process is writing this run',
      place,
      'wait until that call ends, then try again',
    );
  const lock = isAlive === true ? null : findLock(place, run_id);
  const otherwise =
    lock === null
      ? show``
      : show`; if that process no longer exists on its machine, type: ${commandLine([
          'rm',
          '-r',
          lock,
        ])} (see docs/guides/stores.md first)`;
  return unreachable(
    'store_locked',
    `another process is writing this run (${owner})`,
    place,
    show`wait until it ends${otherwise}`,
  );
}

/** The folder of a run's lock, which a file store alone has. */
export function findLock(place: string, runId: string): string | null {
  if (!place.startsWith('file:')) return null;
  const path = join(
    place.startsWith('file://') ? fileURLToPath(place) : place.slice('file:'.length),
    '.locks',
    runId,
  );
  // What begins like an option is none.
  return path.startsWith('-') ? `./${path}` : path;
}

const ACCESS = 'check the owner and the permissions, also of the folder above';

/** What to do about what the system says, wherever it says it. */
const FIXES: { readonly [errno: string]: string } = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
  EROFS: 'the disk is read-only; mount it writable',
  EACCES: ACCESS,
  EPERM: ACCESS,
  EIO: 'the disk has errors; see the system log',
  ELOOP: 'the link leads back to itself; remove it',
};

/** What to do about a condition, by the system's name or by SQLite's. */
const REMEDIES: { readonly [errno: string]: string | ((place: string, runId: string) => Remedy) } = {
  EBUSY: 'another program uses the store; wait until it ends, then try again',
  ENAMETOOLONG: 'the name is too long; give a shorter one',
  EISDIR: 'this is a folder; give the path of a database',
  ENOTDIR: 'a part of the path is a file; give the path of a folder',
  ERR_FOREIGN_NAME: 'remove the link, pipe or folder named RUN.ledger.jsonl.new',
  ERR_NO_LOCKS: 'its .locks is not a folder: remove it',
  ERR_NO_LOCK: (place, runId) =>
    show`.locks/${runId} is not a lock, which is a folder with a file; remove it: ${commandLine([
      'rm',
      '-r',
      findLock(place, runId) ?? '',
    ])}`,
  ERR_NO_FILE:
    'the database, or a file beside it (-wal, -shm, -journal), is a pipe or a device; ' +
    'remove that, or give the path of a database',
  EMFILE: 'this process has too many files open: raise its limit (ulimit -n)',
  ENFILE: 'the system has too many files open',
  SQLITE_CONSTRAINT: 'an index added to its tables rejects this record; remove the index, then run it again',
  SQLITE_READONLY_ROLLBACK: (place) =>
    show`a write was interrupted; a command that may write rolls it back: ${commandLine([
      'assay',
      'store',
      'check',
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
  const fix = FIXES[errno];
  const again = fix === undefined ? undefined : `${fix}, then try again`;
  const remedy = REMEDIES[errno] ?? again ?? 'check that the disk is there and answers';
  return unreachable(
    'store_unavailable',
    `the store cannot ${describeOperation(operation)} (${errno})`,
    place,
    typeof remedy === 'string' ? remedy : remedy(place, run_id ?? ''),
  );
}

type SchemaError = Extract<StoreError, { code: 'schema' }>;

/** The problem, exit 2. `place`: the store's address, without its password. */
export function schemaProblem({ detail, found, expected }: SchemaError, place: string): Stop {
  switch (detail) {
    case 'foreign':
      // It says that it is of this version, and its tables are not as this version makes them.
      if (found === expected)
        return misuse(
          'store_schema',
          'the tables of this store were changed and cannot be trusted',
          place,
          'remove added triggers, rules, checks, columns, unique indexes and row-level security, ' +
            'and restore the keys; or give another store; nothing was changed',
        );
      return misuse(
        'store_schema',
        'this is not a store of Assay',
        place,
        'give another store; nothing was changed',
      );
    case 'newer':
      return misuse(
        'store_schema',
        `the store has schema version ${found}; this version of Assay supports up to ${expected}`,
        place,
        'use a newer version of Assay; nothing was changed',
      );
  }
}

/** The problem, exit 3. `place`: the store's address, without its password. */
export function tornProblem({ run_id, detail }: Extract<StoreError, { code: 'torn' }>, place: string): Stop {
  return unsound(
    'store_torn',
    `run ${run_id} is damaged: ${detail}`,
    place,
    show`nothing was changed; ${restoreRemedy(place)}`,
  );
}

const DOINGS: ReadonlyMap<string, string> = new Map([
  ['open', 'open its data'],
  ['read', 'read the run'],
  ['head', 'read the head of the run'],
  ['list', 'list its runs'],
  ['append', 'write more records'],
  ['write', 'write a test record'],
  ['watch', 'watch for new records'],
]);

/** After "cannot" or "refused to". A store of somebody else may name what it does otherwise. */
export function describeOperation(operation: string): string {
  return DOINGS.get(operation) ?? 'do this';
}

/**
 * The line that lists what holds, by the store's address without its password, and what to do then. Without a
 * store nothing can be listed.
 */
export function restoreRemedy(place: string): Shown {
  // A folder of results is no store that could be listed.
  return !/^(?:file|sqlite|postgres(?:ql)?):/.test(place)
    ? show`restore the run from a copy`
    : show`${listing(place)} lists the valid runs; restore the run from a copy`;
}

/** The line that lists the runs of a store. */
export function listing(place: string): Shown {
  return commandLine(['assay', 'store', 'list', place]);
}

const TOO_LARGE = 'the file is too large; restore it from a copy';

/** What is to be done before the command goes on, by the system's name of why. */
const NOTES: { readonly [errno: string]: string } = {
  ERR_NO_FILE: 'this is a folder, a pipe or a device; remove it',
  ENOTDIR: 'a file has the name of the journal folder; remove it',
  ENOENT: 'the link leads to a missing file; remove the link or create the file',
  ERR_OUT_OF_RANGE: TOO_LARGE,
  ERR_FS_FILE_TOO_LARGE: TOO_LARGE,
  ERR_STRING_TOO_LONG: TOO_LARGE,
  ETIMEDOUT: 'check that the disk answers',
};

/**
 * The problem: exit 5 where notes cannot be read or written, 3 where a line is none. A call that could not be
 * noted would cost what nobody knows of, so none is made.
 */
export function notesProblem(
  fault: CallNotesFault,
  then: 'copy again' | 'give the same command again',
): Stop {
  const isCopy = then === 'copy again';
  if (fault.reason === 'unavailable')
    return unreachable(
      'notes_unavailable',
      'the journal of calls cannot be read or written ' +
        `(${fault.errno})${isCopy ? '' : ', so no call was made; the records are unchanged'}`,
      fault.path,
      `${NOTES[fault.errno] ?? FIXES[fault.errno] ?? 'check the disk space and the permissions'}, and ${then}`,
    );
  return unsound(
    'notes_damaged',
    `line ${fault.line} of the journal of calls is damaged, so its cost is unknown; no call was made`,
    fault.path,
    'restore the file, or remove that line; its call then counts in no budget',
  );
}
