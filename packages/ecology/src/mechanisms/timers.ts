/**
 * Timers in the order of their time, then their name: a persistent tree balanced by weight. Adding, dropping and
 * the first one take O(log n) whatever the times and names are; nothing is stale in it.
 */

/** Some timers, null for none. `at_us` when it fires, `id` what it is of: each pair once. */
export type Timers = {
  readonly at_us: number;
  readonly id: string;
  readonly size: number;
  readonly left: Timers | null;
  readonly right: Timers | null;
};

/** The timers with one more, or the same where it is there. */
export function addTimer(timers: Timers | null, at_us: number, id: string): Timers {
  if (timers === null) return { at_us, id, size: 1, left: null, right: null };
  const side = compare(at_us, id, timers);
  if (side === 0) return timers;
  return side < 0
    ? balance(timers, addTimer(timers.left, at_us, id), timers.right)
    : balance(timers, timers.left, addTimer(timers.right, at_us, id));
}

/** The timers without one, or the same where it is not there. */
export function dropTimer(timers: Timers | null, at_us: number, id: string): Timers | null {
  if (timers === null) return null;
  const { left, right } = timers;
  const side = compare(at_us, id, timers);
  if (side < 0) return balance(timers, dropTimer(left, at_us, id), right);
  if (side > 0) return balance(timers, left, dropTimer(right, at_us, id));
  if (left === null) return right;
  if (right === null) return left;
  const next = findFirst(right) as Timers;
  return balance(next, left, dropTimer(right, next.at_us, next.id));
}

/** The earliest timer, of equal times the first by name; null for none. */
export function findFirst(timers: Timers | null): Timers | null {
  let first = timers;
  while (first !== null && first.left !== null) first = first.left;
  return first;
}

function compare(at_us: number, id: string, timer: Timers): number {
  if (at_us !== timer.at_us) return at_us - timer.at_us;
  return id < timer.id ? -1 : id > timer.id ? 1 : 0;
}

function count(timers: Timers | null): number {
  return timers === null ? 0 : timers.size;
}

function node({ at_us, id }: Timers, left: Timers | null, right: Timers | null): Timers {
  return { at_us, id, size: count(left) + count(right) + 1, left, right };
}

/** No side is more than three times the other (Adams; Hirai and Yamamoto's parameters 3 and 2). */
function balance(at: Timers, left: Timers | null, right: Timers | null): Timers {
  if (left === at.left && right === at.right) return at;
  const [less, more] = [count(left), count(right)];
  if (less + more < 2) return node(at, left, right);
  if (right !== null && more > 3 * less) {
    const inner = right.left;
    if (inner === null || inner.size < 2 * count(right.right))
      return node(right, node(at, left, inner), right.right);
    return node(inner, node(at, left, inner.left), node(right, inner.right, right.right));
  }
  if (left !== null && less > 3 * more) {
    const inner = left.right;
    if (inner === null || inner.size < 2 * count(left.left))
      return node(left, left.left, node(at, inner, right));
    return node(inner, node(left, left.left, inner.left), node(at, inner.right, right));
  }
  return node(at, left, right);
}
