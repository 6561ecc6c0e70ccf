import { describe, expect, it } from 'vitest';
import {
  makeContinuation,
  makeHead,
  nodeId,
  openRequests,
  openRun,
  orThrow,
  replayable,
  replayWith,
  snapshot,
  hashState,
  summaryHash,
  validateRun,
  type EvidenceRecord,
  type Snapshot,
} from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import { openPoll, tally } from '@assay/testing';
import { hashOf } from '../../tools/ledger-builder.js';
import { ask, failing, go, payloadAt, puppet, start, telling, type Puppet } from './puppet.js';

const seed = { kind: 'seed' as const, payload: 'seed' };

/** A base: two open requests, one attempted and charged, an artifact, a graph; and a snapshot of it. */
function base(): { readonly records: readonly EvidenceRecord[]; readonly taken: Snapshot } {
  const opening = start({
    asks: [ask({ attempts: 0 }), ask({ attempts: 3, body: { keep: 1 } }), ask({ kind: 'spare' })],
    graph: { nodes: [seed], edges: [] },
  });
  const records = [...opening.records];
  let { run } = opening;
  for (const proposal of [
    failing('1.1', {}, { spent: { tokens: 5 } }),
    telling(
      '1.0',
      { events: ['from the base'], artifacts: { a: 1, b: 2 } },
      { provenance: { fill: 'x'.repeat(2_000) } },
    ),
  ]) {
    const step = go(run, proposal);
    records.push(...step.records);
    run = step.run;
  }
  return { records, taken: snapshot(run) as Snapshot };
}

describe('continuation: a base with a snapshot', () => {
  const { records: parent, taken } = base();
  const opening = start({ withdraw: ['1.2'], asks: [ask()] }, puppet, {
    run_id: 'next',
    base: makeContinuation(taken),
  });

  it('sequence, ts and ids go on at base.count; parent of the first record is null', () => {
    expect(opening.records.map(({ ts }) => ts)).toEqual(
      [parent.length, parent.length + 1].map((n) => `t#${String(n).padStart(12, '0')}`),
    );
    expect(opening.records[0]?.parent).toBeNull();
    expect(makeHead(opening.run).count).toBe(parent.length + 2);
    expect(openRequests(opening.run).map(({ id }) => id)).toEqual(['1.1', `${parent.length + 1}.0`]);
  });

  it('carried requests keep id, attempts used and spent; the first decision may withdraw one', () => {
    expect(opening.run.open.get('1.1')).toMatchObject({ rejections: 1, spent: { tokens: 5 } });
    expect(payloadAt(opening, 1)['withdrawn']).toEqual(['1.2']);
    const second = go(opening.run, failing('1.1', {}, { spent: { tokens: 1 } }));
    const last = go(second.run, failing('1.1', {}, { spent: { tokens: 2 } }));
    expect(last.rejection).toBeNull();
    expect(payloadAt(last, 1)['events']).toMatchObject([{ spent: { tokens: 8 } }]);
  });

  it('state, artifacts and the machine’s encoding are carried; the graph starts empty', () => {
    expect(opening.run.state.log).toEqual(['from the base']);
    expect(opening.run.artifacts.sorted()).toEqual([
      ['a', hashOf(1)],
      ['b', hashOf(2)],
    ]);
    expect(opening.run.graph.nodeCount).toBe(0);
    const closed = go(
      opening.run,
      telling('1.1', {
        artifacts: { b: 3 },
        graph: { nodes: [seed], edges: [] },
        outcome: { status: 'success', reasons: [] },
      }),
    );
    expect(payloadAt(closed, -1)).toMatchObject({
      artifact_hashes: { a: hashOf(1), b: hashOf(3) },
      record_count: parent.length + 6,
      open_requests: [`${parent.length + 1}.0`],
    });
    expect(closed.run.graph.sortedNodeIds()).toEqual([nodeId('next', 'seed', hashOf('seed'))]);
  });

  it('its first decision carries a state hash, of the carried state with its own changes', () => {
    const plain = start({}, puppet, { run_id: 'next', base: makeContinuation(taken) });
    expect(payloadAt(plain, 1)['state_hash']).toBe(hashState(taken.state));
    expect(payloadAt(opening, 1)['state_hash']).not.toBe(hashState(taken.state));
  });

  it('it may close at once, still listing what it carries', () => {
    const step = start({ outcome: { status: 'refused', reasons: ['retired'] } }, puppet, {
      run_id: 'next',
      base: makeContinuation(taken),
    });
    expect(payloadAt(step, -1)['open_requests']).toEqual(['1.1', '1.2']);
  });

  it('integrity and replay hold for it alone; heads count the base', () => {
    const step = go(opening.run, telling('1.1', { outcome: { status: 'success', reasons: [] } }));
    const records = [...opening.records, ...step.records];
    expect(validateRun(records)).toMatchObject({
      right: { first: parent.length, count: parent.length + 5, outcome: 'success' },
    });
    const replayed = orThrow(replayWith([replayable(puppet)], records));
    expect([replayed.head, replayed.summary_hash]).toEqual([makeHead(step.run), summaryHash(step.run)]);
    expect(orThrow(replayWith([replayable(puppet)], records.slice(0, 1))).head.count).toBe(parent.length + 1);
  });

  it('a newer machine reads the older encoding in open', () => {
    const newer: Puppet = {
      ...puppet,
      version: 2,
      open: (genesis, context) => orElse(puppet.open(genesis, context), 'upgraded'),
    };
    const upgraded = orThrow(
      openRun(newer, {
        run_id: 'next',
        ts_base: 't',
        policy: { first: {} },
        input: null,
        base: makeContinuation(taken),
      }),
    );
    expect(upgraded.run.state.log).toEqual(['from the base', 'upgraded']);
    function orElse(opened: ReturnType<Puppet['open']>, event: string): ReturnType<Puppet['open']> {
      return opened._tag === 'Left'
        ? opened
        : {
            _tag: 'Right',
            right: { ...opened.right, decision: { ...opened.right.decision, events: [event] } },
          };
    }
  });

  it('a withdrawn id that the base did not carry is a defect', () => {
    expect(() =>
      start({ withdraw: ['1.0'] }, puppet, { run_id: 'next', base: makeContinuation(taken) }),
    ).toThrow(/decision\/withdraw/);
  });

  it('tally refuses a snapshot that is not its own, or whose requests are missing', () => {
    const { run } = openPoll();
    const good = makeContinuation(snapshot(run) as Snapshot);
    const opened = (state: unknown): unknown =>
      openRun(tally, {
        run_id: 'next',
        ts_base: 't',
        policy: null,
        input: null,
        base: { ...good, snapshot: { ...good.snapshot, ...(state as object) } as typeof good.snapshot },
      });
    expect(opened({ open: {} })).toMatchObject({ left: { code: 'bad_state' } });
    for (const machine of [
      null,
      1,
      {},
      { ...(good.snapshot?.machine as object), waiting: [[1, 2]] },
      { ...(good.snapshot?.machine as object), votes: [['a', 'b']] },
      { ...(good.snapshot?.machine as object), more: 1 },
      {
        ...(good.snapshot?.machine as object),
        notes: [
          ['a', 1],
          ['a', 2],
        ],
      },
    ]) {
      expect(opened({ machine })).toMatchObject({ left: { code: 'bad_state' } });
    }
  });
});

describe('fork: a base without a snapshot', () => {
  const fork = (
    parent: readonly EvidenceRecord[],
    first: object,
    count?: number,
    machine: Puppet = puppet,
  ): ReturnType<typeof forked> => forked(parent, first, count, machine);
  function forked(
    parent: readonly EvidenceRecord[],
    first: object,
    count: number | undefined,
    machine: Puppet,
  ) {
    const last = parent[(count ?? parent.length) - 1];
    const head = { run_id: 'run', count: count ?? parent.length, hash: last?.record_hash ?? ('' as never) };
    return orThrow(
      forkRun(
        machine,
        {
          run_id: 'fork',
          ts_base: 'f',
          policy: { first } as never,
          input: null,
          base: { ...head, snapshot: null },
        },
        parent,
      ),
    );
  }

  const opening = start({
    asks: [ask({ body: 'a' }), ask({ body: 'b' }), ask({ body: 'a', kind: 'other' })],
  });
  const parent: EvidenceRecord[] = [...opening.records];
  let { run } = opening;
  for (const proposal of [
    failing('1.0', {}, { spent: { tokens: 1 } }),
    telling('9.9', {}),
    telling('1.1', { events: ['b'], asks: [ask({ body: 'a' })] }),
    telling('1.0', { events: ['first a'] }),
    telling('6.0', {}),
    telling('8.0', { events: ['second a'] }),
  ]) {
    const step = go(run, proposal);
    parent.push(...step.records);
    run = step.run;
  }

  it('everything starts empty at sequence 0, base recorded', () => {
    const { records } = fork(parent, { asks: [ask({ body: 'a' }), ask({ body: 'b' })] });
    expect(records[0]).toMatchObject({
      ts: 'f#000000000000',
      parent: null,
      payload: { base: { run_id: 'run', count: parent.length, snapshot: null } },
    });
    expect(validateRun(records)._tag).toBe('Right');
    expect(replayWith([replayable(puppet)], records)._tag).toBe('Right');
  });

  it(
    'proposals go to the open request of the same kind and body, lowest id first, unchanged ' +
      'but for request_id',
    () => {
      const { records, leftOver } = fork(parent, { asks: [ask({ body: 'b' }), ask({ body: 'a' })] });
      const fed = records
        .filter(({ kind }) => kind === 'proposal')
        .map(({ payload }) => (payload as { readonly request_id: string }).request_id);
      expect(fed.slice(0, 3)).toEqual(['1.1', '1.0', '1.1']);
      expect(records[2]?.payload).toMatchObject({
        spent: { tokens: 1 },
        failure: { code: 'timeout' },
        proposer: 'fixture:test',
      });
      // What the parent rejected not_open is left over.
      const notOpen = parent.flatMap(({ kind }, index) =>
        kind === 'rejection' && (parent[index]?.payload as { readonly code: string }).code === 'not_open'
          ? [index - 1]
          : [],
      );
      expect(notOpen.every((index) => leftOver.includes(index))).toBe(true);
    },
  );

  it('ids compare as two integers: 9.0 before 10.0', () => {
    const many = Array.from({ length: 11 }, () => ask({ body: 'x', attempts: 0 }));
    const { records } = fork(parent, { asks: [...many, ask({ body: 'a' }), ask({ body: 'a' })] });
    const first = records.find(({ kind }) => kind === 'proposal');
    expect(first?.payload).toMatchObject({ request_id: '1.11' });
    const low = fork(parent, { asks: Array.from({ length: 11 }, () => ask({ body: 'a', attempts: 0 })) });
    expect(low.records.find(({ kind }) => kind === 'proposal')?.payload).toMatchObject({ request_id: '1.0' });
  });

  it('left over: those without a request of their kind and body, and all after the fork’s close', () => {
    const proposals = parent.flatMap(({ kind }, index) => (kind === 'proposal' ? [index] : []));
    expect(fork(parent, { asks: [ask({ body: 'c' })] }).leftOver).toEqual(proposals);
    expect(fork(parent, { asks: [ask({ body: 'a', kind: 'third' })] }).leftOver).toEqual(proposals);
    const closed = fork(parent, { outcome: { status: 'success', reasons: [] } });
    expect([closed.leftOver, closed.run.outcome]).toEqual([proposals, 'success']);
  });

  it('only proposals within base.count are fed', () => {
    const { leftOver, records } = fork(parent, { asks: [ask({ body: 'a' }), ask({ body: 'b' })] }, 4);
    expect([leftOver, records.filter(({ kind }) => kind === 'proposal')]).toMatchObject([
      [],
      [{ payload: { request_id: '1.0' } }],
    ]);
  });
});
