/**
 * Reading the lines of a run page by page, so that no reader holds up a writer, nor the log's growth.
 *
 * @module
 */
import { err, LINE_LIMITS, ok, type Result } from '@assay/kernel';
import type { StoreError } from '@assay/host';
import type { Connection } from './driver.js';
import { firstOf, lineOf, rowOfRun, torn } from './tail.js';

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
export function spanOf(db: Connection, runId: string, from: number): Result<StoreError, Span> {
  const run = rowOfRun(db, runId);
  if (run === null) return err({ code: 'not_found', run_id: runId });
  const first = firstOf(db, run, runId);
  if (first._tag === 'Left') return first;
  const last = Number(db.rows('SELECT max(seq) AS seq FROM records WHERE run = ?', run)[0]?.['seq']);
  return ok({ run, runId, next: Math.max(first.right, from), last });
}

/**
 * The next lines of a span: about a mebibyte, at least one line. Error: `torn` where a record is missing or
 * longer than any.
 */
export function pageOf(
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
      .map(lineOf),
  );
}

const PAGE_LINES = 256;
const PAGE_BYTES = 1_048_576;
