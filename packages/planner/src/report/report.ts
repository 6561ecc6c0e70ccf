/** Everything that is said of a plan: schedule, roll-up, cores, the repair, or why there is none. */
import { InvariantError, type JsonObject, Meter } from '@assay/kernel';
import { type Core, coresNow, type CoreNow, coreBest } from '../cores/core.js';
import { Lengths, listExits, type Schedule } from '../network/schedule.js';
import { type Approach, currentChoice, listTaken, type Plan } from '../plan/plan.js';
import { findLevelFault } from '../level/check.js';
import { type Levelled, levelTasks } from '../level/level.js';
import { nextRepairs, type NextRepair } from '../repair/next.js';
import type { Raise } from '../question/raise.js';
import { leastRaise } from '../repair/raise.js';
import { isInTime, repair, type Repair, type Suggestion } from '../repair/repair.js';
import { chooseLevelling, isFit, rollup, makeSchedule, type Rollup } from '../rollup/rollup.js';
import { SEARCH_NODES } from '../search/search.js';

/** A confidence below this asks for a survey of approaches, ppm. Source: dec-K60. */
const SURE = 300_000;

/** A figure that nobody has stated: of an approach, or of a pair of them. */
type MissingFigure = { readonly constraint: string; readonly approaches: readonly string[] };

/**
 * The report of a plan. `before` and `schedule`: as it stands; `cores`: one for each UNSAT constraint;
 * `survey`: tasks whose approaches should be looked at, by id; `exits`: the last tasks where there are several
 * (dec-K58). `repair` is null where nothing hard is UNSAT or UNKNOWN, `after` is the roll-up with it; `raise`
 * and `coreBest` are given where no repair was found. `levelling`: of the plan as it is repaired, else as it stands.
 */
export type PlanReport = {
  readonly schedule: Schedule;
  readonly before: Rollup;
  readonly cores: readonly CoreNow[];
  readonly survey: readonly string[];
  readonly missing: readonly MissingFigure[];
  readonly exits: readonly string[];
  readonly repair: Repair | null;
  readonly after: Rollup | null;
  readonly next: readonly NextRepair[];
  readonly isNextComplete: boolean;
  readonly raise: Raise | null;
  readonly coreBest: Core | null;
  readonly levelling: Levelling | null;
};

/**
 * What is said of a plan whose tasks share renewable resources: a schedule under which all is held, `feasible` and not
 * proven best, `gap` minutes longer than its links alone ask; or that there is none, since the plan is too large.
 */
export type Levelling =
  | (Levelled & { readonly label: 'feasible'; readonly gap: number })
  | { readonly label: 'not_held' };

/** The levelling of a plan with what its tasks take, checked; null where none uses a renewable resource. */
export function makeLevelling(
  plan: Plan,
  taken: readonly Pick<Approach, 'minutes' | 'uses'>[] = listTaken(plan, currentChoice(plan)),
): Levelling | null {
  const way = chooseLevelling(plan);
  if (way !== 'levelled') return way === 'none' ? null : { label: way };
  const minutes = taken.map((approach) => approach.minutes[1]);
  const levelled = levelTasks(plan, taken, minutes);
  const fault = findLevelFault(plan, taken, minutes, levelled.starts);
  if (fault !== null) throw new InvariantError('levelling', `${fault.task} breaks ${fault.breaks}`);
  return { label: 'feasible', ...levelled, gap: levelled.length - new Lengths(plan.tasks).measure(minutes) };
}

/** The levelling of a plan as its documents have it. */
export function writeLevelling({ tasks }: Plan, levelling: Levelling): JsonObject {
  if (levelling.label === 'not_held') return levelling;
  const { starts, ...rest } = levelling;
  return { ...rest, starts: tasks.map(({ id }, task) => [id, starts[task] ?? 0]) };
}

/** Judges a plan, with at most so many search nodes a question and the steps of a meter in all. */
export function checkPlan(
  plan: Plan,
  nodes: number = SEARCH_NODES,
  suggestion: Suggestion | null = null,
  meter: Meter = new Meter(),
): PlanReport {
  const before = rollup(plan);
  const cores = coresNow(plan, before);
  const found = isFit(before) ? null : repair(plan, nodes, suggestion, meter);
  const isRepaired = found !== null && 'choice' in found;
  const next = isRepaired ? nextRepairs(plan, found.choice, nodes, meter) : { repairs: [], isComplete: true };
  const inTime = next.repairs.filter(({ choice }) => isInTime(plan, choice));
  const isFailed = found !== null && !isRepaired;
  const exits = listExits(plan.tasks);
  const surveyed = new Set(cores.flatMap(({ tasks }) => tasks));
  return {
    schedule: makeSchedule(plan, plan.deadline),
    before,
    cores,
    survey: plan.tasks
      .filter(({ id, approaches }) => surveyed.has(id) || (approaches[0]?.confidence ?? 0) < SURE)
      .map(({ id }) => id),
    missing: missingFigures(plan),
    exits: exits.length > 1 ? exits : [],
    repair: found,
    after: isRepaired ? rollup(plan, found.choice) : null,
    next: inTime,
    isNextComplete: next.isComplete && inTime.length === next.repairs.length,
    coreBest: found?.label === 'none' ? coreBest(plan, nodes, meter) : null,
    raise: isFailed ? leastRaise(plan, nodes, meter) : null,
    levelling: makeLevelling(plan, isRepaired ? listTaken(plan, found.choice) : undefined),
  };
}

/** Figures of hard constraints that nobody has stated; a repair never rests on them. Source: dec-K69. */
function missingFigures(plan: Plan): readonly MissingFigure[] {
  const name = (task: number, place: number): string => {
    const { id = '', approaches = [] } = plan.tasks[task] ?? {};
    return `${id}.${approaches[place]?.id ?? ''}`;
  };
  const single = plan.metrics.flatMap(({ id, task, isHard }, index) =>
    (plan.tasks[task]?.approaches ?? []).flatMap(({ metrics }, place) =>
      isHard && (metrics[index] ?? null) === null
        ? [{ constraint: id, approaches: [name(task, place)] }]
        : [],
    ),
  );
  const paired = plan.couplings.flatMap(({ id, tasks: [first, second], values, isHard }) =>
    values.flatMap((cells, a) =>
      cells.flatMap((figure, b) =>
        isHard && figure === null ? [{ constraint: id, approaches: [name(first, a), name(second, b)] }] : [],
      ),
    ),
  );
  return [...single, ...paired];
}
