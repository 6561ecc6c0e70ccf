/**
 * The state of a planner's run. Tables are persistent maps and counters stand in for scans, so that a step
 * costs the same among ten thousand nodes. What is read may come from somebody else's snapshot, so every field is
 * held to its shape. Source: 000 §2; dec-K10, dec-K74.
 */
import {
  InvariantError,
  isRequestId,
  orThrow,
  PersistentMap,
  SOURCES,
  type Json,
  type JsonObject,
  type Rejection,
  type Result,
} from '@assay/kernel';
import {
  closed,
  decodeBy,
  flag,
  freeObject,
  integer,
  list,
  mapOf,
  nullable,
  oneOf,
  record,
  refined,
  text,
  tuple,
  type Coded,
  type Shape,
  type TypeOf,
  type ValueOf,
} from '@assay/kernel/shape';
import { parsePlan } from '../plan/parse.js';
import type { Choice, Estimate, Plan } from '../plan/plan.js';
import { parsePolicy, type Policy } from '../policy/policy.js';
import { OFF } from '../protocol/answers.js';
import { ASK_KINDS } from '../protocol/requests.js';
import { CONSTRAINT, CONSTRAINT_FIELDS, TAG, WORDS, type Constraint } from '../protocol/constraint.js';
import { KNOWN, type Known } from '../protocol/resolver.js';
import { listEntries, HEAP } from './heap.js';
import { nodeWith, type GoalNode, type NodeStatus, AMOUNTS } from './node.js';

const count = integer(0);
const anyText = text();
const NAMES = list(anyText);
const PLACES: Shape<Choice> = list(count);

const ESTIMATE: Shape<Estimate> = tuple(count, count, count);
/** What a task of a plan comes to now, where that is no longer its estimate. Source: dec-K80. */
const ACTUAL = closed({ minutes: ESTIMATE, amounts: list(ESTIMATE), done: flag });
const PLAN_PARTS = {
  file: freeObject,
  choice: PLACES,
  baseline: nullable(PLACES),
  actuals: list(nullable(ACTUAL)),
  carries: list(tuple(anyText, NAMES)),
  needs: list(tuple(anyText, anyText)),
  /** Constraints that no task carries and no row holds. Source: law-F20. */
  unchecked: NAMES,
  surveyed: NAMES,
  surveys: count,
  solved: flag,
  /** Whether it fits as it stands. */
  fits: flag,
};
const KEPT_PLAN = closed(PLAN_PARTS);
type KeptPlan = TypeOf<typeof KEPT_PLAN>;

/** The plan of a node. `choice`: by task; `file`: as it was given, with what surveys have added. */
export type NodePlan = KeptPlan & { readonly plan: Plan };

const NODE_PLAN: Coded<NodePlan> = {
  shape: refined(KEPT_PLAN, faultOfPlan),
  to: record(PLAN_PARTS).to,
  from: (json) => ({ ...(json as KeptPlan), plan: orThrow(parsePlan((json as KeptPlan).file)) }),
};

/** A plan that reads, as many actuals as tasks, and choices of approaches that are there. */
function faultOfPlan({ file, choice, baseline, actuals }: KeptPlan): string | null {
  const plan = parsePlan(file);
  if (plan._tag === 'Left') return '/file';
  const { tasks } = plan.right;
  if (actuals.length !== tasks.length) return '/actuals';
  const isThere = (places: Choice): boolean =>
    places.length === tasks.length &&
    tasks.every(({ approaches }, at) => (places[at] ?? 0) < approaches.length);
  if (!isThere(choice)) return '/choice';
  return baseline === null || isThere(baseline) ? null : '/baseline';
}

const WAITING = closed({
  kind: oneOf(ASK_KINDS),
  node: anyText,
  resolver: nullable(anyText),
  reserve: AMOUNTS,
});
/** An open request of this machine. */
export type Waiting = TypeOf<typeof WAITING>;

const CAPABILITY = closed({
  tag: anyText,
  status: oneOf(['requested', 'delivered', 'declined', 'funded', 'person', 'silent']),
  resolver: nullable(anyText),
  joined: NAMES,
});
/** A capability request. `funded`: answered by money; `person`: they do it; `silent`: by nobody. Source: dec-K28. */
export type Capability = TypeOf<typeof CAPABILITY>;

const GOAL_MAX = 65_536;
export const INPUT = closed({
  goal: text((value) => value.length > 0 && value.length <= GOAL_MAX),
  modality: TAG,
  constraints: list(CONSTRAINT, ({ length }) => length <= 256),
  suggestions: list(WORDS, ({ length }) => length <= 64),
  /** Approaches not to be taken, as `task.approach`. */
  strikes: list(
    text((value) => value.length <= 129),
    ({ length }) => length <= 256,
  ),
});
/** What a run starts with. */
export type GoalInput = TypeOf<typeof INPUT>;

const POLICY: Shape<Policy> = (value) => (parsePolicy(value)._tag === 'Right' ? null : '');
const KEPT_CONSTRAINT: Shape<Constraint> = closed({
  ...CONSTRAINT_FIELDS,
  origin: anyText,
  source: oneOf([...SOURCES, 'input']),
});

const KEPT = record({
  policy: nullable(POLICY),
  input: nullable(INPUT),
  units: NAMES,
  root: anyText,
  nodes: mapOf(nodeWith(0)),
  plans: mapOf(NODE_PLAN),
  constraints: mapOf(KEPT_CONSTRAINT),
  resolvers: mapOf(KNOWN),
  capabilities: mapOf(CAPABILITY),
  aliases: mapOf(anyText),
  waiting: mapOf(WAITING, text(isRequestId)),
  ready: HEAP,
  /** Requests that count a slot. */
  busy: count,
  made: count,
  leaves: integer(-Number.MAX_SAFE_INTEGER),
  extracted: flag,
  asked_library: flag,
  reading: nullable(closed({ history: anyText, off: OFF })),
  reopens: count,
  replans: count,
  /** The node whose plan must be changed before anything new begins; null where nothing is held. */
  held: nullable(anyText),
  overruns: count,
  questions: NAMES,
  time: closed({ start_us: nullable(count), now_us: nullable(count) }),
  /** What the latest roll-up of the root's plan came to, as the report says it. */
  judged: nullable(freeObject),
  consistent: flag,
  ending: nullable(closed({ status: oneOf(['success', 'refused']), reasons: NAMES })),
});

/** The whole state. */
export type PlannerState = ValueOf<typeof KEPT>;

const STATE: Coded<PlannerState> = {
  ...KEPT,
  from: (json) => {
    const kept = KEPT.from(json);
    const { from } = mapOf(nodeWith(kept.units.length));
    return { ...kept, nodes: from((json as JsonObject)['nodes'] as Json) };
  },
};

/** The state as JSON: tables as pairs in the order of their keys, nodes without what is as at first. */
export function encode(state: PlannerState): Json {
  return STATE.to(state);
}

/** Reads an encoded state. Error `bad_state` with {path}. */
export function decode(json: Json): Result<Rejection, PlannerState> {
  return decodeBy(STATE, json, (state) => (isLinked(state) ? null : '/nodes'));
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
    listEntries(ready).every(([, , key]) => isThere(key))
  );
}

/** Before anything. */
export const EMPTY: PlannerState = Object.freeze({
  policy: null,
  input: null,
  units: Object.freeze([]),
  root: 'goal',
  nodes: PersistentMap.empty<GoalNode>(),
  plans: PersistentMap.empty<NodePlan>(),
  constraints: PersistentMap.empty<Constraint>(),
  resolvers: PersistentMap.empty<Known>(),
  capabilities: PersistentMap.empty<Capability>(),
  aliases: PersistentMap.empty<string>(),
  waiting: PersistentMap.empty<Waiting>(),
  ready: null,
  busy: 0,
  made: 0,
  leaves: 0,
  extracted: false,
  asked_library: false,
  reading: null,
  reopens: 0,
  replans: 0,
  held: null,
  overruns: 0,
  questions: Object.freeze([]),
  time: Object.freeze({ now_us: null, start_us: null }),
  judged: null,
  consistent: false,
  ending: null,
});

/** True for a node that acts no more. */
export function isOver(status: NodeStatus): boolean {
  return status === 'resolved' || status === 'infeasible' || status === 'superseded';
}

/** A node by its key; an unknown one is a defect. */
export function getNode(state: PlannerState, key: string): GoalNode {
  const node = state.nodes.get(key);
  if (node === undefined) throw new InvariantError('planner/node', `no node ${key}`);
  return node;
}
