import { admit } from '@assay/kernel';
import stringify from 'fast-json-stable-stringify';
import { describe, expect, it } from 'vitest';

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

describe('what looks odd and is written', () => {
  it.each(WRITTEN)('%s', (_what, text, value) => {
    const result = admit(value);
    expect(result._tag === 'Right' ? result.right.text : result.left).toBe(text);
    expect(stringify(value)).toBe(text);
  });
});
