/** The largest decision there is: one that does not fit a record. */
import { describe, expect, it } from 'vitest';
import { replay } from '@assay/kernel/intent';
import { claimOn, flag, played, policyWith, reading, reasonsOf } from './tools.js';

describe('a limit of the kernel', () => {
  it('limit_bytes: an answer whose decision would not fit a record is refused with a report of its own', () => {
    const words = Array.from({ length: 1_000 }, (_, index) => `w${index}.`);
    const seedText = words.join(' ');
    // 250,000 contradictions: more commas than a line may hold.
    const claims = words.map((word, index) =>
      claimOn(seedText, word, { modality: index % 2 === 0 ? 'must' : 'must_not', atom: flag('it') }),
    );
    const run = played(
      seedText,
      { a: [reading('flags', claims)] },
      policyWith({ proposers: ['a'], contradiction_budget: 1_000_000, max_nodes: 1_000_000, min_score: 0 }),
    );
    expect(reasonsOf(run)).toEqual(['limit_bytes']);
    expect(replay(run.records)).toMatchObject({ _tag: 'Right', right: { outcome: 'refused' } });
  });
});
