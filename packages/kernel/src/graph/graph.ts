/**
 * The context graph as an immutable value. Source: 001 §2.5, §4.3; ledger format, "Graph".
 *
 * A graph is a length of one append-only store: adding to the newest value appends in place, adding to
 * an older one first copies its part of the store. So every value stays what it was, a run pays O(1) for
 * each addition, and only branching costs a copy.
 */
import type { EdgeKind, GraphEdge, NodeKind } from './kinds.js';
import { admit, type AdmissionError } from '../canonical/admit.js';
import { encodeScalar } from '../canonical/encode.js';
import { DigestIndex } from '../collections/digest-index.js';
import { hashText, nobleSha256, type Digest, type Sha256 } from '../hash/sha256.js';

import { err, ok, type Result } from '../result.js';
import { EdgeOrder } from './order.js';

/** Why a node or an edge is refused. Precedence: missing_end (from before to), cycle. */
export type GraphError = { readonly code: 'missing_end' | 'cycle' };

/** An edge to add: its id is derived. */
export type EdgeDraft = { readonly kind: EdgeKind; readonly from_id: Digest; readonly to_id: Digest };

/** H({t:"node", run_id, kind, payload_hash}). Source: 001 §2.5. */
export function nodeId(
  runId: string,
  kind: NodeKind,
  payloadHash: Digest,
  sha256: Sha256 = nobleSha256,
): Digest {
  return hashText(
    `{"kind":"${kind}","payload_hash":"${payloadHash}","run_id":${encodeScalar(runId)},"t":"node"}`,
    sha256,
  );
}

/** H({t:"edge", run_id, kind, from, to}). Source: 001 §2.5. */
export function edgeId(runId: string, edge: EdgeDraft, sha256: Sha256 = nobleSha256): Digest {
  return hashText(
    `{"from":"${edge.from_id}","kind":"${edge.kind}","run_id":${encodeScalar(runId)},` +
      `"t":"edge","to":"${edge.to_id}"}`,
    sha256,
  );
}

/** H({sorted_node_ids, sorted_edge_ids}) over ids already sorted. Source: 001 §2.6. */
export function rootHash(
  nodeIds: readonly Digest[],
  edgeIds: readonly Digest[],
  sha256: Sha256 = nobleSha256,
): Digest {
  return hashText(`{"sorted_edge_ids":${idList(edgeIds)},"sorted_node_ids":${idList(nodeIds)}}`, sha256);
}

/**
 * What a graph holds of each node: its id and kind (null if the graph came from a snapshot, which names
 * ids only). Payloads are in the records.
 */
export type NodeEntry = { readonly id: Digest; readonly kind: NodeKind | null };

/** An immutable context graph: nodes, typed edges, no cycle over `depends_on` and `refines` together. */
export class Graph {
  /** Number of nodes. */
  readonly nodeCount: number;
  /** Number of edges. */
  readonly edgeCount: number;
  private readonly store: Store;

  private constructor(store: Store, nodeCount: number, edgeCount: number) {
    this.store = store;
    this.nodeCount = nodeCount;
    this.edgeCount = edgeCount;
    Object.freeze(this);
  }

  /** The graph without nodes. */
  static empty(): Graph {
    return new Graph(new Store(), 0, 0);
  }

  /** True when a node with this id is in the graph. O(1). */
  hasNode(id: Digest): boolean {
    const index = this.store.nodes.indexOf(id);
    return index >= 0 && index < this.nodeCount;
  }

  /** True when an edge with this id is in the graph. O(1). */
  hasEdge(id: Digest): boolean {
    const index = this.store.edges.indexOf(id);
    return index >= 0 && index < this.edgeCount;
  }

  /** The graph with a node; the same graph where the id is there already. O(1). */
  withNode(id: Digest, kind: NodeKind | null = null): Graph {
    if (this.hasNode(id)) return this;
    const store = this.newest();
    store.addNode(id, kind);
    return new Graph(store, this.nodeCount + 1, this.edgeCount);
  }

  /**
   * The graph with an edge; the same graph where the id is there already. Errors: `missing_end`, an end
   * that is no node here; `cycle`, over depends_on and refines together (a self edge is one; contradicts
   * is exempt). A refused edge leaves this graph untouched. Over m edges added,
   * O(m^1.5) steps at worst; one refused edge may search the whole graph.
   */
  withEdge(id: Digest, edge: EdgeDraft): Result<GraphError, Graph> {
    if (this.hasEdge(id)) return ok(this);
    if (!this.hasNode(edge.from_id) || !this.hasNode(edge.to_id)) return err({ code: 'missing_end' });
    const store = this.newest();
    return store.addEdge(id, edge)
      ? ok(new Graph(store, this.nodeCount, this.edgeCount + 1))
      : err({ code: 'cycle' });
  }

  /** The nodes in order of arrival. */
  nodes(): readonly NodeEntry[] {
    return Array.from({ length: this.nodeCount }, (_, index) => this.store.node(index));
  }

  /** The edges in order of arrival. */
  edges(): readonly GraphEdge[] {
    return Array.from({ length: this.edgeCount }, (_, index) => this.store.edge(index));
  }

  /** All node ids, ascending. */
  sortedNodeIds(): readonly Digest[] {
    return this.store.nodes.sorted(this.nodeCount);
  }

  /** All edge ids, ascending. */
  sortedEdgeIds(): readonly Digest[] {
    return this.store.edges.sorted(this.edgeCount);
  }

  /** The dag_root_hash of this graph. O(n log n). Source: 001 §2.6. */
  root(sha256: Sha256 = nobleSha256): Digest {
    return rootHash(this.sortedNodeIds(), this.sortedEdgeIds(), sha256);
  }

  /** This graph's store where nothing was added to it since; else a copy of this graph's part of it. */
  private newest(): Store {
    const isNewest = this.store.nodes.count === this.nodeCount && this.store.edges.count === this.edgeCount;
    return isNewest ? this.store : this.store.prefix(this.nodeCount, this.edgeCount);
  }
}

/** A node added by content. */
export type NodeInserted = { readonly graph: Graph; readonly id: Digest };

/**
 * Adds a node by kind and payload, deriving its id. Idempotent: the same payload gives the same graph.
 * Errors: admission codes. Source: 001 §2.5.
 */
export function insertNode(
  graph: Graph,
  runId: string,
  kind: NodeKind,
  payload: unknown,
  sha256: Sha256 = nobleSha256,
): Result<AdmissionError, NodeInserted> {
  const admitted = admit(payload);
  if (admitted._tag === 'Left') return admitted;
  const id = nodeId(runId, kind, hashText(admitted.right.text, sha256), sha256);
  return ok({ graph: graph.withNode(id, kind), id });
}

/** An edge added. */
export type EdgeInserted = { readonly graph: Graph; readonly id: Digest };

/** Adds an edge, deriving its id. Idempotent. Errors: `missing_end`, `cycle`. Source: 001 §2.5. */
export function insertEdge(
  graph: Graph,
  runId: string,
  edge: EdgeDraft,
  sha256: Sha256 = nobleSha256,
): Result<GraphError, EdgeInserted> {
  const id = edgeId(runId, edge, sha256);
  const next = graph.withEdge(id, edge);
  return next._tag === 'Left' ? next : ok({ graph: next.right, id });
}

/** Nodes and edges in arrival order; only ever appended to. */
class Store {
  readonly nodes: DigestIndex = new DigestIndex();
  readonly edges: DigestIndex = new DigestIndex();
  private readonly nodeKind: (NodeKind | null)[] = [];
  private readonly edgeKind: EdgeKind[] = [];
  private readonly edgeFrom: number[] = [];
  private readonly edgeTo: number[] = [];
  private readonly order: EdgeOrder = new EdgeOrder();

  addNode(id: Digest, kind: NodeKind | null): void {
    this.nodes.add(id);
    this.nodeKind.push(kind);
    this.order.addNode();
  }

  addEdge(id: Digest, { kind, from_id, to_id }: EdgeDraft): boolean {
    const from = this.nodes.indexOf(from_id);
    const to = this.nodes.indexOf(to_id);
    if (kind !== 'contradicts' && !this.order.addEdge(from, to)) return false;
    this.edges.add(id);
    this.edgeKind.push(kind);
    this.edgeFrom.push(from);
    this.edgeTo.push(to);
    return true;
  }

  node(index: number): NodeEntry {
    return { id: this.nodes.at(index), kind: this.nodeKind[index] ?? null };
  }

  edge(index: number): GraphEdge {
    return {
      id: this.edges.at(index),
      kind: this.edgeKind[index] ?? 'depends_on',
      from_id: this.nodes.at(this.edgeFrom[index] ?? 0),
      to_id: this.nodes.at(this.edgeTo[index] ?? 0),
    };
  }

  prefix(nodeCount: number, edgeCount: number): Store {
    const copy = new Store();
    for (let index = 0; index < nodeCount; index += 1) {
      const { id, kind } = this.node(index);
      copy.addNode(id, kind);
    }
    for (let index = 0; index < edgeCount; index += 1) {
      const edge = this.edge(index);
      copy.addEdge(edge.id, edge);
    }
    return copy;
  }
}

function idList(ids: readonly Digest[]): string {
  return ids.length === 0 ? '[]' : `["${ids.join('","')}"]`;
}
