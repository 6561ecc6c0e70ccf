/**
 * The state as JSON, and back. What is read may come from somebody else's snapshot, so every field is held to
 * its shape. Source: machine interface, `encode`, `decode`.
 *
 * @module
 */
import {
  err,
  isArray,
  isObject,
  isRequestId,
  ok,
  parseShape,
  PersistentMap,
  type Json,
  type Rejection,
  type Result,
  type Shape,
} from '@assay/kernel';
import { closed, digest, flag, free, integer, list, nullable, oneOf, text } from '@assay/kernel/shape';
import { parsePlan } from '../plan/parse.js';
import type { Plan } from '../plan/plan.js';
import { parsePolicy } from '../policy/policy.js';
import { CHECK } from '../protocol/answers.js';
import { ASK_KINDS } from '../protocol/asks.js';
import { CONSTRAINT_FIELDS } from '../protocol/constraint.js';
import { KNOWN, RESOLVER } from '../protocol/resolver.js';
import { entriesOf, pushed, type Heap } from './heap.js';
import { STATUSES, type GoalNode, type NodePlan, type PlannerState } from './state.js';
import { thinNode, wholeNode } from './thin.js';

type Table = 'constraints' | 'resolvers' | 'capabilities' | 'aliases' | 'waiting';
type Pairs<T> = readonly (readonly [string, T])[];
type Encoded = Omit<PlannerState, 'nodes' | 'plans' | 'ready' | Table> & {
  readonly [table in Table]: Pairs<never>;
} & {
  readonly nodes: Pairs<Json>;
  readonly plans: Pairs<Omit<NodePlan, 'plan'>>;
  readonly ready: readonly (readonly [number, number, string])[];
};

/** The state as JSON: tables as arrays of pairs, in the order of their keys. */
export function encode(state: PlannerState): Json {
  const { nodes, plans, constraints, resolvers, capabilities, aliases, waiting, ready, ...rest } = state;
  return {
    ...rest,
    constraints: constraints.sorted(),
    resolvers: resolvers.sorted(),
    capabilities: capabilities.sorted(),
    aliases: aliases.sorted(),
    waiting: waiting.sorted(),
    nodes: nodes.sorted().map(([key, node]) => [key, thinNode(node)] as const),
    plans: plans.sorted().map(([key, { plan: _plan, ...kept }]) => [key, kept] as const),
    ready: entriesOf(ready),
  };
}

const count = integer(0);
const whole = integer(-Number.MAX_SAFE_INTEGER);
const anyText = text(() => true);
const names = list(anyText);
const amounts = list(whole);
const estimate = list(count, ({ length }) => length === 3);
const object: Shape = (value) => (isObject(value) ? null : '');
const SIGMA = nullable(integer(0, 1_000_000));
const FEEDBACK = closed({
  attempt: count,
  resolver: anyText,
  failed: list(closed({ constraint: anyText, detail: anyText })),
  advice: nullable(anyText),
});
const OUTPUT = closed({
  hash: digest,
  format: anyText,
  summary: anyText,
  leaf_kind: anyText,
  resolver: anyText,
});
const ACCOUNT = closed({ granted: amounts, spent: amounts, given: amounts, reserved: amounts });
const STATUS = oneOf(STATUSES);
const NODE = closed({
  key: anyText,
  id: digest,
  parent: nullable(anyText),
  kind: oneOf(['goal', 'build']),
  task: anyText,
  title: anyText,
  capability: anyText,
  depth: count,
  level: count,
  seq: count,
  status: STATUS,
  resume: nullable(STATUS),
  core: names,
  inherited: names,
  eligible: nullable(names),
  selected: nullable(names),
  steps: nullable(names),
  step: count,
  inputs: list(digest),
  output: nullable(OUTPUT),
  checks: list(CHECK),
  sigma_ppm: SIGMA,
  decomposed: flag,
  version: count,
  children: names,
  kids: whole,
  deps: whole,
  dependents: names,
  attempts: count,
  tries: count,
  retries: count,
  exhausted: names,
  trail: list(count),
  feedback: list(FEEDBACK),
  reopens: count,
  rescoped: flag,
  begun: flag,
  account: ACCOUNT,
  below: amounts,
  budget_class: nullable(count),
  building: names,
  manifest: nullable(RESOLVER),
  started_us: nullable(count),
  reason: nullable(anyText),
});
const pairOf = (item: Shape): Shape =>
  list((value) => {
    if (!isArray(value) || value.length !== 2 || typeof value[0] !== 'string') return '';
    const fault = item(value[1] ?? null);
    return fault === null ? null : `/1${fault}`;
  });
const PLAN = closed({
  file: object,
  choice: list(count),
  baseline: nullable(list(count)),
  actuals: list(nullable(closed({ minutes: estimate, amounts: list(estimate), done: flag }))),
  carries: pairOf(names),
  needs: pairOf(anyText),
  unchecked: names,
  surveyed: names,
  surveys: count,
  solved: flag,
  fits: flag,
});
const GIVEN = closed({
  goal: anyText,
  modality: anyText,
  constraints: list(object),
  suggestions: names,
  strikes: names,
});
const CAPABILITY = closed({
  tag: anyText,
  status: oneOf(['requested', 'delivered', 'declined', 'funded', 'silent']),
  resolver: nullable(anyText),
  joined: names,
});
const WAITING = closed({
  kind: oneOf(ASK_KINDS),
  node: anyText,
  resolver: nullable(anyText),
  reserve: amounts,
});
const READY = list((value) =>
  isArray(value) && value.length === 3 && count(value[0] ?? null) === null && count(value[1] ?? null) === null
    ? anyText(value[2] ?? null)
    : '',
);
const STATE: Shape = closed({
  policy: (value) => (value === null || parsePolicy(value)._tag === 'Right' ? null : ''),
  input: nullable(GIVEN),
  units: names,
  root: anyText,
  nodes: pairOf((value) => NODE(wholeNode(value, 0))),
  plans: pairOf(PLAN),
  constraints: pairOf(closed({ ...CONSTRAINT_FIELDS, origin: anyText, source: anyText })),
  resolvers: pairOf(KNOWN),
  capabilities: pairOf(CAPABILITY),
  aliases: pairOf(anyText),
  waiting: list((value) =>
    isArray(value) && typeof value[0] === 'string' && isRequestId(value[0]) ? WAITING(value[1] ?? null) : '',
  ),
  ready: READY,
  busy: count,
  made: count,
  leaves: whole,
  extracted: flag,
  asked_library: flag,
  reading: nullable(closed({ history: anyText, off: free })),
  reopens: count,
  replans: count,
  held: nullable(anyText),
  overruns: count,
  questions: names,
  time: closed({ start_us: nullable(count), now_us: nullable(count) }),
  judged: nullable(object),
  consistent: flag,
  ending: nullable(closed({ status: oneOf(['success', 'refused']), reasons: names })),
});

/** Reads an encoded state. Error `bad_state` with {path}. */
export function decode(json: Json): Result<Rejection, PlannerState> {
  const shaped = parseShape<Encoded>(STATE, json);
  if (shaped._tag === 'Left') return bad(shaped.left.path);
  const { nodes, plans, ready, ...rest } = shaped.right;
  const read: (readonly [string, NodePlan])[] = [];
  for (const [key, kept] of plans) {
    const plan = parsePlan(kept.file);
    if (plan._tag === 'Left' || !isFit(plan.right, kept)) return bad('/plans');
    read.push([key, { ...kept, plan: plan.right }]);
  }
  const whole = nodes.map(([key, node]) => [key, wholeNode(node, rest.units.length)] as const);
  const state: PlannerState = {
    ...rest,
    nodes: PersistentMap.from(whole as unknown as Pairs<GoalNode>),
    plans: PersistentMap.from(read),
    constraints: PersistentMap.from(rest.constraints),
    resolvers: PersistentMap.from(rest.resolvers),
    capabilities: PersistentMap.from(rest.capabilities),
    aliases: PersistentMap.from(rest.aliases),
    waiting: PersistentMap.from(rest.waiting),
    ready: ready.reduce<Heap | null>((heap, entry) => pushed(heap, entry), null),
  };
  return isLinked(state) ? ok(state) : bad('/nodes');
}

/** As many actuals as tasks, and choices of approaches that are there. */
function isFit({ tasks }: Plan, { choice, baseline, actuals }: Omit<NodePlan, 'plan'>): boolean {
  return (
    actuals.length === tasks.length &&
    [choice, baseline ?? choice].every(
      (places) =>
        places.length === tasks.length &&
        tasks.every(({ approaches }, at) => (places[at] ?? 0) < approaches.length),
    )
  );
}

/** Every node that is named is there, and the run has begun. */
function isLinked(state: PlannerState): boolean {
  const { nodes, plans, waiting, ready, root, policy, input } = state;
  if (policy === null || input === null || !nodes.has(root)) return false;
  const isThere = (key: string): boolean => nodes.has(key);
  return (
    [...nodes].every(
      ([key, { key: own, parent, children, dependents }]) =>
        key === own && (parent === null || isThere(parent)) && [...children, ...dependents].every(isThere),
    ) &&
    [...plans].every(([key]) => isThere(key)) &&
    [...waiting].every(([, { node }]) => isThere(node)) &&
    entriesOf(ready).every(([, , key]) => isThere(key))
  );
}

function bad(path: string): Result<Rejection, never> {
  return err({ code: 'bad_state', detail: { path } });
}
