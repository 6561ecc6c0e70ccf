/**
 * The rationale of an evaluation: the steps of the cascade in words, from codes and integers (ppm, toward
 * zero). Source: 002 §R7 `rationale`; planner-controller B.3 item 1.
 *
 * @module
 */
import type { Chosen, Measured } from './measured.js';
import type { GgsPolicy } from './policy.js';
import { ppmOf } from './rational.js';

/** One line; figures in ppm. */
export function rationaleOf(
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
    `omega ${ppmOf(cost)} ${place.spent ? 'reaches' : 'is below'} theta ${policy.theta}`,
    `D ${ppmOf(counted.distance)} (${counted.unmet.length} of ${counted.total} unmet) is ` +
      `${place.far && floor === null ? 'above' : 'within'} delta ${policy.delta}${held}`,
    `${policy.gradient_basis} gradient ${ppmOf(gradient)} at epsilon ${ppmOf(epsilon)}: ` +
      `${place.band}, ${worsening} worsening in a row`,
    `P ${ppmOf(counted.implausibility)} is ${place.logical ? 'above' : 'within'} rho ${policy.rho}`,
    `cell ${cell}: ${directive} (${reason})`,
  ].join('; ');
}
