/**
 * Putting a finished file under its name, so that the name holds the old content or the new one and nothing
 * between.
 *
 * @module
 */
import { constants, promises as fs } from 'node:fs';
import { errnoOf } from '@assay/host/files';
import { at, type Spot } from './descend.js';
import { removeQuietly } from './content.js';

/**
 * What file systems without a second name for a file answer. `EPERM` also comes where the system protects
 * foreign files from it.
 */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
]);

/**
 * Gives the file at `from` the name of a spot where nothing is, or rejects with `EEXIST`: never replaces.
 * Both lie in the workspace. Afterwards `from` is gone.
 */
export async function placeNew(from: string, spot: Spot, name: string): Promise<void> {
  const to = at(spot.folder, name);
  try {
    await fs.link(from, to);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null || !NO_LINKS.has(errno)) throw error;
    await placeOverOwn(from, to);
    return;
  }
  await fs.unlink(from);
}

/** The name is taken by an empty file of our own first, which is then replaced. */
async function placeOverOwn(from: string, to: string): Promise<void> {
  const handle = await fs.open(
    to,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  await handle.close();
  try {
    await fs.rename(from, to);
  } catch (error) {
    await removeQuietly(to);
    throw error;
  }
}
