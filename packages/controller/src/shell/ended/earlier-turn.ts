/**
 * Runs of the controller that are over, derived again, and read as earlier turns of a conversation.
 *
 * @module
 */
import { err, ok, replayable, replayWith, runView, type EvidenceRecord, type Result } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { controller, SESSION_MAX, SUMMARY_MAX, USER_TEXT_MAX, type SessionTurn } from '../../index.js';
import { nativeSha256 } from '@assay/host';
import { forkedFrom } from '../../memory-shell/writes.js';
import { taskIn } from './task-in.js';

/** Most earlier runs that a task takes. */
export const EARLIER_RUNS_MAX: number = SESSION_MAX;

/**
 * Why a ledger is no task that is over. `other_machine`: `machine` names it. `underivable`: at `record` the
 * controller decides otherwise (`why` is `differs`) or cannot say. `run_open`: more may be answered.
 */
export type NotEnded =
  | { readonly code: 'other_machine'; readonly machine: string }
  | { readonly code: 'underivable'; readonly why: string; readonly record: number }
  | { readonly code: 'run_open' };

/** Derives every decision of a task that is over again. Only where integrity holds. Codes: {@link NotEnded}. */
export function requireEnded(records: readonly EvidenceRecord[]): Result<NotEnded, void> {
  const machine = readText(readField(records[0]?.payload, 'machine'), 'name');
  if (machine !== controller.name) return err({ code: 'other_machine', machine });
  const sha256 = nativeSha256;
  const derived = replayWith([replayable(controller, { sha256 })], records, { sha256 });
  if (derived._tag === 'Left')
    return err({ code: 'underivable', why: derived.left.code, record: derived.left.record });
  return records.at(-1)?.kind === 'close' ? ok(undefined) : err({ code: 'run_open' });
}

/**
 * A task as an earlier turn: what was asked, and the summary of its result. Words that refer to an earlier
 * turn themselves are given as the task that was understood. Codes: {@link NotEnded}; `fork` for a what-if,
 * of which nothing happened.
 */
export function earlierTurn(
  records: readonly EvidenceRecord[],
): Result<NotEnded | { readonly code: 'fork'; readonly parent: string }, SessionTurn> {
  const ended = requireEnded(records);
  if (ended._tag === 'Left') return ended;
  const parent = forkedFrom(records);
  if (parent !== null) return err({ code: 'fork', parent });
  const view = runView(records);
  if (view._tag === 'Left')
    return err({ code: 'underivable', why: view.left.code, record: view.left.record });
  const { genesis, artifacts } = view.right;
  const task = taskIn(records);
  const said = task === null || task.refers_to === null ? readText(genesis.input, 'text') : task.intent;
  const summary = readText(artifacts.get('final_result')?.value, 'summary');
  return ok({ input: said.slice(0, USER_TEXT_MAX), summary: summary.slice(0, SUMMARY_MAX) });
}
