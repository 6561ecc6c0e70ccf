/**
 * Whether a figure is within its bound. Exact: the product with the margin is taken in BigInt.
 *
 * Source: dec-K55, dec-K68, dec-K69.
 *
 * @module
 */
import { MILLION } from '../plan/limits.js';
import type { Estimate, Held, Operator } from '../plan/plan.js';

/** SAT, UNSAT, TIGHT (it fits, within the margin of the bound) or UNKNOWN (nobody has stated the figure). */
export type Status = 'SAT' | 'UNSAT' | 'TIGHT' | 'UNKNOWN';

/** True where a figure passes an operator. */
export function passes(op: Operator, figure: number, bound: number): boolean {
  if (op === '<') return figure < bound;
  if (op === '<=') return figure <= bound;
  return op === '>' ? figure > bound : figure >= bound;
}

/** True for a bound from above. */
export function isCap(op: Operator): boolean {
  return op === '<' || op === '<=';
}

/** The largest integer that passes a cap: the bound, or one less under `<`. */
export function capOf({ op, bound }: Pick<Held, 'op' | 'bound'>): number {
  return op === '<' ? bound - 1 : bound;
}

/** The status of a mid figure: UNSAT past the bound, TIGHT within the margin of it. */
export function statusOf({ op, bound, margin }: Held, mid: number): Exclude<Status, 'UNKNOWN'> {
  if (!passes(op, mid, bound)) return 'UNSAT';
  const figure = BigInt(mid) * BigInt(MILLION);
  const isTight = isCap(op)
    ? figure > BigInt(bound) * BigInt(MILLION - margin)
    : figure < BigInt(bound) * BigInt(MILLION + margin);
  return isTight ? 'TIGHT' : 'SAT';
}

/**
 * What is said of one constraint. `slack`: bound minus mid, mirrored for `>` and `>=`; below zero it is the
 * required cut. `isExposed`: the unfavourable end of the estimate breaks it; `isHopeless`: the favourable end
 * breaks it too.
 */
export type Standing = {
  readonly id: string;
  readonly status: Status;
  readonly total: Estimate | null;
  readonly slack: number | null;
  readonly isExposed: boolean;
  readonly isHopeless: boolean;
};

/** The standing of a constraint at an estimate, null where none is known. */
export function standingOf(held: Held, total: Estimate | null): Standing {
  const { id, op, bound } = held;
  if (total === null)
    return { id, status: 'UNKNOWN', total, slack: null, isExposed: false, isHopeless: false };
  const [low, mid, high] = total;
  const [best, worst] = isCap(op) ? [low, high] : [high, low];
  return {
    id,
    status: statusOf(held, mid),
    total,
    slack: isCap(op) ? bound - mid : mid - bound,
    isExposed: !passes(op, worst, bound),
    isHopeless: !passes(op, best, bound),
  };
}
