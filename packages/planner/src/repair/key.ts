/**
 * The order of repairs. Source: dec-K64.
 *
 * @module
 */
import { compareText } from '@assay/kernel';
import { getApproach, type Choice, type Plan, MILLION } from '../plan/plan.js';

/** What a repair changes, and what it is ordered by: changes, then confidence (more first), cost, effort, ids. */
export type RepairKey = {
  readonly changes: readonly (readonly [task: string, approach: string])[];
  /** The lowest confidence among the alternatives taken, ppm; a million where none is. */
  readonly confidence: number;
  /** Mids of the cost row; 0 where a plan has none. */
  readonly cost: number;
  /** Sum of mid minutes. */
  readonly effort: number;
};

/** The key of a choice. */
export function repairKey(plan: Plan, choice: Choice): RepairKey {
  const taken = plan.tasks.map((_, task) => getApproach(plan, task, choice));
  const isChanged = (_: unknown, task: number): boolean => choice[task] !== 0;
  return {
    changes: plan.tasks.flatMap(({ id }, task) =>
      choice[task] === 0 ? [] : [[id, taken[task]?.id ?? ''] as const],
    ),
    confidence: taken
      .filter(isChanged)
      .reduce((least, { confidence }) => Math.min(least, confidence), MILLION),
    cost:
      plan.cost === null
        ? 0
        : taken.reduce((sum, { amounts }) => sum + (amounts[plan.cost ?? 0]?.[1] ?? 0), 0),
    effort: taken.reduce((sum, { minutes }) => sum + minutes[1], 0),
  };
}

/** Below 0 where the first repair is to be preferred. Ids: the first change that differs decides. */
export function compareRepairs(a: RepairKey, b: RepairKey): number {
  const byNumbers =
    a.changes.length - b.changes.length ||
    b.confidence - a.confidence ||
    a.cost - b.cost ||
    a.effort - b.effort;
  if (byNumbers !== 0) return byNumbers;
  for (const [index, [task, approach]] of a.changes.entries()) {
    const [otherTask, other] = b.changes[index] ?? ['', ''];
    const order = compareText(task, otherTask) || compareText(approach, other);
    if (order !== 0) return order;
  }
  return 0;
}
