/**
 * The tables of goals, constraints, outputs, attempts and money. Amounts are integers by unit, confidences
 * parts per million, times microseconds or null. Source: 000 §2.A, §2.B, §2.D, §2.E.
 *
 * @module
 */
import type { DerivedRecord } from '@assay/kernel';
import { sigmaPath, sigmaPpm } from '../machine/sigma.js';
import { graphTables, listEvents, seenIn, type SeenRun, json, makeTable, type SqlTable } from './table.js';

/** The eleven tables of a run whose decisions were derived again. */
export function planTables(records: readonly DerivedRecord[]): readonly SqlTable[] {
  const seen = seenIn(records);
  return [
    constraints(seen),
    artifacts(seen),
    attempts(seen),
    requests(seen),
    nodes(seen),
    dependencies(seen),
    resolvers(seen),
    ...graphTables(seen),
    budget(seen),
    logs(seen, records),
  ];
}

function constraints({ state }: SeenRun): SqlTable {
  return makeTable(
    'constraints',
    ['id', 'type', 'domain', 'title', 'scope', 'hard', 'removal', 'payload', 'provenance'],
    ['id'],
    state.constraints
      .sorted()
      .map(([, { id, type, domain, title, scope, hard, removal, payload, ...from }]) => ({
        ...{ id, type, domain, title, scope, removal },
        hard: hard ? 1 : 0,
        payload: json(payload),
        provenance: json({ origin: from.origin, source: from.source }),
      })),
  );
}

function artifacts(seen: SeenRun): SqlTable {
  return makeTable(
    'artifacts',
    ['id', 'node_id', 'type', 'format', 'uri', 'sha256', 'metadata', 'lineage', 'sigma_ppm'],
    ['id'],
    listEvents(seen, 'made').map(({ event: { node, output }, place }) => {
      const { inputs = [], selected = [], sigma_ppm = null } = seen.state.nodes.get(node) ?? {};
      return {
        id: `${node}#${place}`,
        node_id: node,
        type: output.leaf_kind,
        format: output.format,
        uri: `artifacts/${output.hash}`,
        sha256: output.hash,
        metadata: json({ summary: output.summary }),
        lineage: json({
          resolver_id: output.resolver,
          constraint_ids: selected ?? [],
          input_artifact_ids: inputs,
        }),
        sigma_ppm,
      };
    }),
  );
}

function attempts(seen: SeenRun): SqlTable {
  return makeTable(
    'resolution_attempts',
    [
      'id',
      'node_id',
      'attempt_index',
      'resolver_id',
      'feedback',
      'verdict',
      'sigma_v_ppm',
      'failure_mode',
      'record',
    ],
    ['id'],
    listEvents(seen, 'attempt').map(({ event, record }) => ({
      id: `${event.node}#${event.index}`,
      node_id: event.node,
      attempt_index: event.index,
      resolver_id: event.resolver,
      feedback: event.feedback === null ? null : json(event.feedback),
      verdict: event.verdict,
      sigma_v_ppm: event.sigma_ppm,
      failure_mode: event.failure_mode,
      record,
    })),
  );
}

function requests({ state }: SeenRun): SqlTable {
  return makeTable(
    'capability_requests',
    ['id', 'root_id', 'capability_tag', 'request_fingerprint', 'status', 'resolver_id', 'detail'],
    ['id'],
    state.capabilities.sorted().map(([fingerprint, { tag, status, resolver, joined }]) => ({
      id: fingerprint,
      root_id: state.root,
      capability_tag: tag,
      request_fingerprint: fingerprint,
      status,
      resolver_id: resolver,
      detail: json({ nodes: joined }),
    })),
  );
}

function nodes({ state }: SeenRun): SqlTable {
  const { policy, input, units } = state;
  const byUnit = (amounts: readonly number[]): string =>
    json(Object.fromEntries(units.map((unit, at) => [unit, amounts[at] ?? 0])));
  return makeTable(
    'nodes',
    [
      ...([
        'id',
        'parent_id',
        'root_id',
        'goal_description',
        'goal_summary',
        'goal_modality',
        'kind',
        'status',
      ] as const),
      ...(['leaf_kind', 'reason', 'constraints_core_ids', 'constraints_eligible_ids'] as const),
      ...([
        'constraints_selected_ids',
        'constraints_inherited_ids',
        'resolver_id',
        'input_artifact_ids',
      ] as const),
      ...(['output_sha256', 'sigma_v_ppm', 'sigma_path_ppm', 'tau_local_ppm', 'tau_global_ppm'] as const),
      ...(['attempt_count', 'max_attempts', 'budget_granted', 'budget_spent', 'graph_id'] as const),
    ],
    ['id'],
    state.nodes.sorted().map(([key, node]) => ({
      id: key,
      parent_id: node.parent,
      root_id: state.root,
      goal_description: key === state.root ? (input?.goal ?? '') : node.title,
      goal_summary: node.title.slice(0, 400),
      goal_modality: input?.modality ?? 'text',
      kind: node.kind,
      status: node.status,
      leaf_kind: node.output?.leaf_kind ?? null,
      reason: node.reason,
      constraints_core_ids: json(node.core),
      constraints_eligible_ids: json(node.eligible ?? []),
      constraints_selected_ids: json(node.selected ?? []),
      constraints_inherited_ids: json(node.inherited),
      resolver_id: node.steps?.at(-1) ?? null,
      input_artifact_ids: json(node.inputs),
      output_sha256: node.output?.hash ?? null,
      sigma_v_ppm: node.sigma_ppm,
      sigma_path_ppm: sigmaPpm(sigmaPath(state, key)),
      tau_local_ppm: policy?.tau.local ?? null,
      tau_global_ppm: policy?.tau.global ?? null,
      attempt_count: node.attempts,
      max_attempts: policy?.limits.tries ?? null,
      budget_granted: byUnit(node.account.granted),
      budget_spent: byUnit(node.account.spent),
      graph_id: node.id,
    })),
  );
}

function dependencies(seen: SeenRun): SqlTable {
  const pairs = [
    ...listEvents(seen, 'node').flatMap(({ event: { key, after } }) => after.map((on) => [key, on] as const)),
    ...listEvents(seen, 'waits_for').map(({ event: { node, build } }) => [node, build] as const),
  ];
  const once = new Map(pairs.map((pair) => [json(pair), pair] as const));
  return makeTable(
    'node_dependencies',
    ['node_id', 'depends_on'],
    ['node_id', 'depends_on'],
    [...once.values()].map(([node_id, depends_on]) => ({ node_id, depends_on })),
  );
}

function resolvers({ state }: SeenRun): SqlTable {
  return makeTable(
    'resolvers',
    [
      'id',
      'label',
      'type',
      'capabilities',
      'bound',
      'built_by',
      'composed_of',
      'success_count',
      'failure_count',
      'best_sigma_ppm',
    ],
    ['id'],
    state.resolvers
      .sorted()
      .map(([, { id, label, type, capabilities, bound, built_by, composed_of, record }]) => ({
        ...{ id, label, type },
        built_by: built_by ?? 'boot',
        capabilities: json(capabilities),
        bound: json(bound),
        composed_of: json(composed_of),
        success_count: record.successes,
        failure_count: record.failures,
        best_sigma_ppm: record.sigma_ppm,
      })),
  );
}

function budget(seen: SeenRun): SqlTable {
  const { units } = seen.state;
  const asked = new Map(listEvents(seen, 'asked').map(({ event }) => [event.id, event] as const));
  const entries = seen.events.flatMap((one) => {
    const { event, record, place } = one;
    const row = (
      node_id: string,
      event_type: string,
      amounts: readonly number[],
      other: string | null,
      why: string,
    ) =>
      amounts.flatMap((amount, at) =>
        amount === 0
          ? []
          : [
              {
                id: `${place}.${node_id}.${at}`,
                node_id,
                event_type,
                unit: units[at] ?? '',
                amount,
                other,
                description: why,
                record,
              },
            ],
      );
    if (event.t === 'funded')
      return event.transfers.flatMap(({ from, to, amounts }) =>
        row(to, 'allocate', amounts, from, event.why),
      );
    if (event.t === 'settled') {
      const by = asked.get(event.id);
      return row(by?.node ?? seen.state.root, 'spend', event.spent, by?.resolver ?? null, by?.kind ?? '');
    }
    return event.t === 'refunded' ? row(event.node, 'refund', event.amounts, null, '') : [];
  });
  return makeTable(
    'budget_ledger',
    ['id', 'node_id', 'event_type', 'unit', 'amount', 'other', 'description', 'record'],
    ['id'],
    entries,
  );
}

const DECISIONS: readonly string[] = [
  ...[
    'routed',
    'selected',
    'planned',
    'core',
    'surveyed',
    'repaired',
    'judged',
    'verified',
    'mismatch',
    'gap',
  ],
  ...['reopened', 'rescoped', 'gated', 'conflict', 'capability', 'consistent', 'ending'],
];

/** Three tiers: what moved, what was decided, and who was asked what; texts of answers stay in the ledger. */
function logs(seen: SeenRun, records: readonly DerivedRecord[]): SqlTable {
  const flow = listEvents(seen, 'moved').map(({ event, record, place }) => ({
    ...{ id: `e${place}`, tier: 1, node_id: event.node, record, category: 'flow', at_us: null },
    summary: `${event.from} to ${event.to}: ${event.cause}`,
    detail: null,
  }));
  const decided = seen.events
    .filter(({ event }) => DECISIONS.includes(event.t))
    .map(({ event, record, place }) => ({
      ...{ id: `e${place}`, tier: 2, record, category: 'decision', at_us: null, summary: event.t },
      node_id: 'node' in event ? event.node : null,
      detail: json(event),
    }));
  const said = records.flatMap((each, record) => {
    if (each.kind !== 'proposal') return [];
    const { request_id, source, proposer, failure, spent, at_us, proposal_hash } = each.payload;
    return [
      {
        ...{ id: `r${record}`, tier: 3, record, category: 'io', at_us, node_id: null },
        summary: `${proposer} answered ${request_id}`,
        detail: json({ source, failure, spent, proposal_hash }),
      },
    ];
  });
  return makeTable(
    'logs',
    ['id', 'tier', 'node_id', 'record', 'at_us', 'category', 'summary', 'detail'],
    ['id'],
    [...flow, ...decided, ...said],
  );
}
