/**
 * The tables of the knowledge graph: what was tried for which goal, by whom, and what came of it. Source: 000
 * §2.C; dec-K33.
 *
 * @module
 */
import { compareText } from '@assay/kernel';
import { eventsOf, type SeenRun } from './seen.js';
import { json, tableOf, type SqlTable } from './table.js';

type Edge = {
  readonly source: string;
  readonly relation: string;
  readonly target: string;
  readonly more: unknown;
};

/**
 * `kg_nodes` and `kg_edges`. An edge is known by its ends, its relation and its attempt, so that none is
 * there twice.
 */
export function graphTables(seen: SeenRun): readonly SqlTable[] {
  const labels = new Map<string, readonly [type: string, label: string]>();
  const named = (type: string, id: string, label: string): string => {
    labels.set(`${type}:${id}`, [type, label]);
    return `${type}:${id}`;
  };
  const edges = new Map<string, Edge>();
  const edge = (source: string, relation: string, target: string, more: unknown = null): void => {
    edges.set(json([source, relation, target, more]), { source, relation, target, more });
  };
  const { state } = seen;
  for (const [, { id, label, capabilities, built_by, composed_of }] of state.resolvers.sorted()) {
    const resolver = named('resolver', id, label);
    for (const tag of capabilities) edge(resolver, 'provides', named('capability', tag, tag));
    for (const part of composed_of) edge(resolver, 'composed_of', named('resolver', part, part));
    if (built_by === null) continue;
    const isActor = built_by.startsWith('actor:');
    const by = isActor ? built_by.slice('actor:'.length) : built_by;
    edge(resolver, 'built_by', named(isActor ? 'actor' : 'resolver', by, by));
  }
  for (const [key, { title, capability }] of state.nodes.sorted())
    edge(named('goal_pattern', key, title), 'requires', named('capability', capability, capability));
  for (const [, { id, title }] of state.constraints.sorted()) named('constraint', id, title);
  for (const { event } of eventsOf(seen, 'attempt')) {
    const { node, index, resolver, verdict, sigma_ppm, failure_mode } = event;
    const goal = named('goal_pattern', node, state.nodes.get(node)?.title ?? node);
    const attempt = named('resolution_attempt', `${node}#${index}`, verdict);
    edge(attempt, 'tried_for', goal);
    const by = named('resolver', resolver, state.resolvers.get(resolver)?.label ?? resolver);
    edge(by, verdict === 'SAT' ? 'succeeded_on' : 'failed_on', goal, { attempt: index, sigma_ppm });
    if (failure_mode !== null)
      edge(attempt, 'failed_because', named('failure_mode', failure_mode, failure_mode));
    for (const id of state.nodes.get(node)?.selected ?? [])
      edge(attempt, 'used_constraint', `constraint:${id}`);
  }
  for (const { event } of eventsOf(seen, 'made')) {
    const { hash, summary, resolver } = event.output;
    edge(named('resolver', resolver, resolver), 'produced', named('artifact', hash, summary));
  }
  return [
    tableOf(
      'kg_nodes',
      ['id', 'type', 'label'],
      ['id'],
      [...labels]
        .toSorted(([a], [b]) => compareText(a, b))
        .map(([id, [type, label]]) => ({ id, type, label })),
    ),
    tableOf(
      'kg_edges',
      ['id', 'source_id', 'target_id', 'relation', 'properties'],
      ['id'],
      [...edges]
        .toSorted(([a], [b]) => compareText(a, b))
        .map(([id, { source, target, relation, more }]) => ({
          id,
          source_id: source,
          target_id: target,
          relation,
          properties: more === null ? null : json(more),
        })),
    ),
  ];
}
