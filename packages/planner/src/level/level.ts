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
  const places = new Map(renewable.map(([id], at) => [id, at] as const));
  const usage = new Usage(renewable.map(([, capacity]) => capacity));
  const waits = tasks.map(({ after }) => after.length);
  const followers = tasks.map((): number[] => []);
  for (const [task, { after }] of tasks.entries()) for (const before of after) followers[before]?.push(task);
  const ready = [...tasks.keys()].filter((task) => waits[task] === 0);
  const starts: number[] = tasks.map(() => 0);
  let length = 0;
  while (ready.length > 0) {
    let [first, task] = [0, ready[0] ?? 0];
    for (const [at, each] of ready.entries()) {
      const by = (latestStart[each] ?? 0) - (latestStart[task] ?? 0) || each - task;
      if (by < 0) [first, task] = [at, each];
    }
    ready.splice(first, 1);
    let start = 0;
    for (const link of listLinks(tasks[task] ?? { after: [] }))
      start = Math.max(start, (starts[link.task] ?? 0) + computeDelay(link, task, minutes));
    const own = minutes[task] ?? 0;
    const needs = (taken[task]?.uses ?? []).filter(([, use]) => use > 0 && own > 0);
    if (needs.length > 0)
      start = usage.place(
        start,
        own,
        needs.map(([id, use]) => [places.get(id) ?? 0, use]),
      );
    starts[task] = start;
    length = Math.max(length, start + own);
    for (const next of followers[task] ?? []) {
      waits[next] = (waits[next] ?? 0) - 1;
      if (waits[next] === 0) ready.push(next);
    }
  }
  return { starts, length };
}

/** How much of a resource, by its place, a task needs. */
type Need = readonly [resource: number, use: number];

/** What is in use, step by step: from `from[n]` on until the next, `used[n]` by resource. */
class Usage {
  private readonly capacities: readonly number[];
  private readonly from: number[] = [0];
  private readonly used: number[][];

  constructor(capacities: readonly number[]) {
    this.capacities = capacities;
    this.used = [capacities.map(() => 0)];
  }

  /** Takes what is needed for so long, as early as it is free from a start on; gives the start. */
  place(earliest: number, minutes: number, needs: readonly Need[]): number {
    const { from, used, capacities } = this;
    let start = earliest;
    for (let at = this.find(start); (from[at] ?? start + minutes) < start + minutes; at += 1) {
      const isShort = needs.some(([id, use]) => (used[at]?.[id] ?? 0) + use > (capacities[id] ?? 0));
      // Nothing is in use in the last step.
      if (isShort) start = from[at + 1] ?? start;
    }
    const last = this.cut(start + minutes, this.cut(start, 0));
    for (let at = this.find(start); at < last; at += 1)
      for (const [id, use] of needs) (used[at] ?? [])[id] = (used[at]?.[id] ?? 0) + use;
    return start;
  }

  /** The step in which a time is. */
  private find(time: number): number {
    let [low, high] = [0, this.from.length];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if ((this.from[middle] ?? 0) <= time) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The step that begins at a time, made where there is none; it is not before a step that is known. */
  private cut(time: number, known: number): number {
    const at = Math.max(known, this.find(time));
    if (this.from[at] === time) return at;
    this.from.splice(at + 1, 0, time);
    this.used.splice(at + 1, 0, [...(this.used[at] ?? [])]);
    return at + 1;
  }
}
