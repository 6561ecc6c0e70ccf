/**
 * Names of a run: given, or derived from what it is given, so that the same call writes the same bytes.
 *
 * @module
 */
import { hashCanonical, isRunId, isTsBase, match, type Json } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { misuse } from '../problem.js';

/** A run's id and its base of logical time. */
export type Identity = { readonly run_id: string; readonly ts_base: string };

const DIGITS = 12;

/** Checks what is given and derives what is not: `run-<12 digits>` and `input-<12 digits>` of the hash of {input, policy}. Raises `Stop`: `run_id`, `ts_base`. */
export function identityOf(given: { readonly runId?: string; readonly tsBase?: string }, input: Json, policy: Json): Identity {
  const { runId, tsBase } = given;
  if (runId !== undefined && !isRunId(runId)) throw misuse('run_id', 'this is no name for a run', `--run-id ${runId}`, 'use up to 128 of A-Z a-z 0-9 . _ -, beginning with a letter or digit; no device names such as CON');
  if (runId?.includes('~') === true) throw misuse('run_id', 'names with ~ are those of child runs', `--run-id ${runId}`, 'use up to 128 of A-Z a-z 0-9 . _ -');
  if (tsBase !== undefined && !isTsBase(tsBase)) throw misuse('ts_base', 'this is no base of logical time', `--ts-base ${tsBase}`, 'use up to 64 printable ASCII characters without space and #');
  const digits = match(hashCanonical({ t: 'run', input, policy }, nativeSha256), () => '', (hash) => hash.slice(0, DIGITS));
  return { run_id: runId ?? `run-${digits}`, ts_base: tsBase ?? `input-${digits}` };
}
