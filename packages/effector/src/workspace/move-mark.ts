/**
 * The mark of a move that is begun: a third name of the file, in the folder that it goes to. Only with it are
 * two names of one file the halves of a move that was cut off; without it they are somebody's own, and both
 * stay. A mark belongs to one call: one that another call left, of another run or of somebody else, says
 * nothing of this one.
 *
 * @module
 */
import { promises as fs } from 'node:fs';
import { errnoOf } from '@assay/host/files';
import { removeQuietly, sha256 } from './content.js';
import { addressOf, at, type Spot } from './descend.js';
import { NO_LINKS } from './place.js';

/**
 * A move from one spot to another. `key`: which call makes it; null where nobody says, and then it has no
 * mark.
 */
export type Move = { readonly source: Spot; readonly target: Spot; readonly key: string | null };
type File = { readonly dev: number; readonly ino: number };

/**
 * Where the mark of this move stands: its name follows from the call and both paths, so that the same call
 * finds it again and no other one does.
 */
function addressOfMark({ source, target, key }: Move): string | null {
  if (key === null) return null;
  const name = sha256(Buffer.from(JSON.stringify([key, source.path.text, target.path.text]), 'utf8')).slice(
    0,
    16,
  );
  return at(target.folder, `.assay-${name}.tmp`);
}

/**
 * Puts the mark, durably. Without one a move that is cut off is not finished by a second call: where nobody
 * says which call this is, where the file system has no second names, and where something else stands under
 * the mark's name.
 */
export async function markMove(move: Move): Promise<void> {
  const address = addressOfMark(move);
  if (address === null) return;
  try {
    await fs.link(addressOf(move.source), address);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST' || (errno !== null && NO_LINKS.has(errno))) return;
    throw error;
  }
  await move.target.folder.handle.sync();
}

/** True where this move was begun, by this very call, with this very file. */
export async function isMarked(move: Move, file: File): Promise<boolean> {
  const address = addressOfMark(move);
  if (address === null) return false;
  try {
    const mark = await fs.lstat(address);
    return mark.dev === file.dev && mark.ino === file.ino;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Takes the mark of this file away; whatever else stands under its name stays. The file has another name
 * still.
 */
export async function unmarkMove(move: Move, file: File): Promise<void> {
  const address = addressOfMark(move);
  if (address !== null && (await isMarked(move, file))) await removeQuietly(address);
}
