/**
 * The roll-up of a plan at a choice: what each constraint adds up to, and whether that is within its bound. Exact:
 * the product with the margin is taken in BigInt. Source: 000 v1 "Budget rollup", dec-K54 to dec-K56, dec-K68,
 * dec-K69.
 */
import { Lengths, schedule, type Schedule } from '../network/schedule.js';
import {
  getApproach,
  type Approach,
  currentChoice,
  type Choice,
  type Estimate,
  type Held,
  type Plan,
  MILLION,
  type Operator,
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
export function chooseStatus({ op, bound, margin }: Held, mid: number): Exclude<Status, 'UNKNOWN'> {
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

/** The kind of a constraint. */
type HeldKind = 'row' | 'metric' | 'coupling' | 'deadline';

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

/** True where every hard limit holds. */
export function isFit({ status }: Pick<Rollup, 'status'>): boolean {
  return status === 'SAT' || status === 'TIGHT';
}

const WORST: readonly Status[] = ['UNSAT', 'UNKNOWN', 'TIGHT', 'SAT'];

/**
 * How long a plan takes at the low, mid and high minutes of its tasks, the least and the greatest first and last: by
 * links between finishes a shorter task may make a plan longer.
 */
export function measureLength(
  { tasks }: Pick<Plan, 'tasks'>,
  taken: readonly Pick<Approach, 'minutes'>[],
): Estimate {
  const lengths = new Lengths(tasks);
  const [low, mid, high] = ([0, 1, 2] as const).map((end) =>
    lengths.measure(taken.map(({ minutes }) => minutes[end])),
  ) as [number, number, number];
  return [Math.min(low, mid, high), mid, Math.max(low, mid, high)];
}

/** Adds up a plan at a choice, or as it stands. Linear in tasks, rows and edges. */
export function rollup(plan: Plan, choice: Choice = currentChoice(plan)): Rollup {
  const taken = plan.tasks.map((_, task) => getApproach(plan, task, choice));
  const length = measureLength(plan, taken);
  const line = (kind: HeldKind, held: Held, total: Estimate | null): RollupLine => ({
    ...describeStanding(held, total),
    kind,
    held,
  });
  const lines = [
    ...plan.rows.map((row, index) => line('row', row, total(taken.map(({ amounts }) => amounts[index])))),
    ...plan.metrics.map((metric, index) =>
      line('metric', metric, taken[metric.task]?.metrics[index] ?? null),
    ),
    ...plan.couplings.map((coupling) => {
      const [first, second] = coupling.tasks;
      const figure = coupling.values[choice[first] ?? 0]?.[choice[second] ?? 0] ?? null;
      return line('coupling', coupling, figure === null ? null : [figure, figure, figure]);
    }),
    ...(plan.deadline === null ? [] : [line('deadline', plan.deadline, length)]),
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
  const minutes = tasks.map(({ approaches }) => approaches[0]?.minutes[1] ?? 0);
  return schedule(tasks, minutes, deadline === null ? null : computeCap(deadline));
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
