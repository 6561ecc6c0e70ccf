/** Pausing a run and going on. Source: ledger format, "Base", "Snapshot file". */
import { PersistentMap } from '../collections/persistent-map.js';
import { admit } from '../canonical/admit.js';
import { utf8Bytes } from '../text.js';
import { EDGE_KINDS, type GraphEdge } from '../graph/kinds.js';
import { edgeId, Graph } from '../graph/graph.js';
import { isDigest, type Digest } from '../hash/sha256.js';
import { compareText, type Json } from '../json.js';
import { linkFault, parseEnvelope } from '../ledger/chain.js';
import {
  EDGE,
  HEAD,
  idFromLater,
  PAYLOADS,
  STATE,
  type Base,
  type Genesis,
  type Head,
  type State,
} from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { closed, digest, list, oneOf, parseShape, type Shape } from '../ledger/shape.js';
import { isIntegral, locateTokenFault } from '../ledger/values.js';
import { err, ok, type Result } from '../result.js';
import { isNamed } from './named.js';
import { makeTable } from './request-table.js';
import { chooseDigest, makeHead, type KernelOptions, type Run } from './run.js';
import { makeState } from './state.js';
import type { Machine, Rejection } from './types.js';

/** The snapshot format this kernel writes and knows. */
export const SNAPSHOT_FORMAT = 'assay-snapshot/0';

/**
 * A run at rest. H(state) is the state hash of the ledger's last decision; `graph` is under no hash until
 * `close`, so a snapshot is for whoever trusts its source or has read the ledger's decisions up to `head`.
 */
export type Snapshot = {
  readonly format: typeof SNAPSHOT_FORMAT;
  readonly genesis: EvidenceRecord;
  readonly head: Head;
  readonly state: State;
  readonly graph: { readonly nodes: readonly Digest[]; readonly edges: readonly GraphEdge[] };
};

/**
 * The snapshot of an open run whose last group's decision carries a state hash; else null. Linear in state
 * and graph.
 */
export function snapshot<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>): Snapshot | null {
  if (!run.pace.isAnchored || run.outcome !== null) return null;
  const state = makeState(run.machine.encode(run.state), run.open, run.artifacts);
  const edges = [...run.graph.edges()].sort((a, b) => compareText(a.id, b.id));
  return {
    format: SNAPSHOT_FORMAT,
    genesis: run.genesisRecord,
    head: makeHead(run),
    state,
    graph: { nodes: run.graph.sortedNodeIds(), edges },
  };
}

/** The base of a continuation: a new run that starts from this snapshot's state. */
export function makeContinuation(given: Snapshot): Base {
  return { ...given.head, snapshot: given.state };
}

/** The fields of a snapshot. Its genesis is read as a record, by a rule of its own. */
export const SNAPSHOT: { readonly [field in keyof Snapshot]: Shape<Snapshot[field]> } = {
  format: oneOf([SNAPSHOT_FORMAT]),
  genesis: () => null,
  head: HEAD,
  state: STATE,
  graph: closed({ nodes: list(digest), edges: list(EDGE) }),
};
const snapshotShape = closed(SNAPSHOT);

/** A snapshot read back: its own rules hold, and its genesis is a sound first record. */
export type ReadSnapshot = { readonly snapshot: Snapshot; readonly genesis: Genesis; readonly graph: Graph };

/** Reads a snapshot. Errors: `snapshot_shape`, `snapshot_genesis`, `snapshot_graph`. */
export function readSnapshot(given: unknown, options?: KernelOptions): Result<Rejection, ReadSnapshot> {
  const sha256 = chooseDigest(options);
  const admitted = admit(given);
  if (admitted._tag === 'Left') return err({ code: 'snapshot_shape', detail: { path: admitted.left.path } });
  const shaped = parseShape<Snapshot>(snapshotShape, admitted.right.value);
  if (shaped._tag === 'Left') return err({ code: 'snapshot_shape', detail: { path: shaped.left.path } });
  const { state: held, head: at } = shaped.right;
  const isState =
    isIntegral(held) && locateTokenFault(held) === null && idFromLater(held.open, at.count) === undefined;
  if (!isState) return err({ code: 'snapshot_shape', detail: { path: '/state' } });
  const envelope = parseEnvelope(shaped.right.genesis);
  if (envelope._tag === 'Left' || envelope.right.payload === undefined)
    return err({ code: 'snapshot_genesis', detail: null });
  const genesis = parseShape<Genesis>(PAYLOADS.genesis, envelope.right.payload);
  const isSound =
    genesis._tag === 'Right' &&
    envelope.right.kind === 'genesis' &&
    linkFault(envelope.right, null, null, sha256) === null;
  if (!isSound || genesis.right.run_id !== shaped.right.head.run_id)
    return err({ code: 'snapshot_genesis', detail: null });
  const graph = rebuild(genesis.right.run_id, shaped.right.graph, options);
  if (graph === null) return err({ code: 'snapshot_graph', detail: null });
  return ok({ snapshot: shaped.right, genesis: genesis.right, graph });
}

/**
 * Takes up a run from its snapshot with the machine that made it. Errors: `snapshot_shape`,
 * `snapshot_genesis`, `snapshot_graph`, `snapshot_machine`, and the machine's own from `decode`.
 */
export function resumeRun<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  given: unknown,
  options?: KernelOptions,
): Result<Rejection, Run<S, I, E, A>> {
  const read = readSnapshot(given, options);
  if (read._tag === 'Left') return read;
  const { snapshot: at, genesis, graph } = read.right;
  if (!isNamed(machine, genesis.machine)) return err({ code: 'snapshot_machine', detail: genesis.machine });
  const state = machine.decode(at.state.machine);
  if (state._tag === 'Left') return state;
  const encoded = admit(at.state);
  const stateBytes = encoded._tag === 'Right' ? encoded.right.bytes : 0;
  return ok({
    machine,
    genesis,
    genesisRecord: at.genesis,
    state: state.right,
    open: makeTable(at.state),
    artifacts: PersistentMap.from(Object.entries(at.state.artifacts)),
    graph,
    count: at.head.count,
    hash: at.head.hash,
    outcome: null,
    pace: { stateBytes, payloadBytes: 0, isAnchored: true },
    sha256: chooseDigest(options),
  });
}

/** H(state) of a snapshot: what the decision at its head must carry. */
export function hashState(state: State, options?: KernelOptions): Digest | null {
  const admitted = admit(state);
  return admitted._tag === 'Left' ? null : chooseDigest(options)(utf8Bytes(admitted.right.text));
}

function rebuild(
  runId: string,
  { nodes, edges }: Snapshot['graph'],
  options: KernelOptions | undefined,
): Graph | null {
  let graph = Graph.empty();
  for (const id of nodes) if (isDigest(id)) graph = graph.withNode(id);
  for (const edge of edges) {
    if (!EDGE_KINDS.includes(edge.kind) || edgeId(runId, edge, chooseDigest(options)) !== edge.id)
      return null;
    const next = graph.withEdge(edge.id, edge);
    if (next._tag === 'Left') return null;
    graph = next.right;
  }
  return graph;
}
