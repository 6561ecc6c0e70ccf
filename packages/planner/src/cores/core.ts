/**
 * Minimal cores: constraints and tasks that cannot be had together, none of which can be left out.
 *
 * Source: dec-K63, law-F8, law-F9.
 *
 * @module
 */
import type { Certificate, Question } from '../question/question.js';
import { questionOf } from '../question/of-plan.js';
import type { Held, Plan, Task } from '../plan/plan.js';

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
  return questionOf(plan, null, {}, { holds, keeps, isCurrent });
}

/** Every constraint of a plan. */
export function constraintsOf(plan: Plan): readonly Held[] {
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
