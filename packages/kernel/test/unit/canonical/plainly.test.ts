import { describe, expect, it } from 'vitest';
import { LINE_LIMITS } from '../../../src/canonical/limits.js';
import { measure, readPlainly } from '../../../src/canonical/read.js';
import { isPlainlyCanonical, type Around } from '../../../src/canonical/scan.js';
import { isTextOf, utf8Bytes } from '../../../src/text.js';

const ALONE: Around = { depth: 0, structure: 0, bytes: 0 };
const INSIDE: Around = { depth: 1, structure: 7, bytes: 300 };
const nested = (levels: number): Uint8Array => utf8Bytes('['.repeat(levels) + ']'.repeat(levels));
/** An array of numbers with so many marks: one bracket, the rest commas. */
const marked = (marks: number): Uint8Array => utf8Bytes(`[${'0,'.repeat(marks - 1)}0]`);

describe('reading what stands inside a canonical line', () => {
  it.each<readonly [string, unknown]>([
    ['null', null],
    ['false', false],
    ['true', true],
    ['0', 0],
    ['"é"', 'é'],
    ['{"a":[1,{"b":""}]}', { a: [1, { b: '' }] }],
    [`"${'long '.repeat(20)}\\n${'long '.repeat(20)}"`, `${'long '.repeat(20)}\n${'long '.repeat(20)}`],
  ])('%s is its value', (text, value) => expect(readPlainly(utf8Bytes(text), INSIDE)).toEqual(value));

  it.each([
    '',
    ' 1',
    '1 ',
    '1.0',
    '-0',
    'tru',
    'truth',
    'nul',
    '{"b":1,"a":1}',
    '{"a":1,"a":1}',
    '"\\u0061"',
    '"',
    '[1,]',
    '"a\nb"',
  ])('%j is left to the reader of the line', (text) => {
    expect(readPlainly(utf8Bytes(text), INSIDE)).toBeUndefined();
  });

  it('text that is no UTF-8 is left to the reader of the line', () => {
    expect(readPlainly(Uint8Array.of(0x22, 0xff, 0x22), INSIDE)).toBeUndefined();
  });

  it('counts what stands around it: depth, marks and bytes', () => {
    expect(isPlainlyCanonical(nested(LINE_LIMITS.depth))).toBe(true);
    expect(isPlainlyCanonical(nested(LINE_LIMITS.depth + 1))).toBe(false);
    expect(isPlainlyCanonical(nested(LINE_LIMITS.depth - 1), INSIDE)).toBe(true);
    expect(isPlainlyCanonical(nested(LINE_LIMITS.depth), INSIDE)).toBe(false);
    expect(isPlainlyCanonical(marked(LINE_LIMITS.structure - 7), INSIDE)).toBe(true);
    expect(isPlainlyCanonical(marked(LINE_LIMITS.structure - 6), INSIDE)).toBe(false);
    expect(isPlainlyCanonical(utf8Bytes('1'), { ...ALONE, bytes: LINE_LIMITS.bytes - 1 })).toBe(true);
    expect(isPlainlyCanonical(utf8Bytes('1'), { ...ALONE, bytes: LINE_LIMITS.bytes })).toBe(false);
  });
});

describe('measuring a line', () => {
  it('takes the last depth and the last mark that are allowed, and no more', () => {
    expect(measure(nested(LINE_LIMITS.depth))).toBeNull();
    expect(measure(nested(LINE_LIMITS.depth + 1))).toBe('depth');
    expect(measure(marked(LINE_LIMITS.structure))).toBeNull();
    expect(measure(marked(LINE_LIMITS.structure + 1))).toBe('size');
  });

  it('brackets inside strings are no depth, however many', () => {
    expect(measure(utf8Bytes(`"${'[{'.repeat(400)}"`))).toBeNull();
    expect(measure(utf8Bytes(`["\\"${'['.repeat(400)}",${'['.repeat(LINE_LIMITS.depth - 1)}`))).toBeNull();
    expect(measure(utf8Bytes(`["\\"${'['.repeat(400)}",${'['.repeat(LINE_LIMITS.depth)}`))).toBe('depth');
  });
});

describe('the bytes of a text', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    ['é\u2028', 'é\u2028'],
  ])('%j are %j', (bytes, text) => expect(isTextOf(utf8Bytes(bytes), text)).toBe(true));
  it.each([
    ['', 'a'],
    ['a', ''],
    ['a', 'b'],
    ['aa', 'a'],
    ['\ufeffa', 'a'],
  ])('%j are not %j', (bytes, text) => expect(isTextOf(utf8Bytes(bytes), text)).toBe(false));
  it('are of no text where they are no UTF-8', () => {
    expect(isTextOf(Uint8Array.of(0xff), '\ufffd')).toBe(false);
    expect(isTextOf(Uint8Array.of(0xff), undefined as unknown as string)).toBe(false);
  });
});
