/**
 * Where a stored ledger ends, and whether it is one that can go on.
 *
 * @module
 */
import { err, ok, utf8Bytes, type Digest, type Head, type Result } from '@assay/kernel';
import { runOf, sequenceOf, soundRecord, type StoreError } from '@assay/host';
import type { Asking } from './connections.js';
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
  const sequence = sequenceOf(last.ts);
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
  const named = record === null ? null : runOf(record);
  return named !== null && named !== runId;
}

function torn(runId: string, detail: string): Result<StoreError, never> {
  return err({ code: 'torn', run_id: runId, detail });
}
