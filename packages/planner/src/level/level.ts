/**
 * A schedule under renewable resources: serial generation, the task of the longest tail first, ties by id. Feasible by
 * construction, not proven best. Source: Kolisch 1996, "Serial and parallel resource-constrained project scheduling
 * methods revisited".
 */
import { computeDelay, Lengths, listLinks } from '../network/schedule.js';
import type { Approach, Plan } from '../plan/plan.js';

/** Plans of more tasks are not levelled. */
export const LEVELLED_MAX = 200;

/** When each task starts, and when the last one ends. */
export type Levelled = { readonly starts: readonly number[]; readonly length: number };

/** What is in use from `from` on, until the next step, by place of the resource. */
type Step = { readonly from: number; readonly used: readonly number[] };

/**
 * Levels the tasks of a plan at these minutes. Each task, once all that it waits for is placed, starts as early as its
 * links and the capacities allow; of several the one whose latest start by links is first. Quadratic.
 */
export function levelTasks(
  { tasks, renewable }: Pick<Plan, 'tasks' | 'renewable'>,
  taken: readonly Pick<Approach, 'uses'>[],
  minutes: readonly number[],
): Levelled {
  const lengths = new Lengths(tasks);
  const critical = lengths.measure(minutes);
  const { latestStart } = lengths.computeLatest(minutes, critical, critical);
  const needs = taken.map(({ uses }) =>
    renewable.map(([id]) => uses.find(([resource]) => resource === id)?.[1] ?? 0),
  );
  const starts: number[] = tasks.map(() => 0);
  const isPlaced = new Uint8Array(tasks.length);
  let steps: readonly Step[] = [{ from: 0, used: renewable.map(() => 0) }];
  let length = 0;
  for (let placed = 0; placed < tasks.length; placed += 1) {
    let task = -1;
    for (const [at, { after }] of tasks.entries())
      if (
        isPlaced[at] === 0 &&
        (task < 0 || (latestStart[at] ?? 0) < (latestStart[task] ?? 0)) &&
        after.every((before) => isPlaced[before] === 1)
      )
        task = at;
    const earliest = listLinks(tasks[task] ?? { after: [] }).reduce(
      (latest, link) => Math.max(latest, (starts[link.task] ?? 0) + computeDelay(link, task, minutes)),
      0,
    );
    const [own, need] = [minutes[task] ?? 0, needs[task] ?? []];
    const start = own === 0 ? earliest : findStart(steps, renewable, earliest, own, need);
    if (own > 0 && need.some((use) => use > 0)) steps = addUse(steps, start, start + own, need);
    starts[task] = start;
    isPlaced[task] = 1;
    length = Math.max(length, start + own);
  }
  return { starts, length };
}

/** The first start from which so much is free for so long. */
function findStart(
  steps: readonly Step[],
  renewable: Plan['renewable'],
  earliest: number,
  minutes: number,
  need: readonly number[],
): number {
  let start = earliest;
  for (const [at, { from, used }] of steps.entries()) {
    const next = steps[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    if (from >= start + minutes) return start;
    if (
      next > start &&
      need.some((use, each) => use > 0 && (used[each] ?? 0) + use > (renewable[each]?.[1] ?? 0))
    )
      start = next;
  }
  return start;
}

/** The steps with more in use from a start to an end. */
function addUse(
  steps: readonly Step[],
  start: number,
  end: number,
  need: readonly number[],
): readonly Step[] {
  return steps.flatMap((step, at): readonly Step[] => {
    const { from, used } = step;
    const next = steps[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    if (next <= start || from >= end) return [step];
    const more = { from: Math.max(from, start), used: used.map((use, each) => use + (need[each] ?? 0)) };
    return [...(from < start ? [step] : []), more, ...(next > end ? [{ from: end, used }] : [])];
  });
}
