import {
  admit,
  canonicalize,
  LINE_LIMITS,
  measure,
  nobleSha256,
  orThrow,
  OUTSIDE_LIMITS,
  sha256Hex,
  utf8Bytes,
  type Json,
} from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { encodeData } from '../../../src/canonical/data.js';
import { encode, encodeJson, encodeOrdered } from '../../../src/canonical/encode.js';
import { OPEN_REQUESTS_MAX, VALUE_LIMITS } from '../../../src/canonical/limits.js';

const never = (): boolean => false;
const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)]);
const inObjects = (levels: number): Json => (levels === 0 ? 1 : { a: inObjects(levels - 1) });
class Point {
  x = 1;
}

describe('limits', () => {
  it('are those of the format, and frozen', () => {
    expect(OUTSIDE_LIMITS).toEqual({ depth: 64, bytes: 4_194_304, values: 65_536, keyBytes: 1_024 });
    expect(VALUE_LIMITS).toEqual({
      depth: 1_024,
      bytes: 536_870_912,
      values: 16_777_216,
      keyBytes: 16_777_216,
    });
    expect(LINE_LIMITS).toEqual({ bytes: 16_777_216, depth: 256, structure: 262_144 });
    expect(OPEN_REQUESTS_MAX).toBe(65_536);
    expect([OUTSIDE_LIMITS, VALUE_LIMITS, LINE_LIMITS].every((limits) => Object.isFrozen(limits))).toBe(true);
  });
});

describe('bounds that are given', () => {
  it('bytes are those of the text: what fits is admitted, one more is size of the whole', () => {
    const bounded = (value: unknown, bytes: number): unknown => {
      const admitted = admit(value, { ...VALUE_LIMITS, bytes });
      return admitted._tag === 'Right' ? admitted.right.bytes : admitted.left;
    };
    const size = { code: 'size', path: '' };
    for (const [value, bytes] of [
      ['aé', 5],
      [[1, '\n'], 8],
      [{ é: [] }, 9],
      [null, 4],
    ] as const)
      expect([bounded(value, bytes), bounded(value, bytes - 1)]).toEqual([bytes, size]);
  });
});

describe('encoding of plain data', () => {
  it.each<[Json, string]>([
    [null, 'null'],
    [true, 'true'],
    ['é', '"é"'],
    [-0, '0'],
    [[], '[]'],
    [{}, '{}'],
    [{ b: [1, { d: 1, c: 2 }], a: 2 }, '{"a":2,"b":[1,{"c":2,"d":1}]}'],
    [{ a: { a: 1 }, b: { a: 1 } }, '{"a":{"a":1},"b":{"a":1}}'],
    [[{ 10: 1, 9: 1 }], '[{"10":1,"9":1}]'],
    [Object.assign(Object.create(null) as object, { a: 1 }) as Json, '{"a":1}'],
  ])('%j is written as %s', (value, text) => {
    expect(encodeData(value, never)).toEqual({ text });
    expect([encode(value), encodeJson(value)]).toEqual([text, text]);
  });

  it.each<[string, unknown, string]>([
    ['a lone surrogate', '\ud800', 'not_json'],
    ['a key with one', { '\ud800': 1 }, 'not_json'],
    ['a fraction', 0.5, 'not_integer'],
    ['an integer out of range', 2 ** 53, 'not_integer'],
    ['not a number', Number.NaN, 'not_json'],
    ['no finite number', Infinity, 'not_json'],
    ['nothing', undefined, 'not_json'],
    ['a big integer', 1n, 'not_json'],
    ['a function', never, 'not_json'],
    ['a field that is nothing', { a: undefined }, 'not_json'],
    ['an item that is nothing', [1, undefined], 'not_json'],
    ['an instance', new Point(), 'not_json'],
    ['a map', new Map(), 'not_json'],
    ['an array of another class', new (class extends Array<number> {})(), 'not_json'],
    ['an array with a getter', Object.defineProperty([0], 0, { get: () => 1, enumerable: true }), 'not_json'],
    [
      'an object with a getter',
      {
        get a() {
          return 1;
        },
      },
      'not_json',
    ],
    ['an object with a hidden key', Object.defineProperty({ a: 1 }, 'b', { value: 1 }), 'not_json'],
    ['an object with a symbol for a key', { a: 1, [Symbol('b')]: 1 }, 'not_json'],
    ['an object with nothing but a symbol', { [Symbol('b')]: 1 }, 'not_json'],
    ['a token out of form', { $blob: 1 }, 'token'],
    ['an array too deep', nested(1_025), 'depth'],
    ['an object too deep', inObjects(1_025), 'depth'],
  ])('%s is no data', (_, value, fault) => {
    expect(encodeData(value as Json, never)).toEqual({ fault });
    expect(encodeData([value, 0] as Json, never)).toEqual({ fault });
  });

  it('1,024 levels are data, and a token in form is', () => {
    expect(encodeData(nested(1_024), never)).toEqual({ text: `${'['.repeat(1_024)}1${']'.repeat(1_024)}` });
    expect(encodeData(inObjects(1_024), never)).toHaveProperty('text');
    expect(encodeData({ $d: '1' }, (value) => JSON.stringify(value) === '{"$d":"1"}')).toEqual({
      text: '{"$d":"1"}',
    });
    expect(encodeData({ a$: '1' }, never)).toEqual({ text: '{"a$":"1"}' });
  });
});

describe('order of keys', () => {
  it.each([1, 2, 3, 22, 23, 24, 25, 60])('%s keys are sorted, however they come', (count) => {
    const keys = Array.from(
      { length: count },
      (_, index) => `k${String.fromCharCode(0x61 + ((index * 7) % 26))}${index}`,
    );
    const text = `{${keys
      .toSorted()
      .map((key) => `"${key}":1`)
      .join(',')}}`;
    for (const order of [keys, keys.toReversed(), keys.toSorted(), keys.toSorted().toReversed()]) {
      const admitted = orThrow(admit(Object.fromEntries(order.map((key) => [key, 1]))));
      expect(admitted.text).toBe(text);
      expect(Object.keys(admitted.value as object)).toEqual(keys.toSorted());
    }
  });
});

describe('a page that changes how JSON is written', () => {
  it.each([Object.prototype, Array.prototype])('changes no canonical text', (prototype) => {
    Object.defineProperty(prototype, 'toJSON', { value: () => 'other', configurable: true });
    let texts: unknown;
    try {
      texts = [encodeOrdered({ a: [1] }), new TextDecoder().decode(orThrow(canonicalize({ a: [1] })))];
    } finally {
      Reflect.deleteProperty(prototype, 'toJSON');
    }
    expect(texts).toEqual(['{"a":[1]}', '{"a":[1]}']);
  });
});

describe('what a line measures', () => {
  const measured = (text: string): string | null => measure(utf8Bytes(text));
  it('depth is that of the deepest place, after closing too', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect([
      measured(deep(256)),
      measured(deep(257)),
      measured(`[${deep(256)},1]`),
      measured(`[${deep(255)},${deep(255)}]`),
      measured(`[${deep(256)},[]]`),
    ]).toEqual([null, 'depth', 'depth', null, 'depth']);
    const braces = '{"a":'.repeat(256);
    expect([measured(`${braces}1${'}'.repeat(256)}`), measured(`{"a":${braces}1${'}'.repeat(257)}`)]).toEqual(
      [null, 'depth'],
    );
    expect(measured(`[${'{},'.repeat(300)}[]]`)).toBe(null);
  });

  it('marks of every sort count', () => {
    const most = 262_144;
    expect([measured(','.repeat(most)), measured(','.repeat(most + 1))]).toEqual([null, 'size']);
    expect([
      measured('[]'.repeat(most)),
      measured('[]'.repeat(most + 1)),
      measured('{}'.repeat(most + 1)),
    ]).toEqual([null, 'size', 'size']);
  });
});

describe('the digest of bytes', () => {
  it('is that of the bytes, and of text that of its UTF-8 bytes', () => {
    const bytes = Uint8Array.of(0, 1, 0xff);
    expect(sha256Hex(bytes)).toBe(nobleSha256(bytes));
    expect(sha256Hex('é')).toBe(nobleSha256(Uint8Array.of(0xc3, 0xa9)));
    expect(sha256Hex(bytes)).not.toBe(sha256Hex(String(bytes)));
  });
});
