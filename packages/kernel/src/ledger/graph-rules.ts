/**
 * The rules of the context graph over a whole ledger: ids, novelty, ends, cycles, root.
 * Source: 001 §2.5, §2.6; ledger format, "Graph".
 */
import { encodeJson } from '../canonical/encode.js';
import { DigestIndex } from '../collections/digest-index.js';
import { edgeId, nodeId, rootHash } from '../graph/graph.js';
import { EDGE_KINDS, type GraphEdge, type GraphNode, NODE_KINDS } from '../graph/kinds.js';
import { EdgeOrder } from '../graph/order.js';
import { hashText, type Digest, type Sha256 } from '../hash/sha256.js';
import { finding, type Finding } from './faults.js';
import type { GraphAddition } from './payloads.js';

/** All ids of a ledger's graph so far: 32 bytes and a few words for each node and edge, no payloads. */
export class GraphRules {
  private readonly nodes: DigestIndex = new DigestIndex();
  private readonly edges: DigestIndex = new DigestIndex();
  private readonly order: EdgeOrder = new EdgeOrder();
  private readonly runId: string;
  private readonly sha256: Sha256;
  private areEndsKnown = true;

  /** The empty graph of a run. */
  constructor(runId: string, sha256: Sha256) {
    this.runId = runId;
    this.sha256 = sha256;
  }

  /**
   * From here on nodes may be missing (an erased decision): ends, cycles and the root are no longer judged.
   */
  forgetEnds(): void {
    this.areEndsKnown = false;
  }

  /**
   * One decision's additions. All its nodes are entered before its edges. Amortised O(additions), cycles as
   * {@link EdgeOrder}.
   */
  decided(addition: GraphAddition): Finding | null {
    for (const [index, node] of addition.nodes.entries()) {
      const fault = this.addNode(node, `/payload/graph/nodes/${index}`);
      if (fault !== null) return fault;
    }
    for (const [index, edge] of addition.edges.entries()) {
      const fault = this.addEdge(edge, `/payload/graph/edges/${index}`);
      if (fault !== null) return fault;
    }
    return null;
  }

  /** `dag_root_hash` of a close. O(n log n). */
  closed(root: Digest): Finding | null {
    if (!this.areEndsKnown) return null;
    const expected = rootHash(
      this.nodes.sorted(this.nodes.count),
      this.edges.sorted(this.edges.count),
      this.sha256,
    );
    return root === expected
      ? null
      : finding('close', { path: '/payload/dag_root_hash', expected, got: root });
  }

  private addNode({ id, kind, payload, payload_hash }: GraphNode, path: string): Finding | null {
    if (!NODE_KINDS.includes(kind)) return finding('graph', { path: `${path}/kind`, got: kind });
    const hash = hashText(encodeJson(payload), this.sha256);
    if (hash !== payload_hash)
      return finding('graph', { path: `${path}/payload_hash`, expected: hash, got: payload_hash });
    const expected = nodeId(this.runId, kind, payload_hash, this.sha256);
    if (id !== expected) return finding('graph', { path: `${path}/id`, expected, got: id });
    if (this.nodes.indexOf(id) >= 0)
      return finding('graph', { path: `${path}/id`, expected: 'a new node', got: id });
    this.nodes.add(id);
    this.order.addNode();
    return null;
  }

  private addEdge(edge: GraphEdge, path: string): Finding | null {
    if (!EDGE_KINDS.includes(edge.kind)) return finding('graph', { path: `${path}/kind`, got: edge.kind });
    const expected = edgeId(this.runId, edge, this.sha256);
    if (edge.id !== expected) return finding('graph', { path: `${path}/id`, expected, got: edge.id });
    if (this.edges.indexOf(edge.id) >= 0)
      return finding('graph', { path: `${path}/id`, expected: 'a new edge', got: edge.id });
    this.edges.add(edge.id);
    if (!this.areEndsKnown) return null;
    const from = this.nodes.indexOf(edge.from_id);
    const to = this.nodes.indexOf(edge.to_id);
    if (from < 0)
      return finding('graph', { path: `${path}/from_id`, expected: 'a recorded node', got: edge.from_id });
    if (to < 0)
      return finding('graph', { path: `${path}/to_id`, expected: 'a recorded node', got: edge.to_id });
    if (edge.kind === 'contradicts' || this.order.addEdge(from, to)) return null;
    return finding('graph', { path, expected: 'no cycle over depends_on and refines', got: edge.id });
  }
}
