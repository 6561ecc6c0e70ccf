import fc from 'fast-check';
import { LINE_LIMITS, readCanonical, utf8Bytes, type ReadCode } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/canonical/read.js';
import { draws } from '../../../tools/laws.ts';

const read = (text: string): unknown => {
  const result = readCanonical(utf8Bytes(text));
  return result._tag === 'Left' ? result.left : result.right;
};

describe('reading one canonical text', () => {
  it.each([
    'null',
    'true',
    '0',
    '-1.5e-7',
    '""',
    '"\u2028\u{1f600}"',
    '[]',
    '{}',
    '{"10":1,"9":2}',
    '{"__proto__":1,"a":[{}]}',
    '{"toJSON":[9007199254740991]}',
  ])('%s reads back', (text) => {
    expect(read(text)).toEqual({ value: JSON.parse(text), text });
  });

  it.each([
    ['no byte', ''],
    ['a space before', ' 1'],
    ['a space after', '1 '],
    ['a line end', '1\n'],
    ['a carriage return', '[]\r'],
    ['a space inside', '[1, 2]'],
    ['two values', '1 2'],
    ['a byte order mark', '\ufeff1'],
    ['unordered keys', '{"b":1,"a":2}'],
    ['unordered keys below', '[{"b":1,"a":2}]'],
    ['integer-like keys in the order of numbers', '{"9":1,"10":2}'],
    ['private use before astral', '{"\ufb33":1,"\u{1f600}":2}'],
    ['a key twice', '{"a":1,"a":1}'],
    ['0.00000015', '0.00000015'],
    ['-2^53, nested', '[{"a":-9007199254740992}]'],
    ['a raw control character', '"\u0001"'],
    ['a lone surrogate in an array', '["\\udc00"]'],
    ['a lone surrogate in a key', '{"\\ud800":1}'],
    ['a lone surrogate in a nested key', '[{"a":{"\\ud800":1}}]'],
    ['an escaped pair', '"\\ud83d\\ude00"'],
    ['NaN', 'NaN'],
    ['undefined', 'undefined'],
    ['a trailing comma', '[1,]'],
    ['a comment', '1//'],
    ['single quotes', "'a'"],
    ['an unclosed array', '[1'],
  ])('%s is encoding', (_what, text) => {
    expect(read(text)).toBe('encoding');
  });

  it('bytes that are no UTF-8 are encoding', () => {
    expect(readCanonical(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ _tag: 'Left', left: 'encoding' });
    expect(readCanonical(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toEqual({
      _tag: 'Left',
      left: 'encoding',
    });
  });
});

describe('limits of a line, measured on bytes', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

  it.each<readonly [string, string, ReadCode | null]>([
    ['256 levels', nested(256), null],
    ['257 levels', nested(257), 'depth'],
    ['256 objects', objects(256), null],
    ['257 objects', objects(257), 'depth'],
    ['levels one after the other', `[${new Array(300).fill('[]').join(',')}]`, null],
    ['brackets in a string', `"${'['.repeat(300)}"`, null],
    ['brackets after an escaped quote', `["\\"${'['.repeat(300)}"]`, null],
    ['brackets after a string that ends in a backslash', `["\\\\",${nested(256)}]`, 'depth'],
    ['closing brackets first', ']'.repeat(10) + nested(257), null],
    ['262,144 marks', `[${new Array(262_144).fill('1').join(',')}]`, null],
    ['262,145 marks', `[${new Array(262_145).fill('1').join(',')}]`, 'size'],
    ['262,145 objects', '{}'.repeat(262_145), 'size'],
    ['commas in a string', `"${','.repeat(262_145)}"`, null],
    ['too deep and then too many marks', nested(257) + ','.repeat(262_144), 'size'],
    ['no JSON at all', 'x]}}', null],
  ])('%s', (_what, text, expected) => {
    expect(measure(utf8Bytes(text))).toBe(expected);
  });

  it('16,777,216 bytes are a line, one more is size, whatever they are', () => {
    expect(LINE_LIMITS).toEqual({ bytes: 16_777_216, depth: 256, structure: 262_144 });
    const bytes = new Uint8Array(LINE_LIMITS.bytes + 1).fill(0x61);
    expect(measure(bytes.subarray(1))).toBe(null);
    expect(measure(bytes)).toBe('size');
    expect(readCanonical(bytes)).toEqual({ _tag: 'Left', left: 'size' });
  });

  it('size and depth come before encoding', () => {
    expect(read(` ${nested(257)}`)).toBe('depth');
    expect(read('{'.repeat(100_000))).toBe('depth');
    expect(read('{}'.repeat(300_000))).toBe('size');
    expect(read(nested(256))).toMatchObject({ text: nested(256) });
  });
});

describe('what saves time decides nothing', () => {
  /** The limits of a line, one byte after another. */
  function measuredPlainly(bytes: Uint8Array): 'size' | 'depth' | null {
    let [isString, structure, depth, deepest] = [false, 0, 0, 0];
    for (let at = 0; at < bytes.length; at += 1) {
      const mark = String.fromCharCode(bytes[at] ?? 0);
      if (isString) {
        if (mark === '\\') at += 1;
        isString = mark !== '"';
      } else if (mark === '"') isString = true;
      else {
        if (',[{'.includes(mark)) structure += 1;
        depth += '[{'.includes(mark) ? 1 : ']}'.includes(mark) ? -1 : 0;
        deepest = Math.max(deepest, depth);
      }
    }
    return structure > LINE_LIMITS.structure ? 'size' : deepest > LINE_LIMITS.depth ? 'depth' : null;
  }

  it('read/measure-equals-plain: strings skipped by search hold the same quotes and backslashes', () => {
    const piece = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('"', '\\', '\\"', '\\\\', '[', '{', ',', ']', '}') },
      { weight: 2, arbitrary: fc.nat(90).map((length) => 'x'.repeat(length)) },
      { weight: 2, arbitrary: fc.nat(300).map((length) => '['.repeat(length)) },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const bytes = utf8Bytes(pieces.join(''));
        expect(measure(bytes)).toBe(measuredPlainly(bytes));
      }),
      { seed: 20_261_122, numRuns: draws(5_000) },
    );
  });

  it('a string of any length ends where its quote is, and what is deep behind it is seen', () => {
    const deep = '['.repeat(257);
    const measured = (text: string): string | null => measure(utf8Bytes(text));
    for (let length = 0; length < 120; length += 1) {
      const plain = 'x'.repeat(length);
      for (const string of [
        `"${plain}"`,
        `"${plain}\\\\"`,
        `"${plain}\\"${plain}"`,
        `"\\"${plain}\\n${plain}"`,
        `"${plain}","${plain}"`,
        `"${plain}"${'[]'.repeat(40)}"${plain}\\t"`,
      ]) {
        expect([
          measured(string + deep),
          measured(string + deep.slice(1)),
          measured(`${string.slice(0, -1)}${deep}`),
        ]).toEqual(['depth', null, null]);
      }
      expect(measured(`"${plain}\\"${deep}"`)).toBe(null);
    }
  });

  it('a malformed line leaves nothing behind for the next', () => {
    for (let round = 0; round < 3; round += 1) {
      expect(readCanonical(Uint8Array.of(0x22, 0xe2, 0x82))).toEqual({ _tag: 'Left', left: 'encoding' });
      expect(readCanonical(utf8Bytes('"\u20ac"'))).toMatchObject({
        _tag: 'Right',
        right: { value: '\u20ac' },
      });
    }
  });
});
