/**
 * The command that goes on with a stored run.
 *
 * @module
 */
import { maskedAddress } from '@assay/host';
import type { Shown } from '../terminal/shown.js';
import { commandLine } from '../terminal/quote.js';
import type { ModelFlags } from '../options/llm.js';

type Flags = ModelFlags & {
  readonly store?: string;
  readonly output?: string;
  readonly proposer: readonly string[];
};

/** The command that resumes a kept run, with `more` arguments; null if it is kept nowhere. */
export function resumeLine(
  runId: string,
  { store, output }: { readonly store?: string | undefined; readonly output?: string | undefined },
  more: readonly string[],
): Shown | null {
  if (store === undefined)
    return output === undefined ? null : commandLine(['assay', 'resume', output, ...more]);
  const results = output === undefined ? [] : ['-o', output];
  return commandLine(['assay', 'resume', runId, '--store', maskedAddress(store), ...more, ...results]);
}

/**
 * The command to paste: with the same proposers, store and folder; null if the run is kept nowhere. A password in
 * the address is `***`, and has to be given again.
 */
export function resumeCommand(runId: string, { store, output, proposer, ...models }: Flags): Shown | null {
  const names = proposer.flatMap((name) => ['--proposer', name]);
  return resumeLine(runId, { store, output }, [...names, ...modelArguments(models)]);
}

/** How language models are asked, as arguments again. */
export function modelArguments({ llm, budget }: ModelFlags): readonly string[] {
  return [...llm.flatMap((each) => ['--llm', each]), ...budget.flatMap((each) => ['--budget', each])];
}
