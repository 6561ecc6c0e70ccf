/**
 * Nodes, plans and accounts as tables of the state; nodes that are opened again, and what is superseded by it.
 * Source: dec-K5, dec-K8, dec-K9, dec-K34, dec-K38, dec-K74.
 */
import type { PlannerEvent } from './events.js';
import { pushed } from './heap.js';
import { type GoalNode, FRESH, returnable, isNothing, minus, plus } from './node.js';
import { isOver, getNode, type PlannerState, type NodePlan } from './state.js';

/**
 * Opens a node again: what is below is superseded, what rested on it waits again, and the nodes above are
 * pending until it is through. Source: dec-K5, dec-K8, dec-K9.
 */
export function reopened(
  state: PlannerState,
  { node: key, to }: Extract<PlannerEvent, { readonly t: 'reopened' }>,
): PlannerState {
  const before = getNode(state, key);
  let next = below(state, key).reduce(ended, state);
  const held = state.held === key ? null : state.held;
  next = { ...next, held, reopens: next.reopens + 1, consistent: false, plans: next.plans.delete(key) };
  next = on(next, key, (n) => ({
    ...n,
    ...FRESH,
    status: to,
    steps: null,
    selected: to === 'selecting_constraints' ? null : n.selected,
    sigma_ppm: null,
    decomposed: false,
    children: [],
    kids: 0,
    tries: 0,
    trail: [],
    reopens: n.reopens + 1,
  }));
  if (before.status === 'resolved') {
    if (!before.decomposed && before.kind === 'goal') next = { ...next, leaves: next.leaves - 1 };
    for (const each of before.dependents) {
      const waits = getNode(next, each);
      if (!waits.begun && !isOver(waits.status)) next = on(next, each, (n) => ({ ...n, deps: n.deps + 1 }));
    }
    next = aboveAgain(spentUp(next, before, -1), before);
  }
  return { ...next, ready: pushed(next.ready, [before.level, before.seq, key]) };
}

function aboveAgain(state: PlannerState, { parent, kind }: GoalNode): PlannerState {
  if (parent === null || kind === 'build') return state;
  const above = getNode(state, parent);
  const next = on(state, parent, (n) => ({
    ...n,
    kids: n.kids + 1,
    output: null,
    status: isOver(n.status) && n.status !== 'resolved' ? n.status : 'pending',
  }));
  return above.status === 'resolved' ? aboveAgain(spentUp(next, above, -1), above) : next;
}

/** Every node below one that still counts, the deepest first; builds of theirs too. */
function below(state: PlannerState, key: string): readonly string[] {
  const found: string[] = [];
  const open = [...getNode(state, key).children];
  while (open.length > 0) {
    const next = open.pop() ?? '';
    if (getNode(state, next).status === 'superseded') continue;
    found.push(next);
    open.push(...getNode(state, next).children);
  }
  return found.toReversed();
}

/** Supersedes a node and all below it; what they have left goes back up, entry by entry. */
export function superseded(state: PlannerState, key: string): PlannerState {
  return [...below(state, key), key].reduce(ended, state);
}

function ended(state: PlannerState, key: string): PlannerState {
  const before = getNode(state, key);
  const { kind, decomposed, status } = before;
  const isLeaf = status === 'resolved' && !decomposed && kind === 'goal';
  const next = on(
    {
      ...(isOver(status) ? state : spentUp(state, before, 1)),
      leaves: state.leaves - (isLeaf ? 1 : 0),
      plans: state.plans.delete(key),
    },
    key,
    (n) => ({ ...n, status: 'superseded', resume: null }),
  );
  const back = returnable(getNode(next, key).account);
  return isNothing(back) ? next : refunded(next, key, back);
}

/** The state with one node changed; an unknown node is a defect of this machine. */
export function on(state: PlannerState, key: string, change: (node: GoalNode) => GoalNode): PlannerState {
  return { ...state, nodes: state.nodes.set(key, change(getNode(state, key))) };
}

/** The state with the plan of a node changed, where it has one. */
export function planOn(state: PlannerState, key: string, change: (plan: NodePlan) => NodePlan): PlannerState {
  const plan = state.plans.get(key);
  return plan === undefined ? state : { ...state, plans: state.plans.set(key, change(plan)) };
}

/** A node whose dependencies and children are through is put where the next step finds it. */
export function woken(state: PlannerState, key: string): PlannerState {
  const { level, seq, deps, kids, status } = getNode(state, key);
  if (deps > 0 || kids > 0 || isOver(status)) return state;
  return { ...state, ready: pushed(state.ready, [level, seq, key]) };
}

/** What a node has left goes back to its parent. */
export function refunded(state: PlannerState, key: string, amounts: readonly number[]): PlannerState {
  const { parent } = getNode(state, key);
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
  const { account, below: under } = getNode(state, key);
  const all = plus(account.spent, under).map((amount) => sign * amount);
  return isNothing(all) ? state : on(state, parent, (n) => ({ ...n, below: plus(n.below, all) }));
}

/** Nodes above one, up to the first that still counts. */
export function pathAbove(state: PlannerState, key: string): readonly string[] {
  const path: string[] = [];
  for (let at = getNode(state, key).parent; at !== null; at = getNode(state, at).parent) {
    path.push(at);
    if (!isOver(getNode(state, at).status)) break;
  }
  return path;
}
