/**
 * The measures of a round: distance D, implausibility P, cost Ω, and the loss they add up to.
 * Source: 002 §R7 "The Loss Function"; dec-G3, dec-G5, dec-G6, dec-G7, dec-G8, dec-G11, dec-G13, dec-G19.
 */
import { compareText } from '@assay/kernel';
import type { FailureClass, GgsCriterion, GgsInput } from './input.js';
import type { GgsPolicy } from './policy.js';
import { add, lesser, ofPpm, ONE, PPM, ratio, renderRational, ZERO, type Rational } from './rational.js';

/** Most attempts a criterion's weight distinguishes. */
export const ATTEMPTS_MAX = 1_000;

/**
 * A criterion that is not met, as a result discloses it. `weight`: what it adds to D's numerator, exact. A
 * failed sub-task without an unmet criterion is listed with id and criterion null (dec-G6).
 */
export type UnmetCriterion = {
  readonly id: string | null;
  readonly text: string | null;
  readonly scope: 'subtask' | 'task';
  readonly subtask: string | null;
  readonly hard: boolean;
  /** null where its sub-task was not run: nothing failed there. */
  readonly failure_class: FailureClass | null;
  readonly weight: string;
};

/** What was counted in a round. `total`: criteria, failed sub-tasks without an unmet one included. */
export type Counted = {
  readonly distance: Rational;
  readonly implausibility: Rational;
  readonly total: number;
  readonly logical: number;
  readonly environmental: number;
  /**
   * What failed before what never ran; hard ones first, then the heaviest, then by sub-task and id: the first
   * is the one to work on.
   */
  readonly unmet: readonly UnmetCriterion[];
};

type Weighed = { readonly row: UnmetCriterion; readonly weight: Rational };

/**
 * D and P over all criteria of the round. D is 1 where there is none at all (dec-G6); P is 0 where nothing
 * failed (dec-G3). O(n log n) in the unmet criteria.
 */
export function countCriteria(input: GgsInput, policy: GgsPolicy): Counted {
  const weighed: Weighed[] = [];
  for (const criterion of input.criteria) {
    if (criterion.verdict !== 'pass') weighed.push(weigh(criterion, policy));
  }
  let total = input.criteria.length;
  for (const subtask of new Set(input.failed_subtasks)) {
    if (weighed.some(({ row }) => row.subtask === subtask)) continue;
    weighed.push({
      row: {
        id: null,
        text: null,
        scope: 'subtask',
        subtask,
        hard: false,
        failure_class: 'environmental',
        weight: '1/1',
      },
      weight: ONE,
    });
    total += 1;
  }
  const unmet = weighed.toSorted(byUrgency).map(({ row }) => row);
  const logical = unmet.filter(({ failure_class }) => failure_class === 'logical').length;
  const environmental = unmet.filter(({ failure_class }) => failure_class === 'environmental').length;
  return {
    distance: total === 0 ? ONE : over(sumUp(weighed), total),
    implausibility: logical + environmental === 0 ? ZERO : ratio(logical, logical + environmental),
    total,
    logical,
    environmental,
    unmet,
  };
}

/** Ω, and the rule that set it where one did. */
export type Cost = { readonly cost: Rational; readonly rule: 'sum' | 'clamp' | 'replans' | 'time' };

/**
 * w1 · replans / max_replans + w2 · elapsed / budget. In mode `hard` at most 1, and 1 once replans or time
 * are used up (dec-G8). A deadline that is not after the start leaves no budget: 1 in either mode.
 */
export function sumCost(input: GgsInput, policy: GgsPolicy): Cost {
  const budget = Math.min(policy.time_budget_us, input.deadline_us ?? policy.time_budget_us);
  const elapsed = Math.max(0, input.elapsed_us);
  if (budget <= 0) return { cost: ONE, rule: 'time' };
  if (policy.omega_mode === 'hard') {
    if (input.replan_count >= policy.max_replans) return { cost: ONE, rule: 'replans' };
    if (elapsed >= budget) return { cost: ONE, rule: 'time' };
  }
  const [replans, time] = [BigInt(policy.max_replans), BigInt(budget)];
  const sum = ratio(
    BigInt(policy.w1) * BigInt(input.replan_count) * time + BigInt(policy.w2) * BigInt(elapsed) * replans,
    WHOLE * replans * time,
  );
  return policy.omega_mode === 'hard' && sum.num > sum.den
    ? { cost: ONE, rule: 'clamp' }
    : { cost: sum, rule: 'sum' };
}

/** αD + β(1 − Ω)P + λΩ: the process weight fades as the budget is used up. */
export function sumLoss(d: Rational, p: Rational, omega: Rational, policy: GgsPolicy): Rational {
  const distance = BigInt(policy.alpha) * d.num * p.den * omega.den;
  const process = BigInt(policy.beta) * (omega.den - omega.num) * p.num * d.den;
  const resources = BigInt(policy.lambda) * omega.num * d.den * p.den;
  return ratio(distance + process + resources, WHOLE * d.den * p.den * omega.den);
}

/** αD + βP: what moves only when the outcomes do (dec-G11). */
export function computeTaskPart(d: Rational, p: Rational, policy: GgsPolicy): Rational {
  return ratio(
    BigInt(policy.alpha) * d.num * p.den + BigInt(policy.beta) * p.num * d.den,
    WHOLE * d.den * p.den,
  );
}

/**
 * The threshold of signal: ε, or in mode `per_criterion` the lesser of ε and α / (2 · criteria), half of what
 * one criterion moves the loss by (dec-G13). Where α is 0 no criterion moves it, and ε stays.
 */
export function toEpsilon(total: number, policy: GgsPolicy): Rational {
  const epsilon = ofPpm(policy.epsilon);
  if (policy.epsilon_mode === 'fixed' || policy.alpha === 0) return epsilon;
  return lesser(epsilon, ratio(policy.alpha, 2 * PPM * Math.max(1, total)));
}

const WHOLE = 1_000_000n;

/**
 * A plausible criterion that failed k of N times weighs k/N, at least once since it is failing; any other
 * weighs 1 (dec-G7).
 */
function weigh(criterion: GgsCriterion, policy: GgsPolicy): Weighed {
  const { id, text, scope, subtask, hard } = criterion;
  const failure_class =
    criterion.verdict === 'fail'
      ? criterion.failure_class
      : criterion.verdict === 'not_run'
        ? null
        : 'environmental';
  let weight = ONE;
  if (
    criterion.verdict === 'fail' &&
    criterion.mode === 'plausible' &&
    policy.criteria_mode === 'structured'
  ) {
    const attempts = Math.min(ATTEMPTS_MAX, Math.max(1, criterion.attempts));
    weight = ratio(Math.min(attempts, Math.max(1, criterion.failed_attempts)), attempts);
  }
  return { row: { id, text, scope, subtask, hard, failure_class, weight: renderRational(weight) }, weight };
}

function sumUp(weighed: readonly Weighed[]): Rational {
  let whole = 0;
  let parts = ZERO;
  for (const { weight } of weighed) {
    if (weight.den === 1n) whole += 1;
    else parts = add(parts, weight);
  }
  return parts === ZERO ? ratio(whole) : add(parts, ratio(whole));
}

function over(sum: Rational, count: number): Rational {
  return ratio(sum.num, sum.den * BigInt(count));
}

/** What failed before what never ran: a planner works on what went wrong, not on what waited for it. */
function byUrgency(a: Weighed, b: Weighed): number {
  const hasRun = (weighed: Weighed): boolean => weighed.row.failure_class !== null;
  if (hasRun(a) !== hasRun(b)) return hasRun(a) ? -1 : 1;
  if (a.row.hard !== b.row.hard) return a.row.hard ? -1 : 1;
  const difference = b.weight.num * a.weight.den - a.weight.num * b.weight.den;
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return compareText(a.row.subtask ?? '', b.row.subtask ?? '') || compareText(a.row.id ?? '', b.row.id ?? '');
}
