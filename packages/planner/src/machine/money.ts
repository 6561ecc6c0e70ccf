/**
 * The gate before every call, and what parents give children. Source: 000 §2.D; dec-K34 to dec-K43, dec-K75.
 */
import { MILLION } from '../plan/plan.js';
import type { Bound } from '../protocol/resolver.js';
import type { Transfer } from './events.js';
import { type GoalNode, isNothing, minus, plus, remaining, returnable, zeros, type Amounts } from './node.js';
import { isOver, getNode, type PlannerState } from './state.js';
import type { Step } from './step.js';

/** Amounts by unit as the accounts hold them; units without a budget are not held. */
export function convertAmounts({ units }: PlannerState, bound: Bound): Amounts {
  return units.map((unit) => (Object.hasOwn(bound, unit) ? (bound[unit] ?? 0) : 0));
}

/** Amounts as an object by unit, without what is zero. */
export function writeBound({ units }: PlannerState, amounts: Amounts): Bound {
  return Object.fromEntries(
    units.flatMap((unit, at) => ((amounts[at] ?? 0) === 0 ? [] : [[unit, amounts[at] ?? 0] as const])),
  );
}

/** What a node lacks to hold an amount; an overdraft is lacking too. */
export function computeShortage(state: PlannerState, key: string, need: Amounts): Amounts {
  return minus(need, remaining(getNode(state, key).account)).map((amount) => Math.max(0, amount));
}

/**
 * The gate: true where the node holds what is needed, topped up from what its ancestors have kept back,
 * nearest first, with one paired entry a level and unit. Nothing moves where all of them hold too little.
 */
export function fund(step: Step, key: string, need: Amounts): boolean {
  const { state } = step;
  let short = computeShortage(state, key, need);
  if (isNothing(short)) return true;
  const links: { readonly from: string; readonly to: string; amounts: Amounts }[] = [];
  for (let child = key; !isNothing(short); ) {
    const { parent } = getNode(state, child);
    if (parent === null) return false;
    const spare = returnable(getNode(state, parent).account);
    const taken = short.map((amount, unit) => Math.min(amount, spare[unit] ?? 0));
    links.unshift({ from: parent, to: child, amounts: zeros(state.units.length) });
    for (const link of links) link.amounts = plus(link.amounts, taken);
    short = minus(short, taken);
    child = parent;
  }
  step.emit({ t: 'funded', why: 'top_up', transfers: links.filter(({ amounts }) => !isNothing(amounts)) });
  return true;
}

/** Gives back what a node that is over has left, up to the nearest account that still counts. */
export function refund(step: Step, key: string): void {
  for (let at: string | null = key; at !== null; ) {
    const { account, parent }: GoalNode = getNode(step.state, at);
    const back = returnable(account);
    if (parent === null || isNothing(back)) return;
    step.emit({ t: 'refunded', node: at, amounts: back });
    at = isOver(getNode(step.state, parent).status) ? parent : null;
  }
}

/**
 * An amount in parts by weight, largest remainder, ties by place; equal parts where all weights are zero. The
 * parts add up to the amount. Source: dec-K40, law-B4.
 */
export function computeShares(amount: number, weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  const by = total === 0n ? weights.map(() => 1n) : weights.map(BigInt);
  const whole = total === 0n ? BigInt(weights.length) : total;
  if (whole === 0n) return [];
  const parts = by.map((weight) => (BigInt(amount) * weight) / whole);
  const rests = by.map((weight, at) => ({ at, rest: (BigInt(amount) * weight) % whole }));
  const missing = amount - Number(parts.reduce((sum, part) => sum + part, 0n));
  const first = new Set(
    rests
      .toSorted((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1))
      .slice(0, missing)
      .map(({ at }) => at),
  );
  return parts.map((part, at) => Number(part) + (first.has(at) ? 1 : 0));
}

/** What a node gives its children, a part of it kept back. Source: 000 §1 Step 8; dec-K40. */
export function allotted(
  state: PlannerState,
  key: string,
  children: readonly string[],
  weights: readonly number[],
  reserve: number,
): readonly Transfer[] {
  const shares = returnable(getNode(state, key).account).map((amount) => {
    const kept = Number((BigInt(amount) * BigInt(reserve) + BigInt(MILLION - 1)) / BigInt(MILLION));
    return computeShares(amount - kept, weights);
  });
  return children.map((to, at) => ({
    from: key,
    to,
    amounts: shares.map((share) => share[at] ?? 0),
  }));
}
