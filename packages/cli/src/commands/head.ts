/** `assay head`: the one line to keep outside, or the head signed. */
import { formatHeadLine } from '@assay/kernel';
import { readFacts } from '../files/ledger.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import { show } from '../terminal/shown.js';
import type { Context } from '../call/output.js';

/** Options of `head`. */
export type HeadFlags = { readonly sign?: string; readonly output?: string };

/**
 * Prints the head line of a ledger whose integrity holds; with `sign`, its signed head, or adds that to a
 * file.
 */
export async function head(
  { output }: Context,
  file: string,
  { sign, output: path }: HeadFlags,
): Promise<ExitCode> {
  if (sign === undefined && path !== undefined)
    throw misuse('conflict', '-o needs --sign', '-o', 'give --sign KEY too, or redirect the output');
  const summary =
    sign === undefined
      ? await readFacts(file)
      : await (await import('./keygen.js')).signLedger(output, file, sign, path);
  const { run_id, count, hash, outcome } = summary;
  if (sign === undefined) {
    const line = formatHeadLine({ count, hash });
    output.document({ head: { run_id, count, hash }, line, outcome });
    output.data(show`${line}`);
  }
  if (outcome === 'open')
    output.note(show`assay: this run is not finished; its head changes with every record`);
  return EXIT.done;
}
