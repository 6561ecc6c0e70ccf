import { formatHeadLine, ok, orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { hashOf, reforge } from '../../kernel/tools/ledger-builder.js';
import {
  compareFixture,
  compareForgery,
  forgeryOptions,
  makeLock,
  parseExpectation,
  parseFixture,
  parseForgery,
  verify,
} from '../src/index.ts';
import { exitCodeWithout } from '../src/fixtures/forgery.ts';
import { LOCK_FIELDS } from '../src/fixtures/fixture.ts';
import { fileOf, machines, sha256, start, success } from '../tools/runs.js';

const { records } = success();
const closed = records.findLast(({ kind }) => kind === 'close');
const CHOSEN = { artifact: 'result', path: '/winner' };
const lock = orThrow(makeLock(records, CHOSEN)) as unknown as Record<string, Json>;

describe('locks', () => {
  it('hold everything 001 §4.6 names', () => {
    const artifacts = Object.fromEntries(
      records.flatMap(({ kind, payload }) =>
        kind === 'artifact'
          ? [
              [
                (payload as { readonly name: string }).name,
                hashOf((payload as { readonly content: Json }).content),
              ],
            ]
          : [],
      ),
    );
    expect(Object.keys(lock)).toEqual(LOCK_FIELDS);
    expect(lock).toMatchObject({
      ledger_last_hash: records.at(-1)?.record_hash,
      artifact_hashes: artifacts,
      chosen: { ...CHOSEN, value: 'here' },
      node_count: 5,
      edge_count: 6,
      node_kinds: { assumption: 1, claim: 3, seed: 1 },
      status: 'success',
      records: records.length,
    });
    const { dag_root_hash } = (closed?.payload ?? {}) as { readonly dag_root_hash: Json };
    expect(lock['dag_root_hash']).toBe(dag_root_hash);
    expect(lock['summary_hash']).toBe(
      hashOf({
        ledger_last_hash: lock['ledger_last_hash'] ?? null,
        dag_root_hash,
        artifact_hashes: artifacts,
      }),
    );
  });

  it('are refused for a ledger that is broken, open, or has chosen nothing', () => {
    expect(makeLock(records.slice(1), CHOSEN)).toMatchObject({
      left: { code: 'integrity', fault: { code: 'parent' } },
    });
    expect(makeLock(records.slice(0, -1), CHOSEN)).toEqual({ _tag: 'Left', left: { code: 'open_run' } });
    for (const at of [
      { artifact: 'x', path: '' },
      { artifact: 'result', path: '/x' },
      { artifact: 'result', path: '/counts/9' },
      { artifact: 'result', path: '/counts/00' },
    ]) {
      expect(makeLock(records, at)).toEqual({ _tag: 'Left', left: { code: 'chosen', at } });
    }
    expect(makeLock(records, { artifact: 'result', path: '/counts/1/option' }, sha256)).toMatchObject({
      right: { chosen: { value: 'there' } },
    });
  });
});

describe('fixtures', () => {
  it('equal their own lock', () => expect(compareFixture(records, lock)).toEqual(ok(null)));

  it.each(LOCK_FIELDS)('without %s lock nothing: missing, null and empty are errors', (name) => {
    const without = Object.fromEntries(Object.entries(lock).filter(([key]) => key !== name)) as Json;
    expect(compareFixture(records, without)).toMatchObject({
      left: { code: 'expected', faults: [{ code: 'missing', path: `/${name}` }] },
    });
    for (const empty of [null, '', [], {}]) {
      expect(compareFixture(records, { ...lock, [name]: empty })).toMatchObject({
        left: { code: 'expected', faults: [{ code: 'empty', path: `/${name}` }] },
      });
    }
  });

  it('of a run without a graph lock that it has none', () => {
    const bare = { ...lock, node_count: 0, node_kinds: {} };
    expect(compareFixture(records, bare)).toMatchObject({ left: { code: 'differs' } });
    expect(compareFixture(records, { ...bare, node_count: 5 })).toMatchObject({
      left: { code: 'expected', faults: [{ code: 'empty', path: '/node_kinds' }] },
    });
  });

  it('name each field that changed, values before hashes', () => {
    const changed = {
      ...lock,
      node_count: 4,
      artifact_hashes: { ...(lock['artifact_hashes'] as object), result: hashOf(1) },
      node_kinds: { seed: 1, claim: 3, assumption: 1, other: 2 },
      chosen: { ...CHOSEN, value: 'there' },
    };
    expect(compareFixture(records, changed)).toMatchObject({
      left: {
        code: 'differs',
        differences: [
          { field: '/chosen/value', expected: 'there', got: 'here' },
          { field: '/node_count', expected: 4, got: 5 },
          { field: '/node_kinds/other', expected: 2, got: null },
          { field: '/artifact_hashes/result' },
        ],
      },
    });
    expect(compareFixture(records.slice(0, 4), lock)).toMatchObject({
      left: { code: 'ledger', error: { code: 'open_run' } },
    });
  });

  it.each<[string, Json, Json]>([
    ['no object', 1, [{ code: 'type', path: '' }]],
    [
      'chosen without its place',
      { ...lock, chosen: { value: 1 } },
      [
        { code: 'missing', path: '/chosen/artifact' },
        { code: 'missing', path: '/chosen/path' },
      ],
    ],
    [
      'chosen without its value',
      { ...lock, chosen: { ...CHOSEN, value: null } },
      [{ code: 'empty', path: '/chosen/value' }],
    ],
    [
      'chosen with a path that is no text',
      { ...lock, chosen: { artifact: 'a', path: 1, value: 1 } },
      [{ code: 'type', path: '/chosen/path' }],
    ],
  ])('with %s are errors', (_, expected, faults) =>
    expect(compareFixture(records, expected)).toEqual({ _tag: 'Left', left: { code: 'expected', faults } }),
  );

  it('say what they are', () => {
    const fixture = { name: 'poll', about: 'three votes', machine: { name: 'tally', version: 1 }, extra: 1 };
    expect(parseFixture(fixture)).toEqual(ok(fixture));
    expect(parseFixture({ name: '', machine: { name: 1 } })).toEqual({
      _tag: 'Left',
      left: [
        { code: 'empty', path: '/name' },
        { code: 'missing', path: '/about' },
        { code: 'type', path: '/machine/name' },
        { code: 'missing', path: '/machine/version' },
      ],
    });
    expect(parseFixture({ ...fixture, machine: { name: 'tally', version: 1.5 } })).toEqual({
      _tag: 'Left',
      left: [{ code: 'type', path: '/machine/version' }],
    });
    expect(parseFixture(null)).toMatchObject({ _tag: 'Left' });
  });
});

describe('forgeries', () => {
  const forged = reforge(records, (payload, index) =>
    index === 3 ? { ...payload, code: 'other' } : undefined,
  );
  const head = formatHeadLine({ count: records.length, hash: records.at(-1)?.record_hash ?? hashOf(0) });
  const expected = { check: 'rederivation', verdict: 'failed', code: 'differs', record: 3, with: {} };

  it('get the verdict they must get, and would pass without the named check', () => {
    const { document } = verify('f', fileOf(forged), { machines, sha256 });
    expect(compareForgery(document, orThrow(parseForgery(expected)))).toEqual(ok(null));
    expect(compareForgery(document, orThrow(parseForgery({ ...expected, record: 4, code: 'x' })))).toEqual({
      _tag: 'Left',
      left: [
        { field: 'code', expected: 'x', got: 'differs' },
        { field: 'record', expected: 4, got: 3 },
      ],
    });
    expect(exitCodeWithout(document, 'rederivation')).toBe(0);
    expect(exitCodeWithout(document, 'completeness')).toBe(3);
  });

  it('are verified with what the user brings', () => {
    const given = orThrow(
      parseForgery({
        check: 'completeness',
        verdict: 'failed',
        code: 'truncated',
        record: null,
        with: {
          head,
          expect: ['run=poll-1', 'machine=tally@1'],
          limits: { records: 9 },
          other: 'other.jsonl',
        },
        about: 'a cut tail',
        twin: 'x',
      }),
    );
    const options = orThrow(forgeryOptions(given.with));
    expect(options).toEqual({
      head: { count: records.length, hash: records.at(-1)?.record_hash },
      expect: [
        { key: 'run', value: 'poll-1' },
        { key: 'machine', value: 'tally@1' },
      ],
      limits: { records: 9 },
    });
    const { document } = verify('f', fileOf(records.slice(0, -1)), {
      machines,
      sha256,
      ...options,
      limits: {},
    });
    expect(compareForgery(document, given)).toEqual(ok(null));
    expect(exitCodeWithout(document, 'completeness')).toBe(0);
  });

  it('with integrity switched off, nothing that rests on it is left', () => {
    const { document } = verify('f', fileOf(records).subarray(1), { machines, sha256 });
    expect(exitCodeWithout(document, 'integrity')).toBe(0);
    expect(exitCodeWithout(document, 'rederivation')).toBe(3);
  });

  it.each<[string, Json, string]>([
    ['no object', null, ''],
    ['check', { ...expected, check: 'all' }, '/check'],
    ['verdict', { ...expected, verdict: 'ok' }, '/verdict'],
    ['code', { ...expected, code: 1 }, '/code'],
    ['record', { ...expected, record: -1 }, '/record'],
    ['with', { ...expected, with: { key: 1 } }, '/with'],
    ['no with', { ...expected, with: null }, '/with'],
    ['head', { ...expected, with: { head: 'x' } }, '/with/head'],
    ['head no text', { ...expected, with: { head: 1 } }, '/with/head'],
    ['expect', { ...expected, with: { expect: ['x'] } }, '/with/expect'],
    ['expect no list', { ...expected, with: { expect: 'run=x' } }, '/with/expect'],
    ['limits', { ...expected, with: { limits: { steps: 1 } } }, '/with/limits'],
    ['limits no integer', { ...expected, with: { limits: { records: -1 } } }, '/with/limits'],
    ['other', { ...expected, with: { other: '' } }, '/with/other'],
    ['folder', { ...expected, with: { folder: 1 } }, '/with/folder'],
    ['signature', { ...expected, with: { signature: '' } }, '/with/signature'],
    ['proof', { ...expected, with: { proof: 1 } }, '/with/proof'],
    ['trust', { ...expected, with: { trust: 'key' } }, '/with/trust'],
    ['trust no text', { ...expected, with: { trust: [1] } }, '/with/trust'],
    ['threshold', { ...expected, with: { threshold: 0 } }, '/with/threshold'],
    ['threshold no integer', { ...expected, with: { threshold: 1.5 } }, '/with/threshold'],
  ])('say what is wrong with %s', (_, value, path) =>
    expect(parseForgery(value)).toEqual({ _tag: 'Left', left: { path } }),
  );

  it('expectations are read as they are typed', () => {
    expect(parseExpectation('policy=a=b')).toEqual(ok({ key: 'policy', value: 'a=b' }));
    for (const text of ['', 'run', '=x', 'Run=x', 'head=x'])
      expect(parseExpectation(text)).toMatchObject({ _tag: 'Left' });
  });

  it('no byte of a small ledger can change and leave integrity and rederivation both held', () => {
    const file = fileOf(start().records);
    for (let at = 0; at < file.length; at += 1) {
      const changed = file.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      const { integrity, rederivation } = verify('f', changed, { machines, sha256 }).document.checks;
      if (integrity.verdict === 'held' && rederivation.verdict === 'held') throw new Error(`byte ${at}`);
    }
  });
});
