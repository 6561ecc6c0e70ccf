/**
 * The one kind of question about a plan: choose an approach for each task so that rows hold.
 *
 * Source: dec-K77.
 *
 * @module
 */

/** One way to do a task: what it adds to each row, by place of the row, and to the objective. */
export type Option = {
  readonly id: string;
  readonly amounts: readonly number[];
  readonly objective: number;
  readonly minutes: number;
};

/** A task and the options that are left for it. */
export type Chooser = {
  readonly id: string;
  readonly after: readonly number[];
  readonly options: readonly Option[];
};

/** Two tasks, by place, and the pairs of their options, by id, that may not be taken together. */
export type StruckPairs = {
  readonly id: string;
  readonly tasks: readonly [number, number];
  readonly struck: readonly (readonly [string, string])[];
};

/**
 * Choose one option for each task so that each row's amounts add up to at most its cap, no struck pair is
 * taken, and no chain of tasks takes longer than the deadline. All numbers are integers of at least 0, caps of
 * at least -1.
 */
export type Question = {
  readonly tasks: readonly Chooser[];
  readonly rows: readonly { readonly id: string; readonly cap: number }[];
  readonly pairs: readonly StruckPairs[];
  readonly deadline: number | null;
};

/**
 * What a certificate proves: no choice fits (`unsat`); each choice that fits has an objective of at least
 * `value` (`at_least`); the caps must grow by at least `value` in all (`raise`).
 */
export type Claim =
  | { readonly kind: 'unsat' }
  | { readonly kind: 'at_least'; readonly value: number }
  | { readonly kind: 'raise'; readonly value: number };

/**
 * A proof that a question has no better answer. A leaf weighs rows (by id, or a chain of tasks as
 * `deadline:t1>t3`) and the objective, or names a coupling by which all pairs are struck; a branch covers
 * what is still allowed of one task.
 */
export type Certificate =
  | { readonly weights: readonly (readonly [row: string, weight: number])[]; readonly unit: number }
  | { readonly coupling: string; readonly tasks: readonly [string, string] }
  | {
      readonly task: string;
      readonly parts: readonly (readonly [options: readonly string[], certificate: Certificate])[];
    };

/** Branches above each other in a certificate: its JSON then fits a ledger line's nesting. */
export const CERTIFICATE_DEPTH_MAX = 80;

/** The name of a chain of tasks as a row. */
export function chainName(ids: readonly string[]): string {
  return `deadline:${ids.join('>')}`;
}
