/**
 * The command that goes on with a stored task.
 *
 * @module
 */
import { maskedAddress } from '@assay/host';
import type { Shown } from '../../terminal/shown.js';
import { modelArguments, resumeLine } from '../../start/resume-command.js';
import type { ControlOptions } from './options.js';

/**
 * The command to paste: everything that the first record of the run does not hold is named again. A password
 * in an address is `***`, and has to be given again. Null where the run is kept nowhere.
 */
export function resumeControl(
  runId: string,
  {
    store,
    workspace,
    proposer,
    shell,
    confirm,
    memory,
    output,
    ...models
  }: ControlOptions & { readonly workspace: string },
): Shown | null {
  const each = (flag: string, values: readonly string[]): readonly string[] =>
    values.flatMap((value) => [flag, value]);
  const one = (flag: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [flag, value];
  return resumeLine(runId, { store, output }, [
    ...['--workspace', workspace],
    ...each('--proposer', proposer),
    ...modelArguments(models),
    ...each('--shell', shell),
    ...each('--confirm', [...new Set(confirm)]),
    ...one('--memory', memory === undefined ? undefined : maskedAddress(memory)),
  ]);
}
