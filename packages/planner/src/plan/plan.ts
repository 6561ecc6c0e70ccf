/**
 * How large a plan may be, and a plan as it is calculated with: owned, in canonical order, free of contradictions.
 * `parsePlan` makes it.
 */
import type { Link } from '../network/schedule.js';

/** Sizes of a plan; each is a number of something. Source: dec-K73. */
export type PlanLimits = {
  readonly tasks: number;
  /** Alternatives of one task, beside its own approach. */
  readonly alternatives: number;
  readonly rows: number;
  readonly metrics: number;
  readonly couplings: number;
  readonly renewable: number;
};

/** The largest plan that is read unless the caller says otherwise: the maxima of dec-K73. */
export const planLimits: PlanLimits = Object.freeze({
  tasks: 2_000,
  alternatives: 8,
  rows: 16,
  metrics: 64,
  couplings: 64,
  renewable: 99,
});

/**
 * No row and no deadline may add up to more, each task at its largest amount: sums and bounds then stay exact
 * with room for their product with a weight.
 */
export const TOTAL_MAX = 1_125_899_906_842_623;

/** What a row says that limits nothing. */
export const NO_CAP = { op: '<=', cap: TOTAL_MAX, hard: false } as const;

/** One million: confidences and margins are parts of it. */
export const MILLION = 1_000_000;

/** Low, mid and high of an amount, integers in the unit of what they measure. Source: dec-K55. */
export type Estimate = readonly [low: number, mid: number, high: number];

/** How a figure is held against its bound; `<` and `>` refuse equality. Source: dec-K68. */
export type Operator = '<' | '<=' | '>' | '>=';

/** What every constraint says. `margin`: ppm of the bound in which it is TIGHT. Soft ones never force a repair. */
export type Held = {
  readonly id: string;
  readonly unit: string;
  readonly op: Operator;
  readonly bound: number;
  readonly margin: number;
  readonly isHard: boolean;
};

/** A figure of one task, such as its accuracy. `task`: its place in the plan. */
export type Metric = Held & { readonly task: number };

/** A figure that two tasks give together; `values[a][b]`, null where nobody has stated it (dec-K69). */
export type Coupling = Held & {
  readonly tasks: readonly [number, number];
  readonly values: readonly (readonly (number | null)[])[];
};

/** The confidence of an approach that states none, ppm: as likely as not, which no survey asks about. */
export const CONFIDENCE = 500_000;

/** Hours of a day unless a plan says otherwise: those of the calendar. */
export const DAY_HOURS = 24;

/** One way to do a task. `amounts`: by row; `metrics`: by metric, null where not stated; `confidence`: ppm. */
export type Approach = {
  readonly id: string;
  readonly method: string | null;
  readonly minutes: Estimate;
  readonly amounts: readonly Estimate[];
  readonly metrics: readonly (Estimate | null)[];
  readonly confidence: number;
  readonly isConfidenceStated: boolean;
  /** Renewable resources in use while it runs. */
  readonly uses: readonly (readonly [resource: string, amount: number])[];
};

/**
 * A task; `approaches[0]` is the current one, the others are alternatives by id. `after`: places of the tasks that it
 * waits for; `links`: how, where that is not the end of each, without a lag.
 */
export type Task = {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly after: readonly number[];
  readonly links?: readonly Link[];
  readonly approaches: readonly Approach[];
};

/**
 * A whole plan. Tasks, rows, metrics and couplings are in order of their ids (UTF-16 code units). Rows cap what
 * the tasks add up to in one unit, the deadline (id `deadline`) the calendar minutes, both by `<` or `<=`.
 */
export type Plan = {
  readonly goal: string;
  readonly tasks: readonly Task[];
  readonly rows: readonly Held[];
  readonly metrics: readonly Metric[];
  readonly couplings: readonly Coupling[];
  readonly deadline: Held | null;
  /** Place of the row whose mids count as cost (dec-K64), or null. */
  readonly cost: number | null;
  /** Resources that tasks share while they run, with their capacities. */
  readonly renewable: readonly (readonly [resource: string, capacity: number])[];
  readonly start: string | null;
  readonly hoursPerDay: number;
};

/** For each task the place of the approach that is taken. */
export type Choice = readonly number[];

/** The choice in which every task stays as it is. */
export function currentChoice(plan: Plan): Choice {
  return plan.tasks.map(() => 0);
}

/** The approach that a choice takes for a task. A place that does not exist is a defect. */
export function getApproach(plan: Plan, task: number, choice: Choice): Approach {
  const approach = plan.tasks[task]?.approaches[choice[task] ?? -1];
  if (approach === undefined) throw new RangeError(`no approach ${String(choice[task])} of task ${task}`);
  return approach;
}

/** The approaches that a choice takes, by task. */
export function listTaken(plan: Plan, choice: Choice): readonly Approach[] {
  return plan.tasks.map((_, task) => getApproach(plan, task, choice));
}

/** The likely minutes of tasks as they stand. */
export function listMinutes(tasks: readonly Task[]): number[] {
  return tasks.map(({ approaches }) => approaches[0]?.minutes[1] ?? 0);
}

/** A choice by names: [task, approach] for every task. */
export function namedChoice(plan: Plan, choice: Choice): readonly (readonly [string, string])[] {
  return plan.tasks.map(({ id }, task) => [id, getApproach(plan, task, choice).id] as const);
}

/** The choice of these names; a task that is not named, or whose approach is not there, stays as it is. */
export function makeChoice(
  { tasks }: Pick<Plan, 'tasks'>,
  named: readonly (readonly [task: string, approach: string])[],
): Choice {
  const by = new Map(named);
  return tasks.map(({ id, approaches }) =>
    Math.max(
      0,
      approaches.findIndex((approach) => approach.id === by.get(id)),
    ),
  );
}
