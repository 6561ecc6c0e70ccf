/**
 * What one evaluation says: the figures, the place in the table, the directive, and why. Plain JSON of integers,
 * strings and booleans, fit to be an event; and the exact figures and words that it is made of. Source: 002 §R7
 * "Contract", `rationale`; dec-B4, dec-G4, dec-G17, dec-G22; planner-controller B.3 item 1.
 *
 * @module
 */
import type { GgsHistory, GgsTarget } from './input.js';
import type { Cost, UnmetCriterion, Counted } from './measures.js';
import { type Figure, type Rational, toPpm } from './rational.js';
import type { Band, Directive, Place } from './table.js';
import type { Blocked } from './blocking.js';
import type { GgsPolicy } from './policy.js';

/** What the distance did since the round before; `stable` at the first (dec-B4). */
export type GapTrend = 'improving' | 'stable' | 'worsening';

/**
 * What holds a round above δ although D is not: an unmet hard criterion (dec-G4), or R4b's refusal (dec-G5).
 */
export type DistanceFloor = 'hard_criterion' | 'r4b_rejected';

/** Reasons that are the solver's own; a guard or a stop brings its own code. */
export type GgsReason =
  | 'all_criteria_met'
  | 'omega'
  | 'converged'
  | 'law2'
  | 'stuck_logical'
  | 'signal_logical'
  | 'stuck_environmental'
  | 'signal_environmental'
  | 'no_tools_left';

/** One evaluation. */
export type GgsEvaluation = {
  /** Number of this evaluation in its task, from 1. */
  readonly round: number;
  readonly D: Figure;
  readonly P: Figure;
  readonly Omega: Figure;
  readonly L: Figure;
  /** L minus the last L; 0 at the first round. */
  readonly grad_l: Figure;
  /** The same of the task part αD + βP (dec-G11). */
  readonly grad_task: Figure;
  readonly epsilon_effective: Figure;
  /** How Ω came about (dec-G8). */
  readonly omega_rule: Cost['rule'];
  /** Of the gradient the policy decides on. */
  readonly band: Band;
  readonly first_round: boolean;
  /** Worsening rounds in a row, this one included. */
  readonly worsening_count: number;
  readonly gap_trend: GapTrend;
  readonly distance_floor: DistanceFloor | null;
  /** 1 to 24, as printed. */
  readonly cell: number;
  readonly directive: Directive;
  /** A `GgsReason`, or the code of a guard or of a stop. */
  readonly reason: string;
  readonly prev_directive: 'init' | Directive;
  /** Reported only (dec-G22). */
  readonly urgency: 'low' | 'normal' | 'high';
  /** Ω, held to 1. */
  readonly budget_pressure: Figure;
  readonly blocked_tools: readonly string[];
  readonly blocked_classes: readonly string[];
  /** All inputs forbidden so far; `blocked_targets_added` those of this round. */
  readonly blocked_targets: readonly GgsTarget[];
  readonly blocked_targets_added: readonly GgsTarget[];
  /** The first of `unmet`, null where all are met. */
  readonly failed_criterion: UnmetCriterion | null;
  readonly failure_class: 'logical' | 'environmental' | 'mixed' | 'none';
  readonly logical_failures: number;
  readonly environmental_failures: number;
  /** Criteria counted. */
  readonly criteria_total: number;
  /** Every unmet criterion: a result must disclose them (dec-G4). */
  readonly unmet: readonly UnmetCriterion[];
  /** The steps of the cascade in words, from codes and integers. */
  readonly rationale: string;
  /** For the next evaluation of the task. */
  readonly history: GgsHistory;
};

/** What changed since the round before. */
export type Change = { readonly loss: Rational; readonly task: Rational; readonly trend: GapTrend };

/** Everything a decision rests on. `gradient`: the one the policy decides on; `rule`: how Ω came about. */
export type Measured = {
  readonly counted: Counted;
  readonly cost: Rational;
  readonly rule: Cost['rule'];
  readonly loss: Rational;
  readonly task: Rational;
  readonly change: Change;
  readonly epsilon: Rational;
  readonly gradient: Rational;
  readonly floor: DistanceFloor | null;
  readonly place: Place;
  readonly worsening: number;
};

/** What was decided. */
export type Chosen = { readonly directive: Directive; readonly reason: string; readonly blocked: Blocked };

/** One line; figures in ppm. */
export function writeRationale(
  policy: GgsPolicy,
  measured: Measured,
  { directive, reason }: Chosen,
  round: number,
  cell: number,
): string {
  const { counted, cost, epsilon, gradient, floor, place, worsening } = measured;
  const held = floor === null ? '' : `, held above by ${floor}`;
  return [
    `round ${round}`,
    `omega ${toPpm(cost)} ${place.spent ? 'reaches' : 'is below'} theta ${policy.theta}`,
    `D ${toPpm(counted.distance)} (${counted.unmet.length} of ${counted.total} unmet) is ` +
      `${place.far && floor === null ? 'above' : 'within'} delta ${policy.delta}${held}`,
    `${policy.gradient_basis} gradient ${toPpm(gradient)} at epsilon ${toPpm(epsilon)}: ` +
      `${place.band}, ${worsening} worsening in a row`,
    `P ${toPpm(counted.implausibility)} is ${place.logical ? 'above' : 'within'} rho ${policy.rho}`,
    `cell ${cell}: ${directive} (${reason})`,
  ].join('; ');
}
