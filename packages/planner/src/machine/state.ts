/**
 * The state of a planner's run. Tables are persistent maps and counters stand in for scans, so that a step
 * costs the same among ten thousand nodes. Source: 000 §2; dec-K10, dec-K74.
 *
 * @module
 */
import { InvariantError, PersistentMap, type Digest, type JsonObject } from '@assay/kernel';
import type { Choice, Estimate, Plan } from '../plan/plan.js';
import type { Policy } from '../policy/policy.js';
import type { AskKind, Feedback } from '../protocol/asks.js';
import type { Check, Reading } from '../protocol/answers.js';
import type { Constraint, ConstraintDraft } from '../protocol/constraint.js';
import type { Known, Resolver } from '../protocol/resolver.js';
import type { Heap } from './heap.js';

/** States of a node. Source: dec-K10. */
export const STATUSES = [
  'pending',
  'identifying_constraints',
  'selecting_constraints',
  'selecting_resolver',
  'resolving',
  'verifying',
  'decomposing',
  'composing',
  'gated',
  'awaiting',
  'resolved',
  'infeasible',
  'superseded',
] as const;
/** One of {@link STATUSES}. */
export type NodeStatus = (typeof STATUSES)[number];

/** Integer amounts, by place of the unit in the state's `units`. */
export type Amounts = readonly number[];

/** What a node has been given, has spent, has given on and holds for open requests. Source: dec-K34. */
export type Account = {
  readonly granted: Amounts;
  readonly spent: Amounts;
  readonly given: Amounts;
  readonly reserved: Amounts;
};

/** An output: its hash, and what later requests say of it. */
export type Output = {
  readonly hash: Digest;
  readonly format: string;
  readonly summary: string;
  readonly leaf_kind: string;
  readonly resolver: string;
};

/** A node of the goal tree, known by its local key. */
export type GoalNode = {
  readonly key: string;
  readonly id: Digest;
  readonly parent: string | null;
  readonly kind: 'goal' | 'build';
  /** Its task in the parent's plan; of a build, the capability. */
  readonly task: string;
  readonly title: string;
  readonly capability: string;
  readonly depth: number;
  readonly level: number;
  readonly seq: number;
  readonly status: NodeStatus;
  /** Where it goes on once it waits no more. */
  readonly resume: NodeStatus | null;
  readonly core: readonly string[];
  readonly inherited: readonly string[];
  readonly eligible: readonly string[] | null;
  readonly selected: readonly string[] | null;
  readonly steps: readonly string[] | null;
  readonly step: number;
  readonly inputs: readonly Digest[];
  readonly output: Output | null;
  /** What has been checked of the output so far. */
  readonly checks: readonly Check[];
  readonly sigma_ppm: number | null;
  readonly decomposed: boolean;
  /** Plans so far; children of older ones are superseded. */
  readonly version: number;
  readonly children: readonly string[];
  readonly kids: number;
  readonly deps: number;
  readonly dependents: readonly string[];
  readonly attempts: number;
  readonly tries: number;
  readonly retries: number;
  readonly exhausted: readonly string[];
  /** Confidence of the latest tries with this resolver, oldest first. */
  readonly trail: readonly number[];
  readonly feedback: readonly Feedback[];
  readonly reopens: number;
  readonly rescoped: boolean;
  /** Whether anything has been done for it: what has begun is not planned again. */
  readonly begun: boolean;
  readonly account: Account;
  /** What nodes below have spent that are over. */
  readonly below: Amounts;
  /** Power of ten of what was left when a person was first asked. */
  readonly budget_class: number | null;
  /** Capabilities that builds above this node make. */
  readonly building: readonly string[];
  readonly manifest: Resolver | null;
  readonly started_us: number | null;
  readonly reason: string | null;
};

/** What a task of a plan comes to now, where that is no longer its estimate. Source: dec-K80. */
export type Actual = {
  readonly minutes: Estimate;
  readonly amounts: readonly Estimate[];
  readonly done: boolean;
};

/** The plan of a node. `choice`: by task; `file`: as it was given, with what surveys have added. */
export type NodePlan = {
  readonly file: JsonObject;
  readonly plan: Plan;
  readonly choice: Choice;
  readonly baseline: Choice | null;
  readonly actuals: readonly (Actual | null)[];
  readonly carries: readonly (readonly [task: string, constraints: readonly string[]])[];
  readonly needs: readonly (readonly [task: string, capability: string])[];
  /** Constraints that no task carries and no row holds. Source: law-F20. */
  readonly unchecked: readonly string[];
  readonly surveyed: readonly string[];
  readonly surveys: number;
  readonly solved: boolean;
  /** Whether it fits as it stands. */
  readonly fits: boolean;
};

/** An open request of this machine. */
export type Waiting = {
  readonly kind: AskKind;
  readonly node: string;
  readonly resolver: string | null;
  readonly reserve: Amounts;
};

/** A capability request. `funded`: answered by money; `silent`: by nobody. Source: dec-K28. */
export type Capability = {
  readonly tag: string;
  readonly status: 'requested' | 'delivered' | 'declined' | 'funded' | 'silent';
  readonly resolver: string | null;
  readonly joined: readonly string[];
};

/** What a run starts with. */
export type GoalInput = {
  readonly goal: string;
  readonly modality: string;
  readonly constraints: readonly ConstraintDraft[];
  readonly suggestions: readonly string[];
  /** Approaches not to be taken, as `task.approach`. */
  readonly strikes: readonly string[];
};

/** The whole state. */
export type PlannerState = {
  readonly policy: Policy | null;
  readonly input: GoalInput | null;
  readonly units: readonly string[];
  readonly root: string;
  readonly nodes: PersistentMap<GoalNode>;
  readonly plans: PersistentMap<NodePlan>;
  readonly constraints: PersistentMap<Constraint>;
  readonly resolvers: PersistentMap<Known>;
  readonly capabilities: PersistentMap<Capability>;
  readonly aliases: PersistentMap<string>;
  readonly waiting: PersistentMap<Waiting>;
  readonly ready: Heap | null;
  /** Requests that count a slot. */
  readonly busy: number;
  readonly made: number;
  readonly leaves: number;
  readonly extracted: boolean;
  readonly asked_library: boolean;
  readonly reading: Pick<Reading, 'history' | 'off'> | null;
  readonly reopens: number;
  readonly replans: number;
  /** The node whose plan must be changed before anything new begins; null where nothing is held. */
  readonly held: string | null;
  readonly overruns: number;
  readonly questions: readonly string[];
  readonly time: { readonly start_us: number | null; readonly now_us: number | null };
  /** What the latest roll-up of the root's plan came to, as the report says it. */
  readonly judged: JsonObject | null;
  readonly consistent: boolean;
  readonly ending: { readonly status: 'success' | 'refused'; readonly reasons: readonly string[] } | null;
};

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
  time: Object.freeze({ start_us: null, now_us: null }),
  judged: null,
  consistent: false,
  ending: null,
});

/** True for a node that acts no more. */
export function isOver(status: NodeStatus): boolean {
  return status === 'resolved' || status === 'infeasible' || status === 'superseded';
}

/** A node by its key; an unknown one is a defect. */
export function nodeOf(state: PlannerState, key: string): GoalNode {
  const node = state.nodes.get(key);
  if (node === undefined) throw new InvariantError('planner/node', `no node ${key}`);
  return node;
}
