/**
 * Names in folders, made durable.
 *
 * @module
 */
import { closeSync, constants, fdatasyncSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { refusalOf } from './failure.js';

/**
 * Makes a folder and what is missing above it; each name of it that is new, and its own, is on the medium
 * when this returns.
 */
export function makeDurableFolder(path: string): void {
  if (refusalOf(path, constants.F_OK) !== null) makeFolder(path);
  // Whoever made it may have died before its name was synced. Where the folder above is not ours to read, its
  // owner made this one.
  else if (refusalOf(dirname(path), constants.R_OK) === null) syncFolder(dirname(path));
}

function makeFolder(path: string): void {
  if (refusalOf(path, constants.F_OK) === null || dirname(path) === path) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process was faster, or there is a file: SQLite will say so.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  syncFolder(dirname(path));
}

/** Returns when the names in a folder are on the medium. */
export function syncFolder(path: string): void {
  // Windows opens no folder as a file, and its file systems keep names without being asked.
  if (process.platform !== 'win32') synced(path, fsyncSync);
}

/**
 * Returns when the log of a database is on the medium: what a process that died left there may be in memory
 * only. The log carries no locks, so it may be opened beside SQLite; the database itself may not.
 */
export function syncLog(path: string): void {
  const log = `${path}-wal`;
  if (refusalOf(log, constants.R_OK | constants.W_OK) === null) synced(log, fdatasyncSync);
}

function synced(path: string, sync: (file: number) => void): void {
  const file = openSync(path, sync === fdatasyncSync ? 'r+' : 'r');
  try {
    sync(file);
  } finally {
    closeSync(file);
  }
}
