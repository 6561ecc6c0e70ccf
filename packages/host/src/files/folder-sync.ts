/**
 * Names in folders, brought to the medium within a call: for SQLite, which works so, and for short commands.
 *
 * @module
 */
import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './errno.js';

/**
 * Makes a folder and what is missing above it; each name of it that is new, and its own, is on the medium
 * when this returns.
 */
export function makeDurableFolderSync(path: string): void {
  if (!existsSync(path)) makeFolder(path);
  // Whoever made it may have died before its name was synced. Where the folder above is not ours to read, its
  // owner made this one.
  else if (isReadable(dirname(path))) syncFolderSync(dirname(path));
}

function makeFolder(path: string): void {
  if (existsSync(path) || dirname(path) === path) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process was faster, or there is a file: whoever opens what is in it will say so.
    if (errnoOf(error) !== 'EEXIST') throw error;
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
