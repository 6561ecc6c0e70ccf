/**
 * Where a stored ledger ends, whether it is one that can go on, and its lines page by page.
 *
 * @module
 */
import { readRunId, readSequence, soundRecord, type StoreError, StoreReadError } from '@assay/host';
import { type Digest, err, type Head, ok, type Result, utf8Bytes } from '@assay/kernel';
import type { Asking } from './connections.js';
import type { Answer, Statement } from './session.js';
import type { Statements } from './statements.js';

/**
 * Reads a ledger's head, null where there is no run. Only its row, its first and its last line are read: the
 * last must be a sound record that stands where the row says, the first must not stand before record 0, nor
 * name another run. Errors: `torn`, `run_id`.
 */
export async function readHead(
  asking: Asking,
  statements: Statements,
  runId: string,
): Promise<Result<StoreError, Head | null>> {
  const row = (await asking.run({ text: statements.ends, values: [runId] })).rows[0] ?? {};
  const {
    count,
    hash,
    first: firstSequence,
    first_text: first,
    last: lastSequence,
    last_text: lastText,
  } = row;
  const hasRow = typeof count === 'string' && typeof hash === 'string';
  const hasLines = typeof first === 'string' && typeof lastText === 'string';
  if (!hasRow && !hasLines) return ok(null);
  if (!hasRow) return torn(runId, 'there are records, and no row in runs');
  if (!hasLines) return torn(runId, 'there is a row in runs, and no records');
  if (Number(firstSequence) < 0) return torn(runId, `row ${firstSequence} stands before record 0`);
  const last = soundRecord(utf8Bytes(lastText));
  if (last === null) return torn(runId, 'the last record is not sound');
  if (isOfOtherRun(first, runId)) return err({ code: 'run_id', run_id: runId, detail: 'other_run' });
  const sequence = readSequence(last.ts);
  if (
    sequence === null ||
    String(sequence) !== lastSequence ||
    String(sequence + 1) !== count ||
    last.record_hash !== hash
  )
    return torn(runId, 'the last record is not where its row in runs says the ledger ends');
  return ok({ run_id: runId, count: sequence + 1, hash: last.record_hash satisfies Digest });
}

/** True where the first line of a ledger names another run. */
export function isOfOtherRun(first: string, runId: string): boolean {
  const record = soundRecord(utf8Bytes(first));
  const named = record === null ? null : readRunId(record);
  return named !== null && named !== runId;
}

function torn(runId: string, detail: string): Result<StoreError, never> {
  return err({ code: 'torn', run_id: runId, detail });
}

/**
 * The lines that a run has when the reading begins, from sequence `from` on. `ask` runs a statement, and may
 * run it again: what is stored does not change. No transaction stays open between pages, so a slow reader
 * holds nothing. Memory: a page, which is 512 lines, or 1 MiB and a line. Raises `not_found`, `run_id` where
 * the first line names another run, `torn` where a line is missing, or a row stands before record 0.
 */
export async function* readPages(
  ask: (statement: Statement) => Promise<Answer>,
  statements: Statements,
  runId: string,
  from: number,
): AsyncGenerator<Uint8Array> {
  const start = (await ask({ text: statements.start, values: [runId] })).rows[0] ?? {};
  const { count, first, first_text: firstText } = start;
  if (typeof count !== 'string' && typeof first !== 'string')
    throw new StoreReadError({ code: 'not_found', run_id: runId });
  if (typeof count !== 'string' || typeof first !== 'string' || typeof firstText !== 'string')
    throw tornRead(runId, 'there are records, and no row in runs, or the other way round');
  if (Number(first) < 0) throw tornRead(runId, `row ${first} stands before record 0`);
  if (isOfOtherRun(firstText, runId))
    throw new StoreReadError({ code: 'run_id', run_id: runId, detail: 'other_run' });
  const end = Number(count);
  for (let next = Math.max(from, Number(first)); next < end; ) {
    const { rows } = await ask({ text: statements.page, values: [runId, next, end] });
    if (rows.length === 0) throw tornRead(runId, `record ${next} is missing`);
    for (const { seq, text } of rows) {
      if (seq !== String(next) || typeof text !== 'string')
        throw tornRead(runId, `record ${next} is missing`);
      yield utf8Bytes(text);
      next += 1;
    }
  }
}

function tornRead(runId: string, detail: string): StoreReadError {
  return new StoreReadError({ code: 'torn', run_id: runId, detail });
}
