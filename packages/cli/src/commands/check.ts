/**
 * `assay check`: what was agreed, planned or written, held against what it is asked.
 *
 * @module
 */
import { misuse, type ExitCode } from '../problems/problem.js';
import type { Context } from '../call/output.js';
import type { GoalOptions } from '../kits/planner/goal.js';

/**
 * Checks a pack against observations, a contract (`.js`) against cases, or else a plan. Exit 0
 * where it holds, 1 where it does not, 4 where a plan's figure is missing. Raises `Stop`.
 */
export async function check(
  context: Context,
  what: string | undefined,
  against: string | undefined,
  options: GoalOptions,
): Promise<ExitCode> {
  const isContract = what?.endsWith('.js') === true;
  if (what !== undefined && against !== undefined)
    return isContract
      ? (await import('./check-contract.js')).checkContract(context, what, against)
      : (await import('./check-pack.js')).checkPack(context, what, against);
  if (isContract || what?.endsWith('verification-pack.json') === true)
    throw misuse(
      'argument_needed',
      'a contract is checked against cases, and a pack against evidence',
      what ?? '',
      'assay check CONTRACT CASES, or assay check PACK EVIDENCE',
    );
  return (await import('./check-plan.js')).checkPlanFile(context, what, options);
}
