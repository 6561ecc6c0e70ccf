/**
 * Scenarios E4 c1 to c7, c11, c12 of planner-controller D.8 as far as the solver alone decides them, and the
 * holes of its §0 items 2 to 4, with exact numbers.
 */
import { describe, expect, it } from 'vitest';
import { literalGgsPolicy } from '../../src/index.js';
import type { GgsEvaluation } from '../../src/ggs/evaluation.js';
import { evaluateGgs } from '../../src/ggs/evaluate.js';
import { defaultGgsPolicy } from '../../src/ggs/policy.js';
import { criteria, failed, follow, passed, round } from '../../tools/ggs-rounds.js';

const SECOND = 1_000_000;

/** Rounds of `seconds` each in which everything fails for the environment's sake: D = 1, P = 0. */
function stuck(seconds: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    criteria: criteria(10, 0, 10),
    elapsed_us: (index + 1) * seconds * SECOND,
  }));
}

function said(evaluations: readonly GgsEvaluation[]): readonly string[] {
  return evaluations.map(({ directive }) => directive);
}

describe('E4: scenarios the solver decides', () => {
  it('c1 by the task: D 1, P 0, rounds of 45 s: change_path three times, then abandon by replans', () => {
    const rounds = follow(defaultGgsPolicy, stuck(45, 9));
    expect(said(rounds)).toEqual(['change_path', 'change_path', 'change_path', 'abandon']);
    expect(rounds.map(({ band }) => band)).toEqual(['plateau', 'plateau', 'plateau', 'plateau']);
    expect(rounds.at(-1)).toMatchObject({ reason: 'omega', omega_rule: 'replans', Omega: { exact: '1/1' } });
  });

  it('c1 literally: change_path, refine, abandon by Law 2', () => {
    const rounds = follow(literalGgsPolicy, stuck(45, 9));
    expect(said(rounds)).toEqual(['change_path', 'refine', 'abandon']);
    expect(rounds.map(({ reason }) => reason)).toEqual([
      'stuck_environmental',
      'signal_environmental',
      'law2',
    ]);
    expect(rounds.map(({ Omega }) => Omega.exact)).toEqual(['3/50', '8/25', '29/50']);
    expect(rounds.map(({ L }) => L.exact)).toEqual(['78/125', '91/125', '104/125']);
    expect(rounds.map(({ grad_l }) => grad_l.exact)).toEqual(['0/1', '13/125', '13/125']);
  });

  it('c2 literally with rounds of 20 s: change_path four times, then abandon at replan 4 (omega 0.9333)', () => {
    const rounds = follow(literalGgsPolicy, stuck(20, 9));
    expect(said(rounds)).toEqual(['change_path', 'change_path', 'change_path', 'change_path', 'abandon']);
    expect(rounds.map(({ Omega }) => Omega.exact)).toEqual(['2/75', '19/75', '12/25', '53/75', '14/15']);
    expect(rounds.at(-1)).toMatchObject({ reason: 'omega', Omega: { ppm: 933_333, exact: '14/15' } });
  });

  it('c3 the float trap: four replans and no time are exactly theta, and abandon', () => {
    const input = round({ criteria: criteria(10, 0, 10), replan_count: 4 });
    expect(0.6 * (4 / 3)).toBeLessThan(0.8);
    expect(evaluateGgs(literalGgsPolicy, input)).toMatchObject({
      directive: 'abandon',
      reason: 'omega',
      Omega: { ppm: 800_000, exact: '4/5' },
    });
    expect(evaluateGgs(defaultGgsPolicy, input)).toMatchObject({
      directive: 'abandon',
      Omega: { exact: '1/1' },
    });
  });
});

describe('holes of planner-controller §0', () => {
  it('item 2: one replan and 450 s are exactly theta in literal mode', () => {
    expect(
      evaluateGgs(
        literalGgsPolicy,
        round({ criteria: criteria(10, 0, 10), replan_count: 1, elapsed_us: 450 * SECOND }),
      ),
    ).toMatchObject({ directive: 'abandon', Omega: { exact: '4/5' } });
  });

  it(
    'item 3: in literal mode a round of 37.5 s without any change is signal, one microsecond ' +
      'less is not; by the task neither is',
    () => {
      const at = (last: number) => [
        { criteria: criteria(10, 0, 10), elapsed_us: 0 },
        { criteria: criteria(10, 0, 10), elapsed_us: last },
      ];
      expect(follow(literalGgsPolicy, at(37_500_000)).at(-1)).toMatchObject({
        band: 'worsening',
        grad_l: { exact: '1/10' },
      });
      expect(follow(literalGgsPolicy, at(37_499_999)).at(-1)).toMatchObject({ band: 'plateau' });
      expect(follow(defaultGgsPolicy, at(37_500_000)).at(-1)).toMatchObject({
        band: 'plateau',
        grad_task: { exact: '0/1' },
      });
    },
  );

  it('item 4a: all sub-tasks matched and R4b refuses the output: no success', () => {
    const evaluation = evaluateGgs(
      defaultGgsPolicy,
      round({ criteria: criteria(10, 0, 0), r4b_rejected: true, all_matched: true }),
    );
    expect(evaluation).toMatchObject({
      D: { exact: '0/1' },
      directive: 'change_path',
      distance_floor: 'r4b_rejected',
      cell: 13,
    });
  });

  it('item 4b: a sub-task that failed without verdicts counts, with criteria and without', () => {
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
});
