/**
 * What a decision puts into the ledger: requests with their role, sources, attempts and depth in the chain of role
 * calls, messages with their route, and nodes of the graph. Source: machine interface, `Ask`; 001 §2.5; 003 §10;
 * dec-B1, dec-B2, dec-B9; calls/C14.
 */
import {
  deciding,
  InvariantError,
  type Answer,
  type Context,
  type Decision,
  type Deciding,
  nodeIdIn,
  type Digest,
  type NodeDraft,
} from '@assay/kernel';
import {
  findCast,
  REQUESTS,
  type AskKind,
  type Bodies,
  type Body,
  type Input,
} from '../protocol/requests.js';
import type { ControllerEvent, MessageOf, Messages, SubTaskOutcome } from './events.js';
import { evolve } from './evolve.js';
import type { ControllerState, Planned, Started, Progress } from './state.js';
import { isRouted, type Party } from '../protocol/roles.js';
import type { Plan } from '../protocol/plan.js';

/** A decision under construction. */
export type Step = Deciding<ControllerState, ControllerEvent, Body>;
/** A decision of this machine. */
export type ControllerDecision = Decision<ControllerEvent, Body>;
/** An answer to this machine. */
export type ControllerAnswer = Answer<Input, Body>;

/** Starts a decision. */
export function stepFrom(state: ControllerState, context: Context): Step {
  return deciding<ControllerState, ControllerEvent, Body>(state, evolve, context);
}

/**
 * Asks a role, a person or the clock. `after`: depth of the role call that this one waits for; a role call
 * lies one below it, what is no role call lies beside it (003 §10 counts role calls in a row).
 */
export function ask<K extends AskKind>(
  step: Step,
  kind: K,
  body: Bodies[K],
  subtask: string | null,
  after: number,
): void {
  const { limits } = started(step.state).setup.policy;
  const { accepts, attempts } = REQUESTS[kind];
  const id = step.ask({
    kind,
    body,
    accepts,
    attempts: typeof attempts === 'number' ? attempts : limits[attempts],
  });
  step.emit({ t: 'asked', id, kind, subtask, depth: findCast(kind) === null ? after : after + 1 });
}

/** A state that has been started; anything else is a defect of this machine. */
export function started(state: ControllerState): Started {
  if (!isStarted(state))
    throw new InvariantError('controller/started', 'an answer before the run was started');
  return state;
}

function isStarted(state: ControllerState): state is Started {
  return state.setup !== null;
}

/** A state with a task and a plan; anything else is a defect of this machine. */
export function planned(state: ControllerState): Planned {
  if (!isPlanned(state)) throw new InvariantError('controller/planned', 'work without a plan');
  return state;
}

function isPlanned(state: ControllerState): state is Planned {
  return state.plan !== null && state.task !== null && state.setup !== null;
}

/**
 * A message from one party to another. A defect where the routing table has no such route: no rule of this
 * machine may speak past it.
 */
export function message<K extends keyof Messages>(
  from: Party,
  to: Party,
  kind: K,
  body: Messages[K],
): MessageOf<K> {
  if (!isRouted(from, to, kind))
    throw new InvariantError('controller/route', `${from} to ${to}: ${kind} has no route`);
  return { t: 'message', from, to, kind, body };
}

/** A node and what it rests on, for a decision. */
export type Noted = { readonly node: NodeDraft; readonly on: readonly Digest[] };

/** The node of a plan. */
export function planNode({ round, task_criteria, subtasks }: Plan, context: Context): NodeDraft {
  return { kind: 'decision', payload: { plan: context.hash({ task_criteria, subtasks }), round } };
}

/** The node of what came of a sub-task. `seen`: the chain over its calls and their outputs. */
export function outcomeNode({ subtask, status, reason }: SubTaskOutcome, { seen }: Progress): NodeDraft {
  return { kind: 'claim', payload: { subtask, status, reason, calls: seen.calls, seen: seen.digest } };
}

/** The id that a node has in this run. */
export function deriveId({ kind, payload }: NodeDraft, context: Context): Digest {
  return nodeIdIn(context, kind, payload);
}

/** A decision with these nodes before its own. */
export function withNodes(
  decision: ControllerDecision,
  noted: readonly Noted[],
  context: Context,
): ControllerDecision {
  if (noted.length === 0) return decision;
  const nodes = noted.map(({ node }) => node);
  const edges = noted.flatMap(({ node, on }) =>
    on.map((to_id) => ({ kind: 'depends_on' as const, from_id: deriveId(node, context), to_id })),
  );
  const { graph } = decision;
  return {
    ...decision,
    graph: {
      nodes: [...nodes, ...(graph?.nodes ?? [])],
      edges: [...edges, ...(graph?.edges ?? [])],
    },
  };
}
