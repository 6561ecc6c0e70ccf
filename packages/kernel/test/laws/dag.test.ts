import {
  EDGE_KINDS,
  Graph,
  insertEdge,
  insertNode,
  NODE_KINDS,
  orThrow,
  type Digest,
  type EdgeKind,
  type NodeKind,
} from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryAdmitted, arbitraryChoices, type Choices } from '../../tools/arbitrary-json.js';
import { lawRuns } from '../../tools/laws.js';
import {
  leadsTo,
  link,
  nodesOnly,
  numberedDigest,
  topologicalOrder,
  type Arrow,
} from '../../tools/naive-dag.js';

const RUNS = lawRuns('dag laws');
const RUN_ID = 'run-1';

type Step = readonly [from: number, to: number, kind: EdgeKind];
const NODES = 8;
const node = fc.nat(NODES - 1);
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(node, node, fc.constantFrom(...EDGE_KINDS, 'depends_on' as const)),
  { maxLength: 30, size: 'max' },
);

/** Feeds a stream of edges, keeping what is accepted: the graph and the accepted steps. */
function feed(list: readonly Step[]): { readonly graph: Graph; readonly accepted: readonly Step[] } {
  let graph = nodesOnly(NODES);
  const accepted: Step[] = [];
  for (const step of list) {
    const next = link(graph, ...step);
    if (next._tag === 'Left') continue;
    graph = next.right;
    accepted.push(step);
  }
  return { graph, accepted };
}

/** Everything a graph value shows. */
function view(graph: Graph): unknown {
  return {
    nodes: graph.nodes(),
    edges: graph.edges(),
    nodeIds: graph.sortedNodeIds(),
    edgeIds: graph.sortedEdgeIds(),
    counts: [graph.nodeCount, graph.edgeCount],
    root: graph.root(),
  };
}

function shuffled<A>(items: readonly A[], choices: Choices): readonly A[] {
  const out: A[] = [];
  for (const [index, item] of items.entries())
    out.splice((choices[index % choices.length] ?? 0) % (out.length + 1), 0, item);
  return out;
}

describe('laws of the context graph', () => {
  it(
    'dag/topological-order-respects-edges: whatever stream of edges is offered, what is ' +
      'accepted leaves a topological order',
    () => {
      fc.assert(
        fc.property(steps, (list) => {
          const { graph } = feed(list);
          const ordered = graph.edges().filter(({ kind }) => kind !== 'contradicts');
          const order = topologicalOrder(graph.sortedNodeIds(), ordered);
          expect(order).toHaveLength(NODES);
          for (const { from_id, to_id } of ordered)
            expect(order?.indexOf(to_id)).toBeLessThan(order?.indexOf(from_id) ?? -1);
        }),
        RUNS,
      );
    },
  );

  it(
    'dag/cycle-check-equals-naive: an edge is refused exactly if depth-first search finds ' +
      'its end leading back',
    () => {
      let refused = 0;
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat(19), fc.nat(19), fc.constantFrom(...EDGE_KINDS)), {
            maxLength: 90,
            size: 'max',
          }),
          (list) => {
            let graph = nodesOnly(20);
            const arrows: Arrow[] = [];
            for (const [from, to, kind] of list) {
              const next = link(graph, from, to, kind);
              const closes = kind !== 'contradicts' && leadsTo(arrows, to, from);
              expect(next).toEqual(
                closes
                  ? { _tag: 'Left', left: { code: 'cycle' } }
                  : { _tag: 'Right', right: expect.anything() },
              );
              if (next._tag === 'Left') refused += 1;
              else {
                graph = next.right;
                if (kind !== 'contradicts') arrows.push([from, to]);
              }
            }
          },
        ),
        RUNS,
      );
      expect(refused).toBeGreaterThan(RUNS.numRuns / 10);
    },
  );

  it('dag/insertion-order-invariant: ids and root depend on what is in the graph, not on when it came', () => {
    const content = fc.record({
      nodes: fc.array(fc.tuple(fc.constantFrom(...NODE_KINDS), arbitraryAdmitted(1)), {
        minLength: 1,
        maxLength: 6,
        size: 'max',
      }),
      edges: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...EDGE_KINDS)), {
        maxLength: 8,
        size: 'max',
      }),
    });
    const build = (
      nodes: readonly (readonly [NodeKind, unknown])[],
      edges: readonly (readonly [Digest, Digest, EdgeKind])[],
    ): Graph => {
      let graph = Graph.empty();
      for (const [kind, payload] of nodes) graph = orThrow(insertNode(graph, RUN_ID, kind, payload)).graph;
      for (const [from_id, to_id, kind] of edges)
        graph = orThrow(insertEdge(graph, RUN_ID, { kind, from_id, to_id })).graph;
      return graph;
    };
    fc.assert(
      fc.property(content, arbitraryChoices, ({ nodes, edges }, choices) => {
        const ids = nodes.map(
          ([kind, payload]) => orThrow(insertNode(Graph.empty(), RUN_ID, kind, payload)).id,
        );
        // Edges from a larger id to a smaller one: acyclic in whatever order they come.
        const arrows = edges
          .map(
            ([a, b, kind]) => [ids[a % ids.length] as Digest, ids[b % ids.length] as Digest, kind] as const,
          )
          .filter(([a, b]) => a !== b)
          .map(([a, b, kind]) => [a > b ? a : b, a > b ? b : a, kind] as const);
        const one = build(nodes, arrows);
        const two = build(shuffled(nodes, choices), shuffled(arrows, choices));
        expect(two.sortedNodeIds()).toEqual(one.sortedNodeIds());
        expect(two.sortedEdgeIds()).toEqual(one.sortedEdgeIds());
        expect(two.root()).toBe(one.root());
        expect(one.sortedNodeIds()).toEqual([...new Set(ids)].sort());
      }),
      RUNS,
    );
  });

  it('dag/idempotent-insert: what is there already gives back the very same graph value', () => {
    fc.assert(
      fc.property(steps, arbitraryAdmitted(1), fc.constantFrom(...NODE_KINDS), (list, payload, kind) => {
        const { graph, accepted } = feed(list);
        for (const step of accepted) expect(orThrow(link(graph, ...step))).toBe(graph);
        for (const { id } of graph.nodes()) expect(graph.withNode(id, 'seed')).toBe(graph);
        const added = orThrow(insertNode(graph, RUN_ID, kind, payload));
        expect(added.graph.nodeCount).toBe(graph.nodeCount + 1);
        expect(orThrow(insertNode(added.graph, RUN_ID, kind, structuredClone(payload)))).toEqual({
          graph: added.graph,
          id: added.id,
        });
        expect(orThrow(insertNode(added.graph, RUN_ID, kind, payload)).graph).toBe(added.graph);
      }),
      RUNS,
    );
  });

  it('dag/refused-edge-leaves-it-untouched: after a refusal the graph shows the same and accepts the same', () => {
    fc.assert(
      fc.property(steps, steps, (list, more) => {
        const { graph } = feed(list);
        const before = view(graph);
        const closing = graph.edges().filter(({ kind }) => kind !== 'contradicts');
        const missing = numberedDigest(NODES);
        for (const [index, { from_id, to_id }] of closing.entries()) {
          const id = numberedDigest(5_000_000 + index);
          expect(graph.withEdge(id, { kind: 'refines', from_id: to_id, to_id: from_id })).toEqual({
            _tag: 'Left',
            left: { code: 'cycle' },
          });
          expect(graph.withEdge(id, { kind: 'contradicts', from_id, to_id: missing })).toEqual({
            _tag: 'Left',
            left: { code: 'missing_end' },
          });
          expect(graph.hasEdge(id)).toBe(false);
        }
        expect(view(graph)).toEqual(before);
        // The same further stream is judged the same with and without the refusals before it.
        let [one, two] = [graph, feed(list).graph];
        for (const step of more) {
          const [a, b] = [link(one, ...step), link(two, ...step)];
          expect(a._tag).toBe(b._tag);
          if (a._tag === 'Right') one = a.right;
          if (b._tag === 'Right') two = b.right;
        }
        expect(view(one)).toEqual(view(two));
      }),
      RUNS,
    );
  });

  it(
    'dag/old-values-stay: every graph value stays what it was, whatever is added to it or to ' +
      'others, and can be added to again',
    () => {
      fc.assert(
        fc.property(steps, steps, fc.nat(), (list, branch, at) => {
          const values = [nodesOnly(NODES)];
          const accepted: Step[] = [];
          for (const step of list) {
            const next = link(values.at(-1) as Graph, ...step);
            if (next._tag === 'Left' || next.right === values.at(-1)) continue;
            values.push(next.right);
            accepted.push(step);
          }
          const views = values.map(view);
          const old = values[at % values.length] as Graph;
          const added = numberedDigest(NODES);
          let branched = old.withNode(added, 'seed');
          expect(old.hasNode(added)).toBe(false);
          const arrows = accepted
            .slice(0, old.edgeCount)
            .filter(([, , kind]) => kind !== 'contradicts')
            .map(([from, to]): Arrow => [from, to]);
          for (const [from, to, kind] of branch) {
            const next = link(branched, from, to, kind);
            // A branch is judged by its own edges alone.
            expect(next._tag).toBe(kind !== 'contradicts' && leadsTo(arrows, to, from) ? 'Left' : 'Right');
            if (next._tag === 'Left') continue;
            branched = next.right;
            if (kind !== 'contradicts') arrows.push([from, to]);
          }
          expect(values.map(view)).toEqual(views);
          expect(branched.nodes().slice(0, NODES)).toEqual(old.nodes());
          expect(branched.edges().slice(0, old.edgeCount)).toEqual(old.edges());
        }),
        RUNS,
      );
    },
  );
});
