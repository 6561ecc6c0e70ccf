/**
 * The gate of the medium loop: groups are released when they are complete, a failed sub-task keeps the
 * meta-validator from being asked, and what it says decides only by its verdicts: anything but a pass is a
 * rejection. Source: 003 §R4b; 002 "Key Invariants".
 *
 * @module
 */
import { cutText, type Context } from '@assay/kernel';
import type { Merge } from '../protocol/requests.js';
import { wholeCriteria } from '../protocol/plan.js';
import { ask, planned, type Step, message } from './asking.js';
import { dispatchNext } from './dispatch.js';
import { noVerdict } from './accountability.js';
import { missingFile } from './state.js';
import { TEXT_MAX } from '../protocol/criteria.js';

/**
 * After an outcome: waits for the rest of the group, starts the next group, asks R4b, or reports a failure
 * without asking. True where the round is over.
 */
export function gathered(step: Step, context: Context): boolean {
  const { plan, progress, group } = planned(step.state);
  const members = plan.subtasks.filter(({ sequence }) => sequence === group);
  const outcomes = members.flatMap(({ id }) => progress.get(id)?.outcome ?? []);
  if (group === null || outcomes.length < members.length) return false;
  const failed = outcomes.filter(({ status }) => status === 'failed');
  if (failed.length > 0) {
    const reasons = failed.map(({ subtask, reason }) => `${subtask}: ${reason ?? 'failed'}`);
    reject(step, cutText(reasons.join('; '), TEXT_MAX), { failed: failed.map(({ subtask }) => subtask) });
    return true;
  }
  if (dispatchNext(step, group, context)) return false;
  const { task } = planned(step.state);
  const file = missingFile(step.state, wholeCriteria(plan, task.intent));
  if (file !== null) {
    notMerged(step, `no call wrote or read ${file}`);
    return true;
  }
  askForMerge(step);
  return false;
}

function askForMerge(step: Step): void {
  const { plan, progress, task, costs } = planned(step.state);
  const outcomes = plan.subtasks.map(({ id, intent }) => ({
    subtask: id,
    intent,
    output: progress.get(id)?.outcome?.output ?? '',
  }));
  ask(
    step,
    'merge',
    { intent: task.intent, criteria: wholeCriteria(plan, task.intent), outcomes },
    null,
    costs.depth,
  );
}

/**
 * Hears R4b; the verdicts fit the criteria of the task. Only passes are an acceptance: ambiguous is a
 * rejection.
 */
export function merged(step: Step, merge: Merge): void {
  const { round } = planned(step.state).plan;
  const unmet = merge.verdicts.filter(({ verdict }) => verdict !== 'pass');
  if (unmet.length === 0) return step.emit(message('R4b', 'R7', 'OutcomeSummary', { round, ...merge }));
  const reasons = unmet.map(({ criterion, verdict, evidence }) => `${criterion} ${verdict}: ${evidence}`);
  reject(step, cutText(reasons.join('; '), TEXT_MAX), { merge });
}

/** R4b gave no acceptable answer, or could not: what is not known to be met is not accepted. */
export function notMerged(step: Step, why: string): void {
  reject(step, noVerdict(why), {});
}

/** Reports that the round is not accepted: for sub-tasks that failed, else by R4b. */
function reject(
  step: Step,
  gap_summary: string,
  { failed = [], merge = NOTHING }: { readonly failed?: readonly string[]; readonly merge?: Merge },
): void {
  const { round } = planned(step.state).plan;
  step.emit(
    message('R4b', 'R7', 'ReplanRequest', {
      round,
      failed,
      rejected: failed.length === 0,
      gap_summary,
      ...merge,
    }),
  );
}

const NOTHING: Merge = { merged_output: null, summary: '', verdicts: [] };
