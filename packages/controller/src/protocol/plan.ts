/**
 * What a planner proposes, and what the dispatcher makes of it. Source: 003 §R2; 002 "Key Invariants";
 * dec-G20, dec-G21.
 */
import { closed, flag, integer, list, sized, text, type TypeOf } from '@assay/kernel/shape';
import {
  CRITERION,
  CRITERION_DRAFT,
  LOCAL_ID,
  PHRASE,
  upTo,
  type Criterion,
  type CriterionDraft,
} from './criteria.js';
import { TOOLS_MAX } from './tools.js';

/** Most sub-tasks of a plan, whatever a policy says. */
export const SUBTASKS_MAX = 64;
/** Most criteria of one list. */
export const CRITERIA_MAX = 64;
/** Longest context of a sub-task. */
const CONTEXT_MAX = 20_000;
const SEQUENCE_MAX = 1_000;

const fields = {
  label: sized(0, 200),
  sequence: integer(1, SEQUENCE_MAX),
  intent: PHRASE,
  context: sized(0, CONTEXT_MAX),
  tools: upTo(TOOLS_MAX, text()),
  words: flag,
};

const SUBTASK_DRAFT = closed({ ...fields, success_criteria: upTo(CRITERIA_MAX, CRITERION_DRAFT) });
/**
 * A sub-task as a planner proposes it. Same `sequence`: in parallel; `tools`: those it may call; `words`: an
 * answer in words alone is enough, which rests on no call (calls/C6).
 */
export type SubTaskDraft = TypeOf<typeof SUBTASK_DRAFT>;

export const PLAN_DRAFT = closed({
  follows: upTo(CRITERIA_MAX, integer(0, 1_023)),
  task_criteria: upTo(CRITERIA_MAX, CRITERION_DRAFT),
  subtasks: upTo(SUBTASKS_MAX, SUBTASK_DRAFT),
});
/**
 * A plan as a planner proposes it. `task_criteria` speak of the combined output; `follows`: the practices of
 * the memory that it follows, by their place in `prefer.practices`.
 */
export type PlanDraft = TypeOf<typeof PLAN_DRAFT>;

const SUBTASK = closed({ ...fields, id: LOCAL_ID, criteria: list(CRITERION) });
/** A sub-task with the ids of the machine. */
export type SubTask = TypeOf<typeof SUBTASK>;

export const PLAN = closed({
  round: integer(0),
  follows: list(integer(0)),
  task_criteria: list(CRITERION),
  subtasks: list(SUBTASK),
});
/** A plan with the ids of the machine. */
export type Plan = TypeOf<typeof PLAN>;

/** Gives a plan its ids: from the round and the place in the plan alone. */
export function numbered(draft: PlanDraft, round: number): Plan {
  const number = (criteria: readonly CriterionDraft[], prefix: string): readonly Criterion[] =>
    criteria.map((criterion, index) => ({ id: `${prefix}.${index}`, ...criterion }));
  return {
    round,
    follows: draft.follows,
    task_criteria: number(draft.task_criteria, `${round}.t`),
    subtasks: draft.subtasks.map(({ success_criteria, ...subtask }, index) => ({
      id: `${round}.${index}`,
      ...subtask,
      criteria: number(success_criteria, `${round}.${index}`),
    })),
  };
}

/**
 * What the whole is judged by: the plan's criteria of the task; of a plan that names none, that its intent is
 * reached, so that there is always something that R4b can reject. That one has no place in the plan: it
 * counts where R4b was asked. Source: 003 §R4b "Accept only when ALL task_criteria are met".
 */
export function wholeCriteria(
  { round, task_criteria }: Pick<Plan, 'round' | 'task_criteria'>,
  intent: string,
): readonly Criterion[] {
  return task_criteria.length > 0
    ? task_criteria
    : [{ id: `${round}.t.0`, text: intent, mode: 'verifiable', hard: true, check: null }];
}
