/**
 * Rules in the context graph: what each rests on, which one replaced another, and what brought one down. Raw
 * Megrams are no nodes: there may be a million. Every node is written from what the state holds, so that a
 * continuation, whose graph starts empty, names them anew. Source: ledger format, "Graph"; 002 §6e.
 *
 * @module
 */
import {
  nodeIdIn,
  type Context,
  type Decision,
  type EdgeDraftByMachine,
  type Json,
  type NodeDraft,
} from '@assay/kernel';
import type { Megram } from './megram.js';
import type { MemoryPolicy } from './policy.js';

/** What a decision adds to the graph. */
export type MemoryGraph = NonNullable<Decision['graph']>;

/** The memory itself: what every rule rests on. */
export function seedNode(policy: MemoryPolicy): NodeDraft {
  return { kind: 'seed', payload: { memory: policy } };
}

/** A promoted rule, a claim that rests on the memory, and refines the one it replaces. */
export function promotionGraph(
  context: Context,
  policy: MemoryPolicy,
  rule: Megram,
  replaced: Megram | null,
): MemoryGraph {
  const seed = seedNode(policy);
  const claim = ruleNode(rule);
  const nodes = [seed, ...(replaced === null ? [] : [ruleNode(replaced)]), claim];
  const refines: readonly EdgeDraftByMachine[] =
    replaced === null
      ? []
      : [{ kind: 'refines', from_id: idOf(context, claim), to_id: idOf(context, ruleNode(replaced)) }];
  return {
    nodes,
    edges: [{ kind: 'depends_on', from_id: idOf(context, claim), to_id: idOf(context, seed) }, ...refines],
  };
}

/** Rules that were demoted: for each a decision that contradicts it. */
export function demotionGraph(
  context: Context,
  demoted: readonly { readonly rule: Megram; readonly others_nano: number }[],
): MemoryGraph {
  const pairs = demoted.map(({ others_nano, rule }) => {
    const payload: Json = { demoted: rule.id, others_nano };
    return { claim: ruleNode(rule), decision: { kind: 'decision', payload } as const };
  });
  return {
    nodes: pairs.flatMap(({ claim, decision }) => [claim, decision]),
    edges: pairs.map(({ claim, decision }) => ({
      kind: 'contradicts',
      from_id: idOf(context, decision),
      to_id: idOf(context, claim),
    })),
  };
}

function ruleNode({ content, entity, id, sigma_ppm, space }: Megram): NodeDraft {
  return { kind: 'claim', payload: { content, entity, rule: id, sigma_ppm, space } };
}

function idOf(context: Context, { kind, payload }: NodeDraft): EdgeDraftByMachine['from_id'] {
  return nodeIdIn(context, kind, payload);
}
