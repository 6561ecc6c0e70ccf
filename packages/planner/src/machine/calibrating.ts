/**
 * Estimates multiplied by what the actuals of alike goals say, in integers. What a library is told is again by the
 * estimate as it was given. Source: dec-K80, dec-K81.
 */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { listObjects } from '@assay/kernel/shape';
import { MILLION } from '../plan/plan.js';
import type { GoalNode } from './node.js';
import type { PlannerState } from './state.js';

/** By row, null for the time: the median of actual by estimate, ppm, of `n` actuals. */
type Factors = GoalNode['calibrated'];

/** With fewer actuals one alone could move the median anywhere; of three the middle one lies between two others. */
const ENOUGH = 3;
/** No estimate is made less than a tenth, or more than ten times what it was. */
const [LEAST, MOST] = [100_000, 10_000_000];

/** What the library that was read says of estimates, where it knows enough. */
export function listFactors({ reading }: PlannerState): Factors {
  return (reading?.off ?? [])
    .filter(({ n }) => n >= ENOUGH)
    .map((each) => ({ ...each, median_ppm: Math.min(MOST, Math.max(LEAST, each.median_ppm)) }))
    .filter(({ median_ppm }) => median_ppm !== MILLION);
}

/** A plan file with all its estimates multiplied, rounded up. */
export function calibratePlan(file: JsonObject, by: Factors): JsonObject {
  const tasks = listObjects(file['tasks']).map((task): JsonObject => {
    const others = task['alternatives'];
    const own = calibrate(task, by);
    if (!isArray(others)) return own;
    return { ...own, alternatives: others.map((each) => (isObject(each) ? calibrate(each, by) : each)) };
  });
  return { ...file, tasks };
}

/** An approach with its estimates multiplied. */
export function calibrate(approach: JsonObject, by: Factors): JsonObject {
  const factor = (id: string | null): number => by.find(({ row }) => row === id)?.median_ppm ?? MILLION;
  const { minutes, amounts } = approach;
  return {
    ...approach,
    ...(minutes === undefined ? {} : { minutes: multiply(minutes, factor(null)) }),
    ...(isObject(amounts)
      ? {
          amounts: Object.fromEntries(
            Object.entries(amounts).map(([id, amount]) => [id, multiply(amount, factor(id))]),
          ),
        }
      : {}),
  };
}

/** A number or a list of them. What is neither stays, and the parser says so. */
function multiply(estimate: Json, ppm: number): Json {
  if (isArray(estimate)) return estimate.map((each) => multiply(each, ppm));
  if (typeof estimate !== 'number' || !Number.isSafeInteger(estimate)) return estimate;
  return Number((BigInt(estimate) * BigInt(ppm) + BigInt(MILLION - 1)) / BigInt(MILLION));
}

/** What an estimate was before it was multiplied. */
export function divideOut(estimate: number, id: string | null, by: Factors): number {
  const ppm = by.find(({ row }) => row === id)?.median_ppm ?? MILLION;
  return Number((BigInt(estimate) * BigInt(MILLION)) / BigInt(ppm));
}

/** `cost × 1.25 (3 actuals)`. */
export function sayOff({ row, n, median_ppm }: Factors[number]): string {
  const hundredths = Math.floor((median_ppm + 5_000) / 10_000);
  const part = String(hundredths % 100).padStart(2, '0');
  return `${row ?? 'time'} × ${Math.floor(hundredths / 100)}.${part} (${n} ${n === 1 ? 'actual' : 'actuals'})`;
}
