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

/** exp(−i / 256) for each step i, as [to 40 binary places, to 26]; both rounded to the nearest. */
export const TABLE: readonly (readonly [fine: number, coarse: number])[] = Object.freeze(powers());

function powers(): (readonly [number, number])[] {
  const step = stepPower();
  const rows: (readonly [number, number])[] = [];
  let power = ONE;
  for (let index = 0; index <= TABLE_UNITS * STEPS_PER_UNIT; index += 1) {
    rows.push([rounded(power, 40n), rounded(power, 26n)]);
    power = (power * step) >> BITS;
  }
  return rows;
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
