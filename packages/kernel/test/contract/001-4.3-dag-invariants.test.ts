import { Graph, insertEdge, insertNode, orThrow, type Digest, type EdgeKind } from '@assay/kernel';
import { describe, expect, it } from 'vitest';

const RUN_ID = 'run-1';
type Named = readonly [from: string, to: string, kind: EdgeKind];

function build(
  names: readonly string[],
  edges: readonly Named[],
): { readonly graph: Graph; readonly id: (name: string) => Digest } {
  let graph = Graph.empty();
  const ids = new Map<string, Digest>();
  for (const name of names) {
    const added = orThrow(insertNode(graph, RUN_ID, 'claim', { name }));
    graph = added.graph;
    ids.set(name, added.id);
  }
  const id = (name: string): Digest => ids.get(name) ?? ('0'.repeat(64) as Digest);
  for (const [from, to, kind] of edges)
    graph = orThrow(insertEdge(graph, RUN_ID, { kind, from_id: id(from), to_id: id(to) })).graph;
  return { graph, id };
}

describe('001 §4.3 DAG invariants', () => {
  it.each(['depends_on', 'refines'] as const)(
    '001 §4.3 cycles in depends_on/refines rejected: closed by %s',
    (kind) => {
      const { graph, id } = build(
        ['a', 'b', 'c'],
        [
          ['a', 'b', 'depends_on'],
          ['b', 'c', 'refines'],
        ],
      );
      expect(insertEdge(graph, RUN_ID, { kind, from_id: id('c'), to_id: id('a') })).toEqual({
        _tag: 'Left',
        left: { code: 'cycle' },
      });
      expect(insertEdge(graph, RUN_ID, { kind, from_id: id('a'), to_id: id('a') })).toEqual({
        _tag: 'Left',
        left: { code: 'cycle' },
      });
      expect(insertEdge(graph, RUN_ID, { kind, from_id: id('a'), to_id: id('c') })._tag).toBe('Right');
    },
  );

  it('001 §4.3 contradict cycles allowed', () => {
    const { graph } = build(
      ['a', 'b'],
      [
        ['a', 'b', 'contradicts'],
        ['b', 'a', 'contradicts'],
        ['a', 'a', 'contradicts'],
        ['a', 'b', 'depends_on'],
      ],
    );
    expect(graph.edgeCount).toBe(4);
  });

  it('001 §4.3 missing node references rejected', () => {
    const { graph, id } = build(['a'], []);
    for (const kind of ['depends_on', 'refines', 'contradicts'] as const) {
      expect(insertEdge(graph, RUN_ID, { kind, from_id: id('a'), to_id: id('missing') })).toEqual({
        _tag: 'Left',
        left: { code: 'missing_end' },
      });
      expect(insertEdge(graph, RUN_ID, { kind, from_id: id('missing'), to_id: id('a') })).toEqual({
        _tag: 'Left',
        left: { code: 'missing_end' },
      });
    }
  });

  it('001 §4.3 deterministic IDs stable regardless of insertion order', () => {
    const edges: readonly Named[] = [
      ['a', 'b', 'depends_on'],
      ['c', 'b', 'refines'],
      ['b', 'd', 'depends_on'],
      ['d', 'a', 'contradicts'],
    ];
    const one = build(['a', 'b', 'c', 'd'], edges);
    const two = build(['d', 'b', 'a', 'c'], edges.toReversed());
    for (const name of ['a', 'b', 'c', 'd']) expect(two.id(name)).toBe(one.id(name));
    expect(two.graph.sortedEdgeIds()).toEqual(one.graph.sortedEdgeIds());
    expect(two.graph.root()).toBe(one.graph.root());
  });
});
