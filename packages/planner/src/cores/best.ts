/**
 * The core of a plan that no choice of approaches makes fit: every task at its best alternatives.
 *
 * Source: dec-K63 `core_best`, law-F8, law-F9.
 *
 * @module
 */
import { compareText } from '@assay/kernel';
import { MILLION } from '../plan/limits.js';
import type { Plan, Task } from '../plan/plan.js';
import { search, type Found } from '../search/search.js';
import { constraintsOf, coreQuestion, witness, type Core } from './core.js';

/**
 * The canonical core: hard constraints by id, then tasks, smallest contribution first; an element stays out if
 * what is left still has no answer. Null if the plan has a repair, or the first search does not end. At most
 * `nodes` nodes an element.
 */
export function coreBest(plan: Plan, nodes: number): Core | null {
  const hard = constraintsOf(plan).filter(({ isHard }) => isHard);
  let constraints: readonly string[] = hard.map(({ id }) => id).toSorted(compareText);
  let tasks: readonly string[] = plan.tasks.map(({ id }) => id);
  let proof = ask(plan, constraints, tasks, nodes, null);
  if (proof.status !== 'none') return null;
  const kept: (readonly [element: string, choice: readonly (readonly [string, string])[]])[] = [];
  let isMinimal = true;
  const leaveOut = (element: string, left: readonly string[], done: readonly string[]): boolean => {
    const found = ask(plan, left, done, nodes, proof);
    if (found.status === 'none') {
      proof = found;
      return true;
    }
    if (found.choice === null) isMinimal = false;
    else {
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
  for (const { id } of plan.tasks.toSorted((a, b) => rank(a) - rank(b) || compareText(a.id, b.id))) {
    const left = tasks.filter((each) => each !== id);
    if (leaveOut(id, constraints, left)) tasks = left;
  }
  return {
    constraints,
    tasks,
    certificate: proof.proof ?? { weights: [], unit: 0 },
    witnesses: kept.map(
      ([element, choice]) =>
        [element, choice.filter(([task]) => tasks.includes(task) && task !== element)] as const,
    ),
    isMinimal,
  };
}

function ask(
  plan: Plan,
  constraints: readonly string[],
  tasks: readonly string[],
  nodes: number,
  before: Found | null,
): Found {
  const start = before === null ? null : { choices: [], weights: before.weights, unit: before.unit };
  return search(coreQuestion(plan, { constraints, tasks }, false), 'feasible', nodes, start);
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
