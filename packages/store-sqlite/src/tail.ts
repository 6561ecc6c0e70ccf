/**
 * Where the ledger of a run ends in the tables, read back and checked.
 *
 * @module
 */
import { err, ok, type Head, type Result } from '@assay/kernel';
import { runOf, sequenceOf, soundRecord, type StoreError } from '@assay/host';
import type { Connection, Row } from './driver.js';

/** A stored run: its id in the tables, its head, and how its last line ends. */
export type Tail = { readonly run: number; readonly head: Head; readonly end: string };

/**
 * The end of a canonical line, from its record hash on. No other line of a run has it, whatever its payload
 * quotes: that stands before, and what follows the hash holds no quotation mark of its own.
 */
export function endOf(line: string): string {
  return line.slice(line.lastIndexOf('"record_hash":"'));
}

/**
 * Reads the end of a run; null where there is no such run. Only its first and last record are read: the last
 * must be a sound record (canonical text, payload hash, record hash) of its sequence, the first must not
 * stand before record 0, nor name another run. Error: `torn`, `run_id` (`other_run`).
 */
export function tailOf(db: Connection, runId: string): Result<StoreError, Tail | null> {
  const run = rowOfRun(db, runId);
  if (run === null) return ok(null);
  const row = db.rows(
    'SELECT seq, CAST(line AS BLOB) AS line FROM records WHERE run = ? ORDER BY seq DESC LIMIT 1',
    run,
  )[0];
  if (row === undefined) return err(torn(runId, 'the run has no records'));
  const line = lineOf(row);
  const last = soundRecord(line);
  const sequence = last === null ? null : sequenceOf(last.ts);
  if (last === null || sequence === null || sequence !== row['seq'])
    return err(torn(runId, 'the last record is not sound'));
  const first = firstOf(db, run, runId);
  return first._tag === 'Left'
    ? first
    : ok({
        run,
        head: { run_id: runId, count: sequence + 1, hash: last.record_hash },
        end: endOf(new TextDecoder().decode(line)),
      });
}

/**
 * The sequence of a run's first row. Error: `torn` where there is none, or where it stands before record 0;
 * `run_id` (`other_run`).
 */
export function firstOf(db: Connection, run: number, runId: string): Result<StoreError, number> {
  const row = db.rows(
    'SELECT seq, CAST(line AS BLOB) AS line FROM records WHERE run = ? ORDER BY seq LIMIT 1',
    run,
  )[0];
  if (row === undefined || typeof row['seq'] !== 'number') return err(torn(runId, 'the run has no records'));
  if (row['seq'] < 0) return err(torn(runId, `row ${row['seq']} stands before record 0`));
  return isOfOtherRun(lineOf(row), runId)
    ? err({ code: 'run_id', run_id: runId, detail: 'other_run' })
    : ok(row['seq']);
}

/** The id of a run in the tables, null where it is not there. */
export function rowOfRun(db: Connection, runId: string): number | null {
  const id = db.rows('SELECT id FROM runs WHERE run_id = ?', runId)[0]?.['id'];
  return typeof id === 'number' ? id : null;
}

/** True where a line is a genesis that names another run. */
function isOfOtherRun(line: Uint8Array, runId: string): boolean {
  const record = soundRecord(line);
  const named = record === null ? null : runOf(record);
  return named !== null && named !== runId;
}

/** The bytes of a row's line: drivers give bytes or a buffer of them. */
export function lineOf(row: Row): Uint8Array {
  const { line } = row;
  if (line instanceof Uint8Array) return line;
  if (line instanceof ArrayBuffer) return new Uint8Array(line);
  throw new TypeError('a line was read that is no text');
}

/** A refusal of what is stored of a run. */
export function torn(runId: string, detail: string): StoreError {
  return { code: 'torn', run_id: runId, detail };
}
