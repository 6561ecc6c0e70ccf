/**
 * A topological order of tasks, or the cycle that stands in its way; earliest and latest times, slacks, levels and
 * the critical path. Integers; linear in tasks and edges, no recursion. Source: 000 §6 "Critical path", dec-K56,
 * dec-K57.
 */
import { compareText, InvariantError } from '@assay/kernel';

/** The kinds of links between two tasks: from the start or finish of the first to that of the second. */
export const LINK_KINDS = ['FS', 'SS', 'FF', 'SF'] as const;
/** One of the four. */
export type LinkKind = (typeof LINK_KINDS)[number];

/** How a task waits for the one at a place: so many minutes after it starts or ends, or, below 0, before. */
export type Link = { readonly task: number; readonly link: LinkKind; readonly lag: number };

/** Anything whose predecessors are places in the same list. `links`: how it waits, where that is not plain. */
type Dependent = { readonly after: readonly number[]; readonly links?: readonly Link[] };

/** How a task waits for others: plainly for the end of each, unless its links say otherwise. */
export function listLinks({ after, links }: Dependent): readonly Link[] {
  return links ?? after.map((task) => ({ task, link: 'FS', lag: 0 }));
}

/** Tasks of which each waits for the one before it, by these links. */
export type Chain = { readonly tasks: readonly number[]; readonly links: readonly Link[] };

/** Successors of each task in one array: those of task t are `to[from[t]]` … `to[from[t + 1] - 1]`. */
type Successors = { readonly from: Int32Array; readonly to: Int32Array };

/** The successors of all tasks. A predecessor outside the list is a defect. */
function listSuccessors(tasks: readonly Dependent[]): Successors {
  const from = new Int32Array(tasks.length + 1);
  for (const { after } of tasks)
    for (const before of after) {
      if (!(before >= 0 && before < tasks.length)) throw new RangeError(`no task ${before}`);
      from[before + 1] = (from[before + 1] ?? 0) + 1;
    }
  for (let task = 0; task < tasks.length; task += 1)
    from[task + 1] = (from[task + 1] ?? 0) + (from[task] ?? 0);
  const next = from.slice();
  const to = new Int32Array(from[tasks.length] ?? 0);
  for (const [task, { after }] of tasks.entries())
    for (const before of after) {
      const at = next[before] ?? 0;
      to[at] = task;
      next[before] = at + 1;
    }
  return { from, to };
}

/** Places of all tasks, each behind its predecessors; shorter than the list where there is a cycle. */
export function makeOrder(tasks: readonly Dependent[], { from, to }: Successors): Int32Array {
  const waits = Int32Array.from(tasks, ({ after }) => after.length);
  const order = new Int32Array(tasks.length);
  let end = 0;
  for (let task = 0; task < tasks.length; task += 1) if (waits[task] === 0) order[end++] = task;
  for (let head = 0; head < end; head += 1) {
    const task = order[head] ?? 0;
    for (let at = from[task] ?? 0; at < (from[task + 1] ?? 0); at += 1) {
      const next = to[at] ?? 0;
      const left = (waits[next] ?? 0) - 1;
      waits[next] = left;
      if (left === 0) order[end++] = next;
    }
  }
  return order.subarray(0, end);
}

/** Tasks of which each waits for the one before it, the smallest place first; null if there is no cycle. */
export function cycleIn(tasks: readonly Dependent[]): readonly number[] | null {
  const order = makeOrder(tasks, listSuccessors(tasks));
  if (order.length === tasks.length) return null;
  const isDone = new Uint8Array(tasks.length);
  for (const task of order) isDone[task] = 1;
  // Each task that is left waits for one that is left: walking back must meet itself.
  const seen = new Map<number, number>();
  const path: number[] = [];
  let task = isDone.indexOf(0);
  while (!seen.has(task)) {
    seen.set(task, path.length);
    path.push(task);
    task = tasks[task]?.after.find((before) => isDone[before] === 0) ?? task;
  }
  const ring = path.slice(seen.get(task)).reverse();
  const first = ring.indexOf(Math.min(...ring));
  return [...ring.slice(first), ...ring.slice(0, first)];
}

/** A task of a network: its name, and places of the tasks it waits for. */
export type NetworkTask = Dependent & { readonly id: string };

/**
 * The times of a network, by place of the task, in the unit of its durations. `totalSlack` below zero is the
 * cut that a deadline requires; `freeSlack` counts to the earliest start of what follows, of a last task to
 * the end of the plan. Levels begin at 1; `barrier` is the time that waiting for each whole level takes.
 * `critical`: the smallest chain by ids from a first task to a last one; `zeroSlack`: every task without slack
 * against the plan's own end. Levels and barrier count durations only, whatever the links.
 */
export type Schedule = {
  readonly length: number;
  readonly earliestStart: ArrayLike<number>;
  readonly earliestFinish: ArrayLike<number>;
  readonly latestStart: ArrayLike<number>;
  readonly latestFinish: ArrayLike<number>;
  readonly totalSlack: ArrayLike<number>;
  readonly freeSlack: ArrayLike<number>;
  readonly level: ArrayLike<number>;
  readonly barrier: number;
  readonly critical: readonly number[];
  readonly zeroSlack: readonly number[];
};

/** How long the plan takes, and when each task can begin, without the rest of a schedule. */
export class Lengths {
  readonly start: Float64Array;
  /** Places in topological order. */
  readonly order: Int32Array;
  private readonly links: readonly (readonly Link[])[];

  /** Tasks that wait for each other in a circle are a defect; `parsePlan` refuses them. */
  constructor(tasks: readonly Dependent[], successors: Successors = listSuccessors(tasks)) {
    this.links = tasks.map(listLinks);
    this.start = new Float64Array(tasks.length);
    this.order = makeOrder(tasks, successors);
    if (this.order.length !== tasks.length) throw new InvariantError('network', 'tasks wait in a circle');
  }

  /** Fills `start` and gives the length of the plan. `minutes`: by place. */
  measure(minutes: ArrayLike<number>): number {
    let length = 0;
    for (const task of this.order) {
      let start = 0;
      for (const link of this.links[task] ?? [])
        start = Math.max(start, (this.start[link.task] ?? 0) + computeDelay(link, task, minutes));
      this.start[task] = start;
      length = Math.max(length, start + (minutes[task] ?? 0));
    }
    return length;
  }

  /** The links by which a task starts when it does, after {@link measure}. */
  listTight(task: number, minutes: ArrayLike<number>): readonly Link[] {
    return (this.links[task] ?? []).filter(
      (link) => (this.start[link.task] ?? 0) + computeDelay(link, task, minutes) === this.start[task],
    );
  }

  /** A longest chain after {@link measure}, first task first: the one by smallest places from its end. */
  longest(minutes: ArrayLike<number>, length: number): Chain {
    const tasks: number[] = [];
    const links: Link[] = [];
    let task = this.start.findIndex((start, place) => start + (minutes[place] ?? 0) === length);
    while (task >= 0) {
      tasks.push(task);
      const link = this.start[task] === 0 ? undefined : this.listTight(task, minutes)[0];
      if (link !== undefined) links.push(link);
      task = link?.task ?? -1;
    }
    return { tasks: tasks.reverse(), links: links.reverse() };
  }

  /** For each task the latest start under which all ends by `end`, and by how much it may be later alone. */
  computeLatest(
    minutes: ArrayLike<number>,
    length: number,
    end: number,
  ): { readonly latestStart: Float64Array; readonly freeSlack: Float64Array } {
    const latestStart = this.start.map((_, task) => end - (minutes[task] ?? 0));
    const freeSlack = this.start.map((start, task) => length - start - (minutes[task] ?? 0));
    for (const task of this.order.toReversed())
      for (const link of this.links[task] ?? []) {
        const before = link.task;
        const delay = computeDelay(link, task, minutes);
        const free = (this.start[task] ?? 0) - delay - (this.start[before] ?? 0);
        latestStart[before] = Math.min(latestStart[before] ?? 0, (latestStart[task] ?? 0) - delay);
        freeSlack[before] = Math.min(freeSlack[before] ?? 0, free);
      }
    return { latestStart, freeSlack };
  }
}

/** By how much a task starts at the earliest behind the start of the one that a link names. */
export function computeDelay(
  { task: before, link, lag }: Link,
  task: number,
  minutes: ArrayLike<number>,
): number {
  const leaves = link === 'FS' || link === 'FF' ? (minutes[before] ?? 0) : 0;
  return leaves + lag - (link === 'FF' || link === 'SF' ? (minutes[task] ?? 0) : 0);
}

/**
 * The schedule of a network. `minutes`: by place; `deadline`: the latest end, or null for the plan's own. Tasks
 * that wait for each other in a circle are a defect.
 */
export function schedule(
  tasks: readonly NetworkTask[],
  minutes: readonly number[],
  deadline: number | null,
): Schedule {
  const successors = listSuccessors(tasks);
  const lengths = new Lengths(tasks, successors);
  const length = lengths.measure(minutes);
  const end = deadline ?? length;
  const { start: earliestStart, order } = lengths;
  const { latestStart, freeSlack } = lengths.computeLatest(minutes, length, end);
  const add = (starts: Float64Array): Float64Array =>
    starts.map((start, task) => start + (minutes[task] ?? 0));
  const totalSlack = latestStart.map((latest, task) => latest - (earliestStart[task] ?? 0));
  const zeroSlack = [...tasks.keys()].filter((task) => totalSlack[task] === end - length);
  return {
    length,
    earliestStart,
    earliestFinish: add(earliestStart),
    latestStart,
    latestFinish: add(latestStart),
    totalSlack,
    freeSlack,
    ...computeLevels(tasks, minutes, order),
    critical: smallestChain(tasks, successors, zeroSlack, (task) => lengths.listTight(task, minutes)),
    zeroSlack,
  };
}

/** The tasks that no other one waits for, by id. */
export function listExits(tasks: readonly NetworkTask[]): readonly string[] {
  const isLast = new Set(tasks.keys());
  for (const { after } of tasks) for (const each of after) isLast.delete(each);
  return [...isLast].map((at) => tasks[at]?.id ?? '');
}

function computeLevels(
  tasks: readonly NetworkTask[],
  minutes: readonly number[],
  order: Int32Array,
): { readonly level: Int32Array; readonly barrier: number } {
  const level = new Int32Array(tasks.length);
  const longest: number[] = [];
  for (const task of order) {
    let before = 0;
    for (const each of tasks[task]?.after ?? []) before = Math.max(before, level[each] ?? 0);
    level[task] = before + 1;
    longest[before] = Math.max(longest[before] ?? 0, minutes[task] ?? 0);
  }
  return { level, barrier: longest.reduce((sum, each) => sum + each, 0) };
}

/**
 * From a first task on, always the smallest id of no slack that starts by a link of this one. What such a task starts
 * by has no slack either.
 */
function smallestChain(
  tasks: readonly NetworkTask[],
  { from, to }: Successors,
  zeroSlack: readonly number[],
  listTight: (task: number) => readonly Link[],
): readonly number[] {
  const tight = new Map(zeroSlack.map((task) => [task, listTight(task)] as const));
  const smaller = (a: number, b: number): number =>
    a < 0 || compareText(tasks[b]?.id ?? '', tasks[a]?.id ?? '') < 0 ? b : a;
  let task = -1;
  for (const [each, links] of tight) if (links.length === 0) task = smaller(task, each);
  const chain: number[] = [];
  while (task >= 0) {
    chain.push(task);
    let next = -1;
    for (let at = from[task] ?? 0; at < (from[task + 1] ?? 0); at += 1) {
      const follower = to[at] ?? 0;
      const before = task;
      if (tight.get(follower)?.some((link) => link.task === before)) next = smaller(next, follower);
    }
    task = next;
  }
  return chain;
}
