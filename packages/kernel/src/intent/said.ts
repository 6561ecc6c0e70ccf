/**
 * What each sentence of a seed can bear out: whether it forbids, leaves or wishes anything, and which words a key may
 * share with it. By the machine's own short lists; what they miss costs a reading a share of its grounding and no more.
 * Source: intent I10 (grounding).
 *
 * @module
 */
import { DUTIES, DUTY_STEMS, FORBIDDING, LEAVING, WISHING } from './modal-words.js';
import { isNegator } from './negators.js';
import type { SeedText } from './seed.js';
import { BULLETS, placeIn, type Stretches } from './stretches.js';
import { lowerAscii, type Token } from './tokens.js';

/** A sentence: stems of its words, and whether one of them forbids, leaves or wishes. An item of a list also forbids, leaves and wishes as the line above the list does. */
export type Said = { readonly stems: ReadonlySet<string>; readonly forbids: boolean; readonly leaves: boolean; readonly wishes: boolean };

/** Reads what the sentences say. A negator inside a proviso (`if not confirmed`, `without notice`) forbids nothing. Linear but for the search of places. */
export function saidOf(seed: SeedText, { tokens: parts, provisos }: Stretches): readonly Said[] {
  const forbids = (token: Token): boolean => FORBIDDING.has(token.lower) || (isNegator(token) && placeIn(provisos, seed.quote(token.start, token.end)) < 0);
  let heading: Said | null = null;
  return parts.map((tokens, index): Said => {
    const words = tokens.flatMap(({ kind, lower }) => (kind === 'word' ? lower.replace('’', "'").split(/_|(?=n't$|')/) : []));
    const stems = new Set(words.map(stemOf));
    const isForbidden = tokens.some(forbids);
    const said = [...words, ...words.map((word, at) => `${word} ${words[at + 1] ?? ''}`)];
    const isFreed = isForbidden && (DUTY_STEMS.some((stem) => stems.has(stem)) || said.some((phrase) => DUTIES.includes(phrase)));
    const own: Said = { stems, forbids: isForbidden, leaves: isFreed || said.some((phrase) => LEAVING.has(phrase)), wishes: words.some((word) => WISHING.has(word)) };
    const isLine = index === 0 || (tokens[0]?.lines ?? 0) > 0;
    const isItem = isLine && BULLETS.includes(tokens[0]?.lower ?? ' ');
    if (isLine && !isItem) heading = own;
    return isItem && heading !== null ? under(heading, own) : own;
  });
}

function under(heading: Said, { stems, forbids, leaves, wishes }: Said): Said {
  return { stems, forbids: forbids || heading.forbids, leaves: leaves || heading.leaves, wishes: wishes || heading.wishes };
}

/** The stems of some words, as a key or a text value has them. */
export function stemsOf(text: string): readonly string[] {
  return (lowerAscii(text).match(/[a-z0-9]+/g) ?? []).map(stemOf);
}

/** The first four letters without the s of a plural: `logs` and `log`, `encrypted` and `encryption` are one. */
function stemOf(word: string): string {
  return word.replace(/(..)s$/, '$1').slice(0, 4);
}
