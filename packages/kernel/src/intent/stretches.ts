/**
 * Sentences of a seed and the asides in them, by code alone: what a claim may account for is settled by the stretch
 * its quote stands in, not by how far the quote reaches inside it. Source: intent I10 (no gain by copying).
 *
 * @module
 */
import { countBefore } from '../collections/look-up.js';
import { MODALS } from './modal-words.js';
import type { Quote, SeedText } from './seed.js';
import type { Token } from './tokens.js';

/**
 * Stretches by place, in code points, each list without overlaps. Sentences leave nothing out: each reaches to the
 * next. So do the pieces of a sentence between its marks. An aside begins with a word that makes a condition or an
 * exception (`if`, `unless`, `without`) and ends with its piece or before a modal verb.
 */
export type Stretches = { readonly sentences: readonly Quote[]; readonly pieces: readonly Quote[]; readonly asides: readonly Quote[] };

const OPENERS: ReadonlySet<string> = new Set('if when unless except without who that'.split(' '));
/** Marks of one character each, as every token is that they may stand in. */
const MARKS = ',;:()–—';
const ENDS = '.!?';
/** What a line of a list begins with. */
export const BULLETS = '-*•–';

/** Parts a seed. A point ends no sentence where a small letter, a number or no space follows (`e.g. the`, `max. 5`). Linear. */
export function stretchesOf(seed: SeedText, tokens: readonly Token[]): Stretches {
  const [sentences, pieces, asides]: [Quote[], Quote[], Quote[]] = [[], [], []];
  let [sentence, piece, aside] = [0, 0, -1];
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    const start = next?.start ?? seed.text.length;
    if (aside < 0 && OPENERS.has(token.lower)) aside = token.start;
    const isEnd = next === undefined || beginsSentence(seed.text, next, token);
    const isPieceEnd = isEnd || MARKS.includes(next.lower);
    if (aside >= 0 && (isPieceEnd || MODALS.has(next.lower))) {
      asides.push(seed.quote(aside, start));
      aside = -1;
    }
    if (isPieceEnd) {
      pieces.push(seed.quote(piece, start));
      piece = start;
    }
    if (!isEnd) continue;
    sentences.push(seed.quote(sentence, start));
    sentence = start;
  }
  return { sentences, pieces, asides };
}

function beginsSentence(text: string, { start, lower, lines, glued }: Token, before: Token): boolean {
  if (lines > 1 || (lines > 0 && BULLETS.includes(lower))) return true;
  return !glued && ENDS.includes(before.lower) && !/[a-z0-9]/.test(text.charAt(start));
}

/** The stretch that holds a whole quote, by index, or −1: a quote that reaches over two stands in none. Logarithmic. */
export function placeIn(stretches: readonly Quote[], { start, end }: Quote): number {
  const index = countBefore(stretches.length, (at) => (stretches[at]?.start ?? 0) <= start) - 1;
  return end <= (stretches[index]?.end ?? 0) ? index : -1;
}

/** How many stretches some quotes make up: those that overlap are one. O(q log q). */
export function countApart(quotes: readonly Quote[]): number {
  let [count, reach] = [0, 0];
  for (const { start, end } of [...quotes].sort((a, b) => a.start - b.start)) {
    if (start >= reach) count += 1;
    reach = Math.max(reach, end);
  }
  return count;
}
