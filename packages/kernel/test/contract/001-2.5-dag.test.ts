import {
  EDGE_KINDS,
  Graph,
  hashCanonical,
  insertEdge,
  insertNode,
  NODE_KINDS,
  orThrow,
  type Digest,
  type EdgeKind,
} from '@assay/kernel';
import { beforeAll, describe, expect, it } from 'vitest';

const RUN_ID = 'run-1';
const add = (graph: Graph, payload: unknown): { readonly graph: Graph; readonly id: Digest } =>
  orThrow(insertNode(graph, RUN_ID, 'claim', payload));
let [a, b] = [] as unknown as readonly [ReturnType<typeof add>, ReturnType<typeof add>];
beforeAll(() => {
  a = add(Graph.empty(), 'a');
  b = add(a.graph, 'b');
});
const join = (graph: Graph, kind: EdgeKind, from_id: Digest, to_id: Digest): ReturnType<typeof insertEdge> =>
  insertEdge(graph, RUN_ID, { kind, from_id, to_id });

describe('001 §2.5 DAG', () => {
  it('001 §2.5 node kinds: seed|interpretation|assumption|claim|decision|artifact', () => {
    expect(NODE_KINDS).toEqual(['seed', 'interpretation', 'assumption', 'claim', 'decision', 'artifact']);
    for (const kind of NODE_KINDS)
      expect(orThrow(insertNode(Graph.empty(), RUN_ID, kind, 1)).graph.nodes()).toMatchObject([{ kind }]);
  });

  it('001 §2.5 edge kinds: depends_on|refines|contradicts, with from_id and to_id', () => {
    expect(EDGE_KINDS).toEqual(['depends_on', 'refines', 'contradicts']);
    for (const kind of EDGE_KINDS) {
      const edge = orThrow(join(b.graph, kind, b.id, a.id));
      expect(edge.graph.edges()).toEqual([{ id: edge.id, kind, from_id: b.id, to_id: a.id }]);
    }
  });

  it('001 §2.5 deterministic IDs, node: sha256(canonical({t:"node", run_id, kind, payload_hash}))', () => {
    const payload_hash = orThrow(hashCanonical({ x: [1] }));
    expect(orThrow(insertNode(Graph.empty(), RUN_ID, 'seed', { x: [1] })).id).toBe(
      orThrow(hashCanonical({ t: 'node', run_id: RUN_ID, kind: 'seed', payload_hash })),
    );
  });

  it('001 §2.5 deterministic IDs, edge: sha256(canonical({t:"edge", run_id, kind, from, to}))', () => {
    expect(orThrow(join(b.graph, 'refines', b.id, a.id)).id).toBe(
      orThrow(hashCanonical({ t: 'edge', run_id: RUN_ID, kind: 'refines', from: b.id, to: a.id })),
    );
  });

  it('001 §2.5 edges reference existing nodes', () => {
    expect(join(a.graph, 'depends_on', b.id, a.id)).toEqual({ _tag: 'Left', left: { code: 'missing_end' } });
    expect(join(a.graph, 'contradicts', a.id, b.id)).toEqual({ _tag: 'Left', left: { code: 'missing_end' } });
  });

  it('001 §2.5 no cycles for depends_on/refines', () => {
    for (const first of ['depends_on', 'refines'] as const) {
      for (const second of ['depends_on', 'refines'] as const) {
        expect(join(orThrow(join(b.graph, first, b.id, a.id)).graph, second, a.id, b.id)).toEqual({
          _tag: 'Left',
          left: { code: 'cycle' },
        });
      }
    }
  });

  it('001 §2.5 contradict edges excluded from cycle constraint', () => {
    const forth = orThrow(join(b.graph, 'contradicts', b.id, a.id)).graph;
    expect(orThrow(join(forth, 'contradicts', a.id, b.id)).graph.edgeCount).toBe(2);
    expect(join(forth, 'depends_on', a.id, b.id)._tag).toBe('Right');
  });

  it('001 §2.6 DAG root hash: dag_root_hash = hash_canonical({sorted_node_ids, sorted_edge_ids})', () => {
    const { graph, id } = orThrow(join(b.graph, 'refines', b.id, a.id));
    expect(graph.root()).toBe(
      orThrow(hashCanonical({ sorted_node_ids: [a.id, b.id].sort(), sorted_edge_ids: [id] })),
    );
  });
});
