/**
 * What children have made becomes one: at the root after somebody has looked for contradictions. Outputs and
 * decompositions as they come in. Source: 000 §1 Steps 12 and 13; §5; dec-K4; dec-K7; dec-K19; dec-K85; 000
 * §1 Steps 1; 2 and 5; dec-K22; dec-K71; dec-K82.
 */
import { type Json, InvariantError, isObject, type Failure } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import type { Answers } from '../protocol/requests.js';
import { idSet, type ConstraintDraft } from '../protocol/constraint.js';
import { askRouted } from './asking.js';
import { canReopen, reopen, hire } from './failing.js';
import type { GoalNode, Output } from './node.js';
import { getNode, type PlannerState } from './state.js';
import { draw, move, type Step, listConstraints, requireSetup } from './step.js';
import { verifyNode, makeCheck } from './verifying.js';
import { PERSON } from '../protocol/resolver.js';
import type { Check, Made, Split } from '../protocol/answers.js';
import { passes } from '../rollup/rollup.js';
import { judgePlan } from './feasibility.js';
import { failedTry, leaveResolver } from './growing.js';
import { readSplit } from './planning.js';

/** Nodes that one request lists. Source: dec-K85. */
const LISTED_MAX = 200;

/** Goes on with a node whose children are all through. */
export function compose(step: Step, key: string): void {
  const { state } = step;
  const isRoot = key === state.root;
  const isTracked = requireSetup(state).policy.mode === 'track';
  const parts = isRoot && state.leaves > 1 && !isTracked ? listed(state) : [];
  if (parts.length > 1 && !state.consistent) {
    const outputs = parts.map(({ key: node, title, selected, output }) => ({
      node,
      title,
      constraints: selected ?? [],
      output: output?.hash ?? '',
      text: (output?.summary ?? '').slice(0, 400),
    }));
    askRouted(step, 'consistency', key, { outputs });
    return;
  }
  const node = getNode(state, key);
  if (parts.length > 1 && node.output === null) {
    askRouted(step, 'assemble', key, {
      goal: node.title,
      parts: parts.map(({ key: part, title, output }) => ({ node: part, title, output: output?.hash ?? '' })),
    });
    return;
  }
  if (node.output === null) {
    const made = node.children.flatMap((child) => {
      const { output, status } = getNode(state, child);
      return output === null || status === 'superseded' ? [] : [[child, output.hash] as const];
    });
    takeAssembly(step, key, made);
  }
  move(step, key, 'verifying', 'composed');
  verifyNode(step, key);
}

/** What a node's parts make together. */
export function takeAssembly(
  step: Step,
  key: string,
  content: Json,
  said: Partial<Pick<Output, 'format' | 'summary' | 'resolver'>> = {},
): void {
  const { format = 'composition', summary = '', resolver = '' } = said;
  const output = { hash: step.context.hash(content), format, summary, leaf_kind: '', resolver };
  step.emit({ t: 'made', node: key, output, last: true, checks: [], manifest: null });
}

/** Resolved nodes at the deepest level that has at most so many of them. */
function listed(state: PlannerState): readonly GoalNode[] {
  let level: readonly GoalNode[] = [getNode(state, state.root)];
  for (;;) {
    const next = level.flatMap((node) => {
      const children = node.children
        .map((key) => getNode(state, key))
        .filter(({ status }) => status === 'resolved');
      return children.length === 0 ? [node] : children;
    });
    if (next.length > LISTED_MAX || next.every((node, at) => node === level[at])) return level;
    level = next;
  }
}

/** The deepest node above all of these, by their keys. Source: dec-K19. */
function commonAbove(state: PlannerState, keys: readonly string[]): string | null {
  const paths = keys.map((key) => {
    const path: string[] = [];
    for (let at: string | null = key; at !== null; at = state.nodes.get(at)?.parent ?? null) path.unshift(at);
    return path;
  });
  const [first = []] = paths;
  const shared = first.filter((key, at) => paths.every((path) => path[at] === key));
  return shared.at(-1) ?? null;
}

/**
 * What contradicts becomes a constraint of the node above both: hard ones are core there, soft ones may be
 * selected. That node is opened again; where it may not be, the run is refused.
 */
export function takeConflicts(step: Step, key: string, { conflicts }: Answers['consistency']): void {
  step.emit({ t: 'consistent', conflicts: conflicts.length });
  if (conflicts.length === 0) {
    compose(step, key);
    return;
  }
  move(step, key, 'pending', 'conflict');
  const found = new Map<string, { readonly drafts: ConstraintDraft[]; readonly detail: string }>();
  for (const { nodes, constraints, detail } of conflicts) {
    const target = commonAbove(step.state, nodes) ?? step.state.root;
    const [a, b] = nodes.map((node) => getNode(step.state, node).id);
    if (a !== undefined && b !== undefined && a !== b)
      step.drawn.edges.push({ kind: 'contradicts', from_id: a, to_id: b });
    for (const draft of constraints)
      if (!step.state.constraints.has(draft.id)) {
        step.emit({ t: 'constraint', constraint: { ...draft, origin: target, source: 'run' } });
        draw(step, 'claim', { constraint: draft.id, title: draft.title });
      }
    const before = found.get(target) ?? { drafts: [], detail };
    found.set(target, { ...before, drafts: [...before.drafts, ...constraints] });
  }
  // The highest first: what lies below a node that is opened again is superseded with it.
  const depth = (target: string): number => getNode(step.state, target).depth;
  for (const [target, { drafts, detail }] of [...found].toSorted(([x], [y]) => depth(x) - depth(y))) {
    if (getNode(step.state, target).status === 'superseded') continue;
    if (!canReopen(step, target)) {
      step.emit({ t: 'ending', status: 'refused', reasons: ['unresolved_conflict'] });
      return;
    }
    reopen(step, target, 'selecting_constraints', detail.slice(0, 200));
    const { eligible, core } = getNode(step.state, target);
    const ids = drafts.map(({ id }) => id);
    const hard = drafts.filter((each) => each.hard).map(({ id }) => id);
    step.emit({ t: 'coupled', node: target, eligible: idSet(eligible ?? [], ids), core: idSet(core, hard) });
  }
}

/** Constraints join the run. */
export function addConstraints(
  step: Step,
  key: string,
  drafts: readonly ConstraintDraft[],
  source: string,
): void {
  for (const draft of drafts)
    if (!step.state.constraints.has(draft.id)) {
      step.emit({ t: 'constraint', constraint: { ...draft, origin: key, source: chooseSource(source) } });
      draw(step, 'claim', { constraint: draft.id, title: draft.title }, getNode(step.state, key).id);
    }
}

function chooseSource(source: string): 'input' | 'human' | 'synthetic' {
  return source === 'human' || source === 'synthetic' ? source : 'input';
}

export function takeSplit(step: Step, key: string, split: Split): void {
  const node = getNode(step.state, key);
  const read = readSplit(step.state, node, split, true);
  if (read._tag === 'Left') throw new InvariantError('planner/split', read.left.code);
  for (const text of split.questions) step.emit({ t: 'question', node: key, text });
  const { calibrated: by, ...planned } = read.right;
  step.emit({ t: 'planned', node: key, version: node.version + 1, ...planned });
  if (by.length > 0) step.emit({ t: 'calibrated', node: key, by });
  judgePlan(step, key);
}

/** An output. Exit codes and measures count where a tool reports them. Source: dec-K82. */
export function takeOutput(step: Step, key: string, made: Made, source: string): void {
  const node = getNode(step.state, key);
  const steps = node.steps ?? [];
  const isLast = node.step >= steps.length - 1;
  const isTool = source === 'tool' || source === 'synthetic';
  const own = listConstraints(step.state, node.selected ?? []);
  const exits = new Map(isTool ? made.checks : []);
  const figures = new Map(isTool ? made.figures : []);
  const checks = own.flatMap(({ id, payload }): readonly Check[] => {
    const exit = exits.get(id);
    const figure = figures.get(id);
    if (payload.t === 'check' && exit !== undefined) return [makeCheck(id, exit === 0, `exit ${exit}`)];
    if (payload.t === 'figure' && figure !== undefined)
      return [makeCheck(id, passes(payload.op, figure, payload.bound), String(figure))];
    return [];
  });
  const isExhausted = (node.eligible ?? []).length === 0;
  const output = {
    hash: step.context.hash(made.artifact.content),
    format: made.artifact.format,
    summary: made.artifact.summary.slice(0, 400),
    leaf_kind: isExhausted ? 'constraint_exhausted' : made.leaf_kind,
    resolver: steps[node.step] ?? '',
  };
  step.emit({ t: 'made', node: key, output, last: isLast, checks, manifest: made.manifest });
  if (!isLast) {
    step.emit({ t: 'ready', node: key });
    return;
  }
  move(step, key, 'verifying', 'made');
  verifyNode(step, key);
}

/** What a person did. Checks that tools make are still made. */
export function takeDone(step: Step, key: string, { note, ...actual }: Answers['done']): void {
  step.emit({ t: 'actual', node: key, ...actual });
  if (getNode(step.state, key).status === 'pending') {
    step.emit({ t: 'routed', node: key, steps: [PERSON], why: 'tracked' });
    move(step, key, 'resolving', 'tracked');
  }
  const hash = step.context.hash({ node: key, note, ...actual });
  const output = {
    hash,
    format: 'done',
    summary: note.slice(0, 400),
    leaf_kind: 'atomic',
    resolver: PERSON,
  };
  step.emit({ t: 'made', node: key, output, last: true, checks: [], manifest: null });
  move(step, key, 'verifying', 'done');
  verifyNode(step, key);
}

const RETRYABLE: readonly string[] = ['timeout', 'unavailable', 'lost', 'cancelled'];

/** No output: again where that may help, a person where it was denied, else a failed try. Source: dec-K22. */
export function retryOrFail(step: Step, key: string, { code, detail }: Failure): void {
  const { limits } = requireSetup(step.state).policy;
  const why = readText(detail, 'code');
  if (why === 'no_port' || why === 'nothing_new') {
    leaveResolver(step, key, why === 'no_port');
    return;
  }
  if (code === 'denied') {
    hire(step, key, 'over_budget', null);
    return;
  }
  if (RETRYABLE.includes(code) && getNode(step.state, key).retries < limits.retries) {
    step.emit({ t: 'retried', node: key, code });
    step.emit({ t: 'ready', node: key });
    return;
  }
  failedTry(step, key, code, 0, [], sayWhat(detail));
}

/** Why an answer was not accepted, for whoever tries next: the code, and what it names. */
function sayWhat(detail: Json): string | null {
  if (!isObject(detail) || typeof detail['code'] !== 'string') return null;
  const { code, detail: about } = detail;
  const named = isObject(about) ? Object.values(about).filter((each) => typeof each === 'string') : [];
  return ['not accepted:', code, ...named].join(' ').slice(0, 400);
}
