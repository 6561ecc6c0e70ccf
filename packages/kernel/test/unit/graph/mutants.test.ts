import { describe, expect, it } from 'vitest';
import { edgeId, Graph, nobleSha256, nodeId, orThrow, type Digest } from '../../../src/index.js';
import { EdgeOrder } from '../../../src/graph/order.js';

/**
 * What the order keeps, by its documentation: levels, and for each node the sources of the edges into it from
 * its own level.
 */
type Kept = { readonly levels: readonly number[]; readonly near: readonly (readonly number[])[] };
type Inside = {
  readonly level: number[];
  readonly near: number[];
  readonly cellNode: number[];
  readonly cellNext: number[];
};

function keptBy(order: EdgeOrder): Kept {
  const { level, near, cellNode, cellNext } = order as unknown as Inside;
  const list = (head: number): number[] => {
    const nodes: number[] = [];
    for (let cell = head; cell !== -1; cell = cellNext[cell] as number) nodes.push(cellNode[cell] as number);
    return nodes;
  };
  return { levels: [...level], near: near.map((head) => list(head)) };
}

function orderOf(nodes: number): EdgeOrder {
  const order = new EdgeOrder();
  for (let node = 0; node < nodes; node += 1) order.addNode();
  return order;
}

/** Numbers below a bound, the same on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function leads(edges: readonly (readonly [number, number])[], from: number, to: number): boolean {
  const seen = new Set([from]);
  const queue = [from];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node === to) return true;
    for (const [a, b] of edges) {
      if (a !== node || seen.has(b)) continue;
      seen.add(b);
      queue.push(b);
    }
  }
  return false;
}

const sorted = (items: readonly number[]): readonly number[] => [...new Set(items)].sort((a, b) => a - b);

describe('EdgeOrder', () => {
  it('keeps its invariant after each edge, and a refused edge leaves all it keeps as it was', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const next = numbers(seed);
      const nodes = 3 + next(9);
      const order = orderOf(nodes);
      const edges: (readonly [number, number])[] = [];
      for (let step = 0; step < 30; step += 1) {
        const edge = [next(nodes), next(nodes)] as const;
        const before = keptBy(order);
        const isAccepted = order.addEdge(...edge);
        if (isAccepted === leads(edges, edge[1], edge[0]))
          throw new Error(`seed ${seed}: ${edge.join(' to ')}`);
        if (!isAccepted) {
          expect(JSON.stringify(keptBy(order))).toBe(JSON.stringify(before));
          continue;
        }
        edges.push(edge);
        const { levels, near } = keptBy(order);
        const level = (node: number): number => levels[node] ?? 0;
        if (edges.some(([from, to]) => level(from) > level(to)))
          throw new Error(`seed ${seed}: an edge goes down`);
        for (const [node, sources] of near.entries()) {
          const expected = sorted(
            edges.filter(([from, to]) => to === node && level(from) === level(to)).map(([from]) => from),
          );
          if (sorted(sources).join() !== expected.join()) throw new Error(`seed ${seed}: sources of ${node}`);
        }
      }
    }
  });

  it('new nodes that point at old ones never raise a level', () => {
    const order = orderOf(40);
    for (let node = 1; node < 40; node += 1) expect(order.addEdge(node, node - 1)).toBe(true);
    expect(keptBy(order).levels).toEqual(Array.from({ length: 40 }, () => 1));
  });

  it(
    'raises levels as the paper says, for edges that arrive from first to last, from both ' +
      'ends, and into one node',
    () => {
      const levelsOf = (nodes: number, edges: readonly (readonly [number, number])[]): string => {
        const order = orderOf(nodes);
        for (const [from, to] of edges) expect(order.addEdge(from, to)).toBe(true);
        return keptBy(order).levels.join(' ');
      };
      const forwards = Array.from({ length: 15 }, (_, index) => [index, index + 1] as const);
      const backwards = Array.from({ length: 15 }, (_, index) => [14 - index, 15 - index] as const);
      const inwards = backwards
        .map((edge, index) => (index % 2 === 0 ? edge : ([index >> 1, (index >> 1) + 1] as const)))
        .filter(([from], index, all) => all.findIndex(([other]) => other === from) === index);
      const fan = [
        ...Array.from({ length: 9 }, (_, index) => [index, 10] as const),
        [10, 11] as const,
        [11, 12] as const,
        [12, 9] as const,
      ];
      expect([levelsOf(16, forwards), levelsOf(16, inwards), levelsOf(13, fan)]).toEqual([
        '1 1 1 2 2 2 2 3 3 3 3 3 4 4 4 4',
        '1 1 1 1 2 2 2 2 1 1 1 1 1 1 1 1',
        '1 1 1 1 1 1 1 1 1 2 1 2 2',
      ]);
    },
  );
});

describe('a rise that meets nodes of its level and above', () => {
  it('leaves their levels, and adds itself to the sources of those of its own level alone', () => {
    const order = orderOf(17);
    for (let node = 0; node < 15; node += 1) order.addEdge(node, node + 1);
    for (const to of [15, 5]) expect(order.addEdge(16, to)).toBe(true);
    const before = keptBy(order);
    expect([before.levels[3], before.levels[5], before.levels[15], before.levels[16]]).toEqual([2, 2, 4, 1]);
    expect(order.addEdge(3, 16)).toBe(true);
    const after = keptBy(order);
    expect(after.levels).toEqual([...before.levels.slice(0, 16), 2]);
    expect([after.near[5], after.near[15], after.near[16]]).toEqual([[16, 4], [14], [3]]);
    expect(order.addEdge(15, 16)).toBe(false);
  });
});

describe('Graph', () => {
  const digest = (text: string): Digest => nobleSha256(new TextEncoder().encode(text));
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `${'0'.repeat(63)}${name}`) as unknown as readonly [
    Digest,
    Digest,
    Digest,
  ];
  const edge = { kind: 'depends_on', from_id: a, to_id: b } as const;

  it('is frozen', () => {
    expect(Object.isFrozen(Graph.empty())).toBe(true);
  });

  it('shows of an older value only what it had, with kinds, and branches from it', () => {
    const first = Graph.empty().withNode(a, 'seed').withNode(b);
    const second = orThrow(first.withEdge(digest('e'), edge)).withNode(c, 'claim');
    expect([
      first.hasNode(c),
      first.hasEdge(digest('e')),
      second.hasNode(c),
      second.hasEdge(digest('e')),
    ]).toEqual([false, false, true, true]);
    const branch = first.withNode(c, 'decision');
    expect(branch.nodes()).toEqual([
      { id: a, kind: 'seed' },
      { id: b, kind: null },
      { id: c, kind: 'decision' },
    ]);
    expect(second.nodes()).toEqual([
      { id: a, kind: 'seed' },
      { id: b, kind: null },
      { id: c, kind: 'claim' },
    ]);
    expect(second.edges()).toEqual([{ id: digest('e'), ...edge }]);
    const other = orThrow(
      second.withNode(digest('x')).withEdge(digest('f'), { kind: 'contradicts', from_id: b, to_id: a }),
    );
    const again = orThrow(second.withEdge(digest('g'), { kind: 'refines', from_id: c, to_id: a }));
    expect(other.edges()).toEqual([
      { id: digest('e'), ...edge },
      { id: digest('f'), kind: 'contradicts', from_id: b, to_id: a },
    ]);
    expect(again.edges()).toEqual([
      { id: digest('e'), ...edge },
      { id: digest('g'), kind: 'refines', from_id: c, to_id: a },
    ]);
    expect(again.withEdge(digest('h'), { kind: 'refines', from_id: b, to_id: c })).toMatchObject({
      _tag: 'Left',
      left: { code: 'cycle' },
    });
  });

  it('branches where only nodes were added since, and where only edges were', () => {
    const one = Graph.empty().withNode(a);
    const [two, three] = [one.withNode(b), one.withNode(c)];
    expect([two.nodes().map(({ id }) => id), three.nodes().map(({ id }) => id)]).toEqual([
      [a, b],
      [a, c],
    ]);
    const left = orThrow(two.withEdge(digest('e'), edge));
    const right = orThrow(two.withEdge(digest('f'), { kind: 'depends_on', from_id: b, to_id: a }));
    expect([left.edges().map(({ id }) => id), right.edges().map(({ id }) => id)]).toEqual([
      [digest('e')],
      [digest('f')],
    ]);
  });

  it('of a refused edge keeps no trace, whichever end is missing', () => {
    const one = Graph.empty().withNode(a);
    for (const missing of [
      edge,
      { kind: 'contradicts', from_id: b, to_id: a },
      { kind: 'refines', from_id: b, to_id: c },
    ] as const)
      expect(one.withEdge(digest('e'), missing)).toEqual({ _tag: 'Left', left: { code: 'missing_end' } });
    expect(one.withEdge(digest('e'), { kind: 'depends_on', from_id: a, to_id: a })).toEqual({
      _tag: 'Left',
      left: { code: 'cycle' },
    });
    expect(orThrow(one.withEdge(digest('e'), { kind: 'contradicts', from_id: a, to_id: a })).edgeCount).toBe(
      1,
    );
    expect([one.edgeCount, one.edges(), one.hasEdge(digest('e'))]).toEqual([0, [], false]);
  });

  it('ids and root are hashes of the texts in the format, to the letter', () => {
    expect(nodeId('r', 'seed', a)).toBe(
      digest(`{"kind":"seed","payload_hash":"${a}","run_id":"r","t":"node"}`),
    );
    expect(edgeId('r', edge)).toBe(
      digest(`{"from":"${a}","kind":"depends_on","run_id":"r","t":"edge","to":"${b}"}`),
    );
    expect(Graph.empty().root()).toBe(digest('{"sorted_edge_ids":[],"sorted_node_ids":[]}'));
    expect(Graph.empty().withNode(b).withNode(a).root()).toBe(
      digest(`{"sorted_edge_ids":[],"sorted_node_ids":["${a}","${b}"]}`),
    );
  });
});
