import { expect, it } from 'vitest';
import { CRITERIA } from '@assay/kernel/intent';
import type { ScorePart } from '../../src/intent/score.js';
import { smallestWeightChange } from '../../src/intent/weight-flip.ts';
import type { Weights } from '../../src/intent/policy.js';

const weights: Weights = {
  ...(Object.fromEntries(CRITERIA.map((criterion) => [criterion, 0])) as Weights),
  coverage: 3,
  agreement: 1,
};

/** One slot: agreement has a weight and applies to nobody, so the weights that count can come to 0. */
function scored(coverage: number): readonly ScorePart[] {
  return CRITERIA.map((criterion) => ({
    criterion,
    applicable: criterion !== 'agreement',
    num: 0,
    den: 1,
    ppm: criterion === 'coverage' ? coverage : 500_000,
    weight: weights[criterion],
  }));
}

// Shrunk: a few parts per million apart, no smaller weight moves the totals; with none left the order of ties
// decides.
it.each([2, 3, 300_000])(
  'the weight that was the last to count is taken away where readings are %i ppm apart',
  (apart) => {
    expect(smallestWeightChange([scored(400_000), scored(400_000 + apart)], weights, 1_000_000)).toEqual({
      criterion: 'coverage',
      from: 3,
      to: 0,
    });
  },
);

it('none is none where the winner is the first of ties as well', () => {
  expect(smallestWeightChange([scored(400_001), scored(400_000)], weights, 1_000_000)).toBeNull();
});
