/**
 * Results of what is not the command, at its edge.
 *
 * @module
 */
import type { Result } from '@assay/kernel';
import type { Stop } from './problem.js';

/** What a result holds; raises its error in words. */
export function orStop<E, A>(result: Result<E, A>, inWords: (error: E) => Stop): A {
  if (result._tag === 'Left') throw inWords(result.left);
  return result.right;
}
