/**
 * The least raise: by how much the caps must grow so that some choice fits. Source: dec-K79, law-F18.
 *
 * @module
 */
import { Meter } from '@assay/kernel';
import { planChoice, questionOf } from '../question/of-plan.js';
import type { Certificate } from '../question/question.js';
import { Lengths } from '../network/schedule.js';
import { approachOf, namedChoice, type Choice, type Plan } from '../plan/plan.js';
import { capOf } from '../rollup/status.js';
import { search } from '../search/search.js';

/**
 * A raise. `total`: the sum over hard rows and the deadline, each in its own unit; `by`: what each cap needs
 * for `choice`. `certificate` proves `bound`, which is `total` where `isProven`.
 */
export type Raise = {
  readonly total: number;
  readonly by: readonly (readonly [constraint: string, amount: number])[];
  readonly choice: Choice;
  readonly named: readonly (readonly [string, string])[];
  readonly certificate: Certificate;
  readonly bound: number;
  readonly isProven: boolean;
};

/** The least raise, or null where raising caps does not help: a metric or a coupling stands in the way. */
export function leastRaise(plan: Plan, nodes: number, meter: Meter = new Meter()): Raise | null {
  const question = questionOf(plan, null);
  const found = search(question, 'raise', nodes, null, meter);
  if (found.choice === null) return null;
  const choice = planChoice(plan, question, found.choice);
  const taken = plan.tasks.map((_, task) => approachOf(plan, task, choice));
  const over = plan.rows.map((row, index) => {
    const use = taken.reduce((sum, { amounts }) => sum + (amounts[index]?.[1] ?? 0), 0);
    return [row.id, row.isHard ? Math.max(0, use - capOf(row)) : 0] as const;
  });
  const { deadline } = plan;
  const length = new Lengths(plan.tasks).measure(taken.map(({ minutes }) => minutes[1]));
  const late = deadline?.isHard ? Math.max(0, length - capOf(deadline)) : 0;
  return {
    total: found.value,
    by: [...over, ['deadline', late] as const].filter(([, amount]) => amount > 0),
    choice,
    named: namedChoice(plan, choice),
    certificate: found.proof ?? { weights: [], unit: 1 },
    bound: found.bound,
    isProven: found.status === 'choice',
  };
}
