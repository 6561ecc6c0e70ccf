/**
 * Calls of a role that were never answered: nobody was reached, or let in, or no answer came in time. What
 * keeps a call from its role is no fault of the role; who answers, a refusal too, says a code. Source: 002
 * "Accountability Map".
 *
 * @module
 */
import { field, isObject, type Failure } from '@assay/kernel';
import type { ControllerState } from './state.js';

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
export function isMergeUnanswered(merged: ControllerState['merged']): boolean {
  return merged?.gap_summary === noVerdict(NO_ANSWER);
}

/** True where the last thing that was to be done waits for an answer. */
export function endsUnanswered({ given_up, plan, progress, merged }: ControllerState): boolean {
  if (given_up !== null) return given_up.code === NO_ANSWER;
  const outcomes = (plan?.subtasks ?? []).flatMap(({ id }) => progress.get(id)?.outcome ?? []);
  return isMergeUnanswered(merged) || outcomes.some(({ reason }) => isUnanswered(reason));
}
