/**
 * Notes of calls that cannot be used.
 *
 * @module
 */
import type { CallNotesFault } from '@assay/host';
import { unreachable, unsound, type Stop } from './problem.js';

const TOO_LARGE = 'the file is too large; restore it from a copy';

/** What is to be done before the command goes on, by the system's name of why. */
const REMEDIES: { readonly [errno: string]: string } = {
  ERR_NO_FILE: 'this is a folder, a pipe or a device; remove it',
  ENOTDIR: 'a file has the name of the journal folder; remove it',
  ELOOP: 'the link leads back to itself; remove it',
  ENOENT: 'the link leads to a missing file; remove the link or create the file',
  EACCES: 'grant permission to read and write there',
  EPERM: 'grant permission to read and write there',
  EROFS: 'the disk is read-only; mount it writable',
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
  EIO: 'the disk has errors; see the system log',
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
      `${REMEDIES[fault.errno] ?? 'check the disk space and the permissions'}, and ${then}`,
    );
  return unsound(
    'notes_damaged',
    `line ${fault.line} of the journal of calls is damaged, so its cost is unknown; no call was made`,
    fault.path,
    'restore the file, or remove that line; its call then counts in no budget',
  );
}
