import { createHash } from 'node:crypto';
import { canonicalize, hashCanonical, orThrow, ResultError, sha256Hex } from '@assay/kernel';
import { describe, expect, it } from 'vitest';

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const textOf = (value: unknown): string => Buffer.from(orThrow(canonicalize(value))).toString('utf8');

describe('001 §2.1 canonicalization and hashing', () => {
  it('001 §2.1 canonicalize(value) gives bytes', () => {
    expect(orThrow(canonicalize({ a: 1 }))).toBeInstanceOf(Uint8Array);
    expect(textOf({ a: 1 })).toBe('{"a":1}');
  });

  it('001 §2.1 sha256_hex(data: bytes|str) gives the digest as text', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex(Buffer.from('é'))).toBe(sha256('é'));
    expect(sha256Hex('é')).toBe(sha256('é'));
  });

  it('001 §2.1 hash_canonical(value) is the digest of the canonical bytes', () => {
    const value = { b: [1, 2.5], a: 'é' };
    expect(orThrow(hashCanonical(value))).toBe(sha256(orThrow(canonicalize(value))));
  });

  it('001 §2.1 JSON-safe values only; reject NaN/Inf/unsupported types', () => {
    const bad = [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      undefined,
      () => 1,
      Symbol('s'),
      1n,
      new Date(0),
      new Map(),
      new Set(),
      /a/,
    ];
    for (const value of bad) {
      for (const place of [value, [value], { key: value }]) {
        expect(canonicalize(place)._tag).toBe('Left');
        expect(hashCanonical(place)._tag).toBe('Left');
        expect(() => orThrow(canonicalize(place))).toThrow(ResultError);
      }
    }
  });

  it('001 §2.1 stable key ordering; no whitespace', () => {
    expect(textOf({ b: { d: 1, c: [1, { f: 1, e: 2 }] }, a: 'x y' })).toBe(
      '{"a":"x y","b":{"c":[1,{"e":2,"f":1}],"d":1}}',
    );
  });

  it('001 §2.1 UTF-8 bytes', () => {
    expect(Buffer.from(orThrow(canonicalize(['é', '\u2028', '\u{1f600}']))).toString('hex')).toBe(
      '5b22c3a9222c22e280a8222c22f09f9880225d',
    );
  });
});
