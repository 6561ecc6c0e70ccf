/**
 * The command that goes on with a stored task.
 *
 * @module
 */
import { maskedAddress } from '@assay/host';
import type { Shown } from '../../terminal/shown.js';
import { modelArguments } from '../run/resume-command.js';
import { commandLine } from '../../terminal/quote.js';
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
    force,
    ...models
  }: ControlOptions & { readonly workspace: string },
): Shown | null {
  if (store === undefined && output === undefined) return null;
  const where = store === undefined ? [output ?? ''] : [runId, '--store', maskedAddress(store)];
  const each = (flag: string, values: readonly string[]): readonly string[] =>
    values.flatMap((value) => [flag, value]);
  const one = (flag: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [flag, value];
  return commandLine([
    ...['assay', 'resume', ...where, '--workspace', workspace],
    ...each('--proposer', proposer),
    ...modelArguments(models),
    ...each('--shell', shell),
    ...each('--confirm', [...new Set(confirm)]),
    ...one('--memory', memory === undefined ? undefined : maskedAddress(memory)),
    ...one('-o', store === undefined ? undefined : output),
    ...(force === true ? ['--force'] : []),
  ]);
}
