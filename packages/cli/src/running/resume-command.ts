/**
 * The command that goes on with a stored run.
 *
 * @module
 */
import { maskedAddress } from '@assay/host';
import { plain } from '../output/shown.js';
import { commandLine } from '../whatif/quote.js';

/** The command to paste: with the same proposers, store and folder. A password in the address is `***`, and has to be given again. */
export function resumeCommand(runId: string, { store, snapshotEvery, output, proposer, force }: { readonly store: string; readonly snapshotEvery?: string; readonly output?: string; readonly proposer: readonly string[]; readonly force?: boolean }): string {
  const where = output === undefined ? [] : ['-o', output];
  return plain(commandLine(['assay', 'resume', runId, '--store', maskedAddress(store), ...(snapshotEvery === undefined ? [] : ['--snapshot-every', snapshotEvery]), ...proposer.flatMap((name) => ['--proposer', name]), ...where, ...(force === true ? ['--force'] : [])]));
}
