import { admit, canonicalize, hashCanonical, orThrow, utf8Bytes, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { encode, encodeJson, encodeOrdered, encodeScalar, isOrdered } from '../../../src/canonical/encode.js';

const text = (value: unknown): string => orThrow(admit(value)).text;

describe('numbers', () => {
  it.each<readonly [number, string]>([
    [0, '0'],
    [-0, '0'],
    [1, '1'],
    [-1.5, '-1.5'],
    [1e15, '1000000000000000'],
    [0.000001, '0.000001'],
    [0.0000015, '0.0000015'],
    [1e-7, '1e-7'],
    [1.5e-7, '1.5e-7'],
    [-1.5e-7, '-1.5e-7'],
    [1.2345e-10, '1.2345e-10'],
    [5e-324, '5e-324'],
    [2.2250738585072014e-308, '2.2250738585072014e-308'],
    [0.1, '0.1'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1 / 3, '0.3333333333333333'],
    [4_503_599_627_370_495.5, '4503599627370495.5'],
    [9_007_199_254_740_991, '9007199254740991'],
    [-9_007_199_254_740_991, '-9007199254740991'],
    [333_333_333.333_333_3, '333333333.3333333'],
  ])('%d is written %s', (number, expected) => {
    expect(text(number)).toBe(expected);
    expect(text([number])).toBe(`[${expected}]`);
    expect(encode(number)).toBe(expected);
  });

  it('-0 is 0 in the owned copy as well, at every depth', () => {
    expect(Object.is(orThrow(admit(-0)).value, 0)).toBe(true);
    const copy = orThrow(admit({ a: [-0] })).value as { readonly a: readonly number[] };
    expect(Object.is(copy.a[0], 0)).toBe(true);
    expect(hashCanonical({ a: [-0] })).toEqual(hashCanonical({ a: [0] }));
  });

  it('1e21 and larger, which the language would write with an exponent, are refused', () => {
    expect(canonicalize(1e21)).toEqual({ _tag: 'Left', left: { code: 'number_range', path: '' } });
    expect(canonicalize(-1e21)).toEqual({ _tag: 'Left', left: { code: 'number_range', path: '' } });
  });
});

describe('writers', () => {
  it('encode sorts at every depth', () => {
    expect(encode({ b: [{ d: 1, c: { z: 1, y: [] } }], a: {} })).toBe(
      '{"a":{},"b":[{"c":{"y":[],"z":1},"d":1}]}',
    );
  });

  it.each<readonly [Json, boolean]>([
    [1, true],
    [[], true],
    [{}, true],
    [{ a: 1, b: 2 }, true],
    [{ b: 1, a: 2 }, false],
    [{ a: { b: 1, a: 2 } }, false],
    [[0, [{ b: 1, a: 2 }]], false],
    [{ a: 1, A: 2 }, false],
    [{ 2: 1, 10: 1 }, false],
    [{ 10: 1, a: 1 }, true],
    [{ '': 1, a: 1 }, true],
    [[{ a: 1 }, { a: 1, b: [{ a: 1, b: 1 }] }], true],
  ])('isOrdered(%j) is %s', (value, expected) => {
    expect(isOrdered(value)).toBe(expected);
    expect(encodeJson(value)).toBe(encode(value));
  });

  it('encodeOrdered writes keys as they come: it is for what is in order already', () => {
    expect(encodeOrdered({ b: 1, a: 2 })).toBe('{"b":1,"a":2}');
  });

  it.each<readonly [string | number | boolean | null, string]>([
    ['a"\u0001\u2028', '"a\\"\\u0001\u2028"'],
    [-0, '0'],
    [1.5e-7, '1.5e-7'],
    [true, 'true'],
    [false, 'false'],
    [null, 'null'],
  ])('encodeScalar(%j)', (value, expected) => {
    expect(encodeScalar(value)).toBe(expected);
  });

  it('canonicalize gives the UTF-8 bytes of the text, canonically ordered and without white space', () => {
    expect(orThrow(canonicalize({ b: 1, a: [true, null, 'é\u{1f600}'] }))).toEqual(
      utf8Bytes('{"a":[true,null,"é\u{1f600}"],"b":1}'),
    );
    expect(orThrow(hashCanonical({ b: 1, a: [true, null, -1] }))).toBe(
      '1daa2e7bde435517e17c4a6c886891c82fc6d8270bc2b81c80f3834821a53774',
    );
    expect(hashCanonical({ a: undefined })).toEqual({
      _tag: 'Left',
      left: { code: 'undefined', path: '/a' },
    });
  });

  it('hashCanonical gives the canonical bytes to the digest it was handed', () => {
    const seen: string[] = [];
    const digest = orThrow(
      hashCanonical(
        { b: 1, a: 2 },
        (bytes) => (seen.push(Buffer.from(bytes).toString()), 'f'.repeat(64) as never),
      ),
    );
    expect([digest, seen]).toEqual(['f'.repeat(64), ['{"a":2,"b":1}']]);
  });
});
