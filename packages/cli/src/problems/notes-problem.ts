/**
 * Notes of calls that cannot be used.
 *
 * @module
 */
import type { CallNotesFault } from '@assay/host';
import { unreachable, unsound, type Stop } from './problem.js';

const TOO_LARGE = 'it is larger than the notes of any run, and than can be read: restore it from a copy';

/** What is to be done before the command goes on, by the system's name of why. */
const REMEDIES: { readonly [errno: string]: string } = {
  ERR_NO_FILE: 'it is no file, but a folder, a pipe or a device: take it away',
  ENOTDIR: 'a file stands where their folder must be: take it away',
  ELOOP: 'its name is a link that leads back to itself: take it away',
  ENOENT:
    'its name, or that of their folder, is a link to what is not there: take the link away, or make what it leads to',
  EACCES: 'allow reading and writing there',
  EPERM: 'allow reading and writing there',
  EROFS: 'its disk only reads: mount it so that it can be written',
  ENOSPC: 'its disk is full: make room there',
  EDQUOT: 'no room is left to this user there: make room',
  EIO: 'the medium fails: the log of the system says more',
  ERR_OUT_OF_RANGE: TOO_LARGE,
  ERR_FS_FILE_TOO_LARGE: TOO_LARGE,
  ERR_STRING_TOO_LONG: TOO_LARGE,
  ETIMEDOUT: 'look whether the medium answers',
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
      'the notes of calls cannot be read or written ' +
        `(${fault.errno})${isCopy ? '' : ', so no call was made; what is recorded stands'}`,
      fault.path,
      `${REMEDIES[fault.errno] ?? 'look whether its disk has room, and who may read and write there'}, and ${then}`,
    );
  return unsound(
    'notes_damaged',
    `line ${fault.line} is no note of a call, and what its call cost is not known; no call was made`,
    fault.path,
    'restore the file; or take out that line, and its call is charged to nobody',
  );
}
