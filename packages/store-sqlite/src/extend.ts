/** The statements that add to the tables. */
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { err } from '@assay/kernel';
import type { Connection } from './driver.js';
import { isOutOfRoom, findRefusal, SQLITE, SqliteFailure } from './failure.js';
import { SCHEMA_VERSION, inTransaction } from './schema.js';
import type { Tail } from './tail.js';

/** A record to be stored: its sequence and its canonical line, without 0A. */
export type Line = { readonly sequence: number; readonly line: string };

/** Adds a run, inside a transaction; its id in the tables. */
export function addRun(db: Connection, runId: string): number {
  return Number(db.rows('INSERT INTO runs (run_id) VALUES (?) RETURNING id', runId)[0]?.['id']);
}

/** Adds a line, inside a transaction. Fails where the run has one of this sequence. */
export function addLine(db: Connection, run: number, { sequence, line }: Line): void {
  db.rows('INSERT INTO records (run, seq, line) VALUES (?, ?, ?)', run, sequence, line);
}

/**
 * Writes another version, whichever it is, and takes that back, in a transaction that is never committed.
 * What is taken back is never written, so room for it is looked for: the system's name of what is missing, or
 * null. Throws a {@link SqliteFailure}.
 */
export function tryRow(db: Connection, path: string): string | null {
  inTransaction(db, () => {
    db.rows("UPDATE assay_meta SET value = -1 WHERE key = 'schema_version'");
    return err('taken back');
  });
  return isOutOfRoom(dirname(path), GROUP_BYTES) ? 'ENOSPC' : null;
}

/**
 * The same for a file with nothing in it, which is left so: the first append makes tables, a log and its
 * index.
 */
export function tryEmpty(path: string): string | null {
  return findRefusal(path, constants.W_OK) ?? (isOutOfRoom(dirname(path)) ? 'ENOSPC' : null);
}

/** What a small group takes in the log: some pages of 4 KiB. */
const GROUP_BYTES = 16_384;

/**
 * A group that continues a run by one statement; longer ones are too rare to keep a statement of their own
 * prepared.
 */
const GROUP_MAX = 16;

/**
 * Compares and appends in one statement, which is a transaction of its own: adds a group where the last
 * stored record of the run still ends as it did, nothing follows it, and the tables are still of this
 * version. False, and nothing is added, where not, where there is no group, or where it has more than
 * {@link GROUP_MAX} records.
 */
export function isContinued(db: Connection, { run, head, end }: Tail, group: readonly Line[]): boolean {
  if (group.length === 0 || group.length > GROUP_MAX) return false;
  try {
    db.rows(
      CONTINUE[group.length] ?? '',
      run,
      run,
      head.count - 1,
      -[...end].length,
      end,
      ...group.flatMap(({ sequence, line }) => [sequence, line]),
    );
    return true;
  } catch (error) {
    // The run is null, since the comparison failed; or the key is taken, since somebody has appended.
    if (error instanceof SqliteFailure && error.primary === SQLITE.CONSTRAINT) return false;
    throw error;
  }
}

/**
 * By number of records. Compares by making the run null, which the table does not take: cheaper than asking
 * how many rows were added.
 */
const CONTINUE: readonly string[] = Array.from(
  { length: GROUP_MAX + 1 },
  (_, size) => `INSERT INTO records (run, seq, line)
  SELECT (SELECT ? WHERE EXISTS (SELECT 1 FROM records WHERE run = ? AND seq = ? AND substr(line, ?) = ?)
    AND (SELECT value FROM assay_meta WHERE key = 'schema_version') = ${SCHEMA_VERSION}), column1, column2
  FROM (VALUES ${Array.from({ length: size }, () => '(?, ?)').join(', ')})`,
);
