/**
 * Nodes of the goal tree: how they begin, their transitions (what is not listed does not happen), and how
 * they are encoded, without what is as it was at first. Among ten thousand nodes that is half of a state.
 * Accounts: integer amounts by unit, conserved over the tree. Source: 000 §2; §2.A "Valid state
 * transitions"; dec-K1; dec-K3 to dec-K6; dec-K10; dec-K11; dec-K15; dec-K17; dec-K25; dec-K27; dec-K74;
 * dec-K34; dec-K38; law-B1.
 */
import { compareText, define, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import {
  closed,
  digest,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  text,
  tuple,
  type Coded,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';
import { CHECK, OFF } from '../protocol/answers.js';
import type { Feedback } from '../protocol/bodies.js';
import { RESOLVER } from '../protocol/resolver.js';

export const AMOUNTS = list(integer(-Number.MAX_SAFE_INTEGER));
/** Integer amounts, by place of the unit in the state's `units`. */
export type Amounts = TypeOf<typeof AMOUNTS>;

export const ACCOUNT = closed({ granted: AMOUNTS, spent: AMOUNTS, given: AMOUNTS, reserved: AMOUNTS });
/** What a node has been given, has spent, has given on and holds for open requests. Source: dec-K34. */
export type Account = TypeOf<typeof ACCOUNT>;

/** Nothing, for so many units. */
export function zeros(count: number): Amounts {
  return Array.from({ length: count }, () => 0);
}

/** An account without anything. */
export function emptyAccount(count: number): Account {
  const none = zeros(count);
  // In the order in which it is written, so that a state is written by the runtime.
  return { given: none, granted: none, reserved: none, spent: none };
}

/** Sums by place. */
export function plus(a: Amounts, b: Amounts): Amounts {
  return a.map((amount, unit) => amount + (b[unit] ?? 0));
}

/** Differences by place. */
export function minus(a: Amounts, b: Amounts): Amounts {
  return a.map((amount, unit) => amount - (b[unit] ?? 0));
}

/** What is left: below zero where a call has cost more than was reserved for it. */
export function remaining({ granted, spent, given, reserved }: Account): Amounts {
  return granted.map(
    (amount, unit) => amount - (spent[unit] ?? 0) - (given[unit] ?? 0) - (reserved[unit] ?? 0),
  );
}

/** What can be given back: what is overdrawn returns nothing. */
export function returnable(account: Account): Amounts {
  return remaining(account).map((amount) => Math.max(0, amount));
}

/** True where all are zero. */
export function isNothing(amounts: Amounts): boolean {
  return amounts.every((amount) => amount === 0);
}

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

const count = integer(0);
const anyText = text();
const NAMES = list(anyText);
const WHOLE = integer(-Number.MAX_SAFE_INTEGER);
const STATUS = oneOf(STATUSES);

const OUTPUT = closed({
  hash: digest,
  format: anyText,
  summary: anyText,
  leaf_kind: anyText,
  resolver: anyText,
});
/** An output: its hash, and what later requests say of it. */
export type Output = TypeOf<typeof OUTPUT>;

const FEEDBACK: Shape<Feedback> = closed({
  attempt: count,
  resolver: anyText,
  failed: list(closed({ constraint: anyText, detail: anyText })),
  advice: nullable(anyText),
});

const GOAL_NODE = closed({
  key: anyText,
  id: digest,
  parent: nullable(anyText),
  kind: oneOf(['goal', 'build']),
  /** Its task in the parent's plan; of a build, the capability. */
  task: anyText,
  title: anyText,
  capability: anyText,
  depth: count,
  level: count,
  seq: count,
  status: STATUS,
  /** Where it goes on once it waits no more. */
  resume: nullable(STATUS),
  core: NAMES,
  inherited: NAMES,
  eligible: nullable(NAMES),
  selected: nullable(NAMES),
  steps: nullable(NAMES),
  step: count,
  inputs: list(digest),
  output: nullable(OUTPUT),
  /** What has been checked of the output so far. */
  checks: list(CHECK),
  sigma_ppm: nullable(integer(0, 1_000_000)),
  decomposed: flag,
  /** Plans so far; children of older ones are superseded. */
  version: count,
  children: NAMES,
  kids: WHOLE,
  deps: WHOLE,
  dependents: NAMES,
  attempts: count,
  tries: count,
  retries: count,
  exhausted: NAMES,
  /** Those of them that nobody plays here. */
  missing: NAMES,
  /** Confidence of the latest tries with this resolver, oldest first. */
  trail: list(count),
  feedback: list(FEEDBACK),
  reopens: count,
  rescoped: flag,
  /** Whether anything has been done for it: what has begun is not planned again. */
  begun: flag,
  account: ACCOUNT,
  /** What nodes below have spent that are over. */
  below: AMOUNTS,
  /** Power of ten of what was left when a person was first asked. */
  budget_class: nullable(count),
  /** Capabilities that builds above this node make. */
  building: NAMES,
  manifest: nullable(RESOLVER),
  /** What the estimates of its plan were multiplied by, row by row; null for the time. */
  calibrated: OFF,
  /** What the person who did it says that it came to, by row. */
  actual: nullable(closed({ minutes: nullable(count), amounts: list(tuple(anyText, count)) })),
  started_us: nullable(count),
  reason: nullable(anyText),
});
/** A node of the goal tree, known by its local key. */
export type GoalNode = TypeOf<typeof GOAL_NODE>;

type Fresh = Pick<GoalNode, 'step' | 'inputs' | 'output' | 'checks' | 'retries' | 'manifest'>;
/** What a new tool plan begins with. */
export const FRESH: Fresh = { step: 0, inputs: [], output: null, checks: [], retries: 0, manifest: null };

type Own = 'key' | 'id' | 'kind' | 'task' | 'title' | 'capability' | 'depth' | 'level' | 'seq';
/** What a node begins with, and what is left out where it is so. */
export const FIRST: Omit<GoalNode, Own | 'status' | 'begun' | 'account' | 'below'> = {
  ...FRESH,
  parent: null,
  resume: null,
  core: [],
  inherited: [],
  eligible: null,
  selected: null,
  steps: null,
  sigma_ppm: null,
  decomposed: false,
  version: 0,
  children: [],
  kids: 0,
  deps: 0,
  dependents: [],
  attempts: 0,
  tries: 0,
  exhausted: [],
  missing: [],
  trail: [],
  feedback: [],
  reopens: 0,
  rescoped: false,
  budget_class: null,
  building: [],
  calibrated: [],
  actual: null,
  started_us: null,
  reason: null,
};

/** A node of a run. `units`: how many amounts an account has. */
export function nodeWith(units: number): Coded<GoalNode> {
  const from = (json: Json): Json => (isObject(json) ? { ...FIRST, below: zeros(units), ...json } : json);
  return { shape: (json) => GOAL_NODE(from(json)), to: thinNode, from: (json) => from(json) as GoalNode };
}

const OWN: readonly string[] =
  'key id kind task title capability depth level seq status begun account below'.split(' ');
const FIELDS = [...OWN, ...Object.keys(FIRST)].toSorted(compareText);

/** A node without what is as it was at first, in canonical order. */
function thinNode(node: GoalNode): Json {
  const whole = node as unknown as JsonObject;
  const thin: { [field: string]: Json } = {};
  for (const field of FIELDS)
    if (!isFirst(field, whole[field] ?? null)) define(thin, field, whole[field] ?? null);
  return thin;
}

function isFirst(field: string, value: Json): boolean {
  if (field === 'below') return isArray(value) && value.every((amount) => amount === 0);
  const first = (FIRST as unknown as JsonObject)[field];
  return value === first || (isArray(first) && isArray(value) && value.length === 0);
}

const WORK: readonly NodeStatus[] = [
  'identifying_constraints',
  'selecting_constraints',
  'selecting_resolver',
  'resolving',
  'verifying',
];

/** From each state where a node can go, beside `infeasible` and `superseded`, which any open state has. */
const TRANSITIONS: Readonly<Record<NodeStatus, readonly NodeStatus[]>> = Object.freeze({
  pending: [...WORK, 'composing'],
  identifying_constraints: ['selecting_constraints', 'awaiting'],
  selecting_constraints: ['selecting_resolver', 'awaiting'],
  selecting_resolver: ['resolving', 'awaiting', 'pending'],
  resolving: ['verifying', 'selecting_resolver', 'awaiting', 'pending'],
  verifying: [
    'decomposing',
    'resolved',
    'gated',
    'selecting_resolver',
    'resolving',
    'pending',
    'awaiting',
    'composing',
  ],
  decomposing: ['pending'],
  composing: ['verifying', 'awaiting', 'pending'],
  gated: [],
  awaiting: [...WORK, 'composing', 'pending'],
  resolved: [],
  infeasible: [],
  superseded: [],
} satisfies Record<NodeStatus, readonly NodeStatus[]>);

/** States from which a node is reopened, and to which. Source: dec-K5. */
export const REOPENS: { readonly from: readonly NodeStatus[]; readonly to: readonly NodeStatus[] } =
  Object.freeze({
    from: ['pending', 'gated', 'resolved', 'composing'],
    to: ['selecting_resolver', 'selecting_constraints'],
  });

/** True where a transition is listed. */
export function isTransition(from: NodeStatus, to: NodeStatus): boolean {
  if (to === 'infeasible' || to === 'superseded')
    return from !== 'infeasible' && from !== 'superseded' && (from !== 'resolved' || to === 'superseded');
  return TRANSITIONS[from].includes(to);
}
