/**
 * Nodes, plans and accounts as tables of the state. Source: dec-K34, dec-K74.
 *
 * @module
 */
import { InvariantError } from '@assay/kernel';
import { isNothing, minus, plus } from './account.js';
import { pushed } from './heap.js';
import { isOver, type GoalNode, type NodePlan, type PlannerState } from './state.js';

/** What a new tool plan begins with. */
export const FRESH = { step: 0, inputs: [], output: null, checks: [], retries: 0, manifest: null } as const;

/** The state with one node changed; an unknown node is a defect of this machine. */
export function on(state: PlannerState, key: string, change: (node: GoalNode) => GoalNode): PlannerState {
  return { ...state, nodes: state.nodes.set(key, change(known(state, key))) };
}

/** A node by its key; an unknown one is a defect of this machine. */
export function known(state: PlannerState, key: string): GoalNode {
  const node = state.nodes.get(key);
  if (node === undefined) throw new InvariantError('planner/node', `no node ${key}`);
  return node;
}

/** The state with the plan of a node changed, where it has one. */
export function planOn(state: PlannerState, key: string, change: (plan: NodePlan) => NodePlan): PlannerState {
  const plan = state.plans.get(key);
  return plan === undefined ? state : { ...state, plans: state.plans.set(key, change(plan)) };
}

/** A node whose dependencies and children are through is put where the next step finds it. */
export function woken(state: PlannerState, key: string): PlannerState {
  const { level, seq, deps, kids, status } = known(state, key);
  if (deps > 0 || kids > 0 || isOver(status)) return state;
  return { ...state, ready: pushed(state.ready, [level, seq, key]) };
}

/** What a node has left goes back to its parent. */
export function refunded(state: PlannerState, key: string, amounts: readonly number[]): PlannerState {
  const { parent } = known(state, key);
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
  const { account, below: under } = known(state, key);
  const all = plus(account.spent, under).map((amount) => sign * amount);
  return isNothing(all) ? state : on(state, parent, (n) => ({ ...n, below: plus(n.below, all) }));
}

/** Nodes above one, up to the first that still counts. */
export function pathAbove(state: PlannerState, key: string): readonly string[] {
  const path: string[] = [];
  for (let at = known(state, key).parent; at !== null; at = known(state, at).parent) {
    path.push(at);
    if (!isOver(known(state, at).status)) break;
  }
  return path;
}
