/**
 * Names in folders, brought to the medium: a file that is synced is still lost with the power where its name
 * is not.
 *
 * @module
 */
import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and what is missing above it; each name of it that is new, and its own, is on the medium
 * when this returns.
 */
async function makeDurableFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  const first = await mkdir(path, { recursive: true });
  // Its own name even where it stood already: whoever made it may have died before that was synced.
  const topmost = first === undefined ? path : resolve(first);
  for (let made = path; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made));
}

/**
 * Has a file written whose name may be new, or not yet on the medium: the folder is made where it is missing,
 * and its names are on the medium when this returns.
 */
export async function inDurableFolder(folder: string, write: () => Promise<void>): Promise<void> {
  await makeDurableFolder(folder);
  await write();
  await syncFolder(folder);
}

/** Returns when the names in a folder are on the medium. */
async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folder as a file, and its file systems keep names without being asked.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
