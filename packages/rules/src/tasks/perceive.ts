/**
 * The perceiver of the rules: the user's words, restated; what refers to an earlier turn, with what was
 * referred to. Source: 003 §R1.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import { isPhrase, type PerceiveBody, type TaskSpec } from '@assay/controller';
import type { Goal } from './goal.js';
import { parseGoal } from './parse.js';
import { restated } from './restate.js';
import { followUp, type NotPerceived } from './follow-up.js';

/** The task of a request. What is not understood is not guessed. */
export function perceiveByRules({ text, session }: PerceiveBody): Result<NotPerceived, TaskSpec> {
  const referred = followUp(text, session);
  if (referred._tag === 'Left') return referred;
  if (referred.right !== null) return specOf(referred.right.goal, referred.right.refers_to);
  const goal = parseGoal(text);
  return goal._tag === 'Left' ? goal : specOf(goal.right, null);
}

function specOf(goal: Goal, refers_to: number | null): Result<NotPerceived, TaskSpec> {
  const intent = restated(goal);
  if (!isPhrase(intent)) return err({ code: 'too_long' });
  const meant = goal.family === 'answer' ? goal.goal : goal;
  const scope = 'filter' in meant ? meant.filter.under : null;
  return ok({ label: meant.family, intent, constraints: { scope, deadline_us: null }, refers_to });
}
