import {
  EDGE_KINDS,
  edgeId,
  Graph,
  insertEdge,
  insertNode,
  NODE_KINDS,
  orThrow,
  rootHash,
  type Digest,
} from '@assay/kernel';
import { beforeAll, describe, expect, it } from 'vitest';
import { link, nodesOnly, numberedDigest, numberedEdge } from '../../../tools/naive-dag.js';

// Computed by Python's json and hashlib.
const SEED = '518b7a1c06b61e61a4504fccebda36fb5c55d8c5e638562cffdd723206d6b14b' as Digest;
const CLAIM = '2003d8212b7bba411edabd0c2060f486f372c3bdb225dd386ddd3a71576963c8' as Digest;
const EDGE = 'ffbe0a6a8e3e39881819e5a71b259fd60d3c7d50b47869339ce202e0edf0c488' as Digest;
const ROOT = 'e1f247bb30cba4c3d46483683669e53a754b27490d512baefffdaef52065a5d1' as Digest;
const EMPTY_ROOT = '4a6918868e6fd429b1bc1e1b6b3839f36884a24fe2c2d76439e03e159faa20c8' as Digest;
const RUN_ID = 'demo-1';

type Grown = { readonly graph: Graph; readonly id: Digest };
let [seeded, claimed, linked] = [] as unknown as readonly [Grown, Grown, Grown];
beforeAll(() => {
  seeded = orThrow(insertNode(Graph.empty(), RUN_ID, 'seed', 'hi'));
  claimed = orThrow(insertNode(seeded.graph, RUN_ID, 'claim', { b: 1 }));
  linked = orThrow(insertEdge(claimed.graph, RUN_ID, { kind: 'depends_on', from_id: CLAIM, to_id: SEED }));
});

describe('ids and root', () => {
  it('are the hashes of the formulas, as another implementation computes them', () => {
    expect([seeded.id, claimed.id, linked.id]).toEqual([SEED, CLAIM, EDGE]);
    expect(linked.graph.root()).toBe(ROOT);
    expect(Graph.empty().root()).toBe(EMPTY_ROOT);
    expect(rootHash([], [])).toBe(EMPTY_ROOT);
    expect(rootHash([CLAIM, SEED], [EDGE])).toBe(ROOT);
  });

  it('depend on run, kind and payload, and an edge on its direction', () => {
    const ids = [
      insertNode(Graph.empty(), RUN_ID, 'seed', 'hi'),
      insertNode(Graph.empty(), 'demo-2', 'seed', 'hi'),
      insertNode(Graph.empty(), RUN_ID, 'claim', 'hi'),
      insertNode(Graph.empty(), RUN_ID, 'seed', 'ho'),
    ].map((result) => orThrow(result).id);
    const ends = { from_id: CLAIM, to_id: SEED };
    const edges = [
      edgeId(RUN_ID, { kind: 'refines', ...ends }),
      edgeId(RUN_ID, { kind: 'depends_on', ...ends }),
      edgeId(RUN_ID, { kind: 'refines', from_id: SEED, to_id: CLAIM }),
      edgeId('demo-2', { kind: 'refines', ...ends }),
    ];
    expect(new Set([...ids, ...edges]).size).toBe(8);
  });

  it('come from the digest that is handed in', () => {
    let calls = 0;
    const counting = (): Digest => numberedDigest((calls += 1));
    const node = orThrow(insertNode(Graph.empty(), RUN_ID, 'seed', 'hi', counting));
    expect([node.id, calls]).toEqual([numberedDigest(2), 2]);
    expect(
      orThrow(
        insertEdge(node.graph, RUN_ID, { kind: 'contradicts', from_id: node.id, to_id: node.id }, counting),
      ).id,
    ).toBe(numberedDigest(3));
    expect(node.graph.root(counting)).toBe(numberedDigest(4));
  });
});

describe('what a graph shows', () => {
  it('nodes and edges in order of arrival, ids in ascending order', () => {
    const { graph } = linked;
    expect(graph.nodes()).toEqual([
      { id: SEED, kind: 'seed' },
      { id: CLAIM, kind: 'claim' },
    ]);
    expect(graph.edges()).toEqual([{ id: EDGE, kind: 'depends_on', from_id: CLAIM, to_id: SEED }]);
    expect(graph.sortedNodeIds()).toEqual([CLAIM, SEED]);
    expect(graph.sortedEdgeIds()).toEqual([EDGE]);
    expect([graph.nodeCount, graph.edgeCount]).toEqual([2, 1]);
    expect([graph.hasNode(SEED), graph.hasNode(EDGE), graph.hasEdge(EDGE), graph.hasEdge(SEED)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(Object.isFrozen(graph)).toBe(true);
  });

  it('every kind of node and edge, and a node of unknown kind', () => {
    let graph = Graph.empty().withNode(numberedDigest(99));
    for (const [index, kind] of NODE_KINDS.entries()) graph = graph.withNode(numberedDigest(index), kind);
    for (const [index, kind] of EDGE_KINDS.entries()) graph = orThrow(link(graph, index + 1, index, kind));
    expect(graph.nodes().map(({ kind }) => kind)).toEqual([null, ...NODE_KINDS]);
    expect(graph.edges().map(({ kind }) => kind)).toEqual(EDGE_KINDS);
  });
});

describe('refusals', () => {
  it('missing ends, from before to, before a cycle is looked for', () => {
    const graph = nodesOnly(1);
    for (const [from, to] of [
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const) {
      for (const kind of EDGE_KINDS)
        expect(link(graph, from, to, kind)).toEqual({ _tag: 'Left', left: { code: 'missing_end' } });
    }
  });

  it('an end that only a later value has is missing', () => {
    const later = nodesOnly(2);
    const earlier = nodesOnly(1);
    const grown = earlier.withNode(numberedDigest(1), 'claim');
    expect(link(grown, 1, 0)._tag).toBe('Right');
    expect(link(earlier, 1, 0)).toEqual({ _tag: 'Left', left: { code: 'missing_end' } });
    expect(link(later, 1, 0)._tag).toBe('Right');
  });

  it('parallel edges of different kinds are different edges', () => {
    const graph = orThrow(link(orThrow(link(nodesOnly(2), 0, 1)), 0, 1, 'refines'));
    expect(graph.edgeCount).toBe(2);
    expect(graph.hasEdge(numberedEdge(0, 1, 'refines')[0])).toBe(true);
  });

  it('a payload that is not admitted, with its path', () => {
    expect(insertNode(Graph.empty(), RUN_ID, 'claim', { a: [undefined] })).toEqual({
      _tag: 'Left',
      left: { code: 'undefined', path: '/a/0' },
    });
    expect(insertEdge(Graph.empty(), RUN_ID, { kind: 'refines', from_id: SEED, to_id: SEED })).toEqual({
      _tag: 'Left',
      left: { code: 'missing_end' },
    });
  });
});
