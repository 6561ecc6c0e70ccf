/**
 * When the auditor reports by itself, and from where on it calls something a pattern. Source: 003 §R6
 * "Skills"; dec-B3.
 *
 * @module
 */
import type { GuardPolicy } from '../guard/trail.js';

/** Numbers of the fold; 0 switches a rule off. */
export type AuditPolicy = {
  /** A report after so many records. */
  readonly every_records: number;
  /** A report after so many microseconds of recorded time, counted forward within runs. */
  readonly every_us: number;
  /** When a pattern of calls is a loop. */
  readonly guard: GuardPolicy;
  /** Tasks in a row, each with more corrections than the one before; at most 16. */
  readonly rising_tasks: number;
  /** Answers of a role from which on its share of rejections is looked at. */
  readonly rejections_min: number;
  /** Share of rejected answers, in parts per million, that is too high. */
  readonly rejections_ppm: number;
  /** One cause in so many (`same`) of the last `runs` runs; `runs` at most 64. */
  readonly same_cause: { readonly same: number; readonly runs: number };
  /**
   * More of the last `runs` runs failed than of as many before: by this share, in parts per million. `runs`
   * at most 32.
   */
  readonly rising_failures: { readonly runs: number; readonly ppm: number };
};

/** Tasks whose corrections are remembered. */
export const RISING_MAX = 16;
/** The whole, in parts per million. */
export const PPM = 1_000_000;

/**
 * Five minutes of recorded time (003 §R6). The patterns as dec-B3 words them: a triple three times, A-B-A-B,
 * two rounds alike. That is one step before the machine's own guard stops a run: an alert costs nothing.
 */
export const defaultAuditPolicy: AuditPolicy = Object.freeze({
  every_records: 0,
  every_us: 300_000_000,
  guard: Object.freeze({ triples: 3, oscillation: 2, same_rounds: 1 }),
  rising_tasks: 4,
  rejections_min: 6,
  rejections_ppm: 500_000,
  same_cause: Object.freeze({ same: 4, runs: 8 }),
  rising_failures: Object.freeze({ runs: 8, ppm: 500_000 }),
});
