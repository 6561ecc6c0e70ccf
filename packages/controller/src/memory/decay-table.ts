/**
 * Powers of e at steps of 1/256, derived with whole numbers when the module is loaded.
 * Source: dec-M19.
 *
 * @module
 */

/** Steps of the table per unit of the exponent. */
export const STEPS_PER_UNIT = 256;
/** Exponents the table covers; exp(−22) is below half of 10^-9. */
export const TABLE_UNITS = 22;

const BITS = 128n;
const ONE = 1n << BITS;

const POWERS: readonly bigint[] = powers();

/** exp(−i / 256) for each step i, to 40 binary places, rounded to the nearest. */
export const FINE: readonly number[] = Object.freeze(POWERS.map((power) => rounded(power, 40n)));
/** The same to 26 binary places. */
export const COARSE: readonly number[] = Object.freeze(POWERS.map((power) => rounded(power, 26n)));

function powers(): readonly bigint[] {
  const step = stepPower();
  const found: bigint[] = [];
  let power = ONE;
  for (let index = 0; index <= TABLE_UNITS * STEPS_PER_UNIT; index += 1) {
    found.push(power);
    power = (power * step) >> BITS;
  }
  return found;
}

/** exp(−1/256) to 128 binary places: the alternating series until its terms vanish. */
function stepPower(): bigint {
  let sum = 0n;
  let term = ONE;
  for (let n = 1n; term !== 0n; n += 1n) {
    sum += term;
    term = -term / (n * BigInt(STEPS_PER_UNIT));
  }
  return sum;
}

function rounded(power: bigint, places: bigint): number {
  const dropped = BITS - places;
  return Number((power + (1n << (dropped - 1n))) >> dropped);
}
