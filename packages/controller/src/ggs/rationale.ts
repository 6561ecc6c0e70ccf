/**
 * The rationale of an evaluation: the steps of the cascade in words, from codes and integers (ppm, toward
 * zero). Source: 002 §R7 `rationale`; planner-controller B.3 item 1.
 *
 * @module
 */
import type { DistanceFloor } from './evaluation.js';
import type { GgsPolicy } from './policy.js';
import { ppmOf, type Rational } from './rational.js';
import type { Directive, Place } from './table.js';

/** What a rationale is told. */
export type Told = {
  readonly round: number;
  readonly place: Place;
  readonly cell: number;
  readonly floor: DistanceFloor | null;
  readonly distance: Rational;
  readonly implausibility: Rational;
  readonly cost: Rational;
  readonly gradient: Rational;
  readonly epsilon: Rational;
  readonly worsening: number;
  readonly unmet: number;
  readonly total: number;
  readonly directive: Directive;
  readonly reason: string;
};

/** One line; figures in ppm. */
export function rationaleOf(told: Told, policy: GgsPolicy): string {
  const { place, floor } = told;
  const far = floor === null ? (place.far ? 'above' : 'not above') : `held above by ${floor}`;
  return [
    `round ${told.round}`,
    `omega ${ppmOf(told.cost)} ${place.spent ? 'reaches' : 'is below'} theta ${policy.theta}`,
    `D ${ppmOf(told.distance)} (${told.unmet} of ${told.total} unmet) ${floor === null ? `is ${far}` : far} delta ${policy.delta}`,
    `${policy.gradient_basis} gradient ${ppmOf(told.gradient)} at epsilon ${ppmOf(told.epsilon)}: ${place.band}, ${told.worsening} worsening in a row`,
    `P ${ppmOf(told.implausibility)} is ${place.logical ? 'above' : 'not above'} rho ${policy.rho}`,
    `cell ${told.cell}: ${told.directive} (${told.reason})`,
  ].join('; ');
}
