import { createHash } from 'node:crypto';
import { Graph, insertEdge, insertNode, orThrow, type Digest } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../tools/cpu-time.js';
import { link, nodesOnly, topologicalOrder, type Arrow } from '../../../tools/naive-dag.js';

/** Mutation testing runs these for every mutant, on a smaller graph. */
const COUNT = process.env['ASSAY_LAW_RUNS'] === undefined ? 100_000 : 2_000;
const SECONDS = 10;
const native = (bytes: Uint8Array): Digest => createHash('sha256').update(bytes).digest('hex') as Digest;

function timed<A>(run: () => A): A {
  const { result, milliseconds } = cpuTime(run);
  expect(milliseconds).toBeLessThan(SECONDS * 1_000);
  return result;
}

function addAll(arrows: Iterable<Arrow>): Graph {
  let graph = nodesOnly(COUNT);
  for (const [from, to] of arrows) graph = orThrow(link(graph, from, to));
  return graph;
}

/** Numbers 0 … bound-1 from a 32-bit xorshift. */
function random(): (bound: number) => number {
  let state = 20_260_101;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** Orders of arrival that are hard on an incremental cycle check: each makes about COUNT edges. */
const ORDERS: Readonly<Record<string, () => Arrow[]>> = {
  'a chain whose links come front to back': () =>
    Array.from({ length: COUNT - 1 }, (_, index): Arrow => [index, index + 1]),
  'a chain whose links come back to front': () =>
    Array.from({ length: COUNT - 1 }, (_, index): Arrow => [COUNT - 2 - index, COUNT - 1 - index]),
  'a chain whose links come at random': () => {
    const below = random();
    const links = Array.from({ length: COUNT - 1 }, (_, index): Arrow => [index, index + 1]);
    for (let last = links.length - 1; last > 0; last -= 1) {
      const other = below(last + 1);
      [links[last], links[other]] = [links[other] as Arrow, links[last] as Arrow];
    }
    return links;
  },
  'halves of a chain joined again and again': () => {
    // First the links inside pairs, then those that join pairs to fours, fours to eights …
    const links: Arrow[] = [];
    for (let width = 1; width < COUNT; width *= 2) {
      for (let at = width - 1; at + 1 < COUNT; at += width * 2) links.push([at, at + 1]);
    }
    return links;
  },
  'random edges that respect a hidden order': () => {
    const below = random();
    return Array.from({ length: COUNT }, (): Arrow => {
      const [a, b] = [below(COUNT), below(COUNT)];
      return a < b ? [a, b] : [b, a];
    }).filter(([from, to]) => from < to);
  },
};

describe(`a graph of ${COUNT} nodes and about as many edges`, () => {
  it.each(Object.keys(ORDERS))('takes seconds: %s', (name) => {
    const arrows = ORDERS[name]?.() ?? [];
    expect(arrows.length).toBeGreaterThan(COUNT * 0.9);
    const graph = timed(() => addAll(arrows));
    expect(graph.edgeCount).toBe(new Set(arrows.map(([from, to]) => from * COUNT + to)).size);
    expect(topologicalOrder(graph.sortedNodeIds(), graph.edges())).not.toBeNull();
  });

  it('follows a chain through all of it without recursion, to refuse the edge that would close it', () => {
    const graph = addAll(ORDERS['a chain whose links come front to back']?.() ?? []);
    timed(() => {
      expect(link(graph, COUNT - 1, 0)).toEqual({ _tag: 'Left', left: { code: 'cycle' } });
      expect(link(graph, COUNT - 1, COUNT - 2)).toEqual({ _tag: 'Left', left: { code: 'cycle' } });
      expect(link(graph, 0, COUNT - 1)._tag).toBe('Right');
    });
  });

  it('may search all of it for each edge it refuses, and no more', () => {
    const graph = addAll(ORDERS['a chain whose links come back to front']?.() ?? []);
    timed(() => {
      for (let index = 0; index < 50; index += 1)
        expect(link(graph, COUNT - 1 - index, index)._tag).toBe('Left');
    });
  });

  it('derives ids and the root in seconds', () => {
    timed(() => {
      let graph = Graph.empty();
      let last: Digest | null = null;
      for (let index = 0; index < COUNT; index += 1) {
        const added: { readonly graph: Graph; readonly id: Digest } = orThrow(
          insertNode(graph, 'run-1', 'claim', { index }, native),
        );
        graph =
          last === null
            ? added.graph
            : orThrow(
                insertEdge(
                  added.graph,
                  'run-1',
                  { kind: 'depends_on', from_id: added.id, to_id: last },
                  native,
                ),
              ).graph;
        last = added.id;
      }
      expect([graph.nodeCount, graph.edgeCount]).toEqual([COUNT, COUNT - 1]);
      expect(graph.root(native)).toMatch(/^[0-9a-f]{64}$/);
    });
  });
});
