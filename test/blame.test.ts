/** Each blamed set flips its run and none of its parts does; the script tries 200 pairs of policies. */
import { expect, test } from 'vitest';
import { blamedPairs } from '../scripts/impact/blame.mjs';

test('random pairs of policies: every part of each set is tried by another driver', () => {
  const pairs = process.env['ASSAY_LANE'] === 'long' ? 40 : 1;
  const { flipped, wrong } = blamedPairs(pairs);
  expect([flipped, wrong]).toEqual([pairs, []]);
});
