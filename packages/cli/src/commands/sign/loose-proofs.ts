/**
 * Proofs judged without a ledger.
 *
 * @module
 */
import { judgeLoose, type LooseResult } from '@assay/attest';
import type { AuthorshipFlags } from '../../options/key-flags.js';
import { EXIT, misuse, worst, type ExitCode } from '../../problems/problem.js';
import { rendered, show, type Shown } from '../../terminal/shown.js';
import type { Output } from '../../call/output.js';
import { evidenceOf } from './evidence-files.js';

/**
 * Prints one answer for each proof. Exit 3 where one failed, 4 where one could not be checked. Raises `Stop`:
 * `no_proof`, and those of reading keys and files.
 */
export async function verifyProofs(
  output: Output,
  flags: AuthorshipFlags & { readonly allowUnchecked?: boolean },
): Promise<ExitCode> {
  const evidence = await evidenceOf(flags);
  const results = judgeLoose(evidence);
  if (results.length === 0)
    throw misuse(
      'no_proof',
      'these files contain no proof',
      '--proof',
      'make one: assay prove LEDGER --record N -o FILE',
    );
  output.document({ proofs: results });
  for (const result of results) {
    output.line(titleOf(result));
    output.line(
      rendered(
        `  authorship    ${result.verdict.padEnd(13)}${result.code ?? 'under a head signed by keys that you named'}`,
      ),
    );
    if (result.verdict === 'failed') output.brief(show`proof failed: ${result.code ?? ''}`);
  }
  return worst(
    results.map(({ verdict }) =>
      verdict === 'failed'
        ? EXIT.failed
        : verdict === 'not_checked' && flags.allowUnchecked !== true
          ? EXIT.unchecked
          : EXIT.done,
    ),
  );
}

function titleOf({ proof }: LooseResult): Shown {
  if (proof === null) return show`proofs and signatures that were brought`;
  if (proof.t === 'assay.inclusion.v1')
    return show`record ${proof.record_hash} of the run that begins with ${proof.genesis_hash}`;
  return show`${proof.to.size} records that go on from ${proof.from.size}, of the run that begins with ${
    proof.genesis_hash
  }`;
}
