/**
 * `assay check`: what was agreed, planned or written, held against what it is asked.
 *
 * @module
 */
import { misuse, type ExitCode } from '../problems/problem.js';
import type { Context } from '../call/context.js';
import type { PlanCheckOptions } from './check-plan.js';

/**
 * Checks a pack against observations (`--evidence`), a contract against cases (a second file), or else a plan. Exit 0
 * where it holds, 1 where it does not, 4 where a plan's figure is missing. Raises `Stop`.
 */
export async function check(
  context: Context,
  what: string | undefined,
  cases: string | undefined,
  options: PlanCheckOptions & { readonly evidence?: string },
): Promise<ExitCode> {
  const { evidence } = options;
  if (evidence !== undefined && cases !== undefined)
    throw misuse('conflict', 'a pack has evidence, a contract has cases', cases, 'leave out one of them');
  if (what !== undefined && evidence !== undefined)
    return (await import('./check-pack.js')).checkPack(context, what, evidence);
  if (what !== undefined && cases !== undefined)
    return (await import('./check-contract.js')).checkContract(context, what, cases);
  if (what !== undefined && /(?:\.js|verification-pack\.json)$/.test(what))
    throw misuse(
      'argument_needed',
      'a contract is checked against cases, and a pack against evidence',
      what,
      'assay check CONTRACT CASES, or assay check PACK --evidence FILE',
    );
  return (await import('./check-plan.js')).checkPlanFile(context, what, options);
}
