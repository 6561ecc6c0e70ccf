/**
 * Names of a run that nobody named: the same input under the same policy is the same run.
 *
 * @module
 */
import { hashCanonical, match, type Json } from '@assay/kernel';
import { nativeSha256 } from './native-sha256.js';

/** A run's id and its base of logical time. */
export type Identity = { readonly run_id: string; readonly ts_base: string };

const DIGITS = 12;

/**
 * `run-<12 digits>` and `input-<12 digits>` of H({t: "run", input, policy}); without digits where that is
 * inadmissible, and no run can be opened.
 */
export function derivedIdentity(input: Json, policy: Json): Identity {
  const digits = match(
    hashCanonical({ t: 'run', input, policy }, nativeSha256),
    () => '',
    (hash) => hash.slice(0, DIGITS),
  );
  return { run_id: `run-${digits}`, ts_base: `input-${digits}` };
}
