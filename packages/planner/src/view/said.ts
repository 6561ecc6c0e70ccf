/** What the machine recorded of its judgement of a plan, as the words of a checked plan take it. */
import { isObject } from '@assay/kernel';
import { listObjects } from '@assay/kernel/shape';
import { standing } from '../machine/planning.js';
import type { PlannerState } from '../machine/state.js';
import type { RepairSaid } from '../picture/repair.js';
import { hoursOf, type PlanStory } from '../picture/story.js';
import { listTaken } from '../plan/plan.js';
import { rollup } from '../rollup/rollup.js';

/** What a run tells of the plan of its goal; null before there is one. */
export function tellRun(state: PlannerState): PlanStory | null {
  const found = state.plans.get(state.root);
  if (found === undefined) return null;
  const { plan, choice, actuals } = found;
  const { judged } = state;
  const [first, now] = [rollup(plan), standing(state, state.root)];
  const estimated = listTaken(plan, choice);
  return {
    plan,
    hours: hoursOf(plan, first),
    estimated,
    taken: estimated.map((approach, task) => now.tasks[task]?.approaches[0] ?? approach),
    isDone: actuals.map((actual) => actual?.done === true),
    first,
    now: rollup(now),
    cores: listObjects(judged?.['cores']) as unknown as PlanStory['cores'],
    repair: repairSaid(state),
    raise: (judged?.['least_raise'] ?? null) as unknown as PlanStory['raise'],
    survey: (judged?.['survey'] ?? []) as PlanStory['survey'],
    missing: listObjects(judged?.['missing']) as unknown as PlanStory['missing'],
    exits: (judged?.['exits'] ?? []) as PlanStory['exits'],
  };
}

/** The repair of a judged plan; null where nothing had to be repaired. */
function repairSaid({ judged, replans }: PlannerState): RepairSaid | null {
  const repair = judged?.['repair'];
  if (judged === null || repair === undefined || !isObject(repair)) return null;
  const { label, changes, confidence, cost, effort, unfinished = null, bound = null } = repair;
  const best = judged['core_best'];
  return {
    label,
    key: changes === undefined ? null : { changes, confidence, cost, effort },
    unfinished,
    bound,
    next: judged['next'],
    isNextComplete: judged['next_complete'],
    coreBest:
      best !== undefined && isObject(best)
        ? { constraints: best['constraints'], tasks: best['tasks'], isMinimal: best['minimal'] }
        : null,
    isFirst: replans === 0,
  } as unknown as RepairSaid;
}
