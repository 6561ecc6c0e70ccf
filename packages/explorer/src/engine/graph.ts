/** The context graph of a run: all of it up to 200 nodes, laid out; beyond that what lies around one node. */
import * as dagre from '@dagrejs/dagre';
import { field, isObject, ledgerRecord, type EvidenceRecord, type Json } from '@assay/kernel';
import type { GraphNode, GraphShown } from '../data/calls.js';
import type { Lines } from './lines.js';
import { KINDS } from '../data/calls.js';
import type { Rows } from './rows.js';

const LAID_OUT_MAX = 200;
const NODES_MAX = 2_000;
const SAID_UNITS = 120;
const NODE: { readonly width: number; readonly height: number } = { width: 168, height: 46 };
const SAYING = ['name', 'text', 'label', 'title', 'code', 'status', 'kind', 'question', 'proposer'] as const;

/** What is used of dagre, whose own types plain Node does not resolve. */
type Layered = {
  readonly setGraph: (options: { readonly [key: string]: string | number }) => void;
  readonly setDefaultEdgeLabel: (label: () => object) => void;
  readonly setNode: (id: string, size: { readonly width: number; readonly height: number }) => void;
  readonly setEdge: (from: string, to: string) => void;
  readonly graph: () => { readonly width?: number; readonly height?: number };
  readonly node: (id: string) => { readonly x: number; readonly y: number };
};
type Dagre = { readonly Graph: new () => Layered; readonly layout: (graph: Layered) => void };
const { Graph, layout } = dagre as unknown as Dagre;

type Edge = { readonly from: string; readonly to: string; readonly kind: string };
/** The whole graph, without places. */
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
      nodes.push({ id: node.id, kind: node.kind, record, said: saying(node.payload), x: null, y: null });
    for (const edge of graph?.edges ?? [])
      edges.push({ from: edge.from_id, to: edge.to_id, kind: edge.kind });
  });
  return { nodes, edges };
}

/** What is shown of a graph. `around`: the node whose neighbours are asked for; null for all. */
export function shownGraph({ nodes, edges }: Whole, around: string | null): GraphShown {
  if (nodes.length <= LAID_OUT_MAX && around === null) return laidOut(nodes, edges, nodes.length);
  if (around === null) {
    const first = nodes.slice(0, NODES_MAX);
    return { nodes: first, edges: [], total: nodes.length, width: 0, height: 0 };
  }
  const near = new Set([around]);
  for (const { from, to } of edges) {
    if (near.size >= LAID_OUT_MAX) break;
    if (from === around) near.add(to);
    if (to === around) near.add(from);
  }
  const isNear = ({ from, to }: Edge): boolean => near.has(from) && near.has(to);
  return laidOut(
    nodes.filter(({ id }) => near.has(id)),
    edges.filter(isNear),
    nodes.length,
  );
}

function laidOut(nodes: readonly GraphNode[], edges: readonly Edge[], total: number): GraphShown {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 46, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { ...NODE });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const placed = nodes.map((node) => {
    const { x, y } = graph.node(node.id);
    return { ...node, x: Math.round(x), y: Math.round(y) };
  });
  return { nodes: placed, edges, total, width: Math.ceil(width), height: Math.ceil(height) };
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
