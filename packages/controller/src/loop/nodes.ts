/**
 * Nodes of the graph: what was planned, what came of each sub-task, what was decided, and the result. Source:
 * 001 §2.5; calls/C14.
 *
 * @module
 */
import { nodeIdIn, type Context, type Digest, type NodeDraft } from '@assay/kernel';
import type { Plan } from '../protocol/plan.js';
import type { SubTaskOutcome } from './events.js';
import type { Progress } from './state.js';
import type { ControllerDecision } from './asking.js';

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
export function idOf({ kind, payload }: NodeDraft, context: Context): Digest {
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
    on.map((to_id) => ({ kind: 'depends_on' as const, from_id: idOf(node, context), to_id })),
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
