import { ok, orThrow, type EvidenceRecord, type Json, type Sha256 } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { erase, hashOf, LedgerBuilder } from '../../kernel/tools/ledger-builder.js';
import { compareFixture, makeLock, parseForgery } from '../src/index.ts';
import type { FixtureLock } from '../src/fixtures/fixture.ts';
import { sha256 } from '../tools/runs.js';

const CONTENT: Json = {
  'a/b': { 'm~n': Array.from({ length: 12 }, (_, index) => ({ index })), '': 'empty key' },
  text: 'abc',
  list: [1, 2, 3],
};

/** A ledger with an artifact that was written twice, a graph in one decision and none in the other. */
function built(): readonly EvidenceRecord[] {
  const builder = new LedgerBuilder();
  const graph = {
    nodes: [
      { kind: 'seed', payload: 1 },
      { kind: 'claim', payload: 2 },
      { kind: 'assumption', payload: 3 },
    ],
    edges: [{ kind: 'refines', from_id: builder.nodeId('seed', 1), to_id: builder.nodeId('claim', 2) }],
  } as const;
  return builder
    .decide({ asks: ['a'], graph })
    .artifact('other', CONTENT)
    .artifact('r', 'older')
    .propose('1.0', 1)
    .decide()
    .artifact('r', CONTENT)
    .close()
    .records();
}
const records = built();
const lockAt = (path: string, artifact = 'r', given = records): FixtureLock =>
  orThrow(makeLock(given, { artifact, path }));
const valueAt = (path: string): Json | undefined => {
  const lock = makeLock(records, { artifact: 'r', path });
  return lock._tag === 'Right' ? lock.right.chosen.value : undefined;
};

describe('a lock', () => {
  it('reads its value by an RFC 6901 pointer, from the latest artifact of the name', () => {
    expect(valueAt('')).toEqual(CONTENT);
    expect(valueAt('/a~1b/m~0n/0')).toEqual({ index: 0 });
    expect(valueAt('/a~1b/m~0n/10/index')).toBe(10);
    expect(valueAt('/a~1b/')).toBe('empty key');
    expect(valueAt('/text')).toBe('abc');
  });

  it.each([
    '/a',
    '/a/b',
    '/a~1b/m~0n/12',
    '/a~1b/m~0n/00',
    '/a~1b/m~0n/01',
    '/a~1b/m~0n/-',
    '/a~1b/m~0n/length',
    '/a~1b/m~0n/1x',
    '/text/0',
    '/text/length',
    '/constructor',
    '/list/',
  ])('finds nothing at %s', (path) => {
    expect(valueAt(path)).toBeUndefined();
  });

  it('counts nodes by kind, in the order of the kinds, and edges, and asks no decision for a graph', () => {
    const { node_count, edge_count, node_kinds } = lockAt('');
    expect([node_count, edge_count]).toEqual([3, 1]);
    expect(Object.entries(node_kinds)).toEqual([
      ['assumption', 1],
      ['claim', 1],
      ['seed', 1],
    ]);
  });

  it('passes over what was erased', () => {
    const decision = records.findIndex(({ kind }) => kind === 'decision');
    expect(lockAt('', 'r', erase(records, [decision]))).toMatchObject({
      node_count: 0,
      edge_count: 0,
      node_kinds: {},
      chosen: { value: CONTENT },
    });
    const artifact = records.findLastIndex(({ kind }) => kind === 'artifact');
    expect(lockAt('', 'r', erase(records, [artifact])).chosen.value).toBe('older');
    expect(lockAt('', 'r', erase(records, [artifact])).summary_hash).toBe(lockAt('').summary_hash);
  });

  it('is taken with the digest that is given', () => {
    let calls = 0;
    const counted: Sha256 = (bytes) => {
      calls += 1;
      return sha256(bytes);
    };
    expect(orThrow(makeLock(records, { artifact: 'r', path: '' }, counted))).toEqual(lockAt(''));
    expect(calls).toBeGreaterThan(records.length);
  });
});

describe('a fixture', () => {
  const lock = lockAt('') as unknown as { readonly [key: string]: Json };
  const chosen = lock['chosen'] as { readonly value: { readonly [key: string]: Json } };
  const against = (value: Json): unknown => {
    const compared = compareFixture(records, { ...lock, chosen: { ...chosen, value } });
    return compared._tag === 'Right'
      ? 'equal'
      : compared.left.code === 'differs'
        ? compared.left.differences
        : compared.left;
  };

  it('may lock a list or a table', () => {
    expect(compareFixture(records, lock)).toEqual(ok(null));
    expect(compareFixture(records, lockAt('/list') as unknown as Json)).toEqual(ok(null));
    expect(compareFixture(records, lockAt('/a~1b/m~0n') as unknown as Json)).toEqual(ok(null));
  });

  it('names what differs inside lists and tables, by the order of keys', () => {
    expect(against({ ...chosen.value, list: [1, 0, 3], text: 'abd' })).toEqual([
      { field: '/chosen/value/list/1', expected: 0, got: 2 },
      { field: '/chosen/value/text', expected: 'abd', got: 'abc' },
    ]);
    expect(
      against({
        text: 'abd',
        list: chosen.value['list'] ?? null,
        'a/b': chosen.value['a/b'] ?? null,
        z: 1,
        aa: 2,
      }),
    ).toEqual([
      { field: '/chosen/value/aa', expected: 2, got: null },
      { field: '/chosen/value/text', expected: 'abd', got: 'abc' },
      { field: '/chosen/value/z', expected: 1, got: null },
    ]);
  });

  it('shows lists of another length, and values of another sort, whole', () => {
    expect(against({ ...chosen.value, list: [1, 2] })).toEqual([
      { field: '/chosen/value/list', expected: [1, 2], got: [1, 2, 3] },
    ]);
    expect(against({ ...chosen.value, list: 1 })).toEqual([
      { field: '/chosen/value/list', expected: 1, got: [1, 2, 3] },
    ]);
    expect(against({ ...chosen.value, text: { a: 1 } })).toEqual([
      { field: '/chosen/value/text', expected: { a: 1 }, got: 'abc' },
    ]);
    expect(against({ ...chosen.value, text: ['a', 'b', 'c'] })).toEqual([
      { field: '/chosen/value/text', expected: ['a', 'b', 'c'], got: 'abc' },
    ]);
    expect(against({ ...chosen.value, 'a/b': 'x' })).toMatchObject([
      { field: expect.stringMatching(/^\/chosen\/value\//), expected: 'x', got: { '': 'empty key' } },
    ]);
  });

  it('names every field that locks nothing, what is wrong with its place included', () => {
    const { records: _, ...without } = lock;
    expect(compareFixture(records, { ...without, chosen: { value: 1 } })).toEqual({
      _tag: 'Left',
      left: {
        code: 'expected',
        faults: [
          { code: 'missing', path: '/records' },
          { code: 'missing', path: '/chosen/artifact' },
          { code: 'missing', path: '/chosen/path' },
        ],
      },
    });
  });
});

describe('what a forgery must get', () => {
  const expected = { check: 'integrity', verdict: 'failed', code: 'empty', record: 0, with: {} };

  it('may be any check that held, and any position from 0 on', () => {
    expect(parseForgery({ ...expected, verdict: 'held', code: null, record: null })).toMatchObject({
      right: { verdict: 'held', code: null, record: null },
    });
    expect(parseForgery(expected)).toMatchObject({ right: { code: 'empty', record: 0 } });
    expect(parseForgery({ ...expected, with: { limits: { records: 0, bytes: 0 } } })).toMatchObject({
      right: { with: { limits: { records: 0, bytes: 0 } } },
    });
  });

  it.each<[string, Json, string]>([
    ['record', { ...expected, record: 1.5 }, '/record'],
    ['record', { ...expected, record: '1' }, '/record'],
    ['record', { ...expected, record: [] }, '/record'],
    ['no code', { check: 'integrity', verdict: 'failed', record: 0, with: {} }, '/code'],
    ['other', { ...expected, with: { other: 5 } }, '/with/other'],
    ['limits', { ...expected, with: { limits: [] } }, '/with/limits'],
    ['limits', { ...expected, with: { limits: null } }, '/with/limits'],
    ['limits', { ...expected, with: { limits: { bytes: -1 } } }, '/with/limits'],
    ['limits', { ...expected, with: { limits: { bytes: 1.5 } } }, '/with/limits'],
    ['head', { ...expected, with: { head: hashOf(1) } }, '/with/head'],
  ])('is refused with %s %j', (_, value, path) =>
    expect(parseForgery(value)).toEqual({ _tag: 'Left', left: { path } }),
  );
});
