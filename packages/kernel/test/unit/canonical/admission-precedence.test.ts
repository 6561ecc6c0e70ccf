import { admit, orThrow, OUTSIDE_LIMITS, type Limits } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import type { AdmissionCode } from '../../../src/canonical/admit.js';

const LIMITS: Limits = { depth: 3, bytes: 40, values: 8, keyBytes: 4 };
const refusal = (value: unknown, limits?: Limits): unknown => {
  const result = admit(value, limits);
  return result._tag === 'Left' ? [result.left.code, result.left.path] : 'admitted';
};

const getter = { get: () => 1, enumerable: true, configurable: true };
const hidden = { value: 1, enumerable: false, configurable: true };
const with_ = (object: object, slots: Readonly<Record<PropertyKey, PropertyDescriptor>>): object =>
  Object.defineProperties(object, slots);

describe('precedence of admission codes', () => {
  it.each<readonly [string, AdmissionCode, string, unknown]>([
    [
      'keys are judged in canonical order, not in the order they were written',
      'not_finite',
      '/a',
      { b: undefined, a: Number.NaN },
    ],
    ['integer-like keys too: 10 before 9', 'not_finite', '/10', { 9: undefined, 10: Number.NaN }],
    [
      'astral before private use',
      'not_finite',
      '/\u{1f600}',
      { '\ufb33': undefined, '\u{1f600}': Number.NaN },
    ],
    [
      'a value is judged whole before its next sibling',
      'undefined',
      '/a/0/x',
      { a: [{ x: undefined }], b: Number.NaN },
    ],
    ['the first element before the second', 'bigint', '/0', [1n, undefined]],
    [
      'prototype before symbol keys',
      'not_plain',
      '',
      Object.assign(Object.create({}), { [Symbol('s')]: 1, a: undefined }),
    ],
    [
      'prototype of an array before its keys',
      'not_plain',
      '',
      Object.setPrototypeOf(Object.assign([1], { extra: 1 }), null),
    ],
    ['symbol keys before any key', 'symbol_key', '', { [Symbol('s')]: 1, a: undefined }],
    [
      'symbol keys of an array before holes',
      'symbol_key',
      '',
      Object.assign(new Array(2), { [Symbol('s')]: 1 }),
    ],
    ['holes before other keys of an array', 'sparse_array', '/0', Object.assign(new Array(2), { extra: 1 })],
    [
      'other keys of an array before hidden elements',
      'array_key',
      '',
      Object.assign(with_([1, 2], { 0: hidden }), { extra: 1 }),
    ],
    ['hidden elements before any element', 'hidden_key', '/1', with_([undefined, 2], { 1: hidden })],
    ['the first hidden element', 'hidden_key', '/1', with_([1, 2, 3], { 2: hidden, 1: hidden })],
    ['an element before an accessor after it', 'undefined', '/0', with_([undefined, 2], { 1: getter })],
    ['an accessor before an element after it', 'accessor', '/0', with_([1, undefined], { 0: getter })],
    ['text of a key before its accessor', 'lone_surrogate', '/\ufffd', with_({}, { '\ud800': getter })],
    ['an accessor before being hidden', 'accessor', '/a', with_({}, { a: { ...getter, enumerable: false } })],
    [
      'hidden before the value',
      'hidden_key',
      '/a',
      with_({}, { a: { value: undefined, enumerable: false } }),
    ],
    [
      'a toJSON method before it is called hidden or a function',
      'to_json',
      '/toJSON',
      with_({}, { toJSON: { value: () => 1, enumerable: false } }),
    ],
    ['a toJSON accessor is an accessor', 'accessor', '/toJSON', with_({}, { toJSON: getter })],
    ['not finite before range', 'not_finite', '', Number.POSITIVE_INFINITY],
  ])('%s', (_what, code, path, value) => {
    expect(refusal(value)).toEqual([code, path]);
  });

  it('a cycle is a cycle however shallow the limit, and depth is judged before what is inside', () => {
    const ring: unknown[] = [[]];
    (ring[0] as unknown[]).push(ring);
    expect(refusal(ring, { ...LIMITS, depth: 2 })).toEqual(['cycle', '/0/0']);
    expect(refusal(ring, { ...LIMITS, depth: 1 })).toEqual(['depth', '/0']);
    expect(refusal([[[new Map()]]], LIMITS)).toEqual(['depth', '/0/0/0']);
  });
});

describe('limits', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

  it('depth: a scalar is 0, [] is 1; one more than the limit is refused where it begins', () => {
    expect(refusal(nested(3), LIMITS)).toBe('admitted');
    expect(refusal(nested(4), LIMITS)).toEqual(['depth', '/0/0/0']);
    expect(refusal({ a: { b: { c: {} } } }, LIMITS)).toEqual(['depth', '/a/b/c']);
    expect(refusal(nested(64), OUTSIDE_LIMITS)).toBe('admitted');
    expect(refusal(nested(65), OUTSIDE_LIMITS)).toEqual(['depth', '/0'.repeat(64)]);
  });

  it('values: each scalar, array and object counts one, keys count nothing', () => {
    expect(refusal([1, 2, 3, 4, 5, 6, 7], LIMITS)).toBe('admitted');
    expect(refusal([1, 2, 3, 4, 5, 6, 7, 8], LIMITS)).toEqual(['values', '']);
    expect(refusal({ a: [], b: {}, c: null, d: 1, e: '', f: true, g: 0 }, { ...LIMITS, bytes: 90 })).toBe(
      'admitted',
    );
    expect(
      refusal({ a: [], b: {}, c: null, d: 1, e: '', f: true, g: [0] }, { ...LIMITS, bytes: 90 }),
    ).toEqual(['values', '']);
    expect(refusal(new Array(65_535).fill(0), OUTSIDE_LIMITS)).toBe('admitted');
    expect(refusal(new Array(65_536).fill(0), OUTSIDE_LIMITS)).toEqual(['values', '']);
  });

  it('values: an array longer than the limit is refused before its elements are listed', () => {
    expect(refusal(new Array(4_294_967_295))).toEqual(['values', '']);
    expect(refusal({ a: new Array(9) }, LIMITS)).toEqual(['values', '']);
    expect(refusal(new Array(8), LIMITS)).toEqual(['sparse_array', '/0']);
  });

  it('size: UTF-8 bytes of the canonical text, escapes and punctuation included', () => {
    expect(refusal('a'.repeat(38), LIMITS)).toBe('admitted');
    expect(refusal('a'.repeat(39), LIMITS)).toEqual(['size', '']);
    expect(refusal('é'.repeat(19), LIMITS)).toBe('admitted');
    expect(refusal('é'.repeat(20), LIMITS)).toEqual(['size', '']);
    expect(refusal('\u0000'.repeat(6), LIMITS)).toBe('admitted');
    expect(refusal('\u0000'.repeat(7), LIMITS)).toEqual(['size', '']);
    expect(refusal({ a: 'x'.repeat(32) }, LIMITS)).toBe('admitted');
    expect(refusal({ a: 'x'.repeat(33) }, LIMITS)).toEqual(['size', '']);
    expect(refusal('a'.repeat(4_194_302), OUTSIDE_LIMITS)).toBe('admitted');
    expect(refusal('a'.repeat(4_194_303), OUTSIDE_LIMITS)).toEqual(['size', '']);
  });

  it('size: text beyond the limit ends the walk, so that what follows is not looked at', () => {
    expect(refusal(['a'.repeat(20), 'b'.repeat(21), undefined], LIMITS)).toEqual(['size', '']);
    expect(refusal(['a'.repeat(20), 'b'.repeat(20), undefined], LIMITS)).toEqual(['undefined', '/2']);
    expect(refusal({ abcd: 'a'.repeat(36), b: undefined }, LIMITS)).toEqual(['undefined', '/b']);
    expect(refusal({ abcd: 'a'.repeat(37), b: undefined }, LIMITS)).toEqual(['size', '']);
  });

  it('key_size: UTF-8 bytes of a key', () => {
    expect(refusal({ abcd: 1 }, LIMITS)).toBe('admitted');
    expect(refusal({ abcde: 1 }, LIMITS)).toEqual(['key_size', '/abcde']);
    expect(refusal({ éé: 1 }, LIMITS)).toBe('admitted');
    expect(refusal({ ééa: 1 }, LIMITS)).toEqual(['key_size', '/ééa']);
    expect(refusal({ '\u{1f600}': 1 }, LIMITS)).toBe('admitted');
    expect(refusal({ '\u{1f600}\u{1f600}': 1 }, LIMITS)).toEqual(['key_size', '/\u{1f600}\u{1f600}']);
    expect(refusal({ 'a\u2028': 1 }, LIMITS)).toBe('admitted');
    expect(refusal({ 'ab\u2028': 1 }, LIMITS)).toEqual(['key_size', '/ab\u2028']);
    expect(refusal({ abcde: undefined, z: 1 }, LIMITS)).toEqual(['key_size', '/abcde']);
    expect(refusal({ ['k'.repeat(1_024)]: 1 }, OUTSIDE_LIMITS)).toBe('admitted');
    expect(refusal({ ['k'.repeat(1_025)]: 1 }, OUTSIDE_LIMITS)).toEqual([
      'key_size',
      `/${'k'.repeat(1_025)}`,
    ]);
  });

  it('a lone surrogate comes before a later refusal, and after an earlier one', () => {
    expect(admit(['\ud800', undefined])).toEqual({
      _tag: 'Left',
      left: { code: 'lone_surrogate', path: '/0' },
    });
    expect(admit([undefined, '\ud800'])).toEqual({ _tag: 'Left', left: { code: 'undefined', path: '/0' } });
  });

  it('text that spells the escape of a surrogate is only text', () => {
    const spelt = { '\\ud800': 'C:\\udata \\\\udfff', pair: '\ud83d\ude00' };
    expect(orThrow(admit(spelt)).value).toEqual(spelt);
    expect(orThrow(admit(spelt)).text).toBe(JSON.stringify(spelt));
  });
});
