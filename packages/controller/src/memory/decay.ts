/**
 * How much of a Megram is left: exp(−k · Δt) in integers, the same on every engine.
 *
 * The exponent is taken apart exactly: whole steps of 1/256, for which a table holds the power to 40 binary
 * places, and a rest below 1/256, for which three terms of the series are enough. Each piece falls and ends
 * at the next entry of the table or above it, so the whole never rises, whatever was rounded on the way.
 * Source: 002 §6d; dec-M7, dec-M19, law-M3, law-M12.
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

/** A whole in units of 10^-9, in which weights and potentials are counted. */
export const NANO = 1_000_000_000;
/** A whole in parts per million. */
export const PPM = 1_000_000;
/** Microseconds of a day. */
export const DAY_US = 86_400_000_000;
/** Rates are whole hundredths per day: with these, all that follows stays below 2^53. */
export const RATE_STEP = 10_000;
/** Greatest rate: 1 per day. */
export const RATE_MAX = 1_000_000;

/** Microseconds after which a rate of one hundredth per day has taken the exponent to 1. */
const HUNDRED_DAYS_US = 100 * DAY_US;
const TWO_6 = 64;
const TWO_10 = 1_024;
const TWO_20 = 1_048_576;
const TWO_34 = 17_179_869_184;

/** True for a rate this arithmetic knows: a multiple of {@link RATE_STEP} from 0 to {@link RATE_MAX}. */
export function isRate(k_ppm_per_day: number): boolean {
  return (
    Number.isInteger(k_ppm_per_day) &&
    k_ppm_per_day >= 0 &&
    k_ppm_per_day <= RATE_MAX &&
    k_ppm_per_day % RATE_STEP === 0
  );
}

/**
 * exp(−k · Δt) in units of 10^-9, rounded to the nearest: off by at most 10^-9, never rising with Δt or k,
 * 10^9 where either is 0, and 0 from an exponent of 22 on.
 *
 * @param k_ppm_per_day - a rate of the policy; another is a defect (RangeError)
 * @param elapsed_us - microseconds, an integer from 0; another is a defect
 */
export function decayNano(k_ppm_per_day: number, elapsed_us: number): number {
  if (!isRate(k_ppm_per_day))
    throw new RangeError(`decayNano: expected a rate in steps of ${RATE_STEP}, got ${k_ppm_per_day}`);
  if (!Number.isSafeInteger(elapsed_us) || elapsed_us < 0)
    throw new RangeError(`decayNano: expected microseconds from 0, got ${elapsed_us}`);
  const hundredths = k_ppm_per_day / RATE_STEP;
  if (hundredths === 0) return NANO;
  if (elapsed_us >= Math.ceil((TABLE_UNITS * HUNDRED_DAYS_US) / hundredths)) return 0;
  return toNano(computePower(elapsed_us * hundredths));
}

/** Time that passed, never below 0: a reader may ask for a moment before the writing. Source: dec-M7. */
export function elapsedUs(from_us: number, now_us: number): number {
  return Math.max(0, now_us - from_us);
}

/** exp(−total / 100 days) to 40 binary places. `total` is below 22 · 100 days, and so below 2^48. */
function computePower(total: number): number {
  // Digits of the exponent by long division: each product is below 2^53, and so each digit is exact.
  const units = Math.floor(total / HUNDRED_DAYS_US);
  const belowUnit = (total - units * HUNDRED_DAYS_US) * STEPS_PER_UNIT;
  const steps = Math.floor(belowUnit / HUNDRED_DAYS_US);
  const belowStep = (belowUnit - steps * HUNDRED_DAYS_US) * TWO_10;
  const high = Math.floor(belowStep / HUNDRED_DAYS_US);
  const belowHigh = (belowStep - high * HUNDRED_DAYS_US) * TWO_10;
  const middle = Math.floor(belowHigh / HUNDRED_DAYS_US);
  const low = Math.floor(((belowHigh - middle * HUNDRED_DAYS_US) * TWO_6) / HUNDRED_DAYS_US);
  const rest = (high * TWO_10 + middle) * TWO_6 + low;
  const index = units * STEPS_PER_UNIT + steps;
  const loss = Math.floor(((COARSE[index] ?? 0) * sumLoss(rest)) / TWO_20);
  return Math.max(FINE[index + 1] ?? 0, (FINE[index] ?? 0) - loss);
}

/**
 * 1 − exp(−rest) to 34 binary places: the rest is below 2^26 such units, its square below 2^52. Never falls
 * as the rest grows.
 */
function sumLoss(rest: number): number {
  const half = Math.floor((rest * rest) / (2 * TWO_34));
  return rest - half + Math.floor((rest * half) / (3 * TWO_34));
}

/** From 40 binary places to 10^-9, to the nearest; in two halves, since the product would pass 2^53. */
function toNano(power: number): number {
  const high = Math.floor(power / TWO_20);
  const low = power - high * TWO_20;
  return Math.floor((high * NANO + Math.floor((low * NANO) / TWO_20) + TWO_20 / 2) / TWO_20);
}
