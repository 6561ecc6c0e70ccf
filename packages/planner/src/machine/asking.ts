/**
 * Requests that somebody is routed to: gated and reserved for before they are made. Source: 000 §2.D; dec-K36,
 * dec-K37, dec-K75.
 */
import type { AskKind, Bodies } from '../protocol/bodies.js';
import type { Approach } from '../plan/plan.js';
import { REQUESTS } from '../protocol/requests.js';
import { fitting, PERSON, type Known } from '../protocol/resolver.js';
import { hire } from './failing.js';
import { convertAmounts, fund, computeShortage } from './money.js';
import type { GoalNode } from './node.js';
import { getNode, type PlannerState } from './state.js';
import { ask, listConstraints, getPlan, requireSetup, type Step } from './step.js';
import { childKey } from './planning.js';
import { shown } from './failing.js';

/** Who answers requests of a kind, or a given resolver. */
function findRoute(state: PlannerState, kind: AskKind, given: string | null): Known | null {
  if (given !== null) return state.resolvers.get(given) ?? null;
  const tag = REQUESTS[kind].capability;
  return tag === null ? null : (fitting(state.resolvers, tag, [])[0] ?? null);
}

/**
 * Asks whoever is best at it, with attempts times what a call may cost held back. Where the node and all above
 * it hold too little, a person is asked instead and false comes back.
 */
export function askRouted<K extends AskKind>(
  step: Step,
  kind: K,
  key: string,
  body: Bodies[K],
  given: string | null = null,
): boolean {
  const { limits } = requireSetup(step.state).policy;
  const resolver = findRoute(step.state, kind, given);
  const reserve = convertAmounts(step.state, resolver?.bound ?? {}).map((amount) => amount * limits.attempts);
  if (!fund(step, key, reserve)) {
    hire(step, key, 'over_budget', computeShortage(step.state, key, reserve));
    return false;
  }
  ask(step, kind, key, body, { resolver: resolver?.id ?? null, reserve });
  return true;
}

/** True where a request could be made: what it needs is then with the node. */
export function canAsk(step: Step, kind: AskKind, key: string): boolean {
  const { limits } = requireSetup(step.state).policy;
  const bound = findRoute(step.state, kind, null)?.bound ?? {};
  return fund(
    step,
    key,
    convertAmounts(step.state, bound).map((amount) => amount * limits.attempts),
  );
}

/** The present approach of a node's task. */
function approachFor(state: PlannerState, node: GoalNode): Approach | null {
  if (node.parent === null || node.kind === 'build') return null;
  const { plan, choice } = getPlan(state, node.parent);
  const at = plan.tasks.findIndex(({ id }) => id === node.task);
  return plan.tasks[at]?.approaches[choice[at] ?? 0] ?? null;
}

/** An approach, as whoever does it is told. */
function nameApproach(approach: Approach | null): Bodies['resolve']['approach'] {
  return approach === null ? null : { id: approach.id, method: approach.method };
}

/** Asks the person who does a task what it came to. */
export function askDone(step: Step, key: string): void {
  const { state } = step;
  const node = getNode(state, key);
  const { task, title, parent, feedback } = node;
  const approach = approachFor(state, node);
  const rows = approach === null || parent === null ? [] : getPlan(state, parent).plan.rows;
  ask(step, 'done', key, {
    node: key,
    task: task === '' ? key : task,
    goal: title,
    approach: nameApproach(approach),
    rows: rows.map(({ id, unit }, at) => ({ id, unit, estimate: approach?.amounts[at] ?? [0, 0, 0] })),
    minutes: approach?.minutes ?? null,
    tried: feedback,
  });
}

/** Outputs of the tasks that a node waited for. */
function listInputs(state: PlannerState, node: GoalNode): readonly string[] {
  if (node.step > 0) return node.inputs;
  if (node.parent === null || node.kind === 'build') return node.inputs;
  const { plan } = getPlan(state, node.parent);
  const above = getNode(state, node.parent);
  const task = plan.tasks.find(({ id }) => id === node.task);
  return (task?.after ?? []).flatMap((at) => {
    const before = plan.tasks[at];
    const output = before === undefined ? undefined : state.nodes.get(childKey(above, before.id))?.output;
    return output === undefined || output === null ? [] : [output.hash];
  });
}

/** Asks the resolver of the present step to do the work, or to say what it consists of. */
export function askToResolve(step: Step, key: string): void {
  const { state } = step;
  const node = getNode(state, key);
  const { policy } = requireSetup(state);
  const { limits } = policy;
  const steps = node.steps ?? [];
  const resolver = steps[node.step] ?? '';
  if (resolver === PERSON) {
    askDone(step, key);
    return;
  }
  const own = listConstraints(state, node.selected ?? []);
  const isLast = node.step === steps.length - 1;
  askRouted(
    step,
    'resolve',
    key,
    {
      node: key,
      goal: node.title,
      kind: node.kind,
      resolver,
      step: node.step,
      steps: steps.length,
      approach: nameApproach(approachFor(state, node)),
      constraints: own.filter(({ scope }) => scope === 'local').map(shown),
      rows: listConstraints(state, [...(node.selected ?? []), ...node.inherited])
        .filter(({ scope }) => scope === 'aggregate')
        .map(shown),
      inherited: node.inherited,
      inputs: listInputs(state, node),
      checks: policy.checks.map(({ name }) => name),
      feedback: node.feedback,
      may_split: isLast && node.depth < limits.depth,
      limits: { tasks: limits.tasks, alternatives: limits.alternatives },
      history: state.reading?.history ?? '',
    },
    resolver,
  );
}
