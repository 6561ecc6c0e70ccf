/**
 * One attempt at a sub-task. Source: 003 §R4a `gap_trajectory`.
 *
 * @module
 */
import type { Verdict } from '../protocol/criteria.js';
import { PPM } from '../ggs/rational.js';
import type { Attempt } from './events.js';

/** One attempt in a trajectory; the score is rounded toward zero, and 0 where nothing was judged. */
export function attemptAt(attempt: number, verdicts: readonly Verdict[], why: string): Attempt {
  const unmet = verdicts.filter(({ verdict }) => verdict === 'fail').map(({ criterion }) => criterion);
  const met = verdicts.length - unmet.length;
  return {
    attempt,
    score_ppm: verdicts.length === 0 ? 0 : Math.floor((met * PPM) / verdicts.length),
    unmet,
    why,
  };
}
