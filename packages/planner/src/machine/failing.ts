/**
 * What follows where a node cannot go on: a person is asked, a parent thinks again, or the run is refused.
 * Source: 000 §1 Step 11, §5; dec-K7, dec-K11, dec-K12, dec-K28 to dec-K31.
 */
import { compareText, InvariantError, type Digest, type Json } from '@assay/kernel';
import { makeContent, type Constraint, type ConstraintDraft } from '../protocol/constraint.js';
import type { Bodies, GoalKind, LibraryRow } from '../protocol/bodies.js';
import type { Resolver } from '../protocol/resolver.js';
import { NO_TRACK, PERSON } from '../protocol/resolver.js';
import { writeBound, refund } from './money.js';
import { type GoalNode, type NodeStatus, REOPENS, plus, remaining, type Amounts } from './node.js';
import { isOver, getNode } from './state.js';
import { ask, listConstraints, move, requireSetup, type Step } from './step.js';

/** Whether a node may be opened again within the bounds of the policy. */
export function canReopen(step: Step, key: string): boolean {
  const { limits } = requireSetup(step.state).policy;
  const { reopens, status } = getNode(step.state, key);
  return (
    REOPENS.from.includes(status) && reopens < limits.reopens_node && step.state.reopens < limits.reopens_run
  );
}

/** Opens a node again and says why. A node that may not be is a defect: ask {@link canReopen} first. */
export function reopen(step: Step, key: string, to: NodeStatus, cause: string): void {
  if (!canReopen(step, key) || !REOPENS.to.includes(to))
    throw new InvariantError('planner/reopen', `${key} to ${to}`);
  step.emit({ t: 'reopened', node: key, to, cause });
}

/** Ends a node without a result, and what that brings about. `reason`: a code. */
export function fail(step: Step, key: string, reason: string): void {
  const node = getNode(step.state, key);
  if (isOver(node.status)) return;
  move(step, key, 'infeasible', reason);
  if (node.status === 'pending' || node.decomposed)
    for (const child of node.children)
      if (!isOver(getNode(step.state, child).status))
        step.emit({ t: 'superseded', node: child, cause: 'parent_infeasible' });
  refund(step, key);
  if (node.kind === 'build') {
    for (const waiting of node.dependents) {
      step.emit({ t: 'released', node: waiting, build: key });
      if (!isOver(getNode(step.state, waiting).status)) hire(step, waiting, 'build_failed', null);
    }
    return;
  }
  if (node.parent === null) {
    step.emit({ t: 'ending', status: 'refused', reasons: [reason] });
    return;
  }
  const above = getNode(step.state, node.parent);
  if (isOver(above.status)) return;
  // A person who says no has said it of this branch: nothing is planned anew that would ask again.
  if (reason !== DECLINED && !above.rescoped && canReopen(step, node.parent)) {
    step.emit({ t: 'rescoped', node: node.parent });
    reopen(step, node.parent, 'selecting_resolver', `rescope_${reason}`);
    return;
  }
  endDependents(step, node);
  if (reason === DECLINED) endBranch(step, node.parent);
  else fail(step, node.parent, reason);
}

const DECLINED = 'declined';

/** What waits for a node that is infeasible, and what waits for that. */
function endDependents(step: Step, { dependents }: GoalNode): void {
  for (const key of dependents) {
    const node = getNode(step.state, key);
    if (isOver(node.status)) continue;
    move(step, key, 'infeasible', 'dependency_infeasible');
    refund(step, key);
    endDependents(step, node);
  }
}

/** A node of whose branches one was declined fails once the others are through. */
export function endBranch(step: Step, key: string): void {
  const children = getNode(step.state, key).children.map((child) => getNode(step.state, child));
  const isDeclined = children.some(({ reason }) => reason === DECLINED);
  if (isDeclined && children.every(({ status }) => isOver(status))) fail(step, key, DECLINED);
}

/** Rows for the library, where the run has one. Source: dec-K81. */
export function note(step: Step, rows: readonly LibraryRow[]): void {
  if (requireSetup(step.state).policy.library) step.emit({ t: 'library_write', rows });
}

/** What a node is to the library: its words, and the kinds of what it was given, without money and time. */
export function toGoalKind(step: Step, { title, core }: GoalNode): GoalKind {
  const pairs = listConstraints(step.state, core)
    .filter(({ domain }) => domain !== 'cost' && domain !== 'schedule')
    .map(({ type, domain }) => `${type} ${domain}`);
  const signature = [...new Set(pairs)].toSorted(compareText).map((pair) => {
    const [type = '', domain = ''] = pair.split(' ');
    return [type, domain] as const;
  });
  return { summary: title, signature };
}

/** The name of a tag that recorded decisions have made one with another. Source: dec-K30. */
export function renderTag(step: Step, tag: string): string {
  return step.state.aliases.get(tag) ?? tag;
}

/** What a person is asked under: content, not names, so that no question comes twice. Source: dec-K29. */
function hashRequest(
  step: Step,
  node: GoalNode,
  reason: Bodies['hire']['reason'],
  budget_class: number,
): string {
  const { context } = step;
  const content = listContents(step, node);
  const question: Json = {
    capability: renderTag(step, node.capability),
    constraints: content,
    budget_class,
    money: reason === 'over_budget' ? node.title : null,
    // What was delivered and cannot be run here is asked for again.
    ...(node.missing.length === 0 ? {} : { without: node.missing }),
  };
  return context.hash(question);
}

/** What a node must hold to, by content: sorted, none twice. */
export function listContents({ state, context }: Step, { selected, core }: GoalNode): readonly Digest[] {
  const hashes = listConstraints(state, selected ?? core).map((each) => context.hash(makeContent(each)));
  return [...new Set(hashes)].toSorted(compareText);
}

function budgetClass(node: GoalNode): number {
  if (node.budget_class !== null) return node.budget_class;
  const most = Math.max(0, ...remaining(node.account));
  return most === 0 ? 0 : String(most).length;
}

/**
 * Asks a person for money or a tool, or takes what the same question has come to before: delivered, declined,
 * or still open, in which case the node waits with the others.
 */
export function hire(step: Step, key: string, reason: Bodies['hire']['reason'], short: Amounts | null): void {
  const node = getNode(step.state, key);
  const budget_class = budgetClass(node);
  const fingerprint = hashRequest(step, node, reason, budget_class);
  const tag = renderTag(step, node.capability);
  const before = step.state.capabilities.get(fingerprint);
  const wait = (): void => {
    step.emit({
      t: 'capability',
      fingerprint,
      tag,
      status: 'requested',
      resolver: null,
      node: key,
      budget_class,
    });
    if (getNode(step.state, key).status === 'pending')
      move(step, key, workAt(getNode(step.state, key)), 'asks_a_person');
    move(step, key, 'awaiting', reason);
  };
  if (before === undefined) {
    wait();
    ask(step, 'hire', key, {
      node: key,
      goal: node.title,
      reason,
      capability: tag,
      constraints: listConstraints(step.state, node.selected ?? node.core).map(shown),
      tried: node.feedback,
      short: short === null ? null : writeBound(step.state, short),
    });
    if (reason !== 'over_budget')
      note(step, [{ t: 'capability', fingerprint, capability: tag, status: 'requested', resolver: null }]);
    return;
  }
  if (before.status === 'requested') {
    const isOurs = before.joined.length > 0;
    wait();
    if (!isOurs) ask(step, 'capability', key, { fingerprint, capability: tag });
    return;
  }
  const given = before.status === 'delivered' ? before.resolver : before.status === 'person' ? PERSON : null;
  const isTried = given === null || node.exhausted.includes(given) || node.steps?.includes(given) === true;
  if (!isTried && node.selected !== null) {
    useResolver(step, key, given, 'delivered_before');
    return;
  }
  fail(step, key, REASONS[before.status]);
}

const REASONS = {
  delivered: 'capability_failed',
  declined: 'declined',
  funded: 'over_budget',
  person: 'capability_failed',
  silent: 'nobody_answered',
} as const;

/** What of a constraint is shown to others: not who brought it. */
export function shown({ origin: _origin, source: _source, ...draft }: Constraint): ConstraintDraft {
  return draft;
}

/** The step a pending node is at. Source: dec-K1. */
export function workAt({ decomposed, eligible, selected, steps, output }: GoalNode): NodeStatus {
  if (decomposed) return 'composing';
  if (eligible === null) return 'identifying_constraints';
  if (selected === null) return 'selecting_constraints';
  if (steps === null) return 'selecting_resolver';
  return output === null ? 'resolving' : 'verifying';
}

/** Writes a tool plan of one step and goes on with it. Source: dec-K27. */
export function useResolver(step: Step, key: string, resolver: string, why: string): void {
  const { status } = getNode(step.state, key);
  if (status === 'pending') move(step, key, 'selecting_resolver', why);
  else if (status === 'resolving') move(step, key, 'selecting_resolver', why);
  step.emit({ t: 'routed', node: key, steps: [resolver], why });
  move(step, key, 'resolving', why);
  step.emit({ t: 'ready', node: key });
}

/** Adds a resolver to the registry; one that is known keeps its record. */
export function register(step: Step, resolver: Resolver, by: string): void {
  const before = step.state.resolvers.get(resolver.id);
  step.emit({
    t: 'registered',
    resolver: { ...resolver, built_by: by, record: before?.record ?? NO_TRACK },
  });
  note(step, [{ t: 'resolver', resolver: { ...resolver, built_by: by } }]);
}

/** Money from a person: a grant to the root, handed down to the node that lacks it. Source: dec-K39. */
export function grant(step: Step, key: string, amounts: Amounts): void {
  const path: string[] = [];
  for (let at: string | null = key; at !== null; at = getNode(step.state, at).parent) path.unshift(at);
  step.emit({
    t: 'funded',
    why: 'increase_budget',
    transfers: path.map((to, at) => ({ from: path[at - 1] ?? null, to, amounts })),
  });
}

/** Everything that people and the policy have granted. */
export function grantedIn(step: Step, more: Amounts): Amounts {
  return plus(getNode(step.state, step.state.root).account.granted, more);
}
