/** The context graph of a run: what rests on what. `from` is the dependent. Source: 001 §2.5; intent I14. */
import type { EdgeKind } from '../graph/kinds.js';
import type { Digest } from '../hash/sha256.js';
import type { Json } from '../json.js';
import { nodeIdIn } from '../machine/deciding.js';
import type { Context, EdgeDraftByMachine, NodeDraft } from '../machine/types.js';

import type { Commitment } from './commitment.js';
import type { ClaimedContradiction, Contradiction } from './contradiction.js';
import type { Ranking, Ranked } from './ranking.js';

/** What a decision adds, and how many nodes the graph has with it. */
export type Drawing = {
  readonly nodes: readonly NodeDraft[];
  readonly edges: readonly EdgeDraftByMachine[];
  readonly count: number;
  readonly root: Digest;
};

/** What a committed reading is drawn from. `artifacts`: name and hash of each. */
export type CommittedParts = {
  readonly seed: NodeDraft;
  readonly ranking: Ranking;
  readonly winner: Ranked;
  readonly commitments: readonly Commitment[];
  /** The open ones, derived and claimed. */
  readonly contradictions: readonly (Contradiction | ClaimedContradiction)[];
  readonly decision: Json;
  readonly artifacts: readonly (readonly [name: string, hash: string])[];
};

/**
 * Draws a committed reading: readings on the seed, the winner's assumptions on it, each claim refining the
 * winner or the claim that holds its words, contradictions between claims, the decision on all of them, the
 * artifacts on the decision. The decision's id is the committed intent root.
 */
export function drawCommitted(parts: CommittedParts, context: Context): Drawing {
  const sketch = new Sketch(context);
  const seed = sketch.node(parts.seed);
  const readings = drawReadings(sketch, parts.ranking, seed);
  const winner = sketch.node(parts.winner.node);
  for (const text of parts.winner.candidate.reading.assumptions)
    sketch.edge('depends_on', sketch.node({ kind: 'assumption', payload: { text } }), winner);
  const claims = parts.commitments.map((commitment) => sketch.node(claimNode(commitment)));
  const byId = new Map(parts.commitments.map(({ id }, index) => [id, claims[index]] as const));
  for (const [index, { refines, provenance }] of parts.commitments.entries()) {
    const claim = claims[index];
    if (claim === undefined) continue;
    sketch.edge('refines', claim, (refines === null ? undefined : byId.get(refines)) ?? winner);
    if (provenance !== 'assumption') sketch.edge('depends_on', claim, seed);
  }
  for (const { a, b } of parts.contradictions) {
    const [left, right] = [claims[a], claims[b]];
    if (left !== undefined && right !== undefined) sketch.edge('contradicts', left, right);
  }
  return sketch.end(parts.decision, [...readings, ...claims], parts.artifacts);
}

/**
 * Draws a refusal: the readings there were, the decision on them (or on the seed), the report on the
 * decision.
 */
export function drawRefused(
  seed: NodeDraft,
  ranking: Ranking | null,
  decision: Json,
  artifacts: CommittedParts['artifacts'],
  context: Context,
): Drawing {
  const sketch = new Sketch(context);
  const root = sketch.node(seed);
  const readings = ranking === null ? [] : drawReadings(sketch, ranking, root);
  return sketch.end(decision, readings.length === 0 ? [root] : readings, artifacts);
}

/** A claim's node. An assumption is a node of that kind, whatever proposed it. */
function claimNode({ id, claim, text, provenance }: Commitment): NodeDraft {
  const { kind, modality, quote, atom, scope } = claim;
  return {
    kind: kind === 'assumption' ? 'assumption' : 'claim',
    payload: { id, kind, modality, text, quote, atom, scope, provenance },
  };
}

/** Every reading but the repeated ones, which say nothing new. */
function drawReadings(sketch: Sketch, { kept, pruned, vetoed }: Ranking, seed: Digest): readonly Digest[] {
  const out = vetoed.filter(({ vetoes }) => vetoes[0]?.code !== 'duplicate_reading');
  return [...kept, ...pruned, ...out].map(({ node }) => {
    const id = sketch.node(node);
    sketch.edge('depends_on', id, seed);
    return id;
  });
}

/** A graph under construction: ids are those the kernel will derive. */
class Sketch {
  private readonly nodes: NodeDraft[] = [];
  private readonly edges: EdgeDraftByMachine[] = [];
  private readonly known = new Set<string>();
  private readonly context: Context;

  constructor(context: Context) {
    this.context = context;
  }

  node(draft: NodeDraft): Digest {
    const id = nodeIdIn(this.context, draft.kind, draft.payload);
    if (!this.known.has(id)) {
      this.known.add(id);
      this.nodes.push(draft);
    }
    return id;
  }

  edge(kind: EdgeKind, from_id: Digest, to_id: Digest): void {
    this.edges.push({ kind, from_id, to_id });
  }

  end(decision: Json, basis: readonly Digest[], artifacts: CommittedParts['artifacts']): Drawing {
    const root = this.node({ kind: 'decision', payload: decision });
    for (const id of new Set(basis)) this.edge('depends_on', root, id);
    for (const [name, artifact_hash] of artifacts)
      this.edge('depends_on', this.node({ kind: 'artifact', payload: { name, artifact_hash } }), root);
    return { nodes: this.nodes, edges: this.edges, count: this.known.size, root };
  }
}
