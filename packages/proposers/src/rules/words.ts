/**
 * The word lists as sets, and phrases looked up in tokens.
 *
 * @module
 */
import { hashCanonical, orThrow, type Digest } from '@assay/kernel';
import type { Token } from '@assay/kernel/intent';
import { LEXICON, type WordList } from './lexicon.js';

type Phrases = { readonly set: ReadonlySet<string>; readonly longest: number };

const LISTS: ReadonlyMap<WordList, Phrases> = new Map(
  (Object.keys(LEXICON) as WordList[]).map((name) => {
    const phrases = LEXICON[name].split('|').map(tokenized);
    return [name, { set: new Set(phrases), longest: Math.max(...phrases.map((phrase) => phrase.split(' ').length)) }] as const;
  }),
);

/** Hash of the word lists, recorded with every proposal. */
export const LEXICON_HASH: Digest = orThrow(hashCanonical(LEXICON));

/** True for a word of a list. */
export function isIn(list: WordList, word: string | undefined): boolean {
  return word !== undefined && (LISTS.get(list)?.set.has(word) ?? false);
}

/** How many tokens the longest phrase of a list takes that starts at a token and ends before `limit`; 0 for none. */
export function phraseAt(list: WordList, tokens: readonly Token[], at: number, limit: number): number {
  const phrases = LISTS.get(list);
  if (phrases === undefined) return 0;
  for (let size = Math.min(phrases.longest, limit - at); size >= 1; size -= 1) {
    if (phrases.set.has(joined(tokens, at, at + size))) return size;
  }
  return 0;
}

/** The first phrase of a list in a range of tokens: its place and size, or null. */
export function findPhrase(list: WordList, tokens: readonly Token[], from: number, to: number): { readonly at: number; readonly size: number } | null {
  for (let at = from; at < to; at += 1) {
    const size = phraseAt(list, tokens, at, to);
    if (size > 0) return { at, size };
  }
  return null;
}

/** Tokens joined by single spaces, with `’` as `'`. */
export function joined(tokens: readonly Token[], from: number, to: number): string {
  let text = '';
  for (let index = from; index < to; index += 1) text += `${index === from ? '' : ' '}${tokens[index]?.lower ?? ''}`;
  return text.replaceAll('’', "'");
}

/** A phrase as tokens are joined: hyphens and points stand apart. */
function tokenized(phrase: string): string {
  return phrase.replaceAll('-', ' - ').replaceAll('.', ' . ').replaceAll('  ', ' ').trim();
}
