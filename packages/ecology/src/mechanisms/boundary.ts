/**
 * When auctions are: a grid of times. Source: specs/ecology.md B9, "Schedule".
 *
 * @module
 */

/** The first time of the grid `offset + k · interval` after a time, in microseconds; at most 2^53 − 1. */
export function boundaryAfter(
  now: number,
  { interval_us, offset_us }: { readonly interval_us: number; readonly offset_us: number },
): number {
  if (now < offset_us) return offset_us;
  const next = offset_us + (Math.floor((now - offset_us) / interval_us) + 1) * interval_us;
  return Math.min(next, Number.MAX_SAFE_INTEGER);
}
