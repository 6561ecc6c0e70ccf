/**
 * Minimal cores: constraints and tasks that cannot be had together, none of which can be left out; and the core of
 * one constraint that the plan breaks as it stands. Source: dec-K63 `core_now`, law-F8, law-F9.
 *
 * @module
 */
import { compareText } from '@assay/kernel';
import { type Certificate, type Question, chainName } from '../question/question.js';
import { makeQuestion } from '../question/of-plan.js';
import type { Held, Plan, Task } from '../plan/plan.js';
import { schedule } from '../network/schedule.js';
import { computeCap, rollup } from '../rollup/rollup.js';

/** Witnesses grow by the square: those of a core with more elements would not fit a record. */
export const WITNESSED_MAX = 295;

/**
 * A core. `certificate` proves that its question (`coreQuestion`) has no answer; for each element of a core of at most
 * `WITNESSED_MAX`, `witnesses` has a choice for the core's other tasks that holds under its other constraints.
 * `isMinimal` is false where a search did not end, so that an element may be needless.
 */
export type Core = {
  readonly constraints: readonly string[];
  readonly tasks: readonly string[];
  readonly certificate: Certificate;
  readonly witnesses: readonly (readonly [element: string, choice: readonly (readonly [string, string])[]])[];
  readonly isMinimal: boolean;
};

/**
 * What is asked about a core: its constraints and its tasks, with every alternative, or with the current
 * approaches only.
 */
export function coreQuestion(
  plan: Plan,
  { constraints, tasks }: Pick<Core, 'constraints' | 'tasks'>,
  isCurrent: boolean,
): Question {
  const asked = new Set(tasks);
  const holds = ({ id }: Held): boolean => constraints.includes(id);
  const keeps = ({ id }: Task): boolean => asked.has(id);
  return makeQuestion(plan, null, {}, { holds, keeps, isCurrent });
}

/** Every constraint of a plan. */
export function listConstraints(plan: Plan): readonly Held[] {
  return [
    ...plan.rows,
    ...plan.metrics,
    ...plan.couplings,
    ...(plan.deadline === null ? [] : [plan.deadline]),
  ];
}

/** A choice of a question by names, of some tasks only. */
export function witness(
  question: Question,
  choice: readonly number[],
  tasks: readonly string[],
): readonly (readonly [string, string])[] {
  const asked = new Set(tasks);
  return question.tasks.flatMap(({ id, options }, task) => {
    const option = options[choice[task] ?? 0];
    return option !== undefined && asked.has(id) ? [[id, option.id] as const] : [];
  });
}

/** A core with what each of its tasks adds, largest first: what a person reads. */
export type CoreNow = Core & { readonly amounts: readonly (readonly [task: string, amount: number])[] };

/** One core for each constraint that is UNSAT, hard or not, in the order of the roll-up. */
export function coresNow(plan: Plan): readonly CoreNow[] {
  return rollup(plan).lines.flatMap(({ status, held }) => (status === 'UNSAT' ? [coreNow(plan, held)] : []));
}

function coreNow(plan: Plan, held: Held): CoreNow {
  const { adds, certificate, isSum } = listParts(plan, held);
  const kept = isSum ? least(adds, computeCap(held)) : adds;
  const tasks = kept.map(([task]) => task).toSorted(compareText);
  const isIn = new Set(tasks);
  const current = plan.tasks.flatMap(({ id, approaches }) =>
    isIn.has(id) ? [[id, approaches[0]?.id ?? ''] as const] : [],
  );
  return {
    constraints: [held.id],
    tasks,
    certificate,
    witnesses:
      tasks.length < WITNESSED_MAX
        ? [held.id, ...tasks].map(
            (element) => [element, current.filter(([task]) => task !== element)] as const,
          )
        : [],
    isMinimal: true,
    amounts: kept.toSorted(([a, x], [b, y]) => y - x || compareText(a, b)),
  };
}

type Adds = readonly (readonly [task: string, amount: number])[];

/** What each task adds to a broken constraint, and why that breaks it. */
function listParts(
  plan: Plan,
  held: Held,
): { readonly adds: Adds; readonly certificate: Certificate; readonly isSum: boolean } {
  const named = (tasks: readonly number[], amount: (task: number) => number): Adds =>
    tasks.map((task) => [plan.tasks[task]?.id ?? '', amount(task)] as const);
  const weigh = (row: string): Certificate => ({ weights: [[row, 1]], unit: 0 });
  const row = plan.rows.findIndex(({ id }) => id === held.id);
  if (row >= 0) {
    const amount = (task: number): number => plan.tasks[task]?.approaches[0]?.amounts[row]?.[1] ?? 0;
    return { adds: named([...plan.tasks.keys()], amount), certificate: weigh(held.id), isSum: true };
  }
  if (held.id === plan.deadline?.id) {
    const minutes = plan.tasks.map(({ approaches }) => approaches[0]?.minutes[1] ?? 0);
    const chain = schedule(plan.tasks, minutes, null).critical;
    const adds = named(chain, (task) => minutes[task] ?? 0);
    return { adds, certificate: weigh(chainName(adds.map(([task]) => task))), isSum: true };
  }
  const coupling = plan.couplings.find(({ id }) => id === held.id);
  if (coupling !== undefined) {
    const figure = coupling.values[0]?.[0] ?? 0;
    const adds = named(coupling.tasks, () => figure);
    return {
      adds,
      certificate: { coupling: held.id, tasks: [adds[0]?.[0] ?? '', adds[1]?.[0] ?? ''] },
      isSum: false,
    };
  }
  const at = plan.metrics.findIndex(({ id }) => id === held.id);
  const task = plan.metrics[at]?.task ?? 0;
  const adds = named([task], () => plan.tasks[task]?.approaches[0]?.metrics[at]?.[1] ?? 0);
  return { adds, certificate: { task: adds[0]?.[0] ?? '', parts: [] }, isSum: false };
}

/** Leaves out the smallest amounts, ties by id, while what is left still passes the cap. */
function least(adds: Adds, cap: number): Adds {
  let total = adds.reduce((sum, [, amount]) => sum + amount, 0);
  return adds
    .toSorted(([a, x], [b, y]) => x - y || compareText(a, b))
    .filter(([, amount]) => {
      if (total - amount <= cap) return true;
      total -= amount;
      return false;
    });
}
