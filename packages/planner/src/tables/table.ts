/**
 * A table as data; what the tables need that the state no longer holds, gathered from the events in order; and the
 * tables of the knowledge graph: what was tried for which goal, by whom, and what came of it. Source: 000 §2.C;
 * dec-K33.
 *
 * @module
 */
import { canonicalize, orThrow, decodeUtf8, type Json, type DerivedRecord, compareText } from '@assay/kernel';
import type { PlannerEvent } from '../machine/events.js';
import { evolve } from '../machine/evolve.js';
import { EMPTY, type PlannerState } from '../machine/state.js';

/** A cell: text, an integer, or nothing. JSON is its canonical text. */
type SqlCell = string | number | null;

/** A table: its columns, of which those named in `key` tell rows apart, and its rows. */
export type SqlTable = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly rows: readonly (readonly SqlCell[])[];
};

/** A table of rows by column; what a row does not name is null. */
export function makeTable<C extends string>(
  name: string,
  columns: readonly C[],
  key: readonly C[],
  rows: readonly { readonly [column in C]?: SqlCell }[],
): SqlTable {
  return { name, columns, key, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) };
}

/** A value as JSON text. */
export function json(value: unknown): string {
  return orThrow(decodeUtf8(orThrow(canonicalize(value as Json))));
}

/** An event of one kind, the record it stands in, and its place among all events. */
export type Seen<T extends PlannerEvent['t'] = PlannerEvent['t']> = {
  readonly event: Extract<PlannerEvent, { readonly t: T }>;
  readonly record: number;
  readonly place: number;
};

/** A run: its state at the end, and its events. */
export type SeenRun = {
  readonly state: PlannerState;
  readonly events: readonly Seen[];
};

/** Folds a run whose decisions were derived again. */
export function seenIn(records: readonly DerivedRecord[]): SeenRun {
  let state = EMPTY;
  const events: Seen[] = [];
  for (const [record, each] of records.entries()) {
    if (each.kind !== 'decision') continue;
    for (const event of each.payload.events as unknown as readonly PlannerEvent[]) {
      state = evolve(state, event);
      events.push({ event, record, place: events.length });
    }
  }
  return { state, events };
}

/** The events of one kind. */
export function listEvents<T extends PlannerEvent['t']>({ events }: SeenRun, kind: T): readonly Seen<T>[] {
  return events.flatMap(({ event, record, place }) => (isOf(event, kind) ? [{ event, record, place }] : []));
}

function isOf<T extends PlannerEvent['t']>(
  event: PlannerEvent,
  kind: T,
): event is Extract<PlannerEvent, { readonly t: T }> {
  return event.t === kind;
}

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
  for (const { event } of listEvents(seen, 'attempt')) {
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
  for (const { event } of listEvents(seen, 'made')) {
    const { hash, summary, resolver } = event.output;
    edge(named('resolver', resolver, resolver), 'produced', named('artifact', hash, summary));
  }
  return [
    makeTable(
      'kg_nodes',
      ['id', 'type', 'label'],
      ['id'],
      [...labels]
        .toSorted(([a], [b]) => compareText(a, b))
        .map(([id, [type, label]]) => ({ id, type, label })),
    ),
    makeTable(
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
