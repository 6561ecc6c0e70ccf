/** The digest of the page agrees with the one of the system. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { pageSha256 } from '../src/engine/sha256.ts';

const reference = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('it is SHA-256 of bytes of each length around the blocks, wherever they stand in their memory', () => {
  const memory = new Uint8Array(1_024).map((_, at) => (at * 167) ^ (at >> 3));
  for (let length = 0; length <= 300; length += 1) {
    const bytes = memory.subarray(length, 2 * length);
    expect(pageSha256(bytes)).toBe(reference(bytes));
  }
  const long = new Uint8Array(1_000_003).fill(0xe9);
  expect(pageSha256(long)).toBe(reference(long));
});
