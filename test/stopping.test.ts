/**
 * The comparison of stopping rules: each rule stops where it says it does.
 */
import { describe, expect, it } from 'vitest';
import { compare, fateOf, rulesOf } from '../scripts/stopping/compare.mjs';
import * as parts from '../scripts/stopping/loop-parts.mjs';
import { maxTurns, repeatRules, stall } from '../scripts/stopping/rules.mjs';
import { FAMILIES, FIRST_SEED, HORIZON, traceOf } from '../scripts/stopping/traces.mjs';

type Call = {
  readonly tool: string;
  readonly kind: string;
  readonly input: string;
  readonly output: string;
  readonly error: boolean;
  readonly seconds: number;
};
type Row = {
  readonly family: string;
  readonly rule: string;
  readonly rounds_most: number;
  readonly false_stop: number;
  readonly never: number;
};

const call = (input: string, output = 'ok', error = false, tool = 'shell'): Call => ({
  tool,
  kind: 'act',
  input,
  output,
  error,
  seconds: 1,
});
const unmet = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `c${index}`, failure_class: 'environmental' }));

/** A trace of one call a round, with so many criteria unmet after each. */
const trace = (calls: readonly Call[], counts: readonly number[] = []) => ({
  healthy: false,
  onset: 0,
  rounds: calls.map((one, index) => ({ calls: [one], unmet: unmet(counts[index] ?? 5) })),
});

describe('stopping rules', () => {
  it('25 turns stop before the 26th call, and not at the 25th', () => {
    const calls = Array.from({ length: 26 }, (_, index) => call(`step ${index}`));
    expect(maxTurns(25)(trace(calls))?.round).toBe(26);
    expect(maxTurns(25)(trace(calls.slice(0, 25)))).toBeNull();
  });

  it.each<[string, readonly Call[], number | null]>([
    ['four equal pairs', [call('a'), call('a'), call('a'), call('a')], 4],
    ['not three of them', [call('a'), call('a'), call('a'), call('b')], null],
    ['not with other observations', ['1', '2', '3', '4'].map((output) => call('a', output)), null],
    [
      'three equal actions that are errors, whatever they say',
      ['1', '2', '3'].map((output) => call('a', output, true)),
      3,
    ],
    ['not where one is none', [call('a', '1', true), call('a', '2'), call('a', '3', true)], null],
    ['A-B-A-B over six', ['a', 'b', 'a', 'b', 'a', 'b'].map((input) => call(input)), 6],
    ['not over five', ['a', 'b', 'a', 'b', 'a'].map((input) => call(input)), null],
    ['not A-B-A-C', ['a', 'b', 'a', 'c', 'a', 'b'].map((input) => call(input)), null],
    ['three equal messages', Array.from({ length: 3 }, () => call('hm', '', false, 'message')), 3],
  ])('repeat rules: %s', (_name, calls, round) => {
    expect(repeatRules(trace(calls))?.round ?? null).toBe(round);
  });

  it('stall 3 counts rounds in a row without a new best', () => {
    const calls = Array.from({ length: 8 }, (_, index) => call(`step ${index}`));
    expect(stall(3)(trace(calls, [5, 5, 5, 4, 4, 4, 4, 3]))?.round).toBe(7);
    expect(stall(3)(trace(calls, [8, 7, 6, 5, 4, 3, 2, 1]))).toBeNull();
  });

  it('a fate depends on whether more would have come', () => {
    const healthy = { healthy: true, onset: null, rounds: [] };
    const looping = { healthy: false, onset: 2, rounds: [] };
    expect([fateOf(healthy, null), fateOf(looping, null)]).toEqual(['finished', 'never']);
    expect(
      ['gave_up', 'delivered'].map((end) => fateOf(healthy, { round: 3, completed: 3, calls: 3, end })),
    ).toEqual(['false_stop', 'delivered_early']);
    expect(
      [1, 2].map((completed) => fateOf(looping, { round: 2, completed, calls: 3, end: 'gave_up' })),
    ).toEqual(['false_stop', 'stopped']);
  });
});

describe('the comparison', () => {
  it('draws the same trace from the same seed, and others from others', () => {
    for (const family of Object.keys(FAMILIES)) {
      const drawn = Array.from({ length: 20 }, (_, index) =>
        JSON.stringify(traceOf(family, FIRST_SEED + index)),
      );
      expect(drawn[0]).toBe(JSON.stringify(traceOf(family, FIRST_SEED)));
      expect(new Set(drawn).size).toBe(20);
    }
  });

  it('in short: the default goal gradient ends every loop within four rounds and stops none too early', () => {
    const rows: readonly Row[] = compare(parts, 25);
    expect(rows).toHaveLength(Object.keys(FAMILIES).length * Object.keys(rulesOf(parts)).length);
    const loops = rows.filter(
      ({ family, rule }) =>
        rule === 'goal gradient, default' && !['slow real progress', 'polling'].includes(family),
    );
    expect(loops.map(({ rounds_most, false_stop, never }) => [rounds_most <= 4, false_stop, never])).toEqual(
      loops.map(() => [true, 0, 0]),
    );
    expect(
      rows.find(({ family, rule }) => rule === 'repeat rules' && family.startsWith('near repeat'))
        ?.rounds_most,
    ).toBe(HORIZON);
  });
});
