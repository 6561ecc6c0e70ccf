/**
 * Options struck on the way down a search, and which of them a certificate has to mention.
 *
 * @module
 */
import type { Certificate } from '../question/question.js';

/**
 * Options of one task that a leaf of their own rules out. `requires`: strikes without which that leaf would
 * not hold. `isNeeded`: something in the certificate holds only because of this strike. `isElsewhere`: a branch
 * below has put the options into another part.
 */
export type Strike = {
  readonly task: number;
  readonly options: readonly number[];
  readonly leaf: Certificate;
  readonly requires: readonly Strike[];
  isNeeded: boolean;
  isElsewhere: boolean;
};

/**
 * The strikes without which a leaf would not be above its bound. `room`: by how much it is above; `counts` and
 * `least`: what each option counts, and the least among those that are allowed of a task. Strikes that lower
 * the sum least are done without first.
 */
export function requiredBy(
  strikes: readonly Strike[],
  room: number,
  counts: ArrayLike<number>,
  least: (task: number) => number,
): readonly Strike[] {
  const byTask = new Map<number, { drop: number; readonly of: Strike[] }>();
  for (const strike of strikes) {
    if (strike.isElsewhere || strike.isNeeded) continue;
    let drop = 0;
    for (const option of strike.options) drop = Math.max(drop, least(strike.task) - (counts[option] ?? 0));
    if (drop === 0) continue;
    const known = byTask.get(strike.task) ?? { drop: 0, of: [] };
    known.drop = Math.max(known.drop, drop);
    known.of.push(strike);
    byTask.set(strike.task, known);
  }
  let left = room;
  return [...byTask.values()]
    .toSorted((a, b) => a.drop - b.drop)
    .flatMap(({ drop, of }) => {
      left -= drop;
      return left <= 0 ? of : [];
    });
}

/** Marks a strike, and what its own leaf requires, as needed. */
export function need(strike: Strike): void {
  const open = [strike];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (each.isNeeded) continue;
    each.isNeeded = true;
    open.push(...each.requires);
  }
}
