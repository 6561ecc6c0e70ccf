/**
 * The planner of the rules: one plan for each family, in other ways where a directive asks for one. Source:
 * 003 §R2.
 *
 * @module
 */
import { absurd, err, ok, type Result } from '@assay/kernel';
import type { PlanBody, PlanDraft } from '@assay/controller';
import type { Goal } from './goal.js';
import { parseGoal } from './parse.js';
import { copied, created, summed, measuredPlan } from './from-file.js';
import { counted, extremeNamed } from './from-search.js';
import { collected, listed, sizesReported, twinsListed } from './from-search-whole.js';
import { moved, removed } from './arranging.js';
import type { NoPlan, Planned } from './writing.js';
import { Means } from './ways.js';

/**
 * Plans a task: from its intent, or from the user's own words where the intent is not in the words of the
 * grammar. Heeds `must_not`, `caution` and `prefer`.
 * Codes: `not_understood`, `tool_unavailable` for what no workspace has, `no_way_left`.
 */
export function planByRules(body: PlanBody): Result<NoPlan, PlanDraft> {
  const read = parseGoal(body.task.intent);
  const goal = read._tag === 'Right' ? read : parseGoal(body.text);
  if (goal._tag === 'Left') return err({ code: 'not_understood', detail: goal.left.code });
  const planned = plannedFor(goal.right, new Means(body));
  return planned._tag === 'Left'
    ? planned
    : ok({ follows: [], task_criteria: planned.right.together, subtasks: planned.right.subtasks });
}

function plannedFor(goal: Goal, means: Means): Planned {
  switch (goal.family) {
    case 'extreme':
      return extremeNamed(goal, means);
    case 'count':
      return counted(goal, means);
    case 'list':
      return listed(goal, means);
    case 'collect':
      return collected(goal, means);
    case 'duplicates':
      return twinsListed(goal, means);
    case 'sizes':
      return sizesReported(goal, means);
    case 'measure':
      return measuredPlan(goal, means);
    case 'sum':
      return summed(goal, means);
    case 'copy':
      return copied(goal, means);
    case 'create':
      return created(goal, means);
    case 'move':
      return moved(goal, means);
    case 'remove':
      return removed(goal, means);
    case 'answer':
      return plannedFor(goal.goal, means);
    case 'outside':
      return err({ code: 'tool_unavailable', detail: TOOL_OF[goal.needs] });
    default:
      return absurd(goal);
  }
}

/** The tool that each kind of request from outside would need. Source: 003 §R3 "Tool Priority Chain". */
const TOOL_OF = { web_search: 'search', mail: 'applescript', calendar: 'applescript' } as const;
