import { describe, expect, it } from 'vitest';
import {
  advance,
  edgeId,
  makeHead,
  nodeId,
  openRequests,
  orThrow,
  hashCanonical,
  rootHash,
  type Digest,
} from '@assay/kernel';
import { hashOf } from '../../tools/ledger-builder.js';
import { ask, go, kinds, payloadAt, start, telling } from './puppet.js';

const seed = { kind: 'seed' as const, payload: { text: 'a' } };
const claim = { kind: 'claim' as const, payload: { text: 'b' } };
const idOf = ({ kind, payload }: typeof seed | typeof claim): Digest => nodeId('run', kind, hashOf(payload));
const rests = { kind: 'depends_on' as const, from_id: idOf(claim), to_id: idOf(seed) };

describe('a group: decision, artifacts by name, close', () => {
  it('artifacts follow the decision in the order of their names by code units, each with its hash', () => {
    const step = go(start().run, telling('1.0', { artifacts: { b: 1, a: 2, 'a.b': 3, a_b: 4, 'a-b': 5 } }));
    expect(kinds(step)).toEqual([
      'proposal',
      'decision',
      'artifact',
      'artifact',
      'artifact',
      'artifact',
      'artifact',
    ]);
    expect(step.records.slice(2).map(({ payload }) => payload)).toEqual(
      [
        ['a', 2],
        ['a-b', 5],
        ['a.b', 3],
        ['a_b', 4],
        ['b', 1],
      ].map(([name, content]) => ({ name, content, artifact_hash: hashOf(content ?? null) })),
    );
  });

  it('close: status, reasons, dag root, artifact hashes, count, state hash, open requests as integers in order', () => {
    let { run } = start({ asks: new Array(11).fill(ask({ attempts: 0 })) });
    for (const id of ['1.0', '1.1', '1.2', '1.3', '1.4'])
      run = go(run, telling(id, { asks: [ask()], artifacts: { a: id } })).run;
    const step = go(
      run,
      telling('1.5', {
        graph: { nodes: [seed, claim], edges: [rests] },
        artifacts: { z: null },
        outcome: { status: 'success', reasons: ['early', 'late'] },
      }),
    );
    const close = payloadAt(step, -1);
    expect(close).toMatchObject({
      status: 'success',
      reasons: ['early', 'late'],
      record_count: makeHead(step.run).count,
    });
    expect(close['open_requests']).toEqual([
      '1.6',
      '1.7',
      '1.8',
      '1.9',
      '1.10',
      '3.0',
      '6.0',
      '9.0',
      '12.0',
      '15.0',
    ]);
    expect(close['dag_root_hash']).toBe(
      rootHash([idOf(seed), idOf(claim)].sort() as Digest[], [edgeId('run', rests)]),
    );
    expect(close['artifact_hashes']).toEqual({ a: hashOf('1.4'), z: hashOf(null) });
    expect(close['state_hash']).toBe(payloadAt(step, 1)['state_hash'] ?? close['state_hash']);
    expect(openRequests(step.run).map(({ id }) => id)).toEqual(close['open_requests']);
  });

  it('a run without a graph has the root of two empty lists', () => {
    const step = go(start().run, telling('1.0', { outcome: { status: 'refused', reasons: ['no'] } }));
    expect(payloadAt(step, -1)['dag_root_hash']).toBe(
      orThrow(hashCanonical({ sorted_node_ids: [], sorted_edge_ids: [] })),
    );
  });

  it('after close a run takes nothing', () => {
    const { run } = go(start().run, telling('1.0', { outcome: { status: 'success', reasons: [] } }));
    expect(advance(run, telling('1.0', {}))).toMatchObject({ left: { code: 'run_closed' } });
  });

  it('requests have ids of their decision in the machine’s order, accepts as given', () => {
    const step = go(
      start().run,
      telling('1.0', {
        asks: [
          ask({ kind: 'b', accepts: ['tool', 'human'] }),
          ask({ kind: 'a', attempts: 0, body: { b: 1, a: [2] } }),
        ],
      }),
    );
    expect(payloadAt(step, 1)['requests']).toEqual([
      { id: '3.0', kind: 'b', body: null, accepts: ['tool', 'human'], attempts: 2 },
      { id: '3.1', kind: 'a', body: { a: [2], b: 1 }, accepts: ['synthetic'], attempts: 0 },
    ]);
  });

  it('withdrawn requests are gone, in the machine’s order', () => {
    const { run } = start({ asks: [ask(), ask(), ask()] });
    const step = go(run, telling('1.0', { withdraw: ['1.2', '1.1'], asks: [ask()] }));
    expect(payloadAt(step, 1)['withdrawn']).toEqual(['1.2', '1.1']);
    expect([...step.run.open].map(([id]) => id)).toEqual(['3.0']);
  });
});

describe('graph additions: new ids only, in the machine’s order', () => {
  it('a node or edge named again is left out; where none is left graph is null', () => {
    const first = go(
      start({ asks: [ask(), ask(), ask()] }).run,
      telling('1.0', { graph: { nodes: [seed, claim, seed], edges: [rests, rests] } }),
    );
    expect(payloadAt(first, 1)['graph']).toEqual({
      nodes: [seed, claim].map((node) => ({
        id: idOf(node),
        kind: node.kind,
        payload: node.payload,
        payload_hash: hashOf(node.payload),
      })),
      edges: [{ id: edgeId('run', rests), ...rests }],
    });
    const again = go(first.run, telling('1.1', { graph: { nodes: [claim, seed], edges: [rests] } }));
    expect(payloadAt(again, 1)['graph']).toBeNull();
    expect(again.run.graph.root()).toBe(first.run.graph.root());
    const against = { kind: 'contradicts' as const, from_id: idOf(seed), to_id: idOf(claim) };
    const more = go(again.run, telling('1.2', { graph: { nodes: [seed], edges: [rests, against] } }));
    expect(payloadAt(more, 1)['graph']).toEqual({
      nodes: [],
      edges: [{ id: edgeId('run', against), ...against }],
    });
  });

  it('an empty graph is null, and the same payload under another kind is another node', () => {
    const step = go(start({ asks: [ask(), ask()] }).run, telling('1.0', { graph: { nodes: [], edges: [] } }));
    expect(payloadAt(step, 1)['graph']).toBeNull();
    const two = go(
      step.run,
      telling('1.1', { graph: { nodes: [seed, { kind: 'claim', payload: seed.payload }], edges: [] } }),
    );
    expect(two.run.graph.nodeCount).toBe(2);
  });

  it('ids depend on the run: the same node in another run is another', () => {
    const here = go(
      start().run,
      telling('1.0', { graph: { nodes: [seed], edges: [] } }),
    ).run.graph.sortedNodeIds();
    const there = go(
      start(undefined, undefined, { run_id: 'other' }).run,
      telling('1.0', { graph: { nodes: [seed], edges: [] } }),
    ).run.graph.sortedNodeIds();
    expect(here).not.toEqual(there);
  });
});
