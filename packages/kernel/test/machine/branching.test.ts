import { describe, expect, it } from 'vitest';
import { makeHead, nodeId, openRequests, replayable, replayWith, type EvidenceRecord } from '@assay/kernel';
import { hashOf } from '../../tools/ledger-builder.js';
import { ask, failing, go, puppet, start, telling, type PuppetRun } from './puppet.js';

const nodeOf = (payload: string): { readonly kind: 'claim'; readonly payload: string } => ({
  kind: 'claim',
  payload,
});

describe('a run is a value: two different advances from one', () => {
  const opening = start({
    asks: [ask(), ask()],
    graph: { nodes: [nodeOf('root')], edges: [] },
    artifacts: { a: 0 },
  });
  const root = nodeId('run', 'claim', hashOf('root'));
  const drawn = (text: string): ReturnType<typeof telling> =>
    telling('1.0', {
      events: [text],
      graph: {
        nodes: [nodeOf(text)],
        edges: [{ kind: 'depends_on', from_id: nodeId('run', 'claim', hashOf(text)), to_id: root }],
      },
      artifacts: { a: text },
      asks: [ask()],
    });

  it('gives two runs, each with its own state, graph, requests and artifacts; the first stays as it was', () => {
    const before = JSON.stringify([
      makeHead(opening.run),
      opening.run.state,
      openRequests(opening.run),
      opening.run.artifacts.sorted(),
      opening.run.graph.sortedNodeIds(),
    ]);
    const left = go(opening.run, drawn('left'));
    const right = go(opening.run, drawn('right'));
    const again = go(opening.run, drawn('left'));
    expect(again.records).toEqual(left.records);
    expect([left.run.state.log, right.run.state.log]).toEqual([['left'], ['right']]);
    expect(left.run.graph.root()).not.toBe(right.run.graph.root());
    expect(left.run.graph.hasNode(nodeId('run', 'claim', hashOf('right')))).toBe(false);
    expect(
      JSON.stringify([
        makeHead(opening.run),
        opening.run.state,
        openRequests(opening.run),
        opening.run.artifacts.sorted(),
        opening.run.graph.sortedNodeIds(),
      ]),
    ).toBe(before);
  });

  it('each branch goes on to a ledger that replays', () => {
    for (const text of ['left', 'right', 'left']) {
      const records: EvidenceRecord[] = [...opening.records];
      let { run }: { run: PuppetRun } = opening;
      for (const proposal of [
        drawn(text),
        failing('1.1'),
        failing('1.1'),
        telling('4.0', { outcome: { status: 'success', reasons: [] } }),
      ]) {
        const step = go(run, proposal);
        records.push(...step.records);
        run = step.run;
      }
      expect(replayWith([replayable(puppet)], records)).toMatchObject({ right: { outcome: 'success' } });
    }
  });

  it('a closed branch does not close the run it came from', () => {
    expect(go(opening.run, telling('1.0', { outcome: { status: 'success', reasons: [] } })).run.outcome).toBe(
      'success',
    );
    expect(opening.run.outcome).toBeNull();
    expect(go(opening.run, telling('1.0', {})).run.outcome).toBeNull();
  });
});
