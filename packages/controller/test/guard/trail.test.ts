/** The loop guard by itself: each pattern at its number and one below, and what no pattern is. */
import { describe, expect, it } from 'vitest';
import type { Digest } from '@assay/kernel';
import {
  followed,
  GUARD_CODES,
  loopIn,
  NO_TRAIL,
  roundEnded,
  TRAIL,
  TRAIL_MAX,
  type GuardPolicy,
  type Trail,
} from '../../src/guard/trail.js';

const digest = (letter: string): Digest => letter.repeat(64) as Digest;
const trailOf = (letters: string): Trail =>
  [...letters].reduce((trail, letter) => followed(trail, digest(letter)), NO_TRAIL);
const OFF: GuardPolicy = { triples: 0, oscillation: 0, same_rounds: 0 };
const hash = (calls: readonly Digest[]): Digest => digest(String(calls.length % 10));

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
    expect(loopIn(trailOf(letters), { ...OFF, triples })).toBe(code);
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
    expect(loopIn(trailOf(letters), { ...OFF, oscillation })).toBe(code);
  });

  it('is called so, though each call stands there often enough to be a repetition', () => {
    expect(loopIn(trailOf('ababab'), { triples: 3, oscillation: 3, same_rounds: 0 })).toBe('oscillation');
    expect(loopIn(trailOf('ababab'), { triples: 3, oscillation: 4, same_rounds: 0 })).toBe('repeated_triple');
  });
});

describe('rounds that do the same', () => {
  const rounds = (letters: readonly string[]): Trail =>
    letters.reduce(
      (trail, round) =>
        roundEnded(
          [...round].reduce((before, letter) => followed(before, digest(letter)), trail),
          (calls) =>
            digest(
              calls
                .map((call) => call[0])
                .join('')
                .slice(0, 1),
            ),
        ),
      NO_TRAIL,
    );

  it('counts those that repeat the one before, in any order of calls', () => {
    expect(rounds(['ab', 'ba', 'ab'])).toMatchObject({ same_rounds: 2, round: [] });
    expect(rounds(['ab', 'cd', 'cd']).same_rounds).toBe(1);
    expect(rounds(['ab', 'ab', 'cd']).same_rounds).toBe(0);
  });

  it('a round that did nothing repeats nothing, not even one that did nothing', () => {
    expect(rounds(['', ''])).toMatchObject({ same_rounds: 0, last_round: null });
    expect(rounds(['ab', '', 'ab']).same_rounds).toBe(0);
  });

  it.each([
    [1, 2, null],
    [2, 2, 'no_op_loop'],
    [3, 2, 'no_op_loop'],
    [9, 0, null],
    [0, 0, null],
  ])('%i in a row at %i: %s', (same_rounds, limit, code) => {
    expect(loopIn({ ...NO_TRAIL, same_rounds }, { ...OFF, same_rounds: limit })).toBe(code);
  });
});

describe('the trail', () => {
  it('remembers the last calls, and all of the round', () => {
    const full = Array.from({ length: TRAIL_MAX + 2 }, (_, index) =>
      digest('0123456789abcdef'[index % 16] ?? ''),
    ).reduce(followed, NO_TRAIL);
    expect([full.calls.length, full.round.length]).toEqual([TRAIL_MAX, TRAIL_MAX + 2]);
    expect([full.calls[0], full.calls.at(-1)]).toEqual([digest('2'), digest('1')]);
    expect(roundEnded(full, hash).calls).toEqual(full.calls);
  });

  it('is read back from a state, and nothing else is', () => {
    expect([TRAIL({ ...NO_TRAIL }), TRAIL({ ...trailOf('ab'), last_round: digest('a') })]).toEqual([
      null,
      null,
    ]);
    expect([
      TRAIL({ ...NO_TRAIL, last_round: 'a' }),
      TRAIL({ ...NO_TRAIL, same_rounds: -1 }),
      TRAIL({ ...NO_TRAIL, calls: ['a'] }),
      TRAIL({}),
    ]).toEqual(['/last_round', '/same_rounds', '/calls/0', '']);
    expect(GUARD_CODES).toEqual(['repeated_triple', 'oscillation', 'no_op_loop']);
  });
});
