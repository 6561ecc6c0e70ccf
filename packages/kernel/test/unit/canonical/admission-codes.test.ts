import { admit } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import type { AdmissionCode } from '../../../src/canonical/admit.js';

type Case = readonly [what: string, code: AdmissionCode, path: string, value: unknown];

class Point {
  x = 1;
}

const accessor = (slot: PropertyDescriptor): object =>
  Object.defineProperty({ a: 1 }, 'b', { enumerable: true, ...slot });
const element = (slot: PropertyDescriptor): unknown[] =>
  Object.defineProperty([1, 2], 1, { enumerable: true, ...slot });
function argumentsOf(..._given: readonly unknown[]): unknown {
  return arguments;
}
const self: Record<string, unknown> = { a: 1 };
self['me'] = self;
const ring: unknown[] = [];
ring.push([[ring]]);
const holed = [1, 2, 3];
// oxlint-disable-next-line typescript/no-array-delete -- a hole is what is tested
delete holed[1];

const CASES: readonly Case[] = [
  ['undefined at the top', 'undefined', '', undefined],
  ['undefined in an object', 'undefined', '/a', { a: undefined }],
  ['undefined in an array', 'undefined', '/1', [0, undefined]],
  ['a function', 'function', '/a', { a: () => 1 }],
  ['a class', 'function', '', Point],
  ['a symbol', 'symbol', '/0', [Symbol('s')]],
  ['a big integer', 'bigint', '/n', { n: 1n }],
  ['NaN', 'not_finite', '/0/a', [{ a: Number.NaN }]],
  ['infinity', 'not_finite', '', Number.POSITIVE_INFINITY],
  ['minus infinity', 'not_finite', '', Number.NEGATIVE_INFINITY],
  ['a number that overflows when parsed', 'not_finite', '/0', JSON.parse('[1e400]')],
  ['an integer beyond 2^53 when parsed', 'number_range', '/0', JSON.parse('[9007199254740993]')],
  ['2^53', 'number_range', '', 2 ** 53],
  ['-2^53', 'number_range', '', -(2 ** 53)],
  ['1e20', 'number_range', '', 1e20],
  ['1e21', 'number_range', '/a', { a: 1e21 }],
  ['the largest double', 'number_range', '', Number.MAX_VALUE],
  ['a high surrogate alone', 'lone_surrogate', '', 'a\ud800'],
  ['a low surrogate alone', 'lone_surrogate', '/0', ['\udc00b']],
  ['surrogates in the wrong order', 'lone_surrogate', '', '\udc00\ud800'],
  ['a lone surrogate in a key, shown as U+FFFD', 'lone_surrogate', '/a\ufffd', { 'a\ud800': 1 }],
  ['an object in itself', 'cycle', '/me', self],
  ['an array in itself', 'cycle', '/0/0/0', ring],
  ['a date', 'not_plain', '/at', { at: new Date(0) }],
  ['an invalid date', 'not_plain', '', new Date(Number.NaN)],
  ['a map', 'not_plain', '', new Map([['a', 1]])],
  ['a set', 'not_plain', '/0', [new Set([1])]],
  ['a regular expression', 'not_plain', '', /a/],
  ['an error', 'not_plain', '', new Error('no')],
  ['a boxed number', 'not_plain', '', Object(1)],
  ['a boxed string', 'not_plain', '', Object('a')],
  ['a typed array', 'not_plain', '', Uint8Array.of(1)],
  ['a buffer', 'not_plain', '', Buffer.from('a')],
  ['a promise', 'not_plain', '', Promise.resolve(1)],
  ['a weak map', 'not_plain', '', new WeakMap()],
  ['an instance of a class', 'not_plain', '', new Point()],
  ['an object with another prototype', 'not_plain', '', Object.create({ a: 1 })],
  ['an array of a subclass', 'not_plain', '', new (class Rows extends Array<number> {})()],
  ['an array without prototype', 'not_plain', '', Object.setPrototypeOf([1], null)],
  ['the arguments of a call', 'symbol_key', '', argumentsOf(1)],
  ['a symbol key', 'symbol_key', '', { [Symbol('s')]: 1 }],
  ['a hidden symbol key', 'symbol_key', '/a', { a: Object.defineProperty({}, Symbol('s'), { value: 1 }) }],
  ['a symbol key on an array', 'symbol_key', '', Object.assign([1], { [Symbol('s')]: 1 })],
  ['an extra key on an array', 'array_key', '', Object.assign([1], { extra: 1 })],
  ['an extra key on an empty array', 'array_key', '/a', { a: Object.assign([], { extra: 1 }) }],
  ['a hidden extra key on an array', 'array_key', '', Object.defineProperty([1], 'hidden', { value: 1 })],
  [
    'the strings of a template, with their hidden raw',
    'array_key',
    '',
    ((strings: TemplateStringsArray) => strings)`a`,
  ],
  ['the match of a regular expression', 'array_key', '', /a/.exec('a')],
  ['a hole', 'sparse_array', '/1', holed],
  ['only holes', 'sparse_array', '/0', new Array(3)],
  ['a hole made up for by an extra key', 'sparse_array', '/1', Object.assign(holed.slice(), { extra: 1 })],
  ['a key of 17 million units', 'key_size', `/${'k'.repeat(16_777_217)}`, { ['k'.repeat(16_777_217)]: 1 }],
  ['a getter', 'accessor', '/b', accessor({ get: () => 1 })],
  ['a setter', 'accessor', '/b', accessor({ set: () => undefined })],
  ['a getter and a setter', 'accessor', '/b', accessor({ get: () => 1, set: () => undefined })],
  ['a getter in an array', 'accessor', '/1', element({ get: () => 1 })],
  ['a setter in an array', 'accessor', '/1', element({ set: () => undefined })],
  ['a hidden getter', 'accessor', '/b', accessor({ get: () => 1, enumerable: false })],
  ['a hidden key', 'hidden_key', '/b', accessor({ value: 1, enumerable: false })],
  ['a hidden element', 'hidden_key', '/1', element({ value: 1, enumerable: false })],
  ['a toJSON method', 'to_json', '/a/toJSON', { a: { toJSON: () => 1 } }],
  [
    'a toJSON method nested in an array',
    'to_json',
    '/0/toJSON',
    [
      {
        toJSON() {
          return 1;
        },
      },
    ],
  ],
];

describe('each admission code, with its path', () => {
  it.each(CASES)('%s is refused as %s at %s', (_what, code, path, value) => {
    const result = admit(value);
    // Compared apart: the printed difference of a path of 17 million units helps nobody.
    expect(result._tag).toBe('Left');
    if (result._tag === 'Right') return;
    expect(result.left.code).toBe(code);
    expect(result.left.path === path).toBe(true);
    expect(Object.keys(result.left)).toEqual(['code', 'path']);
  });

  it('every code that does not depend on limits is in the table', () => {
    expect([...new Set(CASES.map(([, code]) => code))].sort()).toEqual([
      'accessor',
      'array_key',
      'bigint',
      'cycle',
      'function',
      'hidden_key',
      'key_size',
      'lone_surrogate',
      'not_finite',
      'not_plain',
      'number_range',
      'sparse_array',
      'symbol',
      'symbol_key',
      'to_json',
      'undefined',
    ]);
  });

  it('a path is a JSON pointer: ~ and / are escaped, keys that look like numbers and empty keys stand', () => {
    expect(admit({ 'a/b': { '~': { '': { '01': [Number.NaN] } } } })).toEqual({
      _tag: 'Left',
      left: { code: 'not_finite', path: '/a~1b/~0//01/0' },
    });
    expect(admit({ '~1': Number.NaN })).toEqual({ _tag: 'Left', left: { code: 'not_finite', path: '/~01' } });
  });
});
