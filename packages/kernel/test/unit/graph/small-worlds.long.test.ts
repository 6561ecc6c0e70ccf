import { orThrow, type Graph } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { graphOf, leadsTo, link, nodesOnly, topologicalOrder, type Arrow } from '../../../tools/naive-dag.js';

/** How many acyclic graphs there are over that many named nodes (OEIS A003024). */
const LABELLED_DAGS = [1, 1, 3, 25, 543];

function pairs(count: number): readonly Arrow[] {
  return Array.from(
    { length: count * count },
    (_, index): Arrow => [Math.floor(index / count), index % count],
  ).filter(([from, to]) => from !== to);
}

function subsets<A>(items: readonly A[]): readonly (readonly A[])[] {
  return Array.from({ length: 2 ** items.length }, (_, mask) =>
    items.filter((_item, index) => (mask & (2 ** index)) !== 0),
  );
}

function permutations<A>(items: readonly A[]): readonly (readonly A[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

/** The graph where every arrow was accepted, else null. */
function build(count: number, arrows: readonly Arrow[]): Graph | null {
  let graph = nodesOnly(count);
  for (const [from, to] of arrows) {
    const next = link(graph, from, to);
    if (next._tag === 'Left') return null;
    graph = next.right;
  }
  return graph;
}

const isAcyclic = (arrows: readonly Arrow[]): boolean =>
  arrows.every(([from, to]) => !leadsTo(arrows, to, from));

describe('all graphs of up to four nodes', () => {
  it.each([0, 1, 2, 3, 4])('over %i nodes exactly the acyclic graphs are accepted whole', (count) => {
    let accepted = 0;
    for (const arrows of subsets(pairs(count))) {
      const graph = build(count, arrows);
      expect(graph !== null).toBe(isAcyclic(arrows));
      if (graph === null) continue;
      accepted += 1;
      expect(topologicalOrder(graph.sortedNodeIds(), graph.edges())).toHaveLength(count);
    }
    expect(accepted).toBe(LABELLED_DAGS[count]);
  });

  it('each of them has one root and refuses the same arrows, in whatever order its edges came', () => {
    let orders = 0;
    for (const arrows of subsets(pairs(4)).filter(isAcyclic)) {
      const root = graphOf(4, arrows).root();
      const verdicts = pairs(4).map(([from, to]) => !leadsTo(arrows, to, from));
      for (const order of permutations(arrows)) {
        const graph = graphOf(4, order);
        orders += 1;
        if (arrows.length <= 4) expect(graph.root()).toBe(root);
        for (const [index, [from, to]] of pairs(4).entries()) {
          if ((link(graph, from, to)._tag === 'Right') !== verdicts[index])
            throw new Error(
              `${JSON.stringify(order)} then ${from} to ${to}: expected ${String(verdicts[index])}`,
            );
        }
      }
    }
    // Acyclic graphs by number of edges, times the orders of so many (OEIS A081064).
    const byEdges = [1, 12, 60, 152, 186, 108, 24];
    const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
    expect(orders).toBe(byEdges.reduce((sum, graphs, edges) => sum + graphs * factorial(edges), 0));
  });

  it('a self edge is a cycle, except one that contradicts', () => {
    for (const kind of ['depends_on', 'refines'] as const)
      expect(link(nodesOnly(1), 0, 0, kind)).toEqual({ _tag: 'Left', left: { code: 'cycle' } });
    expect(orThrow(link(nodesOnly(1), 0, 0, 'contradicts')).edgeCount).toBe(1);
  });
});
