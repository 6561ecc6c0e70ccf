/**
 * Nodes, plans and accounts as tables of the state. Source: dec-K34, dec-K74.
 *
 * @module
 */
import { isNothing, minus, plus } from './account.js';
import { pushed } from './heap.js';
import type { GoalNode } from './node.js';
import { isOver, nodeOf, type NodePlan, type PlannerState } from './state.js';

/** The state with one node changed; an unknown node is a defect of this machine. */
export function on(state: PlannerState, key: string, change: (node: GoalNode) => GoalNode): PlannerState {
  return { ...state, nodes: state.nodes.set(key, change(nodeOf(state, key))) };
}

/** The state with the plan of a node changed, where it has one. */
export function planOn(state: PlannerState, key: string, change: (plan: NodePlan) => NodePlan): PlannerState {
  const plan = state.plans.get(key);
  return plan === undefined ? state : { ...state, plans: state.plans.set(key, change(plan)) };
}

/** A node whose dependencies and children are through is put where the next step finds it. */
export function woken(state: PlannerState, key: string): PlannerState {
  const { level, seq, deps, kids, status } = nodeOf(state, key);
  if (deps > 0 || kids > 0 || isOver(status)) return state;
  return { ...state, ready: pushed(state.ready, [level, seq, key]) };
}

/** What a node has left goes back to its parent. */
export function refunded(state: PlannerState, key: string, amounts: readonly number[]): PlannerState {
  const { parent } = nodeOf(state, key);
  if (parent === null) return state;
  const next = on(state, key, (n) => ({
    ...n,
    account: { ...n.account, granted: minus(n.account.granted, amounts) },
  }));
  return on(next, parent, (n) => ({
    ...n,
    account: { ...n.account, given: minus(n.account.given, amounts) },
  }));
}

/** Counts what a node and those below it have spent to its parent, or takes it back. */
export function spentUp(state: PlannerState, { key, parent }: GoalNode, sign: 1 | -1): PlannerState {
  if (parent === null) return state;
  const { account, below: under } = nodeOf(state, key);
  const all = plus(account.spent, under).map((amount) => sign * amount);
  return isNothing(all) ? state : on(state, parent, (n) => ({ ...n, below: plus(n.below, all) }));
}

/** Nodes above one, up to the first that still counts. */
export function pathAbove(state: PlannerState, key: string): readonly string[] {
  const path: string[] = [];
  for (let at = nodeOf(state, key).parent; at !== null; at = nodeOf(state, at).parent) {
    path.push(at);
    if (!isOver(nodeOf(state, at).status)) break;
  }
  return path;
}
