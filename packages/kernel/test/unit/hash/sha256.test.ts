import { createHash } from 'node:crypto';
import { isDigest, nobleSha256, sha256Hex, type Digest, type Sha256 } from '../../../src/index.js';
import { describe, expect, it } from 'vitest';
import { hashText } from '../../../src/hash/sha256.js';

const native: Sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex') as Digest;

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('gives the published digest (FIPS 180-2) number %#', (text, digest) => {
    expect(sha256Hex(text)).toBe(digest);
    expect(sha256Hex(Buffer.from(text))).toBe(digest);
    expect(sha256Hex(text, native)).toBe(digest);
    expect(hashText(text, nobleSha256)).toBe(digest);
    expect(hashText(text, native)).toBe(digest);
  });

  it('of every length up to three blocks equals the native one', () => {
    for (let length = 0; length <= 192; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256);
      expect(nobleSha256(bytes)).toBe(native(bytes));
    }
  });

  it('of text is that of its UTF-8 bytes; a lone surrogate counts as U+FFFD', () => {
    expect(sha256Hex('é\u2028\u{1f600}')).toBe(native(Buffer.from('é\u2028\u{1f600}', 'utf8')));
    expect(sha256Hex('\ud800')).toBe(sha256Hex('\ufffd'));
  });

  it.each<readonly [unknown, boolean]>([
    ['0'.repeat(64), true],
    ['0123456789abcdef'.repeat(4), true],
    ['0'.repeat(63), false],
    ['0'.repeat(65), false],
    ['A'.repeat(64), false],
    ['g'.repeat(64), false],
    [`${'0'.repeat(64)}\n`, false],
    [` ${'0'.repeat(63)}`, false],
    ['', false],
    [0, false],
    [null, false],
    [['0'.repeat(64)], false],
  ])('isDigest(%j) is %s', (value, expected) => {
    expect(isDigest(value)).toBe(expected);
  });
});
