/**
 * Nodes that are opened again, and what is superseded by it. Source: dec-K5, dec-K8, dec-K9, dec-K38.
 *
 * @module
 */
import { returnable, isNothing } from './account.js';
import type { PlannerEvent } from './events.js';
import { pushed } from './heap.js';
import type { GoalNode } from './node.js';
import { isOver, nodeOf, type PlannerState } from './state.js';
import { on, refunded, spentUp } from './tables.js';
import { FRESH } from './node.js';

/**
 * Opens a node again: what is below is superseded, what rested on it waits again, and the nodes above are
 * pending until it is through. Source: dec-K5, dec-K8, dec-K9.
 */
export function reopened(
  state: PlannerState,
  { node: key, to }: Extract<PlannerEvent, { readonly t: 'reopened' }>,
): PlannerState {
  const before = nodeOf(state, key);
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
      const waits = nodeOf(next, each);
      if (!waits.begun && !isOver(waits.status)) next = on(next, each, (n) => ({ ...n, deps: n.deps + 1 }));
    }
    next = aboveAgain(spentUp(next, before, -1), before);
  }
  return { ...next, ready: pushed(next.ready, [before.level, before.seq, key]) };
}

function aboveAgain(state: PlannerState, { parent, kind }: GoalNode): PlannerState {
  if (parent === null || kind === 'build') return state;
  const above = nodeOf(state, parent);
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
  const open = [...nodeOf(state, key).children];
  while (open.length > 0) {
    const next = open.pop() ?? '';
    if (nodeOf(state, next).status === 'superseded') continue;
    found.push(next);
    open.push(...nodeOf(state, next).children);
  }
  return found.toReversed();
}

/** Supersedes a node and all below it; what they have left goes back up, entry by entry. */
export function superseded(state: PlannerState, key: string): PlannerState {
  return [...below(state, key), key].reduce(ended, state);
}

function ended(state: PlannerState, key: string): PlannerState {
  const before = nodeOf(state, key);
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
  const back = returnable(nodeOf(next, key).account);
  return isNothing(back) ? next : refunded(next, key, back);
}
