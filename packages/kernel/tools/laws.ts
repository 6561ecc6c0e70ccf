/**
 * How laws are run: one fixed seed, printed, and enough runs to mean something.
 *
 * @module
 */

/** The seed of every law, so that a failure on one machine is the same failure on another. */
export const LAW_SEED = 20_260_101;

const RUNS = 1_000;

/** Parameters for fast-check. `ASSAY_LAW_RUNS` sets another number of runs (mutation testing uses few). */
export type LawRuns = { readonly seed: number; readonly numRuns: number };

/** The parameters of a file's laws; prints them once, so that a report says what was run. */
export function lawRuns(title: string, share: number = 1): LawRuns {
  const numRuns = Math.max(1, Math.round(Number(process.env['ASSAY_LAW_RUNS'] ?? RUNS) * share));
  console.log(`${title}: seed ${LAW_SEED}, ${numRuns} runs each`);
  return { seed: LAW_SEED, numRuns };
}
