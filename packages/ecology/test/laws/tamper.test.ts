/** Evidence of a world that somebody touched. */
import { nativeSha256 } from '@assay/host';
import { RunIntegrity } from '@assay/kernel';
import { encodeFile } from '@assay/verifier/attacks';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import { freshEngine } from '../../tools/engine.js';
import { player, scripts } from '../../tools/script.js';

const play = player(freshEngine());
const LINE_END = 0x0a;

it('ecology/tamper (L28): whichever byte is flipped, its record is named', () => {
  const changed = fc.record({
    ppm: fc.integer({ min: 0, max: 999_999 }),
    // Most masks make a byte that is no text; the small ones make another digit or letter.
    mask: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 255 })),
  });
  fc.assert(
    fc.property(scripts, fc.array(changed, { minLength: 8, maxLength: 8 }), (script, flips) => {
      const bytes = encodeFile(play(script).world.records);
      expect(faultIn(bytes)).toBe(null);
      for (const { ppm, mask } of flips) {
        const place = Math.floor((ppm * bytes.length) / 1_000_000);
        const record = bytes.subarray(0, place).filter((byte) => byte === LINE_END).length;
        const touched = bytes.map((byte, index) => (index === place ? byte ^ mask : byte));
        expect(faultIn(touched)).toBe(record);
      }
    }),
    { seed: LAW_SEED, numRuns: draws(200) },
  );
});

/** The first record that does not hold, or null. */
function faultIn(bytes: Uint8Array): number | null {
  const integrity = new RunIntegrity({ sha256: nativeSha256 });
  let from = 0;
  while (from < bytes.length) {
    const end = bytes.indexOf(LINE_END, from);
    const read = integrity.feed(bytes.subarray(from, end < 0 ? bytes.length : end), end >= 0);
    if (read._tag === 'Left') return read.left.record;
    from = end < 0 ? bytes.length : end + 1;
  }
  const finished = integrity.finish();
  return finished._tag === 'Left' ? finished.left.record : null;
}
