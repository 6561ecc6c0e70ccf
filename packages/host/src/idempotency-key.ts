/**
 * What tells one call from every other, for ever.
 *
 * @module
 */
import type { Digest, Json, Run } from '@assay/kernel';

/**
 * The idempotency key of the next call for a request: genesis hash, request id, attempts used. Source:
 * machine interface.
 */
export function idempotencyKey<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  requestId: string,
): string {
  return keyOf(run.genesisRecord.record_hash, requestId, run.open.get(requestId)?.rejections ?? 0);
}

/** The same where no run is at hand: by the hash of its first record, and the attempts used. */
export function keyOf(genesis: Digest, requestId: string, rejections: number): string {
  return `${genesis}/${requestId}/${rejections}`;
}
