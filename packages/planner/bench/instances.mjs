/**
 * Random plans for the benches: each task with alternatives, caps at a share of what the plan uses as it stands.
 *
 * @module
 */

/** A generator of integers below n, the same each time. */
export function numbers(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * n);
  };
}

/**
 * A plan file, with amounts drawn freely or traded between rows: `tasks` tasks of `approaches` approaches,
 * `rows` caps at `percent` of the current use.
 */
export function randomPlan({ tasks, approaches, rows, percent, seed, isTraded = false }) {
  const below = numbers(seed);
  const ids = Array.from({ length: rows }, (_, row) => (row === 0 ? 'cost' : `r${row}`));
  // What an approach saves in one row it spends in another: all add up to about the same.
  const traded = () => {
    const shares = ids.map(() => 1 + below(100));
    const sum = shares.reduce((all, share) => all + share, 0);
    const size = 1_400 + below(200);
    return Object.fromEntries(ids.map((id, row) => [id, Math.floor((size * shares[row]) / sum)]));
  };
  const approach = () => ({
    minutes: 10 + below(90),
    confidence: 300_000 + 10_000 * below(70),
    amounts: isTraded ? traded() : Object.fromEntries(ids.map((id) => [id, 10 + below(990)])),
  });
  const list = Array.from({ length: tasks }, (_, task) => ({
    id: `t${String(task).padStart(4, '0')}`,
    after: task === 0 ? [] : [`t${String(below(task)).padStart(4, '0')}`],
    ...approach(),
    alternatives: Array.from({ length: approaches - 1 }, (_unused, other) => ({
      id: `a${other}`,
      ...approach(),
    })),
  }));
  const cap = (id) => Math.floor((list.reduce((sum, task) => sum + task.amounts[id], 0) * percent) / 100);
  return { plan: 1, rows: ids.map((id) => ({ id, op: '<=', cap: cap(id) })), tasks: list };
}
