/** The context graph of a run: all of it up to 200 nodes; beyond that what lies around one node. */
import { field, isObject, ledgerRecord, type EvidenceRecord, type Json } from '@assay/kernel';
import type { GraphNode, GraphShown } from '../data/calls.js';
import type { Lines } from './lines.js';
import { KINDS } from '../data/calls.js';
import type { Rows } from './rows.js';

const DRAWN_MAX = 200;
const NODES_MAX = 2_000;
const SAID_UNITS = 120;
const SAYING = ['name', 'text', 'label', 'title', 'code', 'status', 'kind', 'question', 'proposer'] as const;

type Edge = { readonly from: string; readonly to: string; readonly kind: string };
/** The whole graph. */
export type Whole = { readonly nodes: readonly GraphNode[]; readonly edges: readonly Edge[] };

/** The graph as the decisions recorded it. */
export function wholeGraph(lines: Lines, rows: Rows): Whole {
  const nodes: GraphNode[] = [];
  const edges: Edge[] = [];
  const decision = KINDS.indexOf('decision');
  rows.kinds.forEach((kind, record) => {
    if (kind !== decision) return;
    const typed = ledgerRecord(lines.json(record) as unknown as EvidenceRecord);
    const graph = typed?.kind === 'decision' ? (typed.payload?.graph ?? null) : null;
    for (const node of graph?.nodes ?? [])
      nodes.push({ id: node.id, kind: node.kind, record, said: saying(node.payload) });
    for (const edge of graph?.edges ?? [])
      edges.push({ from: edge.from_id, to: edge.to_id, kind: edge.kind });
  });
  return { nodes, edges };
}

/** What is shown of a graph. `around`: the node whose neighbours are asked for; null for all. */
export function shownGraph({ nodes, edges }: Whole, around: string | null): GraphShown {
  const total = nodes.length;
  if (total <= DRAWN_MAX && around === null) return { nodes, edges, total, isDrawn: true };
  if (around === null) return { nodes: nodes.slice(0, NODES_MAX), edges: [], total, isDrawn: false };
  const near = new Set([around]);
  for (const { from, to } of edges) {
    if (near.size >= DRAWN_MAX) break;
    if (from === around) near.add(to);
    if (to === around) near.add(from);
  }
  const isNear = ({ from, to }: Edge): boolean => near.has(from) && near.has(to);
  return {
    nodes: nodes.filter(({ id }) => near.has(id)),
    edges: edges.filter(isNear),
    total,
    isDrawn: true,
  };
}

/** What a node says of itself: the first text it has. */
function saying(payload: Json): string {
  if (!isObject(payload)) return typeof payload === 'string' ? payload.slice(0, SAID_UNITS) : '';
  for (const key of SAYING) {
    const value = field(payload, key);
    if (typeof value === 'string') return value.slice(0, SAID_UNITS);
  }
  return '';
}
