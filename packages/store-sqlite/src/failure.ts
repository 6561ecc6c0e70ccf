/**
 * How SQLite fails, what that is called (the system's own names where they can be known), and the log of a
 * database, made durable.
 */
import { accessSync, closeSync, constants, fdatasyncSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readErrno as systemErrno } from '@assay/host/files';

/** A failure that SQLite reports. `code`: its extended result code; the low byte is the primary one. */
export class SqliteFailure extends Error {
  override readonly name = 'SqliteFailure';
  /** Source: sqlite.org/rescode.html. */
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }

  /** The primary result code. */
  get primary(): number {
    return this.code & 0xff;
  }

  /** A driver's error as one of these; null where it is no failure of SQLite. */
  static of(error: unknown): SqliteFailure | null {
    if (!(error instanceof Error)) return null;
    if ('errcode' in error && typeof error.errcode === 'number')
      return new SqliteFailure(error.errcode, error.message);
    if ('rawCode' in error && typeof error.rawCode === 'number')
      return new SqliteFailure(error.rawCode, error.message);
    // `node:sqlite` reads no integer that is no safe one, and none of ours is.
    if ('code' in error && error.code === 'ERR_OUT_OF_RANGE')
      return new SqliteFailure(SQLITE.CORRUPT, error.message);
    // libsql gives the code of a failed opening only in its message.
    const opening = /^ConnectionFailed\(.*: ([0-9]+)"\)$/s.exec(error.message)?.[1];
    return opening === undefined ? null : new SqliteFailure(Number(opening), error.message);
  }
}

/** Primary result codes. */
export const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const;

/** SQLITE_READONLY_ROLLBACK: a write that was cut off would have to be taken back first. */
export const READONLY_ROLLBACK = 776;

/** True where another connection is in the way and may be gone in a moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteFailure && (error.primary === SQLITE.BUSY || error.primary === SQLITE.LOCKED);
}

/**
 * The system's name of a failure of the database at `path`; null for what is no failure of the medium. SQLite
 * does not pass on what the system said, so the path is asked: never by opening it, since closing a file lets
 * go of every lock this process holds on it.
 */
export function readErrno(error: unknown, path: string): string | null {
  if (!(error instanceof SqliteFailure)) return systemErrno(error);
  switch (error.primary) {
    case SQLITE.FULL:
      return 'ENOSPC';
    case SQLITE.READONLY:
      if (error.code === READONLY_ROLLBACK) return 'SQLITE_READONLY_ROLLBACK';
      return findRefusal(path, constants.W_OK) ?? findRefusal(dirname(path), constants.W_OK) ?? 'EROFS';
    case SQLITE.CANTOPEN:
      return openingErrno(path);
    case SQLITE.IOERR:
      return isOutOfRoom(dirname(path)) ? 'ENOSPC' : 'EIO';
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return 'EBUSY';
    case SQLITE.CONSTRAINT:
      // Rows of ours break none of our own rules: somebody else's key refused them, made while the database
      // was open.
      return 'SQLITE_CONSTRAINT';
    default:
      return null;
  }
}

/** Why the system refuses a kind of access, null where it grants it. */
export function findRefusal(path: string, mode: number): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    return systemErrno(error);
  }
}

function openingErrno(path: string): string {
  const refusal = findRefusal(path, constants.R_OK | constants.W_OK);
  if (refusal === null) return statSync(path).isDirectory() ? 'EISDIR' : 'EIO';
  if (refusal !== 'ENOENT') return refusal;
  return findRefusal(dirname(path), constants.W_OK) ?? 'EIO';
}

/** True where less is left than so many bytes, by default what the smallest files of a database need. */
export function isOutOfRoom(folder: string, room: number = ROOM): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < room;
  } catch {
    return false;
  }
}

/** An index of the log is 32 KiB. Source: sqlite.org/walformat.html §2. */
const ROOM = 65_536;

/**
 * Returns when the log of a database is on the medium: what a process that died left there may be in memory
 * only. The log carries no locks, so it may be opened beside SQLite; the database itself may not.
 */
export function syncLog(path: string): void {
  const log = `${path}-wal`;
  if (findRefusal(log, constants.R_OK | constants.W_OK) !== null) return;
  const file = openSync(log, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
