/** What every screen of a plan tells: the plan as it was first planned, as it stands, and what was found of it. */
import { type Approach, currentChoice, listTaken, type Plan } from '../plan/plan.js';
import type { CoreNow } from '../cores/core.js';
import type { PlanReport } from '../report/report.js';
import type { Rollup } from '../rollup/rollup.js';
import type { Raise } from '../question/raise.js';
import { sayWhat, type RepairSaid } from './repair.js';
import { chooseHours } from './words.js';

/**
 * See the module. `estimated`: the approach of each task as it is planned now; `taken`: the same, or what a task that
 * is done came to (`isDone`). `survey`: tasks whose other approaches are worth a look. `hours`: of a day; infinite
 * where all is within two days, so that hours are told.
 */
export type PlanStory = {
  readonly plan: Plan;
  readonly hours: number;
  readonly estimated: readonly Approach[];
  readonly taken: readonly Approach[];
  readonly isDone: readonly boolean[];
  readonly first: Rollup;
  readonly now: Rollup;
  readonly cores: readonly Pick<CoreNow, 'constraints' | 'amounts'>[];
  readonly repair: RepairSaid | null;
  readonly raise: Raise | null;
  readonly survey: readonly string[];
  readonly missing: PlanReport['missing'];
  readonly exits: readonly string[];
};

/** What a report tells of its plan. */
export function tellReport(plan: Plan, report: PlanReport): PlanStory {
  const { before, after, repair, raise, cores, survey, missing, exits } = report;
  const choice = repair !== null && 'choice' in repair ? repair.choice : currentChoice(plan);
  const taken = listTaken(plan, choice);
  return {
    plan,
    hours: hoursOf(plan, before),
    estimated: taken,
    taken,
    isDone: plan.tasks.map(() => false),
    first: before,
    now: after ?? before,
    cores,
    repair: repair === null ? null : sayWhat(report, repair),
    raise,
    survey,
    missing,
    exits,
  };
}

/** The tasks that are planned otherwise than at first, by place. */
export function listChanged({ plan, estimated }: PlanStory): readonly number[] {
  return [...plan.tasks.keys()].filter((task) => plan.tasks[task]?.approaches[0]?.id !== estimated[task]?.id);
}

/** Hours of a day of a plan, as they are told. */
export function hoursOf({ deadline, hoursPerDay }: Plan, { length }: Rollup): number {
  return chooseHours(Math.max(deadline?.bound ?? 0, length[1]), hoursPerDay);
}
