import {
  Ledger,
  nobleSha256,
  orThrow,
  validateChain,
  type Digest,
  type EvidenceRecord,
} from '../../../src/index.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { linkFault, parseEnvelope, type ChainCode } from '../../../src/ledger/chain.js';

type Three = readonly [EvidenceRecord, EvidenceRecord, EvidenceRecord];
let [first, second, third] = [] as unknown as Three;
beforeAll(() => {
  const ledger = new Ledger();
  for (const payload of [{ a: 1 }, 'two', [3]]) orThrow(ledger.append(`t${ledger.count}`, 'note', payload));
  [first, second, third] = ledger.records as Three;
});
const fault = (list: readonly unknown[]): unknown => {
  const result = validateChain(list);
  return result._tag === 'Left' ? [result.left.code, result.left.record] : 'valid';
};
const HASH = 'f'.repeat(64);

function erase(record: EvidenceRecord): EvidenceRecord {
  const { payload: _, ...rest } = record;
  return rest;
}

describe('validateChain', () => {
  it('gives count and last hash of a sound chain, also from an iterator', () => {
    expect(validateChain([first, second, third])).toEqual({
      _tag: 'Right',
      right: { count: 3, hash: third.record_hash, erased: 0 },
    });
    expect(validateChain([first, second, third].values())).toEqual(validateChain([first, second, third]));
  });

  it('takes records with their keys in any order', () => {
    const { v, ts, kind, parent, payload, payload_hash, record_hash } = first;
    expect(fault([{ record_hash, payload_hash, payload, parent, kind, ts, v }, second, third])).toBe('valid');
  });

  it.each<readonly [string, ChainCode, () => unknown]>([
    ['no object', 'shape', () => null],
    ['an array', 'shape', () => [first]],
    ['text', 'shape', () => 'record'],
    ['an empty object', 'shape', () => ({})],
    ['an extra key', 'shape', () => ({ ...first, x: 1 })],
    ['an extra key in place of the payload', 'shape', () => ({ ...erase(first), x: 1 })],
    ['v as text', 'shape', () => ({ ...first, v: '1' })],
    ['v true', 'shape', () => ({ ...first, v: true })],
    ['v 1.5', 'shape', () => ({ ...first, v: 1.5 })],
    ['v 2', 'version', () => ({ ...first, v: 2 })],
    ['v 0', 'version', () => ({ ...first, v: 0 })],
    ['v 2 and a wrong shape', 'shape', () => ({ ...first, v: 2, ts: 1 })],
    ['ts a number', 'shape', () => ({ ...first, ts: 0 })],
    ['kind null', 'shape', () => ({ ...first, kind: null })],
    ['parent no digest', 'shape', () => ({ ...first, parent: 'x' })],
    ['parent a number', 'shape', () => ({ ...first, parent: 0 })],
    ['payload_hash no digest', 'shape', () => ({ ...first, payload_hash: HASH.toUpperCase() })],
    ['payload_hash null', 'shape', () => ({ ...first, payload_hash: null })],
    ['record_hash cut short', 'shape', () => ({ ...first, record_hash: HASH.slice(1) })],
    ['another payload', 'payload_hash', () => ({ ...first, payload: { a: 2 } })],
    ['another payload_hash', 'payload_hash', () => ({ ...first, payload_hash: HASH })],
    [
      'another payload_hash and record_hash',
      'payload_hash',
      () => ({ ...first, payload_hash: HASH, record_hash: HASH }),
    ],
    ['another record_hash', 'record_hash', () => ({ ...first, record_hash: HASH })],
    ['another parent', 'record_hash', () => ({ ...first, parent: HASH })],
    ['a later record', 'parent', () => second],
    ['a payload that is no JSON', 'encoding', () => ({ ...first, payload: Number.NaN })],
    ['a payload left undefined', 'encoding', () => ({ ...first, payload: undefined })],
    ['a date for a record', 'encoding', () => new Date(0)],
  ])('%s is %s', (_what, code, make) => {
    expect(fault([make(), second, third])).toEqual([code, 0]);
  });

  it('names the first bad record, not the worst', () => {
    expect(fault([first, { ...second, record_hash: HASH }, null])).toEqual(['record_hash', 1]);
    expect(fault([first, second, {}])).toEqual(['shape', 2]);
    expect(fault([first, third])).toEqual(['parent', 1]);
    expect(fault([first, first])).toEqual(['parent', 1]);
    expect(fault([first, second, third, first])).toEqual(['parent', 3]);
  });

  it('judges an erased record by its hashes and counts it', () => {
    expect(validateChain([erase(first), second, erase(third)])).toEqual({
      _tag: 'Right',
      right: { count: 3, hash: third.record_hash, erased: 2 },
    });
    expect(fault([first, { ...erase(second), payload_hash: HASH }])).toEqual(['record_hash', 1]);
  });

  it('validates a chain written by another kernel with the same formulas', () => {
    // Hashes from Python's json and hashlib.
    const foreign = [
      {
        v: 1,
        ts: '2026-01-01T00:00:00Z',
        kind: 'seed.received',
        parent: null,
        payload: { text: 'héllo', n: 1.5, list: [true, null] },
        payload_hash: 'cf489894f45e81d6441817a8ea5d67dd3e4ed0ce9a957924a2a38293772c98f9',
        record_hash: 'f44ee4d9e572944023e3293bcf1cad479b34f7be537557d629012e180f9c3d64',
      },
      {
        v: 1,
        ts: '2026-01-01T00:00:01Z',
        kind: 'interpretation.chosen',
        parent: 'f44ee4d9e572944023e3293bcf1cad479b34f7be537557d629012e180f9c3d64',
        payload: ['a', { b: -7 }],
        payload_hash: '0340f39dcbd88e9a70cfd9cce09bd329f8f5b6e5057344110d4253d64e24a27c',
        record_hash: '39fdef0eff00e561b23b80dc3b664d5b84db08b1b7d7473298aaf19265b08bf5',
      },
    ];
    expect(validateChain(foreign)).toEqual({
      _tag: 'Right',
      right: {
        count: 2,
        hash: '39fdef0eff00e561b23b80dc3b664d5b84db08b1b7d7473298aaf19265b08bf5',
        erased: 0,
      },
    });
  });
});

describe('a link', () => {
  it('an envelope keeps exactly what was there', () => {
    expect(parseEnvelope(first as never)).toEqual({ _tag: 'Right', right: first });
    const { payload: _, ...erased } = first;
    const parsed = orThrow(parseEnvelope(erased as never));
    expect(Object.hasOwn(parsed, 'payload')).toBe(false);
  });

  it('a payload text at hand is hashed instead of the payload', () => {
    expect(linkFault(first, null, '{"a":1}', nobleSha256)).toBe(null);
    expect(linkFault(first, null, '{"a":2}', nobleSha256)).toBe('payload_hash');
    expect(linkFault(first, null, null, nobleSha256)).toBe(null);
    expect(linkFault({ ...first, payload: Number.NaN }, null, null, nobleSha256)).toBe('payload_hash');
    expect(linkFault(second, HASH as Digest, null, nobleSha256)).toBe('parent');
  });
});
