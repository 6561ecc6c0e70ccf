import { describe, expect, it } from 'vitest';
import { play, policyWith, replayed, willing } from '../lib/playing.js';

describe('a task that goes well', () => {
  it('is accepted in one round, with six role calls in a row (003 §10), and replays', () => {
    const played = play(policyWith(), willing);
    expect(played.result).toMatchObject({
      directive: 'accept',
      prev_directive: 'init',
      replans: 0,
      unmet: [],
      costs: { calls: 6, sequential_calls: 6, tool_calls: 1 },
      output: 'the report',
    });
    replayed(played);
  });

  it('asks the clock before anything and before the evaluation', () => {
    const played = play(policyWith({ clock: 'asked' }), willing);
    expect(played.asked.map(({ kind }) => kind)).toEqual([
      'clock',
      'perceive',
      'plan',
      'step',
      'call',
      'step',
      'judge',
      'merge',
      'clock',
    ]);
    replayed(played);
  });
});
