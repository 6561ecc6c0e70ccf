/**
 * The dispatch loop: nodes that can act, in order, each as far as nothing is left to judge. Source: 000 §5;
 * dec-K1, dec-K2, dec-K12 to dec-K14, dec-K72.
 */
import { conflictsIn, idSet, impliedIn, type Constraint } from '../protocol/constraint.js';
import { fitting } from '../protocol/resolver.js';
import { askDone, askRouted, askToResolve } from './asking.js';
import { shown, renderTag, workAt } from './failing.js';
import { askGap } from './growing.js';
import { compose } from './composing.js';
import { judgePlan } from './feasibility.js';
import type { GoalNode } from './node.js';
import { isOver, getNode, type PlannerState } from './state.js';
import { ask, listConstraints, move, requireSetup, type Step } from './step.js';
import { verifyNode } from './verifying.js';

/** Lets nodes act until all slots are taken or none is ready. */
export function fill(step: Step): void {
  const { limits } = requireSetup(step.state).policy;
  while (step.state.busy < limits.parallel && step.state.ready !== null) {
    if (step.state.ending !== null || step.state.held !== null) return;
    const [, , key] = step.state.ready.first;
    step.emit({ t: 'taken', node: key });
    const { status, deps, kids } = getNode(step.state, key);
    if (isOver(status) || status === 'awaiting' || deps > 0 || kids > 0 || isAsked(step.state, key)) continue;
    act(step, key);
  }
  deadlock(step);
}

/** A node with an open request of its own waits for it. */
function isAsked({ waiting }: PlannerState, key: string): boolean {
  if (waiting.size === 0) return false;
  return [...waiting].some(([, { node }]) => node === key);
}

/** A pass without a change ends the run. Source: dec-K12, dec-K13. */
function deadlock(step: Step): void {
  const { waiting, ready, ending } = step.state;
  if (ending === null && ready === null && waiting.size === 0 && step.later.length === 0)
    step.emit({ t: 'ending', status: 'refused', reasons: ['deadlock'] });
}

/** One node, step after step, until it asks, waits or is through. */
function act(step: Step, key: string): void {
  const node = getNode(step.state, key);
  if (node.parent !== null && requireSetup(step.state).policy.mode === 'track') {
    askDone(step, key);
    return;
  }
  if (node.status === 'pending') move(step, key, workAt(node), 'dispatched');
  for (;;) {
    const { status } = getNode(step.state, key);
    const isOpen =
      status === 'identifying_constraints'
        ? identify(step, key)
        : status === 'selecting_constraints'
          ? select(step, key)
          : status === 'selecting_resolver'
            ? route(step, key)
            : false;
    if (isOpen) continue;
    const now = getNode(step.state, key);
    if (isOver(now.status) || now.status === 'awaiting' || isAsked(step.state, key)) return;
    if (now.status === 'resolving' && step.state.plans.has(key)) judgePlan(step, key);
    else if (now.status === 'resolving') askToResolve(step, key);
    else if (now.status === 'verifying') verifyNode(step, key);
    else if (now.status === 'composing') compose(step, key);
    return;
  }
}

/** Step 2. True where nothing is left to judge and the next step follows. */
function identify(step: Step, key: string): boolean {
  const node = getNode(step.state, key);
  const { policy, input } = requireSetup(step.state);
  if (node.eligible !== null) {
    move(step, key, 'selecting_constraints', 'identified');
    return true;
  }
  if (key === step.state.root) {
    if (policy.extract && !step.state.extracted) {
      const { goal, modality, suggestions } = input;
      askRouted(step, 'extract', key, {
        goal,
        modality,
        constraints: listConstraints(step.state, node.core).map(shown),
        suggestions,
        conflicts: [],
      });
      return false;
    }
    setEligible(step, key, node.core);
    return true;
  }
  const candidates = candidatesFor(step.state, node);
  if (candidates.length === 0) {
    setEligible(step, key, node.core);
    return true;
  }
  askRouted(step, 'identify', key, {
    node: key,
    goal: node.title,
    candidates: candidates.map(shown),
    inherited: node.inherited,
  });
  return false;
}

/**
 * Local constraints that came with a node above, were not taken there, and may apply here. Source: 000 §1 Step
 * 2; dec-K53.
 */
function candidatesFor(state: PlannerState, node: GoalNode): readonly Constraint[] {
  const own = new Set([...node.inherited, ...node.core]);
  const found: string[] = [];
  for (let at = node.kind === 'build' ? null : node.parent; at !== null; ) {
    const above = getNode(state, at);
    for (const id of above.eligible ?? []) if (!own.has(id)) found.push(id);
    at = above.kind === 'build' ? null : above.parent;
  }
  return listConstraints(state, idSet(found)).filter(
    ({ id, scope }) => scope === 'local' && !above(state, node, id),
  );
}

/** Whether a constraint is selected by a node above: it is inherited, or another task carries it. */
function above(state: PlannerState, { parent }: GoalNode, id: string): boolean {
  for (let at = parent; at !== null; at = getNode(state, at).parent)
    if (getNode(state, at).selected?.includes(id) === true) return true;
  return false;
}

/** Records what applies: never what is inherited, always what was given. Source: dec-K52, dec-K53. */
export function setEligible(step: Step, key: string, ids: readonly string[]): void {
  const { core, inherited } = getNode(step.state, key);
  const eligible = idSet(core, ids).filter((id) => core.includes(id) || !inherited.includes(id));
  step.emit({ t: 'eligible', node: key, ids: eligible });
}

/** Step 3. A judgement is left only among constraints that are neither given nor hard. */
function select(step: Step, key: string): boolean {
  const node = getNode(step.state, key);
  if (node.selected !== null) {
    move(step, key, 'selecting_resolver', 'selected');
    return true;
  }
  const eligible = listConstraints(step.state, node.eligible ?? []);
  const implied = impliedIn(eligible).filter((id) => !node.core.includes(id));
  const left = eligible.filter(({ id }) => !implied.includes(id));
  const open = left.filter(({ id, hard }) => !hard && !node.core.includes(id));
  if (open.length === 0)
    return setSelected(
      step,
      key,
      left.map(({ id }) => id),
      implied,
    );
  askRouted(step, 'select', key, {
    node: key,
    goal: node.title,
    core: node.core,
    candidates: left.map(shown),
  });
  return false;
}

/**
 * Records the selection: core and hard constraints stay whatever was said. False where stated quantities
 * contradict each other: a person must take one back. Source: dec-K52, dec-K66.
 */
export function setSelected(
  step: Step,
  key: string,
  ids: readonly string[],
  implied: readonly string[],
): boolean {
  const node = getNode(step.state, key);
  const eligible = listConstraints(step.state, node.eligible ?? []);
  const kept = eligible.filter(
    ({ id, hard }) => node.core.includes(id) || (!implied.includes(id) && (hard || ids.includes(id))),
  );
  const conflicts = conflictsIn(kept.filter(({ hard }) => hard));
  if (conflicts.length === 0) {
    step.emit({ t: 'selected', node: key, ids: idSet(kept.map(({ id }) => id)), implied });
    return true;
  }
  step.emit({ t: 'conflict', node: key, pairs: conflicts });
  const { input } = requireSetup(step.state);
  move(step, key, 'awaiting', 'constraint_conflict');
  ask(
    step,
    'extract',
    key,
    {
      goal: node.parent === null ? input.goal : node.title,
      modality: input.modality,
      constraints: listConstraints(step.state, idSet(conflicts.flat())).map(shown),
      suggestions: [],
      conflicts,
    },
    { people: true },
  );
  return false;
}

/** Step 4. One resolver that fits is taken; among several somebody chooses; without one, something is missing. */
function route(step: Step, key: string): boolean {
  const node = getNode(step.state, key);
  if (node.steps !== null) {
    move(step, key, 'resolving', 'routed');
    return true;
  }
  const tag = renderTag(step, node.capability);
  const candidates = fitting(step.state.resolvers, tag, node.exhausted);
  const [only, ...others] = candidates;
  if (only === undefined) {
    askGap(step, key);
    return false;
  }
  if (others.length === 0) {
    step.emit({ t: 'routed', node: key, steps: [only.id], why: 'the_only_one' });
    return true;
  }
  askRouted(step, 'route', key, {
    node: key,
    goal: node.title,
    capability: tag,
    candidates: candidates.slice(0, 64).map(({ id, label, capabilities, record }) => ({
      id,
      label,
      capabilities,
      record,
    })),
    history: step.state.reading?.history ?? '',
  });
  return false;
}
