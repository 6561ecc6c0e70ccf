/**
 * `assay head`: the one line to keep outside.
 *
 * @module
 */
import { formatHeadLine } from '@assay/kernel';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit.js';
import { factsOf } from '../inputs/ledger.js';
import { show } from '../output/shown.js';

/** Prints the head line of a ledger whose integrity holds. */
export async function head({ output }: Context, file: string): Promise<ExitCode> {
  const { run_id, count, hash, outcome } = await factsOf(file);
  const line = formatHeadLine({ count, hash });
  output.document({ head: { run_id, count, hash }, line, outcome });
  output.data(show`${line}`);
  if (outcome === 'open') output.note(show`assay: this run is open; its head changes with every record`);
  return EXIT.done;
}
