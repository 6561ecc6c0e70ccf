/**
 * An attempt at a sub-task, how a sub-task ends, and how it is done again. Source: 003 §R4a; dec-B7, dec-G6;
 * calls/C6, calls/C7.
 */
import { cutText } from '@assay/kernel';
import type { FailureClass } from '../ggs/input.js';
import { deciding, primaryCall } from '../protocol/claims.js';
import { EVIDENCE_MAX, type Criterion, type Verdict } from '../protocol/criteria.js';
import { type Step, message } from './asking.js';
import { describeProgress, getSubTask } from './state.js';
import { PPM } from '../ggs/rational.js';
import type { Attempt } from './events.js';

/**
 * Why a sub-task failed. `class`: of all its criteria where it alone says; null where its surroundings ended
 * it, so that nothing was judged (dec-G6). `calls`: those that decided it, by number; empty: its primary call.
 * `why`: what its last attempt says, where that is more than the reason.
 */
export type Failing = {
  readonly reason: string;
  readonly why?: string;
  readonly class: FailureClass | null;
  readonly calls: readonly number[];
  readonly verdicts?: readonly Verdict[];
};

/** Ends a sub-task that failed. */
export function close(step: Step, id: string, { reason, why, class: of, calls, verdicts }: Failing): void {
  const { attempt, trajectory, claim, calls: made } = describeProgress(step.state, id);
  const { criteria } = getSubTask(step.state, id);
  const judged = verdicts ?? (of === null ? [] : failAll(criteria, of, reason));
  const primary = primaryCall(made);
  const numbers = calls.length > 0 ? calls : primary === null ? [] : [primary];
  step.emit(
    message('R4a', 'R4b', 'SubTaskOutcome', {
      subtask: id,
      status: 'failed',
      reason,
      infrastructure: judged.length === 0,
      output: claim?.output ?? '',
      verdicts: judged,
      trajectory: [...trajectory, attemptAt(attempt, judged, why ?? reason)],
      calls: deciding(made, numbers),
    }),
  );
}

/** Ends a sub-task whose criteria are all met. */
export function matched(step: Step, id: string, verdicts: readonly Verdict[]): void {
  const { attempt, trajectory, claim, calls } = describeProgress(step.state, id);
  step.emit(
    message('R4a', 'R4b', 'SubTaskOutcome', {
      subtask: id,
      status: 'matched',
      reason: null,
      infrastructure: false,
      output: claim?.output ?? '',
      verdicts,
      trajectory: [...trajectory, attemptAt(attempt, verdicts, '')],
      calls: deciding(calls, [...new Set(verdicts.flatMap((verdict) => verdict.calls))]),
    }),
  );
}

function failAll(
  criteria: readonly Criterion[],
  failure_class: FailureClass,
  evidence: string,
): readonly Verdict[] {
  return criteria.map(({ id }) => ({
    criterion: id,
    verdict: 'fail',
    failure_class,
    evidence: cutText(evidence, EVIDENCE_MAX),
    calls: [],
  }));
}

/** One attempt in a trajectory; the score is rounded toward zero, and 0 where nothing was judged. */
export function attemptAt(attempt: number, verdicts: readonly Verdict[], why: string): Attempt {
  const unmet = verdicts.filter(({ verdict }) => verdict === 'fail').map(({ criterion }) => criterion);
  const met = verdicts.length - unmet.length;
  return {
    attempt,
    score_ppm: verdicts.length === 0 ? 0 : Math.floor((met * PPM) / verdicts.length),
    unmet,
    why,
  };
}
