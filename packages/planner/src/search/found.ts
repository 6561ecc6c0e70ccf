/**
 * Where a search begins, and what it finds.
 *
 * @module
 */
import type { Certificate } from '../question/question.js';

/** Where a search begins: choices to beat, by places of options, and weights by names of rows. */
export type Start = {
  readonly choices: readonly (readonly number[])[];
  readonly weights: readonly (readonly [row: string, weight: number])[];
  /** The unit that the weights were made for. */
  readonly unit: number;
};

/**
 * What a search found. `choice`: by places of options. `proof` proves `bound`: `unsat` where nothing fits
 * (status `none`), else that no choice has a lower value; null where only a choice that fits was asked for.
 */
export type Found = {
  readonly status: 'choice' | 'none' | 'bounded';
  readonly choice: readonly number[] | null;
  readonly value: number;
  readonly bound: number;
  readonly proof: Certificate | null;
  readonly nodes: number;
  readonly weights: Start['weights'];
  readonly unit: number;
};
