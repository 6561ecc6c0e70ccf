/**
 * Directed graphs the slow and obvious way, to hold the kernel's graph against.
 *
 * @module
 */
import { orThrow, Graph, type Digest, type EdgeKind } from '@assay/kernel';

type EdgeDraft = Parameters<Graph['withEdge']>[1];

/** An edge between numbered nodes. */
export type Arrow = readonly [from: number, to: number];

/** A well-spread digest for a small number, the same each time. */
export function numberedDigest(index: number): Digest {
  const mixed = Math.imul(index + 1, 0x9e3779b1) >>> 0;
  return (mixed.toString(16).padStart(8, '0') + index.toString(16).padStart(56, '0')) as Digest;
}

/** The graph of nodes 0 … count-1 without edges. */
export function nodesOnly(count: number): Graph {
  let graph = Graph.empty();
  for (let index = 0; index < count; index += 1) graph = graph.withNode(numberedDigest(index), 'claim');
  return graph;
}

/** An edge between numbered nodes, and a digest for its id. */
export function numberedEdge(
  from: number,
  to: number,
  kind: EdgeKind = 'depends_on',
): readonly [Digest, EdgeDraft] {
  const kinds: readonly EdgeKind[] = ['depends_on', 'refines', 'contradicts'];
  const id = numberedDigest(1_000_000 + (from * 1_000_003 + to) * 3 + kinds.indexOf(kind));
  return [id, { kind, from_id: numberedDigest(from), to_id: numberedDigest(to) }];
}

/** {@link Graph.withEdge} between numbered nodes. */
export function link(
  graph: Graph,
  from: number,
  to: number,
  kind: EdgeKind = 'depends_on',
): ReturnType<Graph['withEdge']> {
  return graph.withEdge(...numberedEdge(from, to, kind));
}

/** The graph of some arrows, none of which closes a cycle. */
export function graphOf(count: number, arrows: readonly Arrow[]): Graph {
  return arrows.reduce((graph, [from, to]) => orThrow(link(graph, from, to)), nodesOnly(count));
}

/** True when a path leads from one node to another, the empty path included: depth-first search. */
export function leadsTo(arrows: readonly Arrow[], start: number, goal: number): boolean {
  const seen = new Set([start]);
  const stack = [start];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === goal) return true;
    for (const [from, to] of arrows) {
      if (from === node && !seen.has(to)) {
        seen.add(to);
        stack.push(to);
      }
    }
  }
  return false;
}

/**
 * An order of all ids in which each given edge leads from a later node to an earlier one, by Kahn's
 * algorithm; null where there is none.
 */
export function topologicalOrder(
  ids: readonly Digest[],
  edges: readonly Pick<EdgeDraft, 'from_id' | 'to_id'>[],
): readonly Digest[] | null {
  const waits = new Map(ids.map((id) => [id, 0]));
  const dependents = new Map<Digest, Digest[]>(ids.map((id) => [id, []]));
  for (const { from_id, to_id } of edges) {
    waits.set(from_id, (waits.get(from_id) ?? 0) + 1);
    dependents.get(to_id)?.push(from_id);
  }
  const order = ids.filter((id) => waits.get(id) === 0);
  for (const id of order) {
    for (const dependent of dependents.get(id) ?? []) {
      const left = (waits.get(dependent) ?? 0) - 1;
      waits.set(dependent, left);
      if (left === 0) order.push(dependent);
    }
  }
  return order.length === ids.length ? order : null;
}
