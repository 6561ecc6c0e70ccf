/**
 * What came of a sub-task, as the meta-validator gets it. Source: 003 §R4a `SubTaskOutcome`; dec-G6.
 *
 * @module
 */
import type { Verdict } from '../protocol/criteria.js';
import type { SubTask } from '../protocol/plan.js';
import type { Target } from '../protocol/tools.js';
import { PPM } from '../ggs/rational.js';
import type { Attempt, CallSeen, SubTaskOutcome } from './events.js';
import { NOT_BEGUN, type ControllerState } from './state.js';

/**
 * Why a sub-task failed. `infrastructure`: its surroundings ended it, so that nothing was judged (dec-G6).
 */
export type Failing = {
  readonly reason: string;
  readonly infrastructure: boolean;
  readonly verdicts: readonly Verdict[];
};

/** The outcome of a sub-task that failed. */
export function failedOutcome(
  state: ControllerState,
  { id, uses }: SubTask,
  { reason, infrastructure, verdicts }: Failing,
): SubTaskOutcome {
  const { attempt, trajectory, result } = state.progress.get(id) ?? NOT_BEGUN;
  const last = attemptAt(attempt, verdicts, reason);
  return {
    subtask: id,
    status: 'failed',
    reason,
    infrastructure,
    output: result?.output ?? '',
    verdicts,
    trajectory: [...trajectory, last],
    used: usedBy(result?.calls ?? [], uses),
  };
}

/** The outcome of a sub-task whose criteria are all met. */
export function matchedOutcome(
  state: ControllerState,
  { id, uses }: SubTask,
  verdicts: readonly Verdict[],
): SubTaskOutcome {
  const { attempt, trajectory, result } = state.progress.get(id) ?? NOT_BEGUN;
  return {
    subtask: id,
    status: 'matched',
    reason: null,
    infrastructure: false,
    output: result?.output ?? '',
    verdicts,
    trajectory: [...trajectory, attemptAt(attempt, verdicts, '')],
    used: usedBy(result?.calls ?? [], uses),
  };
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

/** Tools and inputs that were called, or those of the plan where none was. */
function usedBy(calls: readonly CallSeen[], planned: readonly Target[]): readonly Target[] {
  if (calls.length === 0) return planned;
  const seen = new Map(
    calls.map(({ tool, input }) => [`${tool}\n${input}`, { tool, target: input }] as const),
  );
  return [...seen.values()];
}
