/**
 * Databases that nobody writes: no log stands beside them, so the file alone is all there is of them.
 *
 * Such a file is read without locks and without the index of a log: nothing is made beside it, whatever room
 * or rights there are. Whether somebody began to write meanwhile is seen afterwards, and then it is read
 * again.
 *
 * @module
 */
import { statSync, type BigIntStats } from 'node:fs';
import { SQLITE, SqliteFailure } from './failure.js';

/**
 * What a file says of itself that nobody writes; null where a log or a journal says that somebody does, or
 * did and died. Two pictures that are equal are of the same content. `isSettled`: raised as busy where the
 * file was written so short a time ago that its clock would not show the next write.
 */
export function quietPicture(path: string, { isSettled }: { readonly isSettled: boolean }): string | null {
  if (sizeOf(`${path}-wal`) > 0 || sizeOf(`${path}-journal`) > 0) return null;
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (isSettled && Math.abs(Date.now() - changedMs(stat)) < CLOCK_MS) throw disturbed();
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/** Somebody writes what was being read: to be tried again. */
export function disturbed(): SqliteFailure {
  return new SqliteFailure(SQLITE.BUSY, 'the database was written while it was read');
}

/** Bytes of a file, 0 where there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Systems date a write by the last tick of their clock, at most 10 ms ago. */
const CLOCK_MS = 20;

function changedMs({ mtimeNs, ctimeNs }: BigIntStats): number {
  return Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
}
