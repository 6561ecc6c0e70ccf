/** Reading the ledger of a run from the tables: its lines, and where it ends, read back and checked. */
import { readRunId, readSequence, soundRecord, type StoreError } from '@assay/host';
import { err, type Head, LINE_LIMITS, ok, type Result } from '@assay/kernel';
import type { Connection, Row } from './driver.js';

/** A stored run: its id in the tables, its head, and how its last line ends. */
export type Tail = { readonly run: number; readonly head: Head; readonly end: string };

/**
 * The end of a canonical line, from its record hash on. No other line of a run has it, whatever its payload
 * quotes: that stands before, and what follows the hash holds no quotation mark of its own.
 */
export function hashEnd(line: string): string {
  return line.slice(line.lastIndexOf('"record_hash":"'));
}

/**
 * Reads the end of a run; null where there is no such run. Only its first and last record are read: the last
 * must be a sound record (canonical text, payload hash, record hash) of its sequence, the first must not
 * stand before record 0, nor name another run. Error: `torn`, `run_id` (`other_run`).
 */
export function readTail(db: Connection, runId: string): Result<StoreError, Tail | null> {
  const run = rowOfRun(db, runId);
  if (run === null) return ok(null);
  const row = db.rows(
    'SELECT seq, CAST(line AS BLOB) AS line FROM records WHERE run = ? ORDER BY seq DESC LIMIT 1',
    run,
  )[0];
  if (row === undefined) return err(torn(runId, 'the run has no records'));
  const line = renderLine(row);
  const last = soundRecord(line);
  const sequence = last === null ? null : readSequence(last.ts);
  if (last === null || sequence === null || sequence !== row['seq'])
    return err(torn(runId, 'the last record is not sound'));
  const first = findFirst(db, run, runId);
  return first._tag === 'Left'
    ? first
    : ok({
        run,
        head: { run_id: runId, count: sequence + 1, hash: last.record_hash },
        end: hashEnd(new TextDecoder().decode(line)),
      });
}

/**
 * The sequence of a run's first row. Error: `torn` where there is none, or where it stands before record 0;
 * `run_id` (`other_run`).
 */
export function findFirst(db: Connection, run: number, runId: string): Result<StoreError, number> {
  const row = db.rows(
    'SELECT seq, CAST(line AS BLOB) AS line FROM records WHERE run = ? ORDER BY seq LIMIT 1',
    run,
  )[0];
  if (row === undefined || typeof row['seq'] !== 'number') return err(torn(runId, 'the run has no records'));
  if (row['seq'] < 0) return err(torn(runId, `row ${row['seq']} stands before record 0`));
  return isOfOtherRun(renderLine(row), runId)
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
  const named = record === null ? null : readRunId(record);
  return named !== null && named !== runId;
}

/** The bytes of a row's line: drivers give bytes or a buffer of them. */
export function renderLine(row: Row): Uint8Array {
  const { line } = row;
  if (line instanceof Uint8Array) return line;
  if (line instanceof ArrayBuffer) return new Uint8Array(line);
  throw new TypeError('a line was read that is no text');
}

/** A refusal of what is stored of a run. */
export function torn(runId: string, detail: string): StoreError {
  return { code: 'torn', run_id: runId, detail };
}

/** Lines still to be read: from `next` to `last`, of the run with this id in the tables. */
export type Span = {
  readonly run: number;
  readonly runId: string;
  readonly next: number;
  readonly last: number;
};

/**
 * What a reading from sequence `from` on goes through: what is whole now. Records are only ever added, so
 * later pages belong to it as well. Error: `not_found`, `torn`, `run_id` (`other_run`).
 */
export function readSpan(db: Connection, runId: string, from: number): Result<StoreError, Span> {
  const run = rowOfRun(db, runId);
  if (run === null) return err({ code: 'not_found', run_id: runId });
  const first = findFirst(db, run, runId);
  if (first._tag === 'Left') return first;
  const last = Number(db.rows('SELECT max(seq) AS seq FROM records WHERE run = ?', run)[0]?.['seq']);
  return ok({ run, runId, next: Math.max(first.right, from), last });
}

/**
 * The next lines of a span: about a mebibyte, at least one line. Error: `torn` where a record is missing or
 * longer than any.
 */
export function readPage(
  db: Connection,
  { run, runId, next, last }: Span,
): Result<StoreError, readonly Uint8Array[]> {
  const sizes = db.rows(
    'SELECT seq, octet_length(line) AS size FROM records WHERE run = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ?',
    run,
    next,
    last,
    PAGE_LINES,
  );
  let count = 0;
  let bytes = 0;
  for (const { seq, size } of sizes) {
    if (seq !== next + count || typeof size !== 'number')
      return err(torn(runId, `record ${next + count} is missing`));
    if (size > LINE_LIMITS.bytes) return err(torn(runId, `record ${next + count} is longer than any record`));
    if (count > 0 && bytes + size > PAGE_BYTES) break;
    bytes += size;
    count += 1;
  }
  if (count === 0) return err(torn(runId, `record ${next} is missing`));
  return ok(
    db
      .rows(
        'SELECT CAST(line AS BLOB) AS line FROM records WHERE run = ? AND seq BETWEEN ? AND ? ORDER BY seq',
        run,
        next,
        next + count - 1,
      )
      .map(renderLine),
  );
}

const PAGE_LINES = 256;
const PAGE_BYTES = 1_048_576;
