/** Whether a levelled schedule holds: links, and capacities at every moment; without a line of the levelling. */
import type { Approach, Plan } from '../plan/plan.js';

/**
 * The first fault of starts, or null. A link that they break, or a resource of which more is in use than there is while
 * a task runs. Quadratic.
 */
export function findLevelFault(
  { tasks, renewable }: Pick<Plan, 'tasks' | 'renewable'>,
  taken: readonly Pick<Approach, 'uses'>[],
  minutes: readonly number[],
  starts: readonly number[],
): { readonly task: string; readonly breaks: string } | null {
  const span = tasks.map(({ id, after, links }, at) => {
    const from = starts[at] ?? -1;
    return {
      id,
      from,
      to: from + (minutes[at] ?? 0),
      links: links ?? after.map((task) => ({ task, link: 'FS' as const, lag: 0 })),
      uses: new Map(taken[at]?.uses),
    };
  });
  for (const { id, from, to, links } of span) {
    if (!Number.isSafeInteger(from) || from < 0) return { task: id, breaks: 'start' };
    for (const { task, link, lag } of links) {
      const event = link[0] === 'S' ? span[task]?.from : span[task]?.to;
      if ((link[1] === 'S' ? from : to) < (event ?? 0) + lag)
        return { task: id, breaks: span[task]?.id ?? '' };
    }
  }
  // What is in use grows only where a task starts.
  for (const { id, from, to } of span)
    for (const [resource, capacity] of from < to ? renewable : []) {
      const used = span.reduce(
        (sum, other) => (other.from <= from && from < other.to ? sum + (other.uses.get(resource) ?? 0) : sum),
        0,
      );
      if (used > capacity) return { task: id, breaks: resource };
    }
  return null;
}
