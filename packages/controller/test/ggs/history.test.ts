import { describe, expect, it } from 'vitest';
import { admit, orThrow, type Json } from '@assay/kernel';
import { GGS_HISTORY, initialGgsHistory } from '../../src/ggs/input.js';
import { defaultGgsPolicy } from '../../src/ggs/policy.js';
import { criteria, follow } from '../../tools/ggs-rounds.js';

const rounds = follow(defaultGgsPolicy, [
  {
    criteria: criteria(7, 0, 7),
    failing_targets: [
      { tool: 'find', target: '/b' },
      { tool: 'find', target: '/a' },
    ],
    failing_tools: [{ tool: 'find', class: 'search' }],
  },
  {
    criteria: criteria(7, 0, 5),
    failing_targets: [
      { tool: 'find', target: '/a' },
      { tool: 'cat', target: '/a' },
    ],
    failing_tools: [{ tool: 'cat', class: null }],
  },
]);
const last = rounds[1]?.history ?? initialGgsHistory;

/** The history of two rounds with one member changed. */
function changed(name: string, value: Json): Json {
  return { ...last, [name]: value };
}

describe('the history of a task', () => {
  it('is plain JSON, read back as it was', () => {
    for (const history of [initialGgsHistory, ...rounds.map((one) => one.history)]) {
      const json = orThrow(admit(history)).value;
      expect(GGS_HISTORY(json)).toBeNull();
      expect(json).toEqual(history);
    }
  });

  it('keeps failed inputs and failing tools of all rounds, sorted, none twice (dec-G15, dec-G16, dec-G21)', () => {
    expect(last.blocked_targets).toEqual([
      { tool: 'cat', target: '/a' },
      { tool: 'find', target: '/a' },
      { tool: 'find', target: '/b' },
    ]);
    expect(last.failing_tools).toEqual([
      { tool: 'cat', class: null },
      { tool: 'find', class: 'search' },
    ]);
    expect(rounds[1]?.blocked_targets_added).toEqual([{ tool: 'cat', target: '/a' }]);
  });

  it.each<[string, Json, string]>([
    ['no object', null, ''],
    ['a member too many', changed('more', 1), ''],
    ['a count below 0', changed('rounds', -1), '/rounds'],
    ['rounds without a last one', changed('last', null), '/last'],
    ['a last round before the first', { ...initialGgsHistory, last: last.last }, '/last'],
    ['a figure not in lowest terms', changed('last', { ...last.last, loss: '2/4' }), '/last/loss'],
    ['a decimal for a figure', changed('last', { ...last.last, task: '0.5' }), '/last/task'],
    ['no band', changed('last', { ...last.last, band: 'flat' }), '/last/band'],
    ['a directive there is not', changed('prev_directive', 'retry'), '/prev_directive'],
    ['init after a round', changed('prev_directive', 'init'), '/prev_directive'],
    [
      'targets out of order',
      changed('blocked_targets', [
        { tool: 'b', target: '' },
        { tool: 'a', target: '' },
      ]),
      '/blocked_targets',
    ],
    [
      'a target twice',
      changed('blocked_targets', [
        { tool: 'a', target: 'x' },
        { tool: 'a', target: 'x' },
      ]),
      '/blocked_targets',
    ],
    ['a target as text', changed('blocked_targets', ['a x']), '/blocked_targets/0'],
    ['a tool without class', changed('failing_tools', [{ tool: 'a' }]), '/failing_tools/0'],
  ])('refuses %s', (_name, json, path) => {
    expect(GGS_HISTORY(json)).toBe(path);
  });
});
