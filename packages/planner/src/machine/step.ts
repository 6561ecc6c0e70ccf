/**
 * A decision under construction: asking, moving, and reading the state. Source: machine interface, `deciding`.
 */
import {
  deciding,
  InvariantError,
  nodeIdIn,
  type Answer,
  type Context,
  type Deciding,
  type Decision,
  type Digest,
  type Json,
  type EdgeDraftByMachine,
  type NodeDraft,
  type NodeKind,
  type Rejection,
} from '@assay/kernel';
import type { AskKind, Bodies, Body } from '../protocol/bodies.js';
import { type Input, PATIENT, REQUESTS } from '../protocol/requests.js';
import type { Constraint } from '../protocol/constraint.js';
import type { Policy } from '../policy/policy.js';
import type { PlannerEvent } from './events.js';
import { evolve } from './evolve.js';
import { getNode, type GoalInput, type NodePlan } from './state.js';
import { type NodeStatus, isTransition, zeros, type Amounts } from './node.js';
import type { PlannerState } from './state.js';

/** An answer to this machine. */
export type PlannerAnswer = Answer<Input, Body>;
/** A decision of this machine. */
export type PlannerDecision = Decision<PlannerEvent, Body>;

/** A decision under construction. `drawn`: what it adds to the graph. */
export type Step = Deciding<PlannerState, PlannerEvent, Body> & {
  readonly context: Context;
  readonly drawn: { readonly nodes: NodeDraft[]; readonly edges: EdgeDraftByMachine[] };
  /** Questions to people: they are put once it is known that the run goes on. */
  readonly later: (() => void)[];
  /** Requests that are put anew, so that they are withdrawn. */
  readonly stale: string[];
};

/** Starts a decision. */
export function stepFrom(state: PlannerState, context: Context): Step {
  const inner = deciding<PlannerState, PlannerEvent, Body>(state, evolve, context);
  return Object.assign(inner, { context, drawn: { nodes: [], edges: [] }, later: [], stale: [] });
}

/** The policy and input of a run that has begun; anything else is a defect. */
export function requireSetup({ policy, input }: PlannerState): {
  readonly policy: Policy;
  readonly input: GoalInput;
} {
  if (policy === null || input === null) throw new InvariantError('planner/setup', 'the run has not begun');
  return { policy, input };
}

/** The plan of a node; none is a defect. */
export function getPlan(state: PlannerState, key: string): NodePlan {
  const plan = state.plans.get(key);
  if (plan === undefined) throw new InvariantError('planner/plan', `no plan of ${key}`);
  return plan;
}

/** Constraints by their ids. */
export function listConstraints(state: PlannerState, ids: readonly string[]): readonly Constraint[] {
  return ids.flatMap((id) => state.constraints.get(id) ?? []);
}

/** Moves a node along a listed transition; any other is a defect. Source: dec-K11. */
export function move(step: Step, key: string, to: NodeStatus, cause: string): void {
  const { status: from } = getNode(step.state, key);
  if (!isTransition(from, to)) throw new InvariantError('planner/transition', `${key}: ${from} to ${to}`);
  step.emit({ t: 'moved', node: key, from, to, cause });
}

/** Answers to one request for what a task came to. */
export const DONE_ATTEMPTS = 64;

/** Asks for a node. `reserve`: what is held for the answer, and whom it is routed to. */
export function ask<K extends AskKind>(
  step: Step,
  kind: K,
  node: string,
  body: Bodies[K],
  {
    resolver = null,
    reserve = zeros(step.state.units.length),
    people = false,
  }: {
    readonly resolver?: string | null;
    readonly reserve?: Amounts;
    /** Only a person may answer. */
    readonly people?: boolean;
  } = {},
): void {
  const { limits } = requireSetup(step.state).policy;
  const accepts = people ? (['human'] as const) : REQUESTS[kind].accepts;
  const put = (): void => {
    // A slip of a person ends no task.
    const attempts = kind === 'done' ? DONE_ATTEMPTS : limits.attempts;
    const id = step.ask({ kind, body, accepts, attempts });
    step.emit({ t: 'asked', id, kind, node, resolver, reserve });
  };
  if (PATIENT.includes(kind)) step.later.push(put);
  else put();
}

/**
 * Draws a node of the context graph and gives its id; drawn twice it is one node. `on`: the node that it
 * refines, where it is an interpretation, or depends on.
 */
export function draw(step: Step, kind: NodeKind, payload: Json, on: Digest | null = null): Digest {
  const id = nodeIdIn(step.context, kind, payload);
  step.drawn.nodes.push({ kind, payload });
  const relation = kind === 'interpretation' ? 'refines' : 'depends_on';
  if (on !== null) step.drawn.edges.push({ kind: relation, from_id: id, to_id: on });
  return id;
}

/** A rejection. */
export function refuse(code: string, detail: Json): Rejection {
  return { code, detail };
}
