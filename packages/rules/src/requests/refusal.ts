/**
 * Texts the grammar cannot read: too short, no language, another language.
 *
 * @module
 */
import type { Scan } from '@assay/kernel/intent';
import { isCode } from './code.js';
import { isBase, lemmaOf } from './verbs.js';
import { isIn } from './words.js';

/** What makes a text unreadable for a grammar of English. */
export type Strangeness = 'too_short' | 'not_language' | 'not_english';

const WORDS_MIN = 3;
const ENGLISH_WORDS_MIN = 6;
/** One word in so many must be a common English one. */
const ENGLISH_SHARE = 12;

/** Why a text is nothing this grammar can read, or null. Linear. */
export function strangeness({ text, tokens }: Scan): Strangeness | null {
  const words = tokens.filter(({ kind }) => kind === 'word');
  if (words.length < WORDS_MIN) return 'too_short';
  if (isCode(text)) return 'not_language';
  const plain = words.filter(({ lower }) => isPlainWord(lower));
  if (plain.length * 2 < words.length) return 'not_english';
  const english = plain.filter(({ lower }) => isIn('english', lower)).map(({ lower }) => lower);
  if (words.length * 4 < tokens.length && english.length === 0) return 'not_language';
  if (english.length > 0 || words.length < ENGLISH_WORDS_MIN) {
    const isForeign =
      words.length >= ENGLISH_WORDS_MIN &&
      knownShare(plain.map(({ lower }) => lower)) < 4 &&
      (english.length * ENGLISH_SHARE < words.length || new Set(english).size < 2);
    return isForeign && !hasAmounts(words.length, tokens) ? 'not_english' : null;
  }
  return vowelless(plain.map(({ lower }) => lower))
    ? 'not_language'
    : knownShare(plain.map(({ lower }) => lower)) >= 4 || hasAmounts(words.length, tokens)
      ? null
      : 'not_english';
}

/** How many tenths of the words are ones that the grammar knows. */
function knownShare(words: readonly string[]): number {
  const known = words.filter(
    (word) =>
      isIn('english', word) ||
      isIn('determiner', word) ||
      isIn('subordinator', word) ||
      isIn('preposition', word) ||
      isIn('stop', word) ||
      isBase(lemmaOf(word)),
  );
  return Math.floor((known.length * 10) / Math.max(1, words.length));
}

/** A telegram (`Half a million users, 1.5k rps`) has few small words and many numbers. */
function hasAmounts(words: number, tokens: Scan['tokens']): boolean {
  return (
    words <= 24 &&
    tokens.filter(({ kind }) => kind === 'number').length * 6 >= words &&
    tokens.every(({ kind, lower }) => kind !== 'word' || isAscii(lower)) &&
    tokens.some(({ lower }) => isIn('english', lower))
  );
}

function isAscii(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index);
    if (code > 0x7f && code !== 0x2019 && code !== 0xb0 && code !== 0xb5) return false;
  }
  return true;
}

/** Only ASCII letters, digits and apostrophes. */
function isPlainWord(word: string): boolean {
  for (let index = 0; index < word.length; index += 1)
    if (word.charCodeAt(index) > 0x7f && word.charAt(index) !== '’') return false;
  return true;
}

/** Most words without a vowel, or with hardly any: keys hit at random. */
function vowelless(words: readonly string[]): boolean {
  const odd = words.filter((word) => {
    const vowels = [...word].filter((letter) => 'aeiouy'.includes(letter)).length;
    return vowels === 0 || vowels * 6 < word.length;
  });
  return odd.length * 2 > words.length;
}
