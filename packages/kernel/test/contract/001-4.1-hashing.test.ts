import { canonicalize, hashCanonical, orThrow } from '@assay/kernel';
import { describe, expect, it } from 'vitest';

describe('001 §4.1 hashing and canonicalization', () => {
  it('001 §4.1 same semantic JSON -> same bytes -> same hash (key order invariance)', () => {
    const one = JSON.parse('{"a": 1.0, "b": [true, {"x": "\\u00e9", "y": -0}], "c": null}') as unknown;
    const two = JSON.parse('{"c":null,"b":[true,{"y":0,"x":"é"}],"a":1}') as unknown;
    expect(orThrow(canonicalize(one))).toEqual(orThrow(canonicalize(two)));
    expect(orThrow(hashCanonical(one))).toBe(orThrow(hashCanonical(two)));
  });

  it('001 §4.1 other JSON -> other bytes', () => {
    const values = [
      1,
      '1',
      [1],
      { a: 1 },
      { a: '1' },
      { b: 1 },
      [[1]],
      null,
      'null',
      false,
      0,
      '',
      [],
      {},
      [null],
      { '': null },
    ];
    expect(new Set(values.map((value) => orThrow(hashCanonical(value)))).size).toBe(values.length);
  });

  it.each([
    ['undefined', { a: undefined }],
    ['function', [() => 1]],
    ['symbol', Symbol('s')],
    ['bigint', 1n],
    ['not_plain', new Date(0)],
    ['not_plain', new Map()],
    ['accessor', Object.defineProperty({}, 'a', { get: () => 1, enumerable: true })],
    ['to_json', { toJSON: () => 1 }],
  ])('001 §4.1 unsupported types rejected: %s', (code, value) => {
    expect(canonicalize(value)).toMatchObject({ _tag: 'Left', left: { code } });
    expect(hashCanonical(value)).toMatchObject({ _tag: 'Left', left: { code } });
  });

  it('001 §4.1 NaN/Inf rejected', () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(canonicalize(number)).toEqual({ _tag: 'Left', left: { code: 'not_finite', path: '' } });
      expect(canonicalize({ deep: [number] })).toEqual({
        _tag: 'Left',
        left: { code: 'not_finite', path: '/deep/0' },
      });
    }
  });
});
