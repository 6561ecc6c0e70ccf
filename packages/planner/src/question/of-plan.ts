/**
 * The questions that a plan asks.
 *
 * @module
 */
import { computeCap, passes } from '../rollup/rollup.js';
import { makeChoice, type Approach, type Choice, type Estimate, type Held } from '../plan/plan.js';
import type { Plan, Task } from '../plan/plan.js';
import type { Chooser, Option, Question } from './question.js';

/** What is to be low: the number of substitutions, the mids of the cost row, the sum of minutes; or nothing. */
export type Objective = 'substitutions' | 'cost' | 'effort' | null;

/**
 * Bounds beside the plan's own. `confidence`: the least of an alternative, ppm; the others become rows
 * `repair:substitutions`, `repair:cost` and `repair:effort`.
 */
export type Bounds = {
  readonly substitutions?: number;
  readonly confidence?: number;
  readonly cost?: number;
  readonly effort?: number;
};

/** What of a plan is asked about: all of it, or some constraints and some tasks; other tasks add nothing. */
export type Part = {
  readonly holds: (held: Held) => boolean;
  readonly keeps: (task: Task) => boolean;
  /** Only the current approaches, as if there were no alternatives. */
  readonly isCurrent: boolean;
};

/** Every hard constraint, every task, every approach. */
export const WHOLE: Part = Object.freeze({
  holds: ({ isHard }: Held) => isHard,
  keeps: () => true,
  isCurrent: false,
});

/** The id of the one option of a task that is left out. */
const ABSENT = 'none';

/**
 * A plan as a question about mids: which approach for each task? Approaches whose metric fails or is not
 * stated are left out, as are alternatives below the confidence; pairs whose figure fails or is not stated are
 * struck. `<` is one less. Source: dec-K77, dec-K69.
 */
export function makeQuestion(
  plan: Plan,
  objective: Objective,
  bounds: Bounds = {},
  part: Part = WHOLE,
): Question {
  const rows = plan.rows.flatMap((row, index) => (part.holds(row) ? [{ row, index }] : []));
  const extra: (readonly [id: string, cap: number | undefined, of: Exclude<Objective, null>])[] = [
    ['repair:substitutions', bounds.substitutions, 'substitutions'],
    ['repair:cost', bounds.cost, 'cost'],
    ['repair:effort', bounds.effort, 'effort'],
  ];
  const more = extra.filter(([, cap]) => cap !== undefined);
  const option = (approach: Approach, place: number): Option => ({
    id: approach.id,
    amounts: [
      ...rows.map(({ index }) => approach.amounts[index]?.[1] ?? 0),
      ...more.map(([, , of]) => measure(plan, of, approach, place)),
    ],
    objective: objective === null ? 0 : measure(plan, objective, approach, place),
    minutes: approach.minutes[1],
  });
  const none: Option = { id: ABSENT, amounts: [...rows, ...more].map(() => 0), objective: 0, minutes: 0 };
  const tasks = plan.tasks.map((task, place): Chooser => {
    if (!part.keeps(task)) return { id: task.id, after: task.after, options: [none] };
    const approaches = part.isCurrent ? task.approaches.slice(0, 1) : task.approaches;
    const options = approaches.flatMap((approach, index) =>
      isAllowed(plan, place, approach, part) &&
      (index === 0 || approach.confidence >= (bounds.confidence ?? 0))
        ? [option(approach, index)]
        : [],
    );
    return { id: task.id, after: task.after, options };
  });
  const { deadline } = plan;
  return {
    tasks,
    rows: [
      ...rows.map(({ row }) => ({ id: row.id, cap: computeCap(row) })),
      ...more.map(([id, cap]) => ({ id, cap: cap ?? 0 })),
    ],
    pairs: plan.couplings.flatMap((coupling) => {
      const [first, second] = coupling.tasks.map((task) => plan.tasks[task]);
      if (first === undefined || second === undefined || !part.holds(coupling)) return [];
      if (!part.keeps(first) || !part.keeps(second)) return [];
      const struck = first.approaches.flatMap((a, row) =>
        second.approaches.flatMap((b, column) => {
          const figure = coupling.values[row]?.[column] ?? null;
          const isFit = figure !== null && passes(coupling.op, figure, coupling.bound);
          return isFit ? [] : [[a.id, b.id] as const];
        }),
      );
      return [{ id: coupling.id, tasks: coupling.tasks, struck }];
    }),
    deadline: deadline !== null && part.holds(deadline) ? computeCap(deadline) : null,
  };
}

function isAllowed(plan: Plan, task: number, { metrics }: Approach, { holds }: Part): boolean {
  return plan.metrics.every((metric, index) => {
    if (metric.task !== task || !holds(metric)) return true;
    const figure: Estimate | null = metrics[index] ?? null;
    return figure !== null && passes(metric.op, figure[1], metric.bound);
  });
}

/** What an approach adds to an objective. */
function measure(plan: Plan, of: Exclude<Objective, null>, approach: Approach, place: number): number {
  if (of === 'substitutions') return place === 0 ? 0 : 1;
  if (of === 'effort') return approach.minutes[1];
  return plan.cost === null ? 0 : (approach.amounts[plan.cost]?.[1] ?? 0);
}

/** A choice of a question's options as a choice of the plan's approaches; absent tasks stay as they are. */
export function planChoice(plan: Plan, question: Question, choice: readonly number[]): Choice {
  return makeChoice(
    plan,
    question.tasks.map(({ id, options }, task) => [id, options[choice[task] ?? 0]?.id ?? ''] as const),
  );
}

/** A choice of the plan's approaches as one of a question's options; null where an approach is left out. */
export function optionChoice(plan: Plan, question: Question, choice: Choice): readonly number[] | null {
  const places = question.tasks.map(({ options }, task) => {
    const id = plan.tasks[task]?.approaches[choice[task] ?? -1]?.id;
    return options.findIndex((option) => option.id === id);
  });
  return places.includes(-1) ? null : places;
}
