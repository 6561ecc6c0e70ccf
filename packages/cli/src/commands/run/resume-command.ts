/**
 * The command that goes on with a stored run.
 *
 * @module
 */
import { maskedAddress } from '@assay/host';
import type { Shown } from '../../terminal/shown.js';
import { commandLine } from '../../terminal/quote.js';
import type { ModelFlags } from '../../options/llm.js';

type Flags = ModelFlags & {
  readonly store: string;
  readonly output?: string;
  readonly proposer: readonly string[];
  readonly force?: boolean;
};

/**
 * The command to paste: with the same proposers, store and folder. A password in the address is `***`, and
 * has to be given again.
 */
export function resumeCommand(runId: string, { store, output, proposer, force, ...models }: Flags): Shown {
  const where = output === undefined ? [] : ['-o', output];
  return commandLine([
    'assay',
    'resume',
    runId,
    '--store',
    maskedAddress(store),
    ...proposer.flatMap((name) => ['--proposer', name]),
    ...modelArguments(models),
    ...where,
    ...(force === true ? ['--force'] : []),
  ]);
}

/** How language models are asked, as arguments again. */
export function modelArguments({ llm, budget }: ModelFlags): readonly string[] {
  return [...llm.flatMap((each) => ['--llm', each]), ...budget.flatMap((each) => ['--budget', each])];
}
