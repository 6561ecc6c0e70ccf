/**
 * Reading a stored ledger page by page.
 *
 * @module
 */
import { utf8Bytes } from '@assay/kernel';
import { StoreReadError } from '@assay/host';
import { isOfOtherRun } from './ledger-ends.js';
import type { Answer, Statement } from './session.js';
import type { Statements } from './statements.js';

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
    throw torn(runId, 'there are records, and no row in runs, or the other way round');
  if (Number(first) < 0) throw torn(runId, `row ${first} stands before record 0`);
  if (isOfOtherRun(firstText, runId))
    throw new StoreReadError({ code: 'run_id', run_id: runId, detail: 'other_run' });
  const end = Number(count);
  for (let next = Math.max(from, Number(first)); next < end; ) {
    const { rows } = await ask({ text: statements.page, values: [runId, next, end] });
    if (rows.length === 0) throw torn(runId, `record ${next} is missing`);
    for (const { seq, text } of rows) {
      if (seq !== String(next) || typeof text !== 'string') throw torn(runId, `record ${next} is missing`);
      yield utf8Bytes(text);
      next += 1;
    }
  }
}

function torn(runId: string, detail: string): StoreReadError {
  return new StoreReadError({ code: 'torn', run_id: runId, detail });
}
