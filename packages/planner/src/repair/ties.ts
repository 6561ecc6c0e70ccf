/**
 * Among choices with the same values, the one whose changes come first by ids. Source: dec-K64.
 *
 * @module
 */
import type { Meter } from '@assay/kernel';
import type { Choice, Plan } from '../plan/plan.js';
import { planChoice, questionOf, type Bounds } from '../question/of-plan.js';
import type { Start } from '../search/found.js';
import { search } from '../search/search.js';

/**
 * Walks the tasks by id and moves the first change as far forward as the bounds allow, then the next. `isFinished` is
 * false where more than `nodes` nodes would be needed, or more than the meter has; the choice is then the best known.
 */
export function smallestIds(
  plan: Plan,
  bounds: Bounds,
  known: Choice,
  nodes: number,
  meter: Meter,
): { readonly choice: Choice; readonly isFinished: boolean } {
  const question = questionOf(plan, null, bounds);
  let choice = known;
  let left = nodes;
  let weights: Start['weights'] = [];
  let tasks = question.tasks;
  for (let task = 0; task < plan.tasks.length; task += 1) {
    const approaches = plan.tasks[task]?.approaches ?? [];
    // Alternatives stand in order of ids; staying as it is comes last.
    const wanted = [...approaches.keys()].slice(1);
    for (const place of wanted) {
      if (place === choice[task]) break;
      const option = tasks[task]?.options.find(({ id }) => id === approaches[place]?.id);
      if (option === undefined) continue;
      const narrowed = tasks.map((each, at) => (at === task ? { ...each, options: [option] } : each));
      const start = { choices: [], weights, unit: 0 };
      const found = search({ ...question, tasks: narrowed }, 'feasible', left, start, meter);
      left -= found.nodes;
      weights = found.weights;
      if (found.status === 'bounded' || left <= 0 || meter.isSpent) return { choice, isFinished: false };
      if (found.choice === null) continue;
      choice = planChoice(plan, { ...question, tasks: narrowed }, found.choice);
      break;
    }
    const taken = approaches[choice[task] ?? 0]?.id;
    tasks = tasks.map((each, at) =>
      at === task ? { ...each, options: each.options.filter(({ id }) => id === taken) } : each,
    );
  }
  return { choice, isFinished: true };
}
