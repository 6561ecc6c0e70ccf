/**
 * Every byte of a small ledger changed, one at a time: how many changes pass integrity and rederivation both.
 * Run by itself it makes all 255 changes of each byte (some minutes); the tests make three.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replayable } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { tally } from '@assay/testing';
import { verify } from '@assay/verifier';

const OPTIONS = { machines: [replayable(tally, { sha256: nativeSha256 })], sha256: nativeSha256 };

/**
 * Changes each byte by each mask (xor): how many were tried, and the [offset, mask] of those that passed both
 * checks.
 */
export function unnoticed(bytes, masks) {
  const copy = Uint8Array.from(bytes);
  const passed = [];
  let tried = 0;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    for (const mask of masks) {
      copy[offset] = bytes[offset] ^ mask;
      const { integrity, rederivation } = verify('', copy, OPTIONS).document.checks;
      if (integrity.verdict === 'held' && rederivation.verdict === 'held') passed.push([offset, mask]);
      tried += 1;
    }
    copy[offset] = bytes[offset];
  }
  return { tried, passed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const ledger = fileURLToPath(
    new URL('../../golden-fixtures/forgeries/twin-refused/ledger.jsonl', import.meta.url),
  );
  const { tried, passed } = unnoticed(
    readFileSync(ledger),
    Array.from({ length: 255 }, (_, index) => index + 1),
  );
  console.log(`flips: ${tried} single-byte changes, ${passed.length} passed both checks`);
  process.exitCode = passed.length === 0 ? 0 : 1;
}
