/** Edges of the measures and of exact rationals that no scenario meets. */
import { describe, expect, it } from 'vitest';
import { literalGgsPolicy } from '../../src/index.js';
import { initialGgsHistory, type GgsInput } from '../../src/ggs/input.js';
import { evaluateGgs } from '../../src/ggs/evaluate.js';
import { defaultGgsPolicy } from '../../src/ggs/policy.js';
import { toFigure, parseRational, ratio, renderRational } from '../../src/ggs/rational.js';
import { sumCost, countCriteria } from '../../src/ggs/measures.js';
import { failed, passed, round } from '../../tools/ggs-rounds.js';

const input = (more: Partial<GgsInput> = {}): GgsInput => ({
  criteria: [],
  failed_subtasks: [],
  r4b_rejected: false,
  all_matched: false,
  replan_count: 0,
  elapsed_us: 0,
  deadline_us: null,
  failing_tools: [],
  failing_targets: [],
  tools: [],
  history: initialGgsHistory,
  guard: null,
  abandon_now: null,
  ...more,
});

describe('cost', () => {
  const cost = (more: Partial<GgsInput>, policy = defaultGgsPolicy): readonly [string, string] => {
    const { cost: figure, rule } = sumCost(input(more), policy);
    return [renderRational(figure), rule];
  };
  const budget = defaultGgsPolicy.time_budget_us;

  it('says which rule made it, at each edge', () => {
    expect([
      cost({ deadline_us: 0 }),
      cost({ deadline_us: 0 }, literalGgsPolicy),
      cost({ elapsed_us: budget }),
      cost({ elapsed_us: budget - 1, replan_count: 3 }),
      cost({ elapsed_us: -5 }),
    ]).toEqual([
      ['1/1', 'time'],
      ['1/1', 'time'],
      ['1/1', 'time'],
      ['1/1', 'replans'],
      ['0/1', 'sum'],
    ]);
    expect([
      cost({ elapsed_us: budget }, literalGgsPolicy),
      cost({ elapsed_us: 2 * budget, replan_count: 5 }, literalGgsPolicy),
    ]).toEqual([
      ['2/5', 'sum'],
      ['9/5', 'sum'],
    ]);
    expect(cost({ elapsed_us: 5, deadline_us: 10 })).toEqual(['1/5', 'sum']);
  });
});

describe('what is counted', () => {
  it('a sub-task that failed without verdicts counts, with criteria and without (§0 item 4b)', () => {
    const none = { ...passed('c1'), verdict: 'none', failure_class: null } as const;
    expect(
      evaluateGgs(
        defaultGgsPolicy,
        round({ criteria: [none, passed('c2', { subtask: 's2' })], failed_subtasks: ['s1'] }),
      ),
    ).toMatchObject({ D: { exact: '1/2' }, P: { exact: '0/1' }, directive: 'change_path' });
    expect(evaluateGgs(defaultGgsPolicy, round({ failed_subtasks: ['s1'] }))).toMatchObject({
      D: { exact: '1/1' },
      directive: 'change_path',
    });
    expect(
      evaluateGgs(
        defaultGgsPolicy,
        round({ criteria: [passed('c1', { subtask: 's2' })], failed_subtasks: ['s1'], all_matched: true }),
      ),
    ).toMatchObject({ D: { exact: '1/2' }, criteria_total: 2 });
    expect(evaluateGgs(defaultGgsPolicy, round())).toMatchObject({
      D: { exact: '1/1' },
      criteria_total: 0,
      directive: 'change_path',
    });
  });

  it('a failed criterion says so once, with its text and class', () => {
    expect(
      evaluateGgs(
        defaultGgsPolicy,
        round({ criteria: [failed('c1', 'logical'), passed('c2')], failed_subtasks: ['s1'] }),
      ),
    ).toMatchObject({
      criteria_total: 2,
      failed_criterion: { id: 'c1', failure_class: 'logical', weight: '1/1' },
    });
  });

  it('a failed sub-task without an unmet criterion is one more, environmental, not hard, of weight 1', () => {
    expect(countCriteria(input({ failed_subtasks: ['0.0', '0.0'] }), defaultGgsPolicy)).toMatchObject({
      total: 1,
      logical: 0,
      environmental: 1,
      unmet: [
        {
          id: null,
          text: null,
          scope: 'subtask',
          subtask: '0.0',
          hard: false,
          failure_class: 'environmental',
          weight: '1/1',
        },
      ],
    });
  });

  it('a plausible criterion that was never judged weighs fully, whatever its attempts', () => {
    const base = {
      text: 't',
      scope: 'subtask' as const,
      subtask: '0.0',
      mode: 'plausible' as const,
      hard: false,
      attempts: 4,
      failed_attempts: 1,
    };
    const { unmet } = countCriteria(
      input({
        criteria: [
          { ...base, id: 'a', verdict: 'none', failure_class: null },
          { ...base, id: 'b', verdict: 'fail', failure_class: 'logical' },
          { ...base, id: 'c', verdict: 'not_run', failure_class: null },
        ],
      }),
      defaultGgsPolicy,
    );
    expect(unmet.map(({ id, weight }) => [id, weight])).toEqual([
      ['a', '1/1'],
      ['b', '1/4'],
      ['c', '1/1'],
    ]);
  });
});

describe('exact rationals', () => {
  it('have one form, a sign on top and no zero below', () => {
    expect(
      [ratio(2, -4), ratio(-2, -4), ratio(-2, 4), ratio(0, -7), ratio(6, 3)].map(renderRational),
    ).toEqual(['-1/2', '1/2', '-1/2', '0/1', '2/1']);
    expect(() => ratio(1, 0)).toThrow(new RangeError('a rational needs a denominator other than 0, got 1/0'));
  });

  it('are shown in parts per million, held at the greatest exact integers', () => {
    expect(
      [ratio(2n ** 60n), ratio(-(2n ** 60n)), ratio(-1, 3), ratio(1, 3)].map((value) => toFigure(value).ppm),
    ).toEqual([Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, -333_333, 333_333]);
  });

  it('are read from n/d alone, up to 4,096 characters', () => {
    expect(['x1/2', '1/2x', '1/0', '1/02', '+1/2', '1', ''].map(parseRational)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
    const long = (length: number): string => `${'1'.repeat(length - 2)}/1`;
    expect([parseRational(long(4_096)) === null, parseRational(long(4_097)) === null]).toEqual([false, true]);
  });
});
