/**
 * The statements that add to the tables, inside a transaction.
 *
 * @module
 */
import type { Connection } from './driver.js';
import { SQLITE, SqliteFailure } from './failure.js';
import { SCHEMA_VERSION } from './schema.js';
import type { Tail } from './tail.js';

/** A record to be stored: its sequence and its canonical line, without 0A. */
export type Line = { readonly sequence: number; readonly line: string };

/** Adds a run; its id in the tables. */
export function addRun(db: Connection, runId: string): number {
  return Number(db.rows('INSERT INTO runs (run_id) VALUES (?) RETURNING id', runId)[0]?.['id']);
}

/** Adds a line. Fails where the run has one of this sequence. */
export function addLine(db: Connection, run: number, { sequence, line }: Line): void {
  db.rows('INSERT INTO records (run, seq, line) VALUES (?, ?, ?)', run, sequence, line);
}

/**
 * Compares and appends in one statement: adds a group where the last stored record of the run still bears the head's
 * hash, nothing follows it, and the tables are still of this version. False, and nothing is added, where not, or
 * where there is no group.
 */
export function isContinued(db: Connection, { run, head }: Tail, [first, ...rest]: readonly Line[]): boolean {
  if (first === undefined) return false;
  try {
    db.rows(CONTINUE, run, run, head.count - 1, head.hash, first.sequence, first.line);
  } catch (error) {
    // The run is null, since the comparison failed; or the key is taken, since somebody has appended.
    if (error instanceof SqliteFailure && error.primary === SQLITE.CONSTRAINT) return false;
    throw error;
  }
  for (const line of rest) addLine(db, run, line);
  return true;
}

/** Compares by making the run null, which the table does not take: cheaper than asking how many rows were added. */
const CONTINUE = `INSERT INTO records (run, seq, line) VALUES ((SELECT ? WHERE EXISTS (SELECT 1 FROM records WHERE run = ? AND seq = ? AND instr(line, ?) > 0)
  AND (SELECT value FROM assay_meta WHERE key = 'schema_version') = ${SCHEMA_VERSION}), ?, ?)`;
