/**
 * What tells one call from every other, for ever.
 *
 * @module
 */
import type { Json, Run } from '@assay/kernel';

/** The idempotency key of the next call for a request: genesis hash, request id, attempts used. Source: machine interface. */
export function idempotencyKey<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>, requestId: string): string {
  return `${run.genesisRecord.record_hash}/${requestId}/${run.open.get(requestId)?.rejections ?? 0}`;
}
