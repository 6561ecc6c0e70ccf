/**
 * The core of a plan that no choice of approaches makes fit: every task at its best alternatives.
 *
 * Source: dec-K63 `core_best`, law-F8, law-F9.
 *
 * @module
 */
import { compareText, Meter } from '@assay/kernel';
import { MILLION, type Plan, type Task } from '../plan/plan.js';
import type { Found } from '../search/incumbent.js';
import { search } from '../search/search.js';
import { listConstraints, coreQuestion, witness, WITNESSED_MAX, type Core } from './core.js';

/**
 * The canonical core: hard constraints by id, then tasks, smallest contribution first; an element stays out if
 * what is left still has no answer. Null if the plan has a repair, or the first search does not end. At most
 * `nodes` nodes an element; once the meter is spent every element stays in.
 */
export function coreBest(plan: Plan, nodes: number, meter: Meter = new Meter()): Core | null {
  const hard = listConstraints(plan).filter(({ isHard }) => isHard);
  let constraints: readonly string[] = hard.map(({ id }) => id).toSorted(compareText);
  let tasks: readonly string[] = plan.tasks.map(({ id }) => id);
  const ask = (asked: readonly string[], about: readonly string[], before: Found | null): Found => {
    const start = before === null ? null : { choices: [], weights: before.weights, unit: before.unit };
    const question = coreQuestion(plan, { constraints: asked, tasks: about }, false);
    return search(question, 'feasible', nodes, start, meter);
  };
  let proof = ask(constraints, tasks, null);
  if (proof.status !== 'none') return null;
  const kept: (readonly [element: string, choice: readonly (readonly [string, string])[]])[] = [];
  let isMinimal = true;
  const leaveOut = (element: string, left: readonly string[], done: readonly string[]): boolean => {
    const found = meter.isSpent ? null : ask(left, done, proof);
    if (found?.status === 'none') {
      proof = found;
      return true;
    }
    if (found === null || found.choice === null) isMinimal = false;
    else if (kept.length < WITNESSED_MAX) {
      const question = coreQuestion(plan, { constraints: left, tasks: done }, false);
      kept.push([element, witness(question, found.choice, done)]);
    }
    return false;
  };
  for (const id of constraints) {
    const left = constraints.filter((each) => each !== id);
    if (leaveOut(id, left, tasks)) constraints = left;
  }
  const rank = contributions(plan, constraints);
  const ranked = plan.tasks.map((task) => ({ id: task.id, least: rank(task) }));
  for (const { id } of ranked.toSorted((a, b) => a.least - b.least || compareText(a.id, b.id))) {
    const left = tasks.filter((each) => each !== id);
    if (leaveOut(id, constraints, left)) tasks = left;
  }
  const inCore = new Set(tasks);
  return {
    constraints,
    tasks,
    certificate: proof.proof ?? { weights: [], unit: 0 },
    witnesses:
      constraints.length + tasks.length <= WITNESSED_MAX
        ? kept.map(
            ([element, choice]) =>
              [element, choice.filter(([task]) => inCore.has(task) && task !== element)] as const,
          )
        : [],
    isMinimal,
  };
}

/**
 * What a task adds at least: in the one constraint there is, or in parts per million of each of several,
 * rounded down.
 */
function contributions(plan: Plan, constraints: readonly string[]): (task: Task) => number {
  const rows = plan.rows.flatMap(({ id, bound }, index) =>
    constraints.includes(id) ? [{ bound, index }] : [],
  );
  const { deadline } = plan;
  const isTimed = deadline !== null && constraints.includes(deadline.id);
  const isOne = rows.length + (isTimed ? 1 : 0) === 1;
  const part = (amount: number, bound: number): number => {
    if (isOne) return amount;
    if (bound === 0) return amount === 0 ? 0 : MILLION;
    return Number((BigInt(amount) * BigInt(MILLION)) / BigInt(bound));
  };
  const least = ({ approaches }: Task, of: (approach: Task['approaches'][number]) => number): number =>
    approaches.reduce((low, approach) => Math.min(low, of(approach)), Number.MAX_SAFE_INTEGER);
  return (task) => {
    let sum = isTimed
      ? part(
          least(task, ({ minutes }) => minutes[1]),
          deadline.bound,
        )
      : 0;
    for (const { bound, index } of rows)
      sum += part(
        least(task, ({ amounts }) => amounts[index]?.[1] ?? 0),
        bound,
      );
    return sum;
  };
}
