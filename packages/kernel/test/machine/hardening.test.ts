import { describe, expect, it } from 'vitest';
import {
  advance,
  makeContinuation,
  edgeId,
  hashCanonical,
  makeHead,
  InvariantError,
  nodeId,
  openRun,
  orThrow,
  snapshot,
  validateRun,
  type Ask,
  type Digest,
  type EvidenceRecord,
  type Json,
  type NodeKind,
  type Snapshot,
} from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import { hashOf } from '../../tools/ledger-builder.js';
import { ask, go, payloadAt, propose, puppet, start, telling, type Puppet } from './puppet.js';
import { readSnapshot } from '../../src/machine/snapshot.js';

/** A machine whose answers are decided by a function of ours. */
const deciding = (decide: Puppet['decide']): Puppet => ({ ...puppet, decide });

describe('what was checked is what is recorded', () => {
  it('reasons that are no list are a defect', () => {
    const { run } = start(
      undefined,
      deciding(() => ({
        _tag: 'Right',
        right: { events: [], outcome: { status: 'success', reasons: 'ab' as unknown as string[] } },
      })),
    );
    expect(() => advance(run, propose('1.0'))).toThrow(InvariantError);
  });

  it('a field of an ask is read once', () => {
    const values = [1, 0.5];
    const shifty: Ask = Object.defineProperty({ ...ask() }, 'attempts', {
      enumerable: true,
      get: () => values.shift() ?? 0.5,
    });
    const { run } = start(
      undefined,
      deciding(() => ({ _tag: 'Right', right: { events: [], asks: [shifty] } })),
    );
    expect(payloadAt(go(run, propose('1.0')), 1)['requests']).toMatchObject([{ attempts: 1 }]);
  });

  it('attempts -0 is 0 in the run as in the record', () => {
    const { run } = start(
      undefined,
      deciding(() => ({ _tag: 'Right', right: { events: [], asks: [ask({ attempts: -0 })] } })),
    );
    const next = go(run, propose('1.0')).run;
    expect(Object.is(next.open.get('3.0')?.request.attempts, 0)).toBe(true);
  });

  it.each<[string, () => unknown]>([
    ['a getter', () => Object.defineProperty({}, 'a', { enumerable: true, get: () => 1 })],
    ['a hidden key', () => Object.defineProperty({ a: 1 }, 'toJSON', { enumerable: false, value: () => 2 })],
    ['a symbol key', () => ({ [Symbol('a')]: 1 })],
    ['a getter in a list', () => Object.defineProperty([1], 0, { enumerable: true, get: () => 1 })],
  ])('a state with %s is a defect', (_, encode) => {
    expect(() => start(undefined, { ...puppet, encode: () => encode() as Json })).toThrow(InvariantError);
  });
});

describe('a digest that is no SHA-256 in lower-case hex is a defect', () => {
  it.each<[string, unknown]>([
    ['another text', 'zz'],
    ['upper case', 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'],
    ['a promise', Promise.resolve('')],
  ])('%s', (_, answer) => {
    expect(() => start(undefined, puppet, { options: { sha256: () => answer as Digest } })).toThrow(
      TypeError,
    );
  });
});

describe('ids derive from canonical text whatever the run id', () => {
  it('of nodes and edges', () => {
    const kind: NodeKind = 'claim';
    const [from_id, to_id] = [hashOf(1), hashOf(2)];
    expect(nodeId('a"b', kind, from_id)).toBe(
      orThrow(hashCanonical({ t: 'node', run_id: 'a"b', kind, payload_hash: from_id })),
    );
    expect(edgeId('a"b', { kind: 'refines', from_id, to_id })).toBe(
      orThrow(hashCanonical({ t: 'edge', run_id: 'a"b', kind: 'refines', from: from_id, to: to_id })),
    );
  });
});

describe('a snapshot', () => {
  const taken = snapshot(start({ asks: [ask(), ask()] }).run) as Snapshot;
  const row = taken.state.open['1.0'];

  it.each<[string, object]>([
    ['a fraction', { machine: 0.5 }],
    ['a malformed token', { machine: { $sealed: 1 } }],
    ['an id from later', { open: { '7.0': { ...row, request: { ...row?.request, id: '7.0' } } } }],
  ])('with %s in its state is refused', (_, state) => {
    expect(readSnapshot(taken)._tag).toBe('Right');
    expect(readSnapshot({ ...taken, state: { ...taken.state, ...state } })).toMatchObject({
      left: { code: 'snapshot_shape' },
    });
  });

  it('a base that carries an id from later is refused by the kernel and by integrity', () => {
    const base = makeContinuation(taken);
    expect(base.count).toBe(2);
    const early = { ...base, count: 1 };
    const given = { run_id: 'next', ts_base: 't', policy: { first: {} }, input: null };
    expect(openRun(puppet, { ...given, base })._tag).toBe('Right');
    expect(openRun(puppet, { ...given, base: early })).toEqual({
      _tag: 'Left',
      left: { code: 'genesis_shape', detail: { path: '/base/snapshot/open/1.0' } },
    });
  });
});

describe('a fork checks its parent', () => {
  const parent = start({ asks: [ask(), ask()] });
  const answered = go(parent.run, telling('1.0', { events: ['a'] }));
  const records: readonly EvidenceRecord[] = [...parent.records, ...answered.records];
  const given = {
    run_id: 'fork',
    ts_base: 't',
    policy: { first: { asks: [ask(), ask()] } } as unknown as Json,
    input: null,
  };
  const base = { ...makeHead(answered.run), snapshot: null };

  it('a base of this very ledger is fed', () => {
    expect(orThrow(forkRun(puppet, { ...given, base }, records))).toMatchObject({ leftOver: [] });
    expect(validateRun(orThrow(forkRun(puppet, { ...given, base }, records)).records)._tag).toBe('Right');
  });

  it.each<[string, object]>([
    ['another run', { run_id: 'other' }],
    ['another record', { hash: hashOf(1) }],
    ['a record inside a group', { count: 3, hash: records[2]?.record_hash }],
    ['a record that is not there', { count: 9 }],
  ])('a base that names %s is base_mismatch', (_, change) => {
    expect(forkRun(puppet, { ...given, base: { ...base, ...change } }, records)).toMatchObject({
      left: { code: 'base_mismatch' },
    });
  });
});
