import {
  formatHeadLine,
  LINE_LIMITS,
  LineSplitter,
  parseHeadLine,
  RECORDS_MAX,
  type Digest,
} from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import type { Line } from '../../src/ledger/validate-run.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const shown = (lines: readonly Line[]): string[] =>
  lines.map((line) => `${new TextDecoder().decode(line.bytes)}${line.isEnded ? '$' : ''}`);

function split(...chunks: (Uint8Array | string)[]): string[] {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) =>
    shown(splitter.push(typeof chunk === 'string' ? bytes(chunk) : chunk)),
  );
  return [...lines, ...shown(splitter.end())];
}

describe('LineSplitter', () => {
  it('cuts at 0A only, over any chunks', () => {
    expect(split('ab\ncd\n')).toEqual(['ab$', 'cd$']);
    expect(split('a', 'b', '\n', 'c', 'd\n')).toEqual(['ab$', 'cd$']);
    expect(split('ab\n\ncd')).toEqual(['ab$', '$', 'cd']);
    expect(split('a\u2028b\u0085\r\n')).toEqual(['a\u2028b\u0085\r$']);
    expect(split('', '')).toEqual([]);
    expect(split('\n')).toEqual(['$']);
  });

  it('does not keep a chunk whose memory is used again', () => {
    const splitter = new LineSplitter();
    const chunk = bytes('abc');
    expect(splitter.push(chunk)).toEqual([]);
    chunk.fill(0x78);
    expect(shown(splitter.push(bytes('d\n')))).toEqual(['abcd$']);
  });

  it('gives an oversize line once, cut, and drops the rest of it', () => {
    const splitter = new LineSplitter();
    const block = new Uint8Array(1 << 20).fill(0x61);
    const given: Line[] = [];
    for (let mebibyte = 0; mebibyte < 100; mebibyte += 1) given.push(...splitter.push(block));
    expect(given.map((line) => line.bytes.length)).toEqual([LINE_LIMITS.bytes + 1]);
    expect(shown(splitter.push(bytes('tail\nnext\n')))).toEqual(['next$']);
    expect(splitter.end()).toEqual([]);
  });

  it('gives an oversize line inside one chunk, and the lines after it', () => {
    const chunk = new Uint8Array(LINE_LIMITS.bytes + 20).fill(0x61);
    chunk[LINE_LIMITS.bytes + 10] = 0x0a;
    chunk[LINE_LIMITS.bytes + 15] = 0x0a;
    expect(new LineSplitter().push(chunk).map((line) => line.bytes.length)).toEqual([
      LINE_LIMITS.bytes + 1,
      4,
    ]);
  });

  it('gives a line of exactly the limit whole', () => {
    const chunk = new Uint8Array(LINE_LIMITS.bytes + 1).fill(0x61);
    chunk[LINE_LIMITS.bytes] = 0x0a;
    const splitter = new LineSplitter();
    expect(
      [...splitter.push(chunk.subarray(0, 5)), ...splitter.push(chunk.subarray(5))].map(
        (line) => line.bytes.length,
      ),
    ).toEqual([LINE_LIMITS.bytes]);
  });

  it('ends empty, and can be used again', () => {
    const splitter = new LineSplitter();
    splitter.push(bytes('ab'));
    expect(shown(splitter.end())).toEqual(['ab']);
    expect(splitter.end()).toEqual([]);
    expect(shown(splitter.push(bytes('c\n')))).toEqual(['c$']);
  });
});

describe('head lines', () => {
  const hash = 'a'.repeat(64) as Digest;
  it('are written and read back', () => {
    for (const count of [1, 8, RECORDS_MAX]) {
      const line = formatHeadLine({ count, hash });
      expect(line).toBe(`assay-head:1:${count}:${hash}`);
      expect(parseHeadLine(line)).toEqual({ _tag: 'Right', right: { count, hash } });
      expect(parseHeadLine(`${line}\n`)).toEqual(parseHeadLine(line));
    }
  });

  it.each([
    ['other version', `assay-head:2:8:${hash}`],
    ['leading zero', `assay-head:1:08:${hash}`],
    ['zero', `assay-head:1:0:${hash}`],
    ['sign', `assay-head:1:+8:${hash}`],
    ['above 10^12', `assay-head:1:1000000000001:${hash}`],
    ['short hash', `assay-head:1:8:${hash.slice(1)}`],
    ['upper case', `assay-head:1:8:${hash.toUpperCase()}`],
    ['space', ` assay-head:1:8:${hash}`],
    ['two line feeds', `assay-head:1:8:${hash}\n\n`],
    ['carriage return', `assay-head:1:8:${hash}\r\n`],
    ['Arabic digit', `assay-head:1:٨:${hash}`],
    ['nothing', ''],
  ])('refuses %s', (_, line) =>
    expect(parseHeadLine(line)).toEqual({ _tag: 'Left', left: { code: 'head_line' } }),
  );

  it.each([0, -1, 1.5, RECORDS_MAX + 1, Number.NaN])('does not write count %s', (count) => {
    expect(() => formatHeadLine({ count, hash })).toThrow(RangeError);
  });
});
