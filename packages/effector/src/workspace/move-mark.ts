/**
 * The mark of a move that is begun: a third name of the file, in the folder that it goes to. Only with it are two names of one file the
 * halves of a move that was cut off; without it they are somebody's own, and both stay.
 *
 * @module
 */
import { promises as fs } from 'node:fs';
import { errnoOf } from '../refusal.js';
import { removeQuietly, sha256 } from './content.js';
import { addressOf, at, type Spot } from './descend.js';
import { NO_LINKS } from './place.js';

/** Where the mark of this move stands: its name follows from both paths, so that the same call finds it again. */
function addressOfMark(source: Spot, target: Spot): string {
  const name = sha256(Buffer.from(JSON.stringify([source.path.text, target.path.text]), 'utf8')).slice(0, 16);
  return at(target.folder, `.assay-${name}.tmp`);
}

/**
 * Puts the mark, durably. Without one a move that is cut off is not finished by a second call: where the file system has no second names, and
 * where something else stands under the mark's name.
 */
export async function markMove(source: Spot, target: Spot): Promise<void> {
  try {
    await fs.link(addressOf(source), addressOfMark(source, target));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST' || (errno !== null && NO_LINKS.has(errno))) return;
    throw error;
  }
  await target.folder.handle.sync();
}

/** True where a move between these names was begun with this very file. */
export async function isMarked(source: Spot, target: Spot, file: { readonly dev: number; readonly ino: number }): Promise<boolean> {
  try {
    const mark = await fs.lstat(addressOfMark(source, target));
    return mark.dev === file.dev && mark.ino === file.ino;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Takes the mark of this file away; whatever else stands under its name stays. The file has another name still. */
export async function unmarkMove(source: Spot, target: Spot, file: { readonly dev: number; readonly ino: number }): Promise<void> {
  if (await isMarked(source, target, file)) await removeQuietly(addressOfMark(source, target));
}
