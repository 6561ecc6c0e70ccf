/**
 * How laws are run: one fixed seed, printed, and enough draws to mean something.
 *
 * @module
 */

/** The seed of every law, so that a failure on one machine is the same failure on another. */
export const LAW_SEED = 20_260_101;

/** Draws of a law: 100 while somebody waits; `npm run test:long` sets 1,000, mutation testing few. */
export const LAW_DRAWS: number = Number(process.env['ASSAY_LAW_RUNS'] ?? 100);

/** Parameters for fast-check. */
export type LawRuns = { readonly seed: number; readonly numRuns: number };

/** The parameters of a file's laws; prints them once, so that a report says what was run. */
export function lawRuns(title: string, share: number = 1): LawRuns {
  const numRuns = draws(1_000 * share);
  console.log(`${title}: seed ${LAW_SEED}, ${numRuns} runs each`);
  return { seed: LAW_SEED, numRuns };
}

/** How often a law is drawn that is drawn so often where {@link LAW_DRAWS} is 1,000. */
export function draws(inThousand: number): number {
  return Math.max(1, Math.ceil((inThousand * LAW_DRAWS) / 1_000));
}
