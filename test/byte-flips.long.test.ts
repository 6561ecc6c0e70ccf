/**
 * No single changed byte of a ledger leaves integrity and rederivation both held.
 * Each byte is changed in three ways; `node scripts/forgeries/flips.mjs` does all 255. `npm test` changes one bit of
 * each byte (`packages/verifier/test/fixtures.test.ts`).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { unnoticed } from '../scripts/forgeries/flips.mjs';

const LEDGER = fileURLToPath(
  new URL('../golden-fixtures/forgeries/twin-refused/ledger.jsonl', import.meta.url),
);

const MASKS = [0x01, 0x20, 0x80];

describe('single-byte changes of a small ledger', () => {
  const bytes = readFileSync(LEDGER);

  test.each(MASKS)('xor %i: none of them passes both checks', (mask) => {
    const { tried, passed } = unnoticed(bytes, [mask]);
    expect(tried).toBe(bytes.length);
    expect(passed).toEqual([]);
  });

  test('a change that is none passes, so the test can fail', () => {
    expect(unnoticed(bytes.subarray(0, bytes.length), [0]).passed.length).toBe(bytes.length);
  });
});
