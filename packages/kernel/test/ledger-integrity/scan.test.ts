import {
  canonicalize,
  encodeLine,
  LINE_LIMITS,
  measure,
  orThrow,
  readCanonical,
  utf8Bytes,
  type Json,
} from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainlyCanonical } from '../../src/canonical/scan.js';
import { arbitraryJson } from '../../tools/arbitrary-ledger.js';
import { sample } from './samples.js';
import { draws } from '../../tools/laws.ts';
import { character } from '../../tools/arbitrary-json.js';

const RUN = { seed: 20_260_104, numRuns: draws(5_000) };
console.log(`scan: seed ${RUN.seed}, ${RUN.numRuns} runs each`);

/** What the format says, the long way: limits, JSON, and the same bytes when written again. */
function isCanonical(bytes: Uint8Array): boolean {
  if (measure(bytes) !== null) return false;
  try {
    const value = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    ) as Json;
    const written = canonicalize(value);
    return written._tag === 'Right' && Buffer.compare(written.right, bytes) === 0;
  } catch {
    return false;
  }
}

/** Reading gives the long way's answer, whichever way it went. */
function agrees(bytes: Uint8Array): boolean {
  return readCanonical(bytes)._tag === (isCanonical(bytes) ? 'Right' : 'Left');
}

const text = (value: string): Uint8Array => utf8Bytes(value);

describe('the canonical scan', () => {
  it('read/equals-parse-and-encode: over canonical texts', () => {
    let quick = 0;
    fc.assert(
      fc.property(arbitraryJson(), (value) => {
        const bytes = orThrow(canonicalize(value));
        if (isPlainlyCanonical(bytes)) quick += 1;
        expect(readCanonical(bytes)).toMatchObject({ _tag: 'Right' });
        expect(agrees(bytes)).toBe(true);
      }),
      RUN,
    );
    expect(quick).toBeGreaterThan(RUN.numRuns / 2);
  });

  it('read/equals-parse-and-encode: over changed texts', () => {
    const bits = fc.oneof(
      fc.constantFrom(...'{}[],:"\\0123456789.-+eE truefalsn/bu\n'),
      fc.string({ unit: character, maxLength: 2 }),
    );
    fc.assert(
      fc.property(arbitraryJson(), fc.nat(), fc.nat(3), bits, (value, at, cut, bit) => {
        const written = new TextDecoder().decode(orThrow(canonicalize(value)));
        const place = at % (written.length + 1);
        expect(
          agrees(new TextEncoder().encode(written.slice(0, place) + bit + written.slice(place + cut))),
        ).toBe(true);
      }),
      RUN,
    );
  });

  it('read/equals-parse-and-encode: over single bytes of a ledger', () => {
    for (const record of sample().records()) {
      const line = text(encodeLine(record));
      expect(isPlainlyCanonical(line)).toBe(true);
      for (let at = 0; at < line.length; at += 1) {
        const changed = line.slice();
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
        if (!agrees(changed)) throw new Error(`byte ${at}`);
      }
    }
  });

  it('numbers are written one way', () => {
    const written =
      '0 1 -1 10 0.5 -0.5 0.1 100.25 1000000000000000 9007199254740991 -9007199254740991 0.000001 0.0000015 ' +
      '1e-7 1.5e-7 -1.5e-300 5e-324 123456789.123456 0.30000000000000004 0.3333333333333333 100000000000000.5';
    for (const number of written.split(' ')) expect(isPlainlyCanonical(text(number)), number).toBe(true);
    const unwritten =
      '-0 00 01 - +1 1. .5 0.0 0.50 1.0 -0.0 1e0 1e2 1E5 1E-7 1e+5 0.0000001 0.0000005 1e-07 9007199254740992 1e21 ' +
      `123456789012345678901 0.30000000000000000 1.5e-7e 1-1 1e400 1e-400 0.${'1'.repeat(60)}`;
    for (const number of unwritten.split(' ')) {
      expect(isPlainlyCanonical(text(number)), number).toBe(false);
      expect(readCanonical(text(number)), number).toMatchObject({ _tag: 'Left' });
    }
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -(2 ** 53 - 1), max: 2 ** 53 - 1 }), (value) =>
        isPlainlyCanonical(text(String(value === 0 ? 0 : value))),
      ),
      RUN,
    );
    fc.assert(
      fc.property(fc.stringMatching(/^-?[0-9]{1,18}(\.[0-9]{1,18})?(e-?[0-9]{1,3})?$/), (number) =>
        agrees(text(number)),
      ),
      RUN,
    );
  });

  it('escapes are written one way', () => {
    const long = 'x'.repeat(60);
    for (const body of [
      '',
      '\\"',
      '\\\\',
      '\\b\\f\\n\\r\\t',
      '\\u0000\\u001f\\u0010',
      '/',
      '\u007f\u2028é😀',
    ]) {
      for (const value of [body, `${body}${long}`, `${long}${body}`, `${long}${body}${long}`])
        expect(isPlainlyCanonical(text(`"${value}"`)), value).toBe(true);
    }
    for (const body of String.raw`\/ \u0008 \u000a \u001F \u0020 \u0041 \ud800 \x \u00 ${'\\'}`.split(' ')) {
      for (const value of [body, `${body}${long}`, `${long}${body}`, `${long}${body}${long}`]) {
        expect(isPlainlyCanonical(text(`"${value}"`)), value).toBe(false);
        expect(readCanonical(text(`"${value}"`)), value).toMatchObject({ left: 'encoding' });
      }
    }
    for (const open of ['"', `"${long}`, `"${long}\\`, '"\\'])
      expect(isPlainlyCanonical(text(open))).toBe(false);
    for (const control of ['\n', '\u0000', '\u001f'])
      for (const value of [control, `${long}${control}`])
        expect(readCanonical(text(`"${value}"`))).toMatchObject({ left: 'encoding' });
  });

  it('keys rise; what only UTF-16 can order is left to the encoder', () => {
    const cases: readonly (readonly [string, boolean, boolean])[] = [
      ['{"a":1,"b":1}', true, true],
      ['{"a":1,"ab":1}', true, true],
      ['{"":1,"a":1}', true, true],
      ['{"b":1,"a":1}', false, false],
      ['{"ab":1,"a":1}', false, false],
      ['{"a":1,"a":1}', false, false],
      ['{"é":1,"ﬀ":1}', false, true],
      ['{"\u{1f600}":1,"\ufb33":1}', false, true],
      ['{"\ufb33":1,"\u{1f600}":1}', false, false],
      ['{"\\n":1,"a":1}', false, true],
      ['{"a":1,"\\n":1}', false, false],
      ['{"é":1,"ü":1}', true, true],
    ];
    for (const [object, quick, canonical] of cases) {
      expect(isPlainlyCanonical(text(object)), object).toBe(quick);
      expect(readCanonical(text(object))._tag, object).toBe(canonical ? 'Right' : 'Left');
    }
  });

  it('syntax that is not JSON is refused', () => {
    const wrongs =
      '| |{|}|[|]|{}{}|[]x|[1,]|[,1]|[1 ,2]|{"a"}|{"a":}|{"a":1,}|{,}|{1:1}|' +
      'tru|truex|nul|fals|[1]]|{"a":1]|[1}|undefined|"a" ';
    for (const wrong of wrongs.split('|')) {
      expect(isPlainlyCanonical(text(wrong)), wrong).toBe(false);
      expect(readCanonical(text(wrong)), wrong).toMatchObject({ _tag: 'Left' });
    }
  });

  it('levels of a line are kept', () => {
    const nested = (levels: number): Uint8Array => text(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    const objects = (levels: number): Uint8Array => text(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    for (const build of [nested, objects])
      expect(
        [LINE_LIMITS.depth, LINE_LIMITS.depth + 1].map((levels) => isPlainlyCanonical(build(levels))),
      ).toEqual([true, false]);
    const after = (levels: number): Uint8Array =>
      text(`[${`${'['.repeat(levels)}${']'.repeat(levels)},`.repeat(2)}[]]`);
    expect(
      [LINE_LIMITS.depth - 1, LINE_LIMITS.depth].map((levels) => isPlainlyCanonical(after(levels))),
    ).toEqual([true, false]);
  });

  it('marks of a line are kept, whichever they are', () => {
    for (const more of [0, 1]) {
      const line = text(`[[],{"a":{},"b":[0,0]}${',0'.repeat(LINE_LIMITS.structure - 8 + more)}]`);
      expect(line.filter((byte) => byte === 0x5b || byte === 0x7b || byte === 0x2c)).toHaveLength(
        LINE_LIMITS.structure + more,
      );
      expect(isPlainlyCanonical(line)).toBe(more === 0);
      expect(readCanonical(line)).toMatchObject(more === 0 ? { _tag: 'Right' } : { left: 'size' });
    }
  });

  it('bytes of a line are kept', () => {
    expect(
      [0, 1].map((more) => isPlainlyCanonical(text(`"${'x'.repeat(LINE_LIMITS.bytes - 2 + more)}"`))),
    ).toEqual([true, false]);
  });

  it('a key comes before every longer key that begins with it', () => {
    for (const more of [' ', '!', '#', '+', ',', ':', 'b', '\u007f', 'é', ' !', '!!!']) {
      const [short, long] = ['"a":1', `"a${more}":1`];
      expect(readCanonical(text(`{${short},${long}}`)), more).toMatchObject({ _tag: 'Right' });
      expect(readCanonical(text(`{${long},${short}}`)), more).toMatchObject({ left: 'encoding' });
      expect(readCanonical(text(`{"":1,${short}}`))).toMatchObject({ _tag: 'Right' });
    }
  });

  it('no character has another escape than its own: of all that four digits can name, the canonical ones', () => {
    const canonical: string[] = [];
    for (let code = 0; code < 0x1_0000; code += 1) {
      const line = text(`"\\u${code.toString(16).padStart(4, '0')}"`);
      if (readCanonical(line)._tag === 'Right') canonical.push(String.fromCharCode(code));
    }
    expect(canonical).toEqual(
      Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).filter(
        (control) => JSON.stringify(control).length === 8,
      ),
    );
  });

  it('the largest integers are read also where keys have to be decoded', () => {
    for (const value of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER])
      expect(readCanonical(text(`{"\\n":${value}}`))).toMatchObject({ _tag: 'Right' });
    for (const value of ['9007199254740992', '-9007199254740992'])
      expect(readCanonical(text(`{"\\n":${value}}`))).toMatchObject({ left: 'encoding' });
  });
});
