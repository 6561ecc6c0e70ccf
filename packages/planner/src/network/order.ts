/**
 * A topological order of tasks, and the cycle that stands in its way. Linear time, no recursion.
 *
 * @module
 */

/** Anything whose predecessors are places in the same list. */
export type Dependent = { readonly after: readonly number[] };

/** Successors of each task in one array: those of task t are `to[from[t]]` … `to[from[t + 1] - 1]`. */
export type Successors = { readonly from: Int32Array; readonly to: Int32Array };

/** The successors of all tasks. A predecessor outside the list is a defect. */
export function successorsOf(tasks: readonly Dependent[]): Successors {
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
export function orderOf(tasks: readonly Dependent[], { from, to }: Successors): Int32Array {
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
  const order = orderOf(tasks, successorsOf(tasks));
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
