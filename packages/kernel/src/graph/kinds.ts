/** The kinds of nodes and edges, and both as a ledger records them. Source: 001 §2.5. */
import type { Digest } from '../hash/sha256.js';
import type { Json } from '../json.js';

/** Node kinds of the context graph. Source: 001 §2.5. */
export const NODE_KINDS = ['seed', 'interpretation', 'assumption', 'claim', 'decision', 'artifact'] as const;
/** One of {@link NODE_KINDS}. */
export type NodeKind = (typeof NODE_KINDS)[number];

/** Edge kinds of the context graph. Source: 001 §2.5. */
export const EDGE_KINDS = ['depends_on', 'refines', 'contradicts'] as const;
/** One of {@link EDGE_KINDS}. */
export type EdgeKind = (typeof EDGE_KINDS)[number];

/** A node of the context graph. Source: 001 §2.5. */
export type GraphNode = {
  readonly id: Digest;
  readonly kind: NodeKind;
  readonly payload: Json;
  readonly payload_hash: Digest;
};
/** An edge of the context graph: `from_id` is the dependent. Source: 001 §2.5. */
export type GraphEdge = {
  readonly id: Digest;
  readonly kind: EdgeKind;
  readonly from_id: Digest;
  readonly to_id: Digest;
};
