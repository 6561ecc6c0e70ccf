/**
 * Names that follow from what they name: of a run that nobody named (the same input under the same policy is
 * the same run), and of a call, so that a service knows it again.
 *
 * @module
 */
import { hash } from 'node:crypto';
import { type Digest, hashCanonical, type Json, match, type Run } from '@assay/kernel';

/** A run's id and its base of logical time. */
export type Identity = { readonly run_id: string; readonly ts_base: string };

const DIGITS = 12;

/**
 * `run-<12 digits>` and `input-<12 digits>` of H({t: "run", input, policy}); without digits where that is
 * inadmissible, and no run can be opened. `more`: what else makes a run this one, such as the contents of files it
 * reads; its id is then of H({t: "call", input, policy, with: more}).
 */
export function derivedIdentity(input: Json, policy: Json, more?: Json): Identity {
  const digits = hashDigits({ t: 'run', input, policy });
  const own = more === undefined ? digits : hashDigits({ t: 'call', input, policy, with: more });
  return { run_id: `run-${own}`, ts_base: `input-${digits}` };
}

function hashDigits(value: Json): string {
  return match(
    hashCanonical(value, nativeSha256),
    () => '',
    (hash) => hash.slice(0, DIGITS),
  );
}

/** SHA-256 by `node:crypto`, as a `Sha256` of the kernel. */
export function nativeSha256(bytes: Uint8Array): Digest {
  // One call for a whole text costs half of what a hash object does; the kernel tries an injected digest
  // once.
  return hash('sha256', bytes, 'hex') as Digest;
}

/**
 * The idempotency key of the next call for a request: genesis hash, request id, attempts used. Source:
 * machine interface.
 */
export function idempotencyKey<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  requestId: string,
): string {
  return deriveKey(run.genesisRecord.record_hash, requestId, run.open.get(requestId)?.rejections ?? 0);
}

/** The same where no run is at hand: by the hash of its first record, and the attempts used. */
export function deriveKey(genesis: Digest, requestId: string, rejections: number): string {
  return `${genesis}/${requestId}/${rejections}`;
}
