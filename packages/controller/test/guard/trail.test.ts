/** The loop guard by itself: each pattern at its number and one below, and what no pattern is. */
import { describe, expect, it } from 'vitest';
import type { Digest } from '@assay/kernel';
import {
  isNoOpLoop,
  NO_ROUNDS,
  patternIn,
  roundEnded,
  ROUNDS,
  TRAIL_MAX,
  type GuardPolicy,
  type Rounds,
} from '../../src/guard/trail.js';

const digest = (letter: string): Digest => letter.repeat(64) as Digest;
const callsOf = (letters: string): readonly Digest[] => [...letters].map(digest);
const OFF: GuardPolicy = { triples: 0, oscillation: 0, same_rounds: 0 };

describe('the same call again and again', () => {
  it.each([
    ['aa', 3, null],
    ['aaa', 3, 'repeated_triple'],
    ['abcaca', 3, 'repeated_triple'],
    ['abcab', 3, null],
    ['a', 1, 'repeated_triple'],
    ['', 1, null],
    ['aaa', 0, null],
  ])('%s at %i: %s', (letters, triples, code) => {
    expect(patternIn(callsOf(letters), { ...OFF, triples })).toBe(code);
  });
});

describe('two calls in turn', () => {
  it.each([
    ['abab', 2, 'oscillation'],
    ['aba', 2, null],
    ['ababab', 3, 'oscillation'],
    ['ababa', 3, null],
    ['xabab', 2, 'oscillation'],
    ['xyabab', 2, 'oscillation'],
    ['aabab', 2, 'oscillation'],
    ['ababx', 2, 'oscillation'],
    ['abcabc', 2, null],
    ['abba', 2, null],
    ['aaaa', 2, null],
    ['abbab', 2, null],
    ['abab', 1, null],
    ['abab', 0, null],
  ])('%s at %i: %s', (letters, oscillation, code) => {
    expect(patternIn(callsOf(letters), { ...OFF, oscillation })).toBe(code);
  });

  it('is called so, though each call stands there often enough to be a repetition', () => {
    expect(patternIn(callsOf('ababab'), { triples: 3, oscillation: 3, same_rounds: 0 })).toBe('oscillation');
    expect(patternIn(callsOf('ababab'), { triples: 3, oscillation: 4, same_rounds: 0 })).toBe(
      'repeated_triple',
    );
  });
});

describe('rounds that do the same', () => {
  const rounds = (letters: readonly string[]): Rounds =>
    letters.reduce<Rounds>(
      (before, round) => roundEnded(before, callsOf(round), ([first]) => first ?? digest('0')),
      NO_ROUNDS,
    );

  it('counts those that repeat the one before, in any order of calls', () => {
    expect(rounds(['ab', 'ba', 'ab'])).toMatchObject({ same_rounds: 2 });
    expect(rounds(['ab', 'cd', 'cd']).same_rounds).toBe(1);
    expect(rounds(['ab', 'ab', 'cd']).same_rounds).toBe(0);
  });

  it('a round that did nothing repeats nothing, not even one that did nothing', () => {
    expect(rounds(['', ''])).toMatchObject({ same_rounds: 0, last_round: null });
    expect(rounds(['ab', '', 'ab']).same_rounds).toBe(0);
  });

  it.each([
    [1, 2, false],
    [2, 2, true],
    [3, 2, true],
    [9, 0, false],
    [0, 0, false],
  ])('%i in a row at %i: %s', (same_rounds, limit, code) => {
    expect(isNoOpLoop({ ...NO_ROUNDS, same_rounds }, { ...OFF, same_rounds: limit })).toBe(code);
  });
});

describe('what is looked at', () => {
  it('are the last calls alone', () => {
    const between = (count: number): readonly Digest[] =>
      Array.from({ length: count }, (_, at) => at.toString(16).padStart(64, '0') as Digest);
    const spread = (count: number): readonly Digest[] => [
      ...callsOf('aa'),
      ...between(count),
      ...callsOf('a'),
    ];
    expect(
      [TRAIL_MAX - 3, TRAIL_MAX - 2].map((count) => patternIn(spread(count), { ...OFF, triples: 3 })),
    ).toEqual(['repeated_triple', null]);
  });

  it('rounds are read back from a state, and nothing else is', () => {
    expect(ROUNDS({ ...NO_ROUNDS })).toBe(null);
    expect([
      ROUNDS({ ...NO_ROUNDS, last_round: 'a' }),
      ROUNDS({ ...NO_ROUNDS, same_rounds: -1 }),
      ROUNDS({}),
    ]).toEqual(['/last_round', '/same_rounds', '']);
  });
});
