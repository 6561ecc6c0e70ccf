/**
 * The roll-up of a plan at a choice: what each constraint adds up to, and whether that is within its bound. Exact:
 * the product with the margin is taken in BigInt. Source: 000 v1 "Budget rollup", dec-K54 to dec-K56, dec-K68,
 * dec-K69.
 */
import { levelTasks, LEVELLED_MAX } from '../level/level.js';
import { Lengths, schedule, type Schedule } from '../network/schedule.js';
import {
  getApproach,
  listMinutes,
  listTaken,
  type Approach,
  currentChoice,
  type Choice,
  type Estimate,
  type Held,
  type Plan,
  MILLION,
  type Operator,
  TOTAL_MAX,
} from '../plan/plan.js';

/** SAT, UNSAT, TIGHT (it fits, within the margin of the bound) or UNKNOWN (nobody has stated the figure). */
export type Status = 'SAT' | 'UNSAT' | 'TIGHT' | 'UNKNOWN';

/** True where a figure passes an operator. */
export function passes(op: Operator, figure: number, bound: number): boolean {
  if (op === '<') return figure < bound;
  if (op === '<=') return figure <= bound;
  return op === '>' ? figure > bound : figure >= bound;
}

/** True for a bound from above. */
export function isCap(op: Operator): boolean {
  return op === '<' || op === '<=';
}

/** The largest integer that passes a cap: the bound, or one less under `<`. */
export function computeCap({ op, bound }: Pick<Held, 'op' | 'bound'>): number {
  return op === '<' ? bound - 1 : bound;
}

/** The status of a mid figure: UNSAT past the bound, TIGHT within the margin of it. */
function chooseStatus({ op, bound, margin }: Held, mid: number): Exclude<Status, 'UNKNOWN'> {
  if (!passes(op, mid, bound)) return 'UNSAT';
  const figure = BigInt(mid) * BigInt(MILLION);
  const isTight = isCap(op)
    ? figure > BigInt(bound) * BigInt(MILLION - margin)
    : figure < BigInt(bound) * BigInt(MILLION + margin);
  return isTight ? 'TIGHT' : 'SAT';
}

/**
 * What is said of one constraint. `slack`: bound minus mid, mirrored for `>` and `>=`; below zero it is the
 * required cut. `isExposed`: the unfavourable end of the estimate breaks it; `isHopeless`: the favourable end
 * breaks it too.
 */
export type Standing = {
  readonly id: string;
  readonly status: Status;
  readonly total: Estimate | null;
  readonly slack: number | null;
  readonly isExposed: boolean;
  readonly isHopeless: boolean;
};

/** The standing of a constraint at an estimate, null where none is known. */
export function describeStanding(held: Held, total: Estimate | null): Standing {
  const { id, op, bound } = held;
  if (total === null)
    return { id, status: 'UNKNOWN', total, slack: null, isExposed: false, isHopeless: false };
  const [low, mid, high] = total;
  const [best, worst] = isCap(op) ? [low, high] : [high, low];
  return {
    id,
    status: chooseStatus(held, mid),
    total,
    slack: isCap(op) ? bound - mid : mid - bound,
    isExposed: !passes(op, worst, bound),
    isHopeless: !passes(op, best, bound),
  };
}

/** The kind of a constraint. `work`: a renewable resource until the deadline, see `withWork`. */
type HeldKind = 'row' | 'work' | 'metric' | 'coupling' | 'deadline';

const WORK = 'work:';

/** True for a row that {@link withWork} has added. */
export function isWork({ id }: Pick<Held, 'id'>): boolean {
  return id.startsWith(WORK);
}

/**
 * The plan with a row `work:ID` for each renewable resource that a task uses, behind its own rows: minutes times use
 * of all tasks are at most its capacity times the deadline, or no schedule is in time. Without a deadline the plan
 * itself.
 */
export function withWork(plan: Plan): Plan {
  const { deadline, tasks } = plan;
  const used = listUsed(plan);
  if (deadline === null || used.length === 0 || plan.rows.some(isWork)) return plan;
  const { margin, isHard } = deadline;
  const minutes = Math.max(0, computeCap(deadline));
  const rows = used.map(([id, capacity]): Held => {
    const bound = Math.min(TOTAL_MAX, capacity * minutes);
    return { id: `${WORK}${id}`, unit: 'minutes', op: '<=', bound, margin, isHard };
  });
  const withUse = (approach: Approach): Approach => {
    const work = used.map(([id]): Estimate => {
      const use = findUse(approach.uses, id);
      const [low, mid, high] = approach.minutes;
      return [use * low, use * mid, use * high];
    });
    return { ...approach, amounts: [...approach.amounts, ...work] };
  };
  return {
    ...plan,
    rows: [...plan.rows, ...rows],
    tasks: tasks.map((task) => ({ ...task, approaches: task.approaches.map(withUse) })),
  };
}

/** The least length that links and shared work leave at the mids: no schedule is shorter. */
export function computeLeastLength(
  { renewable }: Pick<Plan, 'renewable'>,
  taken: readonly Approach[],
  lengths: Lengths,
): number {
  return renewable.reduce(
    (least, [id, capacity]) => {
      const work = taken.reduce((sum, { minutes, uses }) => sum + minutes[1] * findUse(uses, id), 0);
      return Math.max(least, capacity === 0 ? 0 : Math.ceil(work / capacity));
    },
    lengths.measure(taken.map(({ minutes }) => minutes[1])),
  );
}

function findUse(uses: Approach['uses'], id: string): number {
  return uses.find(([resource]) => resource === id)?.[1] ?? 0;
}

function listUsed({ tasks, renewable }: Plan): Plan['renewable'] {
  return renewable.filter(([id]) =>
    tasks.some(({ approaches }) => approaches.some(({ uses }) => findUse(uses, id) > 0)),
  );
}

/** Whether a plan shares renewable resources, and is small enough to be levelled. */
export function chooseLevelling(plan: Plan): 'none' | 'levelled' | 'not_held' {
  if (listUsed(plan).length === 0) return 'none';
  return plan.tasks.length <= LEVELLED_MAX ? 'levelled' : 'not_held';
}

/** One line of a roll-up. */
export type RollupLine = Standing & { readonly kind: HeldKind; readonly held: Held };

/**
 * All lines (rows, metrics, couplings, deadline, each by id) and the worst status among the hard ones, in the
 * order UNSAT, UNKNOWN, TIGHT, SAT. `length`: calendar minutes, see `measureLength`.
 */
export type Rollup = {
  readonly status: Status;
  readonly lines: readonly RollupLine[];
  readonly length: Estimate;
};

/** True where a limit holds, or every hard one. */
export function isFit({ status }: Pick<Rollup, 'status'>): boolean {
  return status === 'SAT' || status === 'TIGHT';
}

const WORST: readonly Status[] = ['UNSAT', 'UNKNOWN', 'TIGHT', 'SAT'];

/**
 * How long a plan takes at the low, mid and high minutes of its tasks: levelled where it shares resources and has at
 * most 200 tasks, else by its links alone. The least and the greatest first and last, since a shorter task may make a
 * plan longer.
 */
export function measureLength(
  plan: Plan,
  taken: readonly Pick<Approach, 'minutes' | 'uses'>[],
  lengths: Lengths = new Lengths(plan.tasks),
): Estimate {
  const isLevelled = chooseLevelling(plan) === 'levelled';
  const along = (end: 0 | 1 | 2): number => {
    const minutes = taken.map((each) => each.minutes[end]);
    if (!isLevelled) return lengths.measure(minutes);
    return levelTasks(plan, taken, minutes).length;
  };
  const [low, mid, high] = [along(0), along(1), along(2)];
  return [Math.min(low, mid, high), mid, Math.max(low, mid, high)];
}

/** Adds up a plan at a choice, or as it stands. Linear in tasks, rows and edges, quadratic where it is levelled. */
export function rollup(given: Plan, choice: Choice = currentChoice(given)): Rollup {
  const plan = withWork(given);
  const taken = listTaken(plan, choice);
  const lengths = new Lengths(plan.tasks);
  const length = measureLength(plan, taken, lengths);
  const line = (kind: HeldKind, held: Held, total: Estimate | null): RollupLine => ({
    ...describeStanding(held, total),
    kind,
    held,
  });
  // No levelling shows that nothing is in time; links alone do.
  const withProof = (late: RollupLine): RollupLine => {
    const minutes = taken.map((each) => each.minutes[0]);
    const isHopeless = late.isHopeless && !passes(late.held.op, lengths.measure(minutes), late.held.bound);
    return { ...late, isHopeless };
  };
  const lines = [
    ...plan.rows.map((row, index) =>
      line(isWork(row) ? 'work' : 'row', row, total(taken.map(({ amounts }) => amounts[index]))),
    ),
    ...plan.metrics.map((metric, index) =>
      line('metric', metric, taken[metric.task]?.metrics[index] ?? null),
    ),
    ...plan.couplings.map((coupling) => {
      const [first, second] = coupling.tasks;
      const figure = coupling.values[choice[first] ?? 0]?.[choice[second] ?? 0] ?? null;
      return line('coupling', coupling, figure === null ? null : [figure, figure, figure]);
    }),
    ...(plan.deadline === null ? [] : [withProof(line('deadline', plan.deadline, length))]),
  ];
  const hard = lines.filter(({ held }) => held.isHard);
  return {
    status: WORST.find((worst) => hard.some(({ status }) => status === worst)) ?? 'SAT',
    lines,
    length,
  };
}

/** The schedule of a plan as it stands, against a deadline or its own end. */
export function makeSchedule({ tasks }: Plan, deadline: Held | null): Schedule {
  return schedule(tasks, listMinutes(tasks), deadline === null ? null : computeCap(deadline));
}

function total(estimates: readonly (Estimate | undefined)[]): Estimate {
  let [low, mid, high] = [0, 0, 0];
  for (const estimate of estimates) {
    low += estimate?.[0] ?? 0;
    mid += estimate?.[1] ?? 0;
    high += estimate?.[2] ?? 0;
  }
  return [low, mid, high];
}

/** One step of a waterfall: after this task, so much is used, and so much of the bound is left. */
type WaterfallStep = {
  readonly task: string;
  readonly mid: number;
  readonly used: number;
  readonly left: number;
};

/** How a row is used up, task by task in order of ids; `used` never falls. Source: dec-K59. */
export function waterfall(plan: Plan, choice: Choice, row: number): readonly WaterfallStep[] {
  const bound = plan.rows[row]?.bound ?? 0;
  let used = 0;
  return plan.tasks.map(({ id }, task) => {
    const mid = getApproach(plan, task, choice).amounts[row]?.[1] ?? 0;
    used += mid;
    return { task: id, mid, used, left: bound - used };
  });
}
