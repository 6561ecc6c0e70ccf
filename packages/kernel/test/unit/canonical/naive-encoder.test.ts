import { admit, canonicalize } from '@assay/kernel';
import stringify from 'fast-json-stable-stringify';
import { describe, expect, it } from 'vitest';
import type { AdmissionCode } from '../../../src/canonical/admit.js';

/** What RFC 8785 gives no text, yet a stable stringifier writes all the same, or fails on in its own way. */
const REFUSED: readonly (readonly [what: string, code: AdmissionCode, make: () => unknown])[] = [
  ['undefined at the top', 'undefined', () => undefined],
  ['undefined in an object', 'undefined', () => ({ a: undefined, b: 1 })],
  ['a function in an object', 'function', () => ({ a: () => 1, b: 1 })],
  ['a symbol in an object', 'symbol', () => ({ a: Symbol('s'), b: 1 })],
  ['undefined in an array', 'undefined', () => [undefined]],
  ['a function in an array', 'function', () => [() => 1]],
  // oxlint-disable-next-line no-sparse-arrays -- a hole is what is tested
  ['a sparse array', 'sparse_array', () => [1, , , 4]],
  ['an array with extra keys', 'array_key', () => Object.assign([1], { extra: 2 })],
  ['NaN', 'not_finite', () => ({ a: Number.NaN })],
  ['infinity', 'not_finite', () => [Number.POSITIVE_INFINITY]],
  ['minus infinity', 'not_finite', () => [Number.NEGATIVE_INFINITY]],
  ['a number that overflows when parsed', 'not_finite', () => JSON.parse('[1e400]')],
  ['an integer beyond 2^53', 'number_range', () => JSON.parse('[9007199254740993]')],
  ['a lone surrogate in a value', 'lone_surrogate', () => 'x\ud800y'],
  ['a lone surrogate in a key', 'lone_surrogate', () => ({ '\ud800': 1 })],
  ['a lone surrogate from an escape', 'lone_surrogate', () => JSON.parse('["\\udead"]')],
  ['a date', 'not_plain', () => new Date(0)],
  ['an invalid date', 'not_plain', () => new Date(Number.NaN)],
  ['a map', 'not_plain', () => new Map([['a', 1]])],
  ['a set', 'not_plain', () => new Set([1])],
  ['a regular expression', 'not_plain', () => /a/g],
  ['an error', 'not_plain', () => new Error('gone')],
  ['a boxed number', 'not_plain', () => Object(1)],
  ['a typed array', 'not_plain', () => Uint8Array.of(1, 2)],
  ['a buffer', 'not_plain', () => Buffer.from([1, 2])],
  [
    'an instance of a class',
    'not_plain',
    () =>
      new (class Point {
        x = 1;
      })(),
  ],
  ['a big integer', 'bigint', () => ({ n: 1n })],
  ['a toJSON method', 'to_json', () => ({ a: 1, toJSON: () => 'something else' })],
  [
    'a hidden toJSON method',
    'to_json',
    () => Object.defineProperty({ a: 1 }, 'toJSON', { value: () => 'something else' }),
  ],
  [
    'a getter',
    'accessor',
    () => ({
      get a() {
        return 1;
      },
    }),
  ],
  ['a hidden key', 'hidden_key', () => Object.defineProperty({ a: 1 }, 'b', { value: 2 })],
  ['a symbol key', 'symbol_key', () => ({ a: 1, [Symbol('s')]: 2 })],
  [
    'an object in itself',
    'cycle',
    () => {
      const me: Record<string, unknown> = {};
      me['me'] = me;
      return me;
    },
  ],
  [
    'an array in itself',
    'cycle',
    () => {
      const me: unknown[] = [];
      me.push(me);
      return me;
    },
  ],
  ['nesting of 10,000 arrays', 'depth', () => nested(10_000, (inner) => [inner])],
  ['nesting of 10,000 objects', 'depth', () => nested(10_000, (inner) => ({ a: inner }))],
];

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

/** What looks odd and has exactly one text. */
const WRITTEN: readonly (readonly [what: string, text: string, value: unknown])[] = [
  ['toJSON as a data key', '{"a":1,"toJSON":{"b":2,"c":1}}', { toJSON: { c: 1, b: 2 }, a: 1 }],
  ['an own __proto__', '{"__proto__":{"b":1},"a":2}', JSON.parse('{"a":2,"__proto__":{"b":1}}')],
  [
    'constructor and hasOwnProperty as data',
    '{"constructor":1,"hasOwnProperty":2,"toString":3}',
    { toString: 3, hasOwnProperty: 2, constructor: 1 },
  ],
  ['the empty key', '{"":1,"a":2}', { a: 2, '': 1 }],
  ['integer-like keys, in the order of text', '{"-1":0,"10":1,"2":2,"a":3}', { 2: 2, 10: 1, '-1': 0, a: 3 }],
  ['two integer-like keys', '{"10":1,"9":2}', { 9: 2, 10: 1 }],
  ['0 and 9 among keys that sort before them', '{"!":2,"0":1}', { 0: 1, '!': 2 }],
  ['9 after a key that sorts before it', '{"!":2,"9":1}', { 9: 1, '!': 2 }],
  ['astral keys before private use', '{"\u{1f600}":2,"\ufb33":1}', { '\ufb33': 1, '\u{1f600}': 2 }],
  ['composed and decomposed text, two keys', '{"e\u0301":2,"\u00e9":1}', { '\u00e9': 1, 'e\u0301': 2 }],
  ['U+2028 and U+2029, raw', '"\u2028\u2029"', '\u2028\u2029'],
  [
    'control characters, escaped',
    '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u007f"',
    '\u0000\b\t\n\u000b\f\r\u001f\u007f',
  ],
  ['quote, backslash and slash', '"\\"\\\\/"', '"\\/'],
  ['minus zero', '[0,0]', [-0, 0]],
  ['the smallest double', '5e-324', 5e-324],
  ['a null-prototype object', '{"a":1}', Object.assign(Object.create(null), { a: 1 })],
  [
    'one object in two places',
    '[{"a":1},{"a":1}]',
    (() => {
      const shared = { a: 1 };
      return [shared, shared];
    })(),
  ],
  ['empty containers', '[[],{}]', [[], {}]],
];

describe('what a naive encoder admits wrongly', () => {
  it.each(REFUSED)('%s is refused as %s', (_what, code, make) => {
    const result = canonicalize(make());
    expect(result._tag === 'Left' ? result.left.code : 'admitted').toBe(code);
  });

  it('most of them get some text from the naive encoder, often the text of another value', () => {
    const written = REFUSED.filter(([, , make]) => {
      try {
        return typeof (stringify(make()) as unknown) === 'string';
      } catch {
        return false;
      }
    });
    expect(written.length).toBeGreaterThanOrEqual(28);
    expect(stringify(new Map([['a', 1]]))).toBe(stringify({}));
    expect(stringify({ a: Number.NaN })).toBe(stringify({ a: null }));
  });
});

describe('what looks odd and is written', () => {
  it.each(WRITTEN)('%s', (_what, text, value) => {
    const result = admit(value);
    expect(result._tag === 'Right' ? result.right.text : result.left).toBe(text);
    expect(stringify(value)).toBe(text);
  });
});
