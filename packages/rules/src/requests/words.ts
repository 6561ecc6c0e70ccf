/**
 * The word lists as sets, and phrases looked up in tokens.
 *
 * @module
 */
import type { Token } from '@assay/kernel/intent';
import { LEXICON, type WordList } from './lexicon.js';

type Phrases = { readonly set: ReadonlySet<string>; readonly longest: number };

const LISTS: ReadonlyMap<WordList, Phrases> = new Map(
  (Object.keys(LEXICON) as WordList[]).map((name) => {
    const phrases = LEXICON[name].split('|');
    return [
      name,
      {
        set: new Set(phrases),
        longest: phrases.reduce((longest, phrase) => Math.max(longest, phrase.split(' ').length), 1),
      },
    ] as const;
  }),
);

/** Hash of the canonical {...LEXICON, verbs}, recorded with every proposal; a test makes it anew. */
export const LEXICON_HASH = '71a829f7decd3eb08f5ce0c62ea72aed570d6745446232b9fece07df783a6582';

/** True for a word of a list. */
export function isIn(list: WordList, word: string | undefined): boolean {
  return word !== undefined && (LISTS.get(list)?.set.has(plainQuote(word)) ?? false);
}

/** True for a word that negates by itself, outside comparisons like `no more than`. */
export function isNegation(word: string): boolean {
  return isIn('negation', word) || word.endsWith("n't");
}

/** `must no longer store`: a negation of two words; `no longer than 2 s` is a bound. */
export function isNoLonger(tokens: readonly Token[], at: number): boolean {
  return (
    wordAt(tokens, at) === 'no' && wordAt(tokens, at + 1) === 'longer' && wordAt(tokens, at + 2) !== 'than'
  );
}

/**
 * How many tokens the longest phrase of a list takes that starts at a token and ends before `limit`; 0 for
 * none.
 */
export function phraseAt(list: WordList, tokens: readonly Token[], at: number, limit: number): number {
  const phrases = LISTS.get(list);
  if (phrases === undefined || (list === 'may' && isMonth(tokens, at))) return 0;
  let phrase = '';
  let best = 0;
  const end = Math.min(at + phrases.longest, limit);
  for (let next = at; next < end; next += 1) {
    phrase += next > at ? ` ${wordAt(tokens, next)}` : wordAt(tokens, next);
    if (phrases.set.has(phrase)) best = next + 1 - at;
  }
  return best;
}

/** The first phrase of a list in a range of tokens: its place and size, or null. */
export function findPhrase(
  list: WordList,
  tokens: readonly Token[],
  from: number,
  to: number,
): { readonly at: number; readonly size: number } | null {
  for (let at = from; at < to; at += 1) {
    const size = phraseAt(list, tokens, at, to);
    if (size > 0) return { at, size };
  }
  return null;
}

/** The word of a token in ASCII lower case, with `’` as `'`; nothing where there is no token. */
export function wordAt(tokens: readonly Token[], at: number): string {
  const word = plainQuote(tokens[at]?.lower ?? '');
  return SPELLINGS.get(word) ?? word;
}

/** Words before the name of a month. */
const BEFORE_MONTHS: ReadonlySet<string> = new Set([
  'in',
  'of',
  'by',
  'until',
  'till',
  'since',
  'last',
  'early',
  'late',
  'mid',
  'during',
  'before',
  'after',
  'next',
  'every',
]);

/** `by the end of May`: a month, no permission. */
export function isMonth(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.lower === 'may' && BEFORE_MONTHS.has(tokens[at - 1]?.lower ?? '');
}

/** How chats write some words. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['pls', 'please'],
  ['plz', 'please'],
  ['dont', "don't"],
  ['doesnt', "doesn't"],
  ['cant', "can't"],
  ['shouldnt', "shouldn't"],
  ['mustnt', "mustn't"],
  ['isnt', "isn't"],
  ['arent', "aren't"],
  ['wouldnt', "wouldn't"],
  ['neednt', "needn't"],
]);

/** Tokens joined by single spaces, with `’` as `'`. */
export function joined(tokens: readonly Token[], from: number, to: number): string {
  let text = '';
  for (let index = from; index < to; index += 1)
    text += `${index === from ? '' : ' '}${wordAt(tokens, index)}`;
  return text;
}

function plainQuote(word: string): string {
  return word.includes('’') ? word.replaceAll('’', "'") : word;
}
