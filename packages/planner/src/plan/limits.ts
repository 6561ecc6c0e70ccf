/**
 * How large a plan may be.
 *
 * @module
 */

/** Sizes of a plan; each is a number of something. Source: dec-K73. */
export type PlanLimits = {
  readonly tasks: number;
  /** Alternatives of one task, beside its own approach. */
  readonly alternatives: number;
  readonly rows: number;
  readonly metrics: number;
  readonly couplings: number;
};

/** The largest plan that is read unless the caller says otherwise: the maxima of dec-K73. */
export const planLimits: PlanLimits = Object.freeze({
  tasks: 2_000,
  alternatives: 8,
  rows: 16,
  metrics: 64,
  couplings: 64,
});

/**
 * No row and no deadline may add up to more, each task at its largest amount: sums and bounds then stay exact
 * with room for their product with a weight.
 */
export const TOTAL_MAX = 1_125_899_906_842_623;

/** One million: confidences and margins are parts of it. */
export const MILLION = 1_000_000;
