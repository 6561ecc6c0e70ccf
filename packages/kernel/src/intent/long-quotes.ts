/**
 * Quotes that are too long to ground anything, and how much of them is read. Source: intent I3.
 *
 * @module
 */
import type { SlotAnswer } from './answers.js';
import { listQuotes } from './claim.js';
import { isLong, renderPlace, SEED_BYTES_MAX } from './seed.js';

/**
 * Most points that long quotes may hold for their words to count: what is read of them, each once, and what
 * is hashed of them, claim by claim. A request of the greatest size can be quoted whole 32 times.
 */
export const LONG_POINTS_MAX: number = 32 * SEED_BYTES_MAX;

/** True where the words of long quotes count; beyond {@link LONG_POINTS_MAX} only their places do. Linear. */
export function readsLong(answers: readonly SlotAnswer[]): boolean {
  const known = new Set<string>();
  let points = 0;
  const readings = answers.flatMap((answer) => (answer.t === 'answered' ? answer.readings : []));
  for (const claim of readings.flatMap(({ commits }) => commits)) {
    for (const [path, quote] of listQuotes(claim)) {
      if (!isLong(quote)) continue;
      const isHashed = path !== 'quote' || claim.atom === null;
      const times = (isHashed ? 1 : 0) + (known.has(renderPlace(quote)) ? 0 : 1);
      known.add(renderPlace(quote));
      points += times * (quote.end - quote.start);
    }
  }
  return points <= LONG_POINTS_MAX;
}
