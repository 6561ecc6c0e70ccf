/**
 * The gate of the medium loop: groups are released when they are complete, a failed sub-task keeps the
 * meta-validator from being asked, and what it says decides only by its verdicts: anything but a pass is a
 * rejection. Who answers for what went wrong: each failure has one role. A call that was never answered is
 * no fault of its role: nobody was reached, or let in, or no answer came in time. Source: 003 §R4b; 002 "Key
 * Invariants"; 002 "Accountability Map"; 003 "Accountability Map".
 */
import { cutText, type Context, field, isObject, type Failure } from '@assay/kernel';
import type { Merge } from '../protocol/requests.js';
import { wholeCriteria } from '../protocol/plan.js';
import { ask, planned, type Step, message } from './asking.js';
import { dispatchNext } from './dispatch.js';
import { missingFile, type ControllerState } from './state.js';
import { TEXT_MAX } from '../protocol/criteria.js';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import type { Role } from '../protocol/roles.js';
import type { Accountable } from './final-result.js';

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

/** Code and reason of what was never answered. */
export const NO_ANSWER = 'no_answer';

/** The code of a failure, {@link NO_ANSWER} for a call that was never answered. */
export function failureCode({ code, detail }: Failure): string {
  const isSaid = isObject(detail) && typeof field(detail, 'code') === 'string';
  return isSaid || code === 'malformed' || code === 'exhausted' ? code : NO_ANSWER;
}

/** What is reported of R4b where it gave no verdict. */
export function noVerdict(why: string): string {
  return `the meta-validator gave no verdict: ${why}`;
}

/** True for the reason of a sub-task that waited for a role in vain. */
export function isUnanswered(reason: string | null): boolean {
  return reason?.endsWith(`_${NO_ANSWER}`) === true;
}

/** True where R4b was asked and never answered. */
function isMergeUnanswered(merged: ControllerState['merged']): boolean {
  return merged?.gap_summary === noVerdict(NO_ANSWER);
}

/** True where the last thing that was to be done waits for an answer. */
export function endsUnanswered({ given_up, plan, progress, merged }: ControllerState): boolean {
  if (given_up !== null) return given_up.code === NO_ANSWER;
  const outcomes = (plan?.subtasks ?? []).flatMap(({ id }) => progress.get(id)?.outcome ?? []);
  return isMergeUnanswered(merged) || outcomes.some(({ reason }) => isUnanswered(reason));
}

/** Failures and the role that answers for each. */
export const ACCOUNTABILITY: ReadonlyMap<string, Role> = new Map([
  ['intent_not_preserved', 'R1'],
  ['no_acceptable_plan', 'R2'],
  ['goal_not_achieved', 'R2'],
  ['subtask_not_executed', 'R3'],
  ['gap_not_closed', 'R4a'],
  ['merge_not_judged', 'R4b'],
  ['direction_wrong', 'R7'],
]);

/**
 * Who answers for the end of this task, in the order in which it went wrong. A confirmation that a person did
 * not give is nobody's failure, nor is it that what the user named is not there (calls/C7), nor a call that was
 * never answered.
 */
export function accountableFor(
  state: ControllerState,
  { directive, reason }: Pick<GgsEvaluation, 'directive' | 'reason'>,
): readonly Accountable[] {
  const { plan, progress, merged, given_up } = state;
  if (given_up?.code === PERCEIVER_GAVE_UP) return [of('intent_not_preserved', null)];
  if (given_up?.code === PLANNER_GAVE_UP) return [of('no_acceptable_plan', null)];
  if (NOBODYS.includes(reason)) return [];
  const bySubTask = (plan?.subtasks ?? []).flatMap(({ id }) => {
    const outcome = progress.get(id)?.outcome ?? null;
    if (outcome === null || outcome.status === 'matched' || isUnanswered(outcome.reason)) return [];
    return [
      of(
        /^(?:criteria_unmet$|validator_)/.test(outcome.reason ?? '')
          ? 'gap_not_closed'
          : 'subtask_not_executed',
        id,
      ),
    ];
  });
  const byMerge =
    merged?.rejected === true && !isMergeUnanswered(merged)
      ? merged.verdicts.length === 0
        ? [of('merge_not_judged', null)]
        : merged.verdicts
            .filter(({ verdict }) => verdict !== 'pass')
            .map(({ criterion }) => of('goal_not_achieved', criterion))
      : [];
  const byDirection = directive === 'abandon' && reason === 'law2' ? [of('direction_wrong', null)] : [];
  return [...bySubTask, ...byMerge, ...byDirection];
}

/** Reasons that end a task and are nobody's failure. */
const NOBODYS: readonly string[] = ['not_confirmed', 'input_missing', NO_ANSWER];

/** Code of a perceiver that gave no acceptable task. */
export const PERCEIVER_GAVE_UP = 'perceiver_gave_up';
/** Code of a planner that gave no acceptable plan. */
export const PLANNER_GAVE_UP = 'planner_gave_up';

function of(failure: string, criterion: string | null): Accountable {
  const role = ACCOUNTABILITY.get(failure);
  if (role === undefined) throw new RangeError(`nobody answers for ${failure}`);
  return { failure, role, criterion };
}
