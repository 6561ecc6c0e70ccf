/**
 * Laws G1 to G14 of planner-controller D.6 for the solver alone; G2, G3 and G15 are in table.test.ts. What
 * the machine adds to G4, G11 and G12 is tested with the machine.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.ts';
import type { GgsEvaluation } from '../../src/ggs/evaluation.js';
import { evaluateGgs } from '../../src/ggs/evaluate.js';
import type { GgsCriterion, GgsInput } from '../../src/ggs/input.js';
import { defaultGgsPolicy, type GgsPolicy } from '../../src/ggs/policy.js';
import { parseRational } from '../../src/ggs/rational.js';
import { DIRECTIVES, isTerminal, type Directive } from '../../src/ggs/table.js';
import {
  arbCriteria,
  arbFailures,
  arbNearlyMet,
  arbOutcomes,
  arbPolicies,
  arbPolicy,
  arbRound,
  arbStream,
} from '../../tools/arbitrary-ggs.ts';
import { failed, follow, passed, round } from '../../tools/ggs-rounds.js';

const RUNS = lawRuns('goal gradient laws');

/** a − b < 0, = 0 or > 0 of texts "n/d", without the code under test. */
function compareExact(a: string, b: string): number {
  const [an = '', ad = ''] = a.split('/');
  const [bn = '', bd = ''] = b.split('/');
  const difference = BigInt(an) * BigInt(bd) - BigInt(bn) * BigInt(ad);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const ppm = (value: number): string => `${value}/1000000`;
const negated = (text: string): string => (text.startsWith('-') ? text.slice(1) : `-${text}`);

/** The six conditions of 002 "The 6 macro-states", each for itself. */
function conditions(
  policy: GgsPolicy,
  { D, P, Omega, grad_l, grad_task, epsilon_effective: { exact: epsilon }, distance_floor }: GgsEvaluation,
): readonly Directive[] {
  const gradient = (policy.gradient_basis === 'task' ? grad_task : grad_l).exact;
  const isSpent = compareExact(Omega.exact, ppm(policy.theta)) >= 0;
  const isFar = distance_floor !== null || compareExact(D.exact, ppm(policy.delta)) > 0;
  const isLogical = compareExact(P.exact, ppm(policy.rho)) > 0;
  const hasSignal = compareExact(gradient, epsilon) >= 0 || compareExact(gradient, negated(epsilon)) <= 0;
  const table: readonly (readonly [Directive, boolean])[] = [
    ['abandon', isSpent],
    ['success', !isSpent && !isFar],
    ['break_symmetry', !isSpent && isFar && !hasSignal && isLogical],
    ['change_approach', !isSpent && isFar && hasSignal && isLogical],
    ['change_path', !isSpent && isFar && !hasSignal && !isLogical],
    ['refine', !isSpent && isFar && hasSignal && !isLogical],
  ];
  return table.filter(([, holds]) => holds).map(([directive]) => directive);
}

const OVERRIDES = ['all_criteria_met', 'law2', 'no_tools_left'];

const shuffled = <T>(items: readonly T[], seed: number): readonly T[] =>
  items
    .map((item, index) => ({ item, key: ((index + 1) * 2_654_435_761 + seed * 40_503) % 65_537 }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}

/**
 * Most evaluations of one task, whatever its outcomes: each that does not end it raises the replan count.
 * `max_replans` + 1 by the hard rule; in literal mode one more than the replans that reach theta alone,
 * which is `max_replans` + 2 at default weights. Source: law-G6, dec-G8, dec-G10.
 */
function evaluationsMax(policy: GgsPolicy): number {
  if (policy.omega_mode === 'hard') return policy.max_replans + 1;
  return Math.ceil((policy.theta * policy.max_replans) / policy.w1) + 1;
}

describe('goal gradient laws', () => {
  it(
    'law-G1 ggs/total: for every legal round exactly one of the six conditions holds, and ' +
      'the directive is it unless a named rule overrides',
    () => {
      let overridden = 0;
      fc.assert(
        fc.property(arbPolicies, arbStream(4), (policy, stream) => {
          for (const evaluation of follow(policy, stream)) {
            const [only, ...more] = conditions(policy, evaluation);
            expect(more).toEqual([]);
            expect(DIRECTIVES).toContain(evaluation.directive);
            if (OVERRIDES.includes(evaluation.reason)) overridden += 1;
            else expect(evaluation.directive).toBe(only);
          }
        }),
        RUNS,
      );
      expect(overridden).toBeGreaterThan(0);
    },
  );

  it(
    'law-G4 ggs/success-discloses: an accepted result has nothing unmet; a success lists ' +
      'every unmet criterion, has no hard one and no refusal by R4b',
    () => {
      const seen = new Map<string, number>();
      fc.assert(
        fc.property(arbPolicies, arbNearlyMet, (policy, input) => {
          const { directive, unmet } = evaluateGgs(policy, input);
          seen.set(directive, (seen.get(directive) ?? 0) + (unmet.length > 0 ? 1 : 0));
          const ids = input.criteria.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id);
          if (directive === 'accept')
            expect([ids, input.failed_subtasks, input.r4b_rejected, input.all_matched]).toEqual([
              [],
              [],
              false,
              true,
            ]);
          if (directive !== 'success') return;
          expect(unmet.flatMap(({ id }) => id ?? []).toSorted()).toEqual(ids.toSorted());
          for (const subtask of input.failed_subtasks)
            expect(unmet.map((one) => one.subtask)).toContain(subtask);
          expect(input.criteria.some(({ hard, verdict }) => hard && verdict !== 'pass')).toBe(false);
          expect(input.r4b_rejected).toBe(false);
        }),
        RUNS,
      );
      expect([seen.has('accept'), (seen.get('success') ?? 0) > 0]).toEqual([true, true]);
    },
  );

  it('law-G5 ggs/omega-monotone: more replans or more time never lower omega; the hard mode holds it to 1', () => {
    const grow = fc.integer({ min: 0, max: 200_000_000 });
    fc.assert(
      fc.property(
        arbPolicies,
        arbRound,
        fc.integer({ min: 0, max: 3 }),
        grow,
        (policy, input, replans, time) => {
          const before = evaluateGgs(policy, input).Omega.exact;
          const after = evaluateGgs(policy, {
            ...input,
            replan_count: input.replan_count + replans,
            elapsed_us: input.elapsed_us + time,
          }).Omega.exact;
          expect(compareExact(before, after)).toBeLessThanOrEqual(0);
          expect(compareExact(before, '0/1')).toBeGreaterThanOrEqual(0);
          if (policy.omega_mode === 'hard') expect(compareExact(after, '1/1')).toBeLessThanOrEqual(0);
        },
      ),
      RUNS,
    );
  });

  it('law-G6 ggs/bounded: any stream of outcomes ends within the evaluations the policy states', () => {
    const LONGEST = 24;
    fc.assert(
      fc.property(
        arbPolicies.filter((policy) => evaluationsMax(policy) < LONGEST),
        arbFailures(LONGEST),
        (policy, stream) => {
          const evaluations = follow(policy, stream);
          expect(evaluations.length).toBeLessThanOrEqual(evaluationsMax(policy));
          expect(evaluations.at(-1)?.directive).toBe('abandon');
        },
      ),
      RUNS,
    );
  });

  it('law-G7 ggs/distance: D is within 0 and 1, 1 when all fail, and one more failure never lowers it', () => {
    fc.assert(
      fc.property(arbPolicies, arbCriteria(1), fc.nat(), (policy, list, at) => {
        const d = (criteria: readonly GgsCriterion[]): string =>
          evaluateGgs(policy, round({ criteria })).D.exact;
        const before = d(list);
        expect([compareExact(before, '0/1') >= 0, compareExact(before, '1/1') <= 0]).toEqual([true, true]);
        const worse = list.map((one, index) =>
          index === at % list.length ? failed(one.id, 'logical', { ...one, mode: 'verifiable' }) : one,
        );
        expect(compareExact(before, d(worse))).toBeLessThanOrEqual(0);
        const all = list.map((one) =>
          failed(one.id, 'environmental', { ...one, failed_attempts: one.attempts }),
        );
        expect(d(all)).toBe('1/1');
      }),
      RUNS,
    );
  });

  it('law-G7 ggs/order-invariant: the order of criteria, sub-tasks, tools and targets changes nothing at all', () => {
    fc.assert(
      fc.property(arbPolicies, arbRound, fc.nat(65_536), (policy, input, seed) => {
        const other: GgsInput = {
          ...input,
          criteria: shuffled(input.criteria, seed),
          failed_subtasks: shuffled(input.failed_subtasks, seed),
          failing_tools: shuffled(input.failing_tools, seed),
          failing_targets: shuffled(input.failing_targets, seed),
          tools: shuffled(input.tools, seed),
        };
        expect(evaluateGgs(policy, other)).toEqual(evaluateGgs(policy, input));
      }),
      RUNS,
    );
  });

  it('law-G8 ggs/implausibility: P is the share of logical failures, within 0 and 1, and 0 when nothing failed', () => {
    fc.assert(
      fc.property(arbPolicies, arbRound, (policy, input) => {
        const { P, logical_failures, environmental_failures, failure_class } = evaluateGgs(policy, input);
        const unmet = input.criteria.filter(({ verdict }) => verdict !== 'pass');
        const logical = unmet.filter((one) => one.failure_class === 'logical').length;
        const bare = input.failed_subtasks.filter(
          (subtask) => !unmet.some((one) => one.subtask === subtask),
        ).length;
        const environmental =
          unmet.filter((one) => one.failure_class === 'environmental' || one.verdict === 'none').length +
          bare;
        expect([logical_failures, environmental_failures]).toEqual([logical, environmental]);
        expect(compareExact(P.exact, logical === 0 ? '0/1' : `${logical}/${logical + environmental}`)).toBe(
          0,
        );
        expect(failure_class === 'mixed').toBe(logical > 0 && environmental > 0);
      }),
      RUNS,
    );
  });

  it('law-G9 ggs/time-is-no-signal: by the task, equal outcomes are a plateau however long the rounds are', () => {
    fc.assert(
      fc.property(
        arbPolicy,
        arbOutcomes,
        fc.array(fc.nat(200_000_000), { minLength: 2, maxLength: 6 }),
        (policy, outcomes, times) => {
          let elapsed_us = 0;
          const stream = times.map((took) => ({ ...outcomes, elapsed_us: (elapsed_us += took) }));
          for (const { band, grad_task } of follow({ ...policy, gradient_basis: 'task' }, stream))
            expect([band, grad_task.exact]).toEqual(['plateau', '0/1']);
        },
      ),
      RUNS,
    );
  });

  it(
    'law-G10 ggs/law-2: it fires exactly after so many worsening rounds in a row, where ' +
      'omega and D let the task go on',
    () => {
      let fired = 0;
      fc.assert(
        fc.property(
          arbPolicies.map((policy) => ({ ...policy, theta: 1_000_000, max_replans: 50 })),
          arbFailures(8),
          (policy, stream) => {
            const evaluations = follow(policy, stream);
            let [inARow, before] = [0, '1/0'];
            for (const evaluation of evaluations) {
              const isLower = !evaluation.first_round && compareExact(evaluation.D.exact, before) < 0;
              inARow =
                evaluation.band === 'worsening' && (policy.worsening_mode === 'band' || !isLower)
                  ? inARow + 1
                  : 0;
              before = evaluation.D.exact;
              expect(evaluation.worsening_count).toBe(inARow);
              expect(evaluation.reason === 'law2').toBe(
                inARow >= policy.law2_rounds && evaluation.reason !== 'omega',
              );
              if (evaluation.reason === 'law2') fired += 1;
            }
          },
        ),
        RUNS,
      );
      expect(fired).toBeGreaterThan(0);
    },
  );

  it('law-G11 ggs/blocked-targets-grow: an input once forbidden stays so in every later directive of the task', () => {
    const key = ({ tool, target }: { readonly tool: string; readonly target: string }): string =>
      `${tool} ${target}`;
    fc.assert(
      fc.property(
        arbPolicies.map((policy) => ({ ...policy, theta: 1_000_000, max_replans: 50, law2_rounds: 50 })),
        arbFailures(8),
        (policy, stream) => {
          let known: readonly string[] = [];
          follow(policy, stream).forEach(({ directive, blocked_targets, history }, index) => {
            const kept = history.blocked_targets.map(key);
            expect(kept).toEqual(expect.arrayContaining([...known]));
            if (!isTerminal(directive)) expect(blocked_targets.map(key)).toEqual(kept);
            if (directive === 'change_path' || directive === 'refine')
              expect(kept).toEqual(expect.arrayContaining((stream[index]?.failing_targets ?? []).map(key)));
            known = kept;
          });
        },
      ),
      RUNS,
    );
  });

  it('law-G12 ggs/one-end: a followed task has one terminal directive at most, its last', () => {
    fc.assert(
      fc.property(arbPolicies, arbStream(6), (policy, stream) => {
        const evaluations = follow(policy, stream);
        expect(evaluations.slice(0, -1).filter(({ directive }) => isTerminal(directive))).toEqual([]);
      }),
      RUNS,
    );
  });

  it('law-G13 ggs/prev-chain: the previous directive starts with init and is the one before ever after', () => {
    fc.assert(
      fc.property(arbPolicies, arbStream(6), (policy, stream) => {
        const evaluations = follow(policy, stream);
        expect(evaluations.map(({ prev_directive }) => prev_directive)).toEqual([
          'init',
          ...evaluations.slice(0, -1).map(({ directive }) => directive),
        ]);
        expect(evaluations.map((one) => one.round)).toEqual(evaluations.map((_, index) => index + 1));
      }),
      RUNS,
    );
  });

  it('law-G14 ggs/scale-invariant: alpha, beta, lambda and epsilon times any factor change no directive', () => {
    fc.assert(
      fc.property(arbPolicies, arbStream(6), fc.integer({ min: 2, max: 400 }), (policy, stream, factor) => {
        const scaled = {
          ...policy,
          alpha: policy.alpha * factor,
          beta: policy.beta * factor,
          lambda: policy.lambda * factor,
          epsilon: policy.epsilon * factor,
        };
        const said = (one: GgsPolicy): readonly unknown[] =>
          follow(one, stream).map(({ directive, reason, cell }) => [directive, reason, cell]);
        expect(said(scaled)).toEqual(said(policy));
      }),
      RUNS,
    );
  });

  it('ggs/never-mutates: what is given is left as it was, and each figure is exact and in lowest terms', () => {
    fc.assert(
      fc.property(arbPolicies, arbRound, (policy, input) => {
        const { D, P, Omega, L, grad_l, grad_task, epsilon_effective } = evaluateGgs(
          frozen({ ...policy }),
          frozen(input),
        );
        for (const { ppm: whole, exact } of [D, P, Omega, L, grad_l, grad_task, epsilon_effective]) {
          expect(parseRational(exact)).not.toBeNull();
          const [num = '', den = ''] = exact.split('/');
          expect(whole).toBe(Number((BigInt(num) * 1_000_000n) / BigInt(den)));
        }
      }),
      RUNS,
    );
  });
});

describe('omega', () => {
  it('a deadline lessens the budget, one in the past leaves none (dec-G19)', () => {
    const at = (deadline_us: number | null): string =>
      evaluateGgs(defaultGgsPolicy, round({ criteria: [passed('a')], elapsed_us: 30_000_000, deadline_us }))
        .Omega.exact;
    expect([at(null), at(600_000_000), at(60_000_000), at(30_000_000), at(-1)]).toEqual([
      '1/25',
      '1/25',
      '1/5',
      '1/1',
      '1/1',
    ]);
  });
});
