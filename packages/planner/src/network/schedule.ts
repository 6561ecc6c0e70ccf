/**
 * A topological order of tasks, or the cycle that stands in its way; earliest and latest times, slacks, levels and
 * the critical path. Integers; linear in tasks and edges, no recursion. Source: 000 §6 "Critical path", dec-K56,
 * dec-K57.
 */
import { compareText, InvariantError } from '@assay/kernel';

/** Anything whose predecessors are places in the same list. */
type Dependent = { readonly after: readonly number[] };

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
 * against the plan's own end.
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
  private readonly tasks: readonly Dependent[];

  /** Tasks that wait for each other in a circle are a defect; `parsePlan` refuses them. */
  constructor(tasks: readonly Dependent[], successors: Successors = listSuccessors(tasks)) {
    this.tasks = tasks;
    this.start = new Float64Array(tasks.length);
    this.order = makeOrder(tasks, successors);
    if (this.order.length !== tasks.length) throw new InvariantError('network', 'tasks wait in a circle');
  }

  /** Fills `start` and gives the length of the plan. `minutes`: by place. */
  measure(minutes: ArrayLike<number>): number {
    let length = 0;
    for (const task of this.order) {
      let start = 0;
      for (const before of this.tasks[task]?.after ?? [])
        start = Math.max(start, (this.start[before] ?? 0) + (minutes[before] ?? 0));
      this.start[task] = start;
      length = Math.max(length, start + (minutes[task] ?? 0));
    }
    return length;
  }

  /** A longest chain after {@link measure}, first task first: the one by smallest places from its end. */
  longest(minutes: ArrayLike<number>, length: number): readonly number[] {
    const chain: number[] = [];
    let task = this.start.findIndex((start, place) => start + (minutes[place] ?? 0) === length);
    for (; task >= 0; ) {
      chain.push(task);
      const start = this.start[task] ?? 0;
      task =
        start === 0
          ? -1
          : (this.tasks[task]?.after.find(
              (before) => (this.start[before] ?? 0) + (minutes[before] ?? 0) === start,
            ) ?? -1);
    }
    return chain.reverse();
  }
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
  const { from, to } = successors;
  const length = lengths.measure(minutes);
  const count = tasks.length;
  const spare = (deadline ?? length) - length;
  const earliestStart = lengths.start;
  const earliestFinish = new Float64Array(count);
  const [latestStart, latestFinish] = [new Float64Array(count), new Float64Array(count)];
  const [totalSlack, freeSlack] = [new Float64Array(count), new Float64Array(count)];
  const { order } = lengths;
  for (let index = count - 1; index >= 0; index -= 1) {
    const task = order[index] ?? 0;
    const finish = (earliestStart[task] ?? 0) + (minutes[task] ?? 0);
    let latest = length + spare;
    let next = length;
    for (let at = from[task] ?? 0; at < (from[task + 1] ?? 0); at += 1) {
      const follower = to[at] ?? 0;
      latest = Math.min(latest, latestStart[follower] ?? 0);
      next = Math.min(next, earliestStart[follower] ?? 0);
    }
    earliestFinish[task] = finish;
    latestFinish[task] = latest;
    latestStart[task] = latest - (minutes[task] ?? 0);
    totalSlack[task] = latest - finish;
    freeSlack[task] = next - finish;
  }
  const { level, barrier } = computeLevels(tasks, minutes, order);
  const zeroSlack: number[] = [];
  for (let task = 0; task < count; task += 1) if (totalSlack[task] === spare) zeroSlack.push(task);
  const times = { earliestStart, earliestFinish, latestStart, latestFinish, totalSlack, freeSlack };
  const critical = smallestChain(tasks, successors, zeroSlack, times);
  return { length, ...times, level, barrier, critical, zeroSlack };
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

/** From a first task on, always the smallest id that begins when this one ends and has no slack. */
function smallestChain(
  tasks: readonly NetworkTask[],
  { from, to }: Successors,
  zeroSlack: readonly number[],
  { earliestStart, earliestFinish }: Pick<Schedule, 'earliestStart' | 'earliestFinish'>,
): readonly number[] {
  const isZero = new Uint8Array(tasks.length);
  for (const task of zeroSlack) isZero[task] = 1;
  const smaller = (a: number, b: number): number =>
    a < 0 || compareText(tasks[b]?.id ?? '', tasks[a]?.id ?? '') < 0 ? b : a;
  let task = -1;
  for (const each of zeroSlack) if (tasks[each]?.after.length === 0) task = smaller(task, each);
  const chain: number[] = [];
  while (task >= 0) {
    chain.push(task);
    let next = -1;
    for (let at = from[task] ?? 0; at < (from[task + 1] ?? 0); at += 1) {
      const follower = to[at] ?? 0;
      if (isZero[follower] === 1 && earliestStart[follower] === earliestFinish[task])
        next = smaller(next, follower);
    }
    task = next;
  }
  return chain;
}
