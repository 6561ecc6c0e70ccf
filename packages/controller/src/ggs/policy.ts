/**
 * The policy of the goal gradient: every hyperparameter of the sources, as integers. Source: 002 §R7, "Loss
 * Hyperparameters (v0.8 defaults)"; 003 §R7; dec-G8, dec-G11, dec-G12, dec-G13, dec-G23.
 */
import { err, ok, type Json, type Rejection, type Result } from '@assay/kernel';
import { integer, oneOf, type Shape } from '@assay/kernel/shape';
import { findBroken, shapeRows, usualPolicy, type PolicyOf, type PolicyRows } from './rows.js';
import { PPM } from './rational.js';

const GGS_WEIGHT_MAX = 1_000_000_000;
const GGS_COUNT_MAX = 1_000;
const weight = integer(0, GGS_WEIGHT_MAX);
const share = integer(0, PPM);
const times = integer(1, GGS_COUNT_MAX);
/** The fields of a {@link GgsPolicy}. */
export const GGS_ROWS = {
  /** Weight of the distance D; 0 to 10^9. */
  alpha: [600_000, weight],
  /** Weight of process implausibility P before the budget scales it; 0 to 10^9. */
  beta: [300_000, weight],
  /** Weight of the resource cost Ω; 0 to 10^9. */
  lambda: [400_000, weight],
  /** Share of the replan count in Ω; w1 + w2 = 1,000,000. */
  w1: [600_000, share],
  /** Share of elapsed time in Ω. */
  w2: [400_000, share],
  /** A change of the loss of at least this is signal; from 1 to 10^9. */
  epsilon: [100_000, integer(1, GGS_WEIGHT_MAX)],
  /** A distance of at most this is close enough; 0 to 999,999. */
  delta: [300_000, integer(0, PPM - 1)],
  /** An implausibility above this is logical; 0 to 1,000,000. */
  rho: [500_000, share],
  /** A cost of at least this abandons; 1 to 1,000,000. */
  theta: [800_000, integer(1, PPM)],
  /** Microseconds a task may take; from 1. */
  time_budget_us: [300_000_000, integer(1)],
  /** Directives a task may get before the hard rule of dec-G8; 1 to 1,000. */
  max_replans: [3, times],
  /** Worsening rounds in a row that abandon; 1 to 1,000. */
  law2_rounds: [2, times],
  /** What bands and worsening are decided on: the task part αD + βP, or the whole loss. Source: dec-G11. */
  gradient_basis: ['task', oneOf(['task', 'loss'])],
  /** Whether epsilon shrinks to half of what one criterion can move the loss by. Source: dec-G13. */
  epsilon_mode: ['per_criterion', oneOf(['fixed', 'per_criterion'])],
  /** `hard`: Ω at most 1, and 1 once replans or time are used up (dec-G8). `literal`: neither. */
  omega_mode: ['hard', oneOf(['hard', 'literal'])],
  /**
   * `band_and_distance`: a worsening round is in the worsening band and D is no lower (dec-G12). `band`: the
   * band is enough.
   */
  worsening_mode: ['band_and_distance', oneOf(['band_and_distance', 'band'])],
  /**
   * `structured`: a plausible criterion weighs by its attempts (dec-G7). `verifiable`: each failure weighs 1.
   */
  criteria_mode: ['structured', oneOf(['structured', 'verifiable'])],
  /**
   * `sparing`: what failed is blocked, but never all tools that read, or all that write (calls/C7). `literal`:
   * every tool of a failing sub-task.
   */
  blocking_mode: ['sparing', oneOf(['sparing', 'literal'])],
} as const satisfies PolicyRows;
/**
 * Limits and weights of the goal gradient. Weights and thresholds are parts per million: 600,000 is 0.6.
 * Weights may all be scaled together with epsilon; directives do not change (law-G14).
 */
export type GgsPolicy = PolicyOf<typeof GGS_ROWS>;

/**
 * The documents' numbers under the settled readings. Source: 002 "Loss Hyperparameters (v0.8 defaults)"; part
 * C.6.
 */
export const defaultGgsPolicy: GgsPolicy = usualPolicy(GGS_ROWS);

/**
 * The same numbers as the documents use them: the whole loss, one epsilon, Ω neither clamped nor cut off.
 * Source: dec-G11.
 */
export const literalGgsPolicy: GgsPolicy = Object.freeze({
  ...defaultGgsPolicy,
  gradient_basis: 'loss',
  epsilon_mode: 'fixed',
  omega_mode: 'literal',
  worsening_mode: 'band',
  blocking_mode: 'literal',
});

/** Shape of a {@link GgsPolicy}, each field by itself: see {@link parseGgsPolicy}. */
export const GGS_POLICY: Shape<GgsPolicy> = shapeRows(GGS_ROWS);

/**
 * Reads a policy: an object with exactly the fields of {@link GgsPolicy}. Total. Error `bad_policy` with
 * {field, rule, path}: see `findBroken`, then the rules over several fields: `w1_plus_w2_1000000` (field w2);
 * `all_zero` (field alpha: no weight at all); `literal_needs_w1` (field w1: a literal Ω without it might never end a
 * task). Source: dec-G23.
 */
export function parseGgsPolicy(value: Json): Result<Rejection, GgsPolicy> {
  const broken = findBroken(GGS_ROWS, value);
  if (broken !== null) return bad(broken.field, broken.rule);
  const policy = value as unknown as GgsPolicy;
  if (policy.w1 + policy.w2 !== PPM) return bad('w2', `w1_plus_w2_${PPM}`);
  if (policy.alpha === 0 && policy.beta === 0 && policy.lambda === 0) return bad('alpha', 'all_zero');
  if (policy.omega_mode === 'literal' && policy.w1 === 0) return bad('w1', 'literal_needs_w1');
  return ok(policy);
}

function bad(name: string, rule: string): Result<Rejection, never> {
  const path = name === 'policy' ? '' : `/${name}`;
  return err({ code: 'bad_policy', detail: { field: name, rule, path } });
}
