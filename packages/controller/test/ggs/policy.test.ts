import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOk, type Json } from '@assay/kernel';
import { lawRuns } from '../../../kernel/tools/laws.ts';
import { literalGgsPolicy } from '../../src/index.js';
import { evaluateGgs } from '../../src/ggs/evaluate.js';
import { defaultGgsPolicy, parseGgsPolicy } from '../../src/ggs/policy.js';
import { arbPolicy } from '../../tools/arbitrary-ggs.ts';
import { criteria, failed, passed, round } from '../../tools/ggs-rounds.js';

const RUNS = lawRuns('goal gradient policy');

describe('the policy of the goal gradient (dec-G23)', () => {
  it("has the documents' numbers", () => {
    expect(defaultGgsPolicy).toMatchObject({
      alpha: 600_000,
      beta: 300_000,
      lambda: 400_000,
      w1: 600_000,
      w2: 400_000,
      epsilon: 100_000,
      delta: 300_000,
      rho: 500_000,
      theta: 800_000,
      time_budget_us: 300_000_000,
      max_replans: 3,
      law2_rounds: 2,
    });
    expect(literalGgsPolicy).toEqual({
      ...defaultGgsPolicy,
      gradient_basis: 'loss',
      epsilon_mode: 'fixed',
      omega_mode: 'literal',
      worsening_mode: 'band',
      blocking_mode: 'literal',
    });
  });

  it('reads what it shows, and any legal policy', () => {
    for (const policy of [defaultGgsPolicy, literalGgsPolicy])
      expect(parseGgsPolicy(policy)).toEqual({ _tag: 'Right', right: policy });
    fc.assert(
      fc.property(arbPolicy, (policy) => {
        expect(isOk(parseGgsPolicy(policy))).toBe(true);
      }),
      RUNS,
    );
  });

  it.each<[field: string, value: Json, rule: string, broken: string]>([
    ['alpha', -1, 'integer_0_to_1000000000', 'alpha'],
    ['beta', 0.3, 'integer_0_to_1000000000', 'beta'],
    ['lambda', '400000', 'integer_0_to_1000000000', 'lambda'],
    ['w1', 1_000_001, 'integer_0_to_1000000', 'w1'],
    ['w1', 599_999, 'w1_plus_w2_1000000', 'w2'],
    ['w2', null, 'integer_0_to_1000000', 'w2'],
    ['epsilon', 0, 'integer_1_to_1000000000', 'epsilon'],
    ['delta', 1_000_000, 'integer_0_to_999999', 'delta'],
    ['delta', -1, 'integer_0_to_999999', 'delta'],
    ['rho', 1_000_001, 'integer_0_to_1000000', 'rho'],
    ['theta', 0, 'integer_1_to_1000000', 'theta'],
    ['theta', 1_000_001, 'integer_1_to_1000000', 'theta'],
    ['time_budget_us', 0, 'integer_1_to_9007199254740991', 'time_budget_us'],
    ['max_replans', 0, 'integer_1_to_1000', 'max_replans'],
    ['law2_rounds', 1_001, 'integer_1_to_1000', 'law2_rounds'],
    ['gradient_basis', 'both', 'task_or_loss', 'gradient_basis'],
    ['epsilon_mode', true, 'fixed_or_per_criterion', 'epsilon_mode'],
    ['omega_mode', 'soft', 'hard_or_literal', 'omega_mode'],
    ['worsening_mode', '', 'band_and_distance_or_band', 'worsening_mode'],
    ['criteria_mode', 'plausible', 'structured_or_verifiable', 'criteria_mode'],
  ])('refuses %s %j: %s', (field, value, rule, broken) => {
    expect(parseGgsPolicy({ ...defaultGgsPolicy, [field]: value })).toEqual({
      _tag: 'Left',
      left: { code: 'bad_policy', detail: { field: broken, rule, path: `/${broken}` } },
    });
  });

  it(
    'refuses no object, an unknown key, a missing field, no weight at all, a literal omega ' +
      'that time alone would have to fill',
    () => {
      const said = (value: Json): Json => {
        const read = parseGgsPolicy(value);
        return isOk(read) ? 'read' : read.left.detail;
      };
      const { theta: _, ...without } = defaultGgsPolicy;
      expect(said([])).toEqual({ field: 'policy', rule: 'object', path: '' });
      expect(said({ ...defaultGgsPolicy, more: 1 })).toEqual({
        field: 'policy',
        rule: 'unknown_key',
        path: '',
      });
      expect(said(without)).toEqual({ field: 'theta', rule: 'integer_1_to_1000000', path: '/theta' });
      expect(said({ ...defaultGgsPolicy, alpha: 0, beta: 0, lambda: 0 })).toEqual({
        field: 'alpha',
        rule: 'all_zero',
        path: '/alpha',
      });
      for (const one of ['alpha', 'beta', 'lambda'])
        expect(said({ ...defaultGgsPolicy, alpha: 0, beta: 0, lambda: 0, [one]: 1 })).toBe('read');
      expect(said({ ...literalGgsPolicy, w1: 0, w2: 1_000_000 })).toEqual({
        field: 'w1',
        rule: 'literal_needs_w1',
        path: '/w1',
      });
      expect(said({ ...defaultGgsPolicy, w1: 0, w2: 1_000_000 })).toBe('read');
    },
  );

  it('is total: any JSON is read or refused as bad_policy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = parseGgsPolicy(JSON.parse(JSON.stringify(value)));
        expect(isOk(read) || read.left.code === 'bad_policy').toBe(true);
      }),
      RUNS,
    );
  });
});

describe('criteria by how they are judged (dec-G7)', () => {
  const plausible = [
    failed('a', 'logical', { mode: 'plausible', attempts: 3, failed_attempts: 2 }),
    passed('b'),
  ];

  it('a plausible one weighs by its attempts, at least once and at most whole', () => {
    const d = (more: Partial<{ attempts: number; failed_attempts: number }>): string =>
      evaluateGgs(
        defaultGgsPolicy,
        round({
          criteria: [failed('a', 'logical', { mode: 'plausible', attempts: 3, failed_attempts: 2, ...more })],
        }),
      ).D.exact;
    expect([
      d({}),
      d({ failed_attempts: 3 }),
      d({ failed_attempts: 0 }),
      d({ failed_attempts: 9 }),
      d({ attempts: 0 }),
    ]).toEqual(['2/3', '1/1', '1/3', '1/1', '1/1']);
  });

  it('weighs 1 where the policy knows verifiable criteria alone', () => {
    expect(evaluateGgs(defaultGgsPolicy, round({ criteria: plausible })).D.exact).toBe('1/3');
    expect(
      evaluateGgs({ ...defaultGgsPolicy, criteria_mode: 'verifiable' }, round({ criteria: plausible })).D
        .exact,
    ).toBe('1/2');
  });

  it('names the hard one first, then the heaviest, then by sub-task and id', () => {
    const list = [
      failed('d', 'logical', { mode: 'plausible', attempts: 2 }),
      failed('c', 'logical', { subtask: 's2' }),
      failed('b', 'environmental'),
      failed('a', 'logical', { subtask: 's9', hard: true }),
    ];
    const { unmet, failed_criterion } = evaluateGgs(defaultGgsPolicy, round({ criteria: list }));
    expect(unmet.map(({ id, weight }) => [id, weight])).toEqual([
      ['a', '1/1'],
      ['b', '1/1'],
      ['c', '1/1'],
      ['d', '1/2'],
    ]);
    expect(failed_criterion).toEqual(unmet[0]);
  });

  it('names what was not run last: it waits for what failed, and counts in D alone', () => {
    const waiting = {
      ...passed('a', { subtask: 's2', hard: true }),
      verdict: 'not_run',
      failure_class: null,
    } as const;
    const evaluation = evaluateGgs(
      defaultGgsPolicy,
      round({ criteria: [waiting, failed('b', 'logical'), passed('c')] }),
    );
    expect(evaluation).toMatchObject({
      D: { exact: '2/3' },
      P: { exact: '1/1' },
      failed_criterion: { id: 'b' },
      failure_class: 'logical',
    });
    expect(evaluation.unmet.map(({ id, failure_class }) => [id, failure_class])).toEqual([
      ['b', 'logical'],
      ['a', null],
    ]);
  });

  it('with no weight on D the threshold of signal stays epsilon', () => {
    expect(
      evaluateGgs({ ...defaultGgsPolicy, alpha: 0 }, round({ criteria: criteria(10, 0, 5) }))
        .epsilon_effective.exact,
    ).toBe('1/10');
  });
});
