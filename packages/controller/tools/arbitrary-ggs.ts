/**
 * Generators for the goal gradient: policies, criteria, rounds, streams of outcomes.
 *
 * @module
 */
import fc from 'fast-check';
import { literalGgsPolicy } from '../src/index.js';
import type { GgsTool, GgsCriterion, GgsInput } from '../src/ggs/input.js';
import { defaultGgsPolicy, type GgsPolicy } from '../src/ggs/policy.js';
import { failed, passed, round } from './ggs-rounds.js';

/** Tools of three classes, and one without. */
export const TOOLS: readonly GgsTool[] = [
  { tool: 'find', class: 'search' },
  { tool: 'grep', class: 'search' },
  { tool: 'cat', class: 'read' },
  { tool: 'write', class: 'write' },
  { tool: 'shell', class: null },
];

/** Legal policies: any weights and thresholds, every mode. */
export const arbPolicy: fc.Arbitrary<GgsPolicy> = fc
  .record({
    alpha: fc.integer({ min: 0, max: 2_000_000 }),
    beta: fc.integer({ min: 0, max: 2_000_000 }),
    lambda: fc.integer({ min: 1, max: 2_000_000 }),
    w1: fc.integer({ min: 1, max: 1_000_000 }),
    epsilon: fc.integer({ min: 1, max: 500_000 }),
    delta: fc.integer({ min: 0, max: 999_999 }),
    rho: fc.integer({ min: 0, max: 1_000_000 }),
    theta: fc.integer({ min: 1, max: 1_000_000 }),
    time_budget_us: fc.integer({ min: 1, max: 600_000_000 }),
    max_replans: fc.integer({ min: 1, max: 8 }),
    law2_rounds: fc.integer({ min: 1, max: 4 }),
    gradient_basis: fc.constantFrom<GgsPolicy['gradient_basis']>('task', 'loss'),
    epsilon_mode: fc.constantFrom<GgsPolicy['epsilon_mode']>('fixed', 'per_criterion'),
    omega_mode: fc.constantFrom<GgsPolicy['omega_mode']>('hard', 'literal'),
    worsening_mode: fc.constantFrom<GgsPolicy['worsening_mode']>('band_and_distance', 'band'),
    criteria_mode: fc.constantFrom<GgsPolicy['criteria_mode']>('structured', 'verifiable'),
    blocking_mode: fc.constantFrom<GgsPolicy['blocking_mode']>('sparing', 'literal'),
  })
  .map((policy) => ({ ...policy, w2: 1_000_000 - policy.w1 }));

/** The two policies of the documents and any other. */
export const arbPolicies: fc.Arbitrary<GgsPolicy> = fc.oneof(
  fc.constant(defaultGgsPolicy),
  fc.constant(literalGgsPolicy),
  arbPolicy,
);

const STATES = ['pass', 'logical', 'environmental', 'none', 'not_run'] as const;

/** Up to 12 criteria with ids of their own, in these states. */
export function arbCriteria(
  min: number = 0,
  states: readonly string[] = STATES,
): fc.Arbitrary<readonly GgsCriterion[]> {
  const one = fc.record({
    state: fc.constantFrom(...states),
    scope: fc.constantFrom<GgsCriterion['scope']>('subtask', 'task'),
    subtask: fc.constantFrom('s1', 's2', 's3'),
    mode: fc.constantFrom<GgsCriterion['mode']>('verifiable', 'plausible'),
    hard: fc.boolean(),
    attempts: fc.integer({ min: 1, max: 4 }),
    failed_attempts: fc.integer({ min: 0, max: 4 }),
  });
  return fc.array(one, { minLength: min, maxLength: 12 }).map((list) =>
    list.map(({ state, ...more }, index) => {
      const base = { ...more, subtask: more.scope === 'task' ? null : more.subtask };
      if (state === 'logical' || state === 'environmental') return failed(`c${index}`, state, base);
      if (state === 'pass') return passed(`c${index}`, base);
      return {
        ...passed(`c${index}`, base),
        verdict: state === 'none' ? 'none' : 'not_run',
        failure_class: null,
      };
    }),
  );
}

/** What a round can bring, without its history and count. */
export const arbOutcomes: fc.Arbitrary<Partial<GgsInput>> = fc.record({
  criteria: arbCriteria(),
  failed_subtasks: fc.uniqueArray(fc.constantFrom('s1', 's2', 's3', 's4')),
  r4b_rejected: fc.boolean(),
  all_matched: fc.boolean(),
  elapsed_us: fc.integer({ min: 0, max: 700_000_000 }),
  deadline_us: fc.option(fc.integer({ min: -1_000, max: 700_000_000 }), { nil: null }),
  failing_tools: fc.subarray([...TOOLS]),
  failing_targets: fc.array(
    fc.record({ tool: fc.constantFrom('find', 'cat'), target: fc.constantFrom('/a', '/b', '/c', '/d') }),
    { maxLength: 4 },
  ),
  tools: fc.constant(TOOLS),
});

/** A first round. */
export const arbRound: fc.Arbitrary<GgsInput> = fc
  .tuple(arbOutcomes, fc.integer({ min: 0, max: 10 }))
  .map(([outcomes, replan_count]) => round({ ...outcomes, replan_count }));

/** A first round in which most is met. */
export const arbNearlyMet: fc.Arbitrary<GgsInput> = fc
  .tuple(
    arbRound,
    arbCriteria(1, [...Array.from({ length: 9 }, () => 'pass'), ...STATES]),
    fc.integer({ min: 0, max: 4 }),
  )
  .map(([input, criteria, rare]) => ({
    ...input,
    criteria,
    failed_subtasks: rare === 0 ? input.failed_subtasks : [],
    r4b_rejected: rare === 1,
    replan_count: 0,
    elapsed_us: 0,
  }));

/** Outcomes of many rounds, stamps never running back. */
export function arbStream(length: number): fc.Arbitrary<readonly Partial<GgsInput>[]> {
  return fc
    .array(fc.tuple(arbOutcomes, fc.integer({ min: 0, max: 40_000_000 })), {
      minLength: length,
      maxLength: length,
    })
    .map((rounds) => {
      let elapsed_us = 0;
      return rounds.map(([outcomes, took]) => {
        elapsed_us += took;
        return { ...outcomes, elapsed_us, deadline_us: null };
      });
    });
}

/** Rounds in which nothing but failures is heard: no success can end them, no acceptance either. */
export function arbFailures(length: number): fc.Arbitrary<readonly Partial<GgsInput>[]> {
  return arbStream(length).map((rounds) =>
    rounds.map((one) => ({ ...one, all_matched: false, r4b_rejected: true })),
  );
}
