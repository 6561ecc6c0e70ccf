/**
 * `--workers N`.
 *
 * @module
 */
import { misuse } from '../problems/problem.js';

const WORKERS_MAX = 64;

/** How many threads; null where it is not said. Raises `Stop`: `bad_value`. */
export function workersIn(text: string | undefined): number | null {
  if (text === undefined) return null;
  const count = Number(text);
  if (/^[0-9]+$/.test(text) && count >= 1 && count <= WORKERS_MAX) return count;
  throw misuse('bad_value', 'not a number of threads', `--workers ${text}`, `give 1 to ${WORKERS_MAX}`);
}
