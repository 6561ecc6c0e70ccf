/**
 * The log of a database, made durable.
 *
 * @module
 */
import { closeSync, constants, fdatasyncSync, openSync } from 'node:fs';
import { refusalOf } from './failure.js';

/**
 * Returns when the log of a database is on the medium: what a process that died left there may be in memory
 * only. The log carries no locks, so it may be opened beside SQLite; the database itself may not.
 */
export function syncLog(path: string): void {
  const log = `${path}-wal`;
  if (refusalOf(log, constants.R_OK | constants.W_OK) !== null) return;
  const file = openSync(log, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
