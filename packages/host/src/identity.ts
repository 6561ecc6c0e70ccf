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
 * inadmissible, and no run can be opened. `more`: what else makes a run this one, such as the contents of files it
 * reads; its id is then of H({t: "call", input, policy, with: more}).
 */
export function derivedIdentity(input: Json, policy: Json, more?: Json): Identity {
  const digits = digitsOf({ t: 'run', input, policy });
  const own = more === undefined ? digits : digitsOf({ t: 'call', input, policy, with: more });
  return { run_id: `run-${own}`, ts_base: `input-${digits}` };
}

function digitsOf(value: Json): string {
  return match(
    hashCanonical(value, nativeSha256),
    () => '',
    (hash) => hash.slice(0, DIGITS),
  );
}
