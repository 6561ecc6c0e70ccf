/**
 * Names in folders, brought to the medium: a file that is synced is still lost with the power where its name
 * is not.
 */
import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readErrno } from './errno.js';

/** What makes and syncs folders: the machine's own file system, or one that tests put faults into. */
export type Folders = {
  /** Makes a folder and what is missing above it; the topmost folder made, null where it stood already. */
  readonly makeFolder: (path: string) => Promise<string | null>;
  /** Returns when the names in a folder are on the medium. */
  readonly syncFolder: (path: string) => Promise<void>;
};

/**
 * Makes a folder and what is missing above it; each name of it that is new, and its own, is on the medium
 * when this returns.
 */
export async function makeDurableFolder(path: string, folders: Folders = nodeFolders): Promise<void> {
  const first = await folders.makeFolder(path);
  if (first === null) await syncName(path, folders);
  // The folder above a relative name is `.`, which is above itself.
  else
    for (let folder = path; folder.length >= first.length && folder !== '.'; folder = dirname(folder))
      await folders.syncFolder(dirname(folder));
}

/**
 * Has a file written whose name may be new, or not yet on the medium: the folder is made where it is missing,
 * and its names are on the medium when this returns.
 */
export async function inDurableFolder(folder: string, write: () => Promise<void>): Promise<void> {
  await makeDurableFolder(resolve(folder));
  await write();
  await syncFolder(folder);
}

/**
 * Of a folder that stood already: whoever made it may have died before its name was synced. Where the folder
 * above is not ours to read, its owner made this one.
 */
async function syncName(path: string, folders: Folders): Promise<void> {
  try {
    await folders.syncFolder(dirname(path));
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(readErrno(error) ?? '')) throw error;
  }
}

/** Not `mkdir` with `recursive`: that one calls a read-only medium ENOENT. */
async function makeFolder(path: string): Promise<string | null> {
  let above: string | null = null;
  for (let round = 0; ; round += 1) {
    try {
      await mkdir(path);
      return above ?? path;
    } catch (error) {
      const errno = readErrno(error);
      if (errno === 'EEXIST') return above;
      // The folder above may be removed again by somebody who found it empty.
      if (errno !== 'ENOENT' || round === MAKE_ROUNDS || dirname(path) === path) throw error;
      above = (await makeFolder(dirname(path))) ?? above;
    }
  }
}

const MAKE_ROUNDS = 16;

async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder as a file, and its file systems keep names without being asked.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The folders of the machine's own file system. */
export const nodeFolders: Folders = { makeFolder, syncFolder };

/**
 * Makes a folder and what is missing above it; each name of it that is new, and its own, is on the medium
 * when this returns.
 */
export function makeDurableFolderSync(path: string): void {
  if (!existsSync(path)) makeFolderSync(path);
  // Whoever made it may have died before its name was synced. Where the folder above is not ours to read, its
  // owner made this one.
  else if (isReadable(dirname(path))) syncFolderSync(dirname(path));
}

function makeFolderSync(path: string): void {
  if (existsSync(path) || dirname(path) === path) return;
  makeFolderSync(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process was faster, or there is a file: whoever opens what is in it will say so.
    if (readErrno(error) !== 'EEXIST') throw error;
  }
  syncFolderSync(dirname(path));
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns when the names in a folder are on the medium. */
export function syncFolderSync(path: string): void {
  // Windows opens no folder as a file, and its file systems keep names without being asked.
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
