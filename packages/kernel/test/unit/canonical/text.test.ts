import { decodeUtf8, utf8Bytes, utf8Length } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { withUtf8Before } from '../../../src/text.js';
import { hashText, nobleSha256, type Digest } from '../../../src/hash/sha256.js';

const SAMPLES = [
  '',
  'a',
  'é',
  '\u07ff',
  '\u0800',
  '\u2028',
  '\uffff',
  '\ud7ff\ue000',
  '\u{10000}',
  '\u{10ffff}',
  'aé\u2028\u{1f600}',
];
const REPEATS = [1, 2, 17, 1_000, 30_000];

describe('UTF-8', () => {
  it.each(SAMPLES)('bytes, length and text of %j agree with the runtime at every size', (sample) => {
    for (const times of REPEATS) {
      const text = sample.repeat(times);
      const bytes = Buffer.from(text, 'utf8');
      expect(utf8Length(text)).toBe(bytes.length);
      expect(Buffer.from(utf8Bytes(text)).equals(bytes)).toBe(true);
      expect(decodeUtf8(bytes)).toEqual({ _tag: 'Right', right: text });
    }
  });

  it('bytes are owned: a later encoding does not change them', () => {
    const first = utf8Bytes('first');
    utf8Bytes('other');
    expect(Buffer.from(first).toString()).toBe('first');
  });

  it('what is hashed is the text, whatever a digest did to the bytes of the one before', () => {
    const spoiling = (bytes: Uint8Array): Digest => {
      const digest = nobleSha256(bytes);
      bytes.fill(0x78);
      return digest;
    };
    for (const text of ['é', 'é', 'aé', 'é'.repeat(30_000), 'é'.repeat(30_000), '', 'é']) {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
      expect(hashText(text, spoiling)).toBe(nobleSha256(utf8Bytes(text)));
      expect(hashText(text, spoiling)).toBe(nobleSha256(utf8Bytes(text)));
    }
  });

  it.each([0, 1, 65_535, 65_536, 70_000])(
    'text with %i bytes behind it is both, and owes nothing to the text before',
    (size) => {
      const behind = new Uint8Array(size).fill(0x79);
      const joined = (): string => withUtf8Before('head:', behind, (bytes) => Buffer.from(bytes).toString());
      expect(utf8Length('before')).toBe(6);
      expect(joined()).toBe(`head:${'y'.repeat(size)}`);
      expect(hashText('before', nobleSha256)).toBe(nobleSha256(utf8Bytes('before')));
    },
  );

  it('a byte order mark stays', () => {
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toEqual({ _tag: 'Right', right: '\ufeffa' });
  });

  it.each<readonly [string, readonly number[]]>([
    ['a byte FF', [0x61, 0xff]],
    ['a continuation alone', [0x80]],
    ['a sequence cut short', [0xe2, 0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate (CESU-8)', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ])('%s is malformed', (_what, bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toEqual({ _tag: 'Left', left: 'malformed' });
  });
});
