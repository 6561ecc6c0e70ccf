/**
 * A count of tokens that a budget can be settled with.
 *
 * @module
 */

/** Greater ones are no count of tokens. */
const TOKENS_MAX = 1_000_000_000;

/** A whole number from 0 to 1,000,000,000; null for anything else. */
export function soundCount(tokens: unknown): number | null {
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= TOKENS_MAX
    ? Math.abs(tokens)
    : null;
}
