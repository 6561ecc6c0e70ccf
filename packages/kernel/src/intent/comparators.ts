/**
 * Words that compare: `no more than`, `within`, `or better`. Source: intent I1.
 *
 * @module
 */
import type { Op } from './atom.js';
import type { Token } from './tokens.js';

/** A comparison read before or after a number. `approx`: about, roughly; the bound is open. `isNegated`: the phrase holds the negation. */
export type Comparator = { readonly op: Op; readonly approx: boolean; readonly isNegated: boolean; readonly from: number };

const BEFORE: readonly (readonly [op: Op, phrases: string])[] = [
  ['<', 'under|below|less than|fewer than|smaller than|shorter than|lower than|lighter than|faster than|younger than|in under|in less than|before|<|stays under|stays below'],
  [
    '<=',
    'within|up to|at most|no more than|not more than|never more than|no longer than|not longer than|no later than|not later than|no greater than|no larger than|not larger than|no older than|not older than|no less recent than|not over|not above|no higher than|not higher than|not exceed|not exceeding|never exceed|not be more than|not be longer than|not be larger than|not be older than|not be above|not be over|not take longer than|not take more than|take no longer than|max|max.|maximum|maximum of|a maximum of|limited to|capped at|until|by|≤|<=|or less than',
  ],
  ['>=', 'at least|not less than|no less than|not fewer than|no fewer than|not below|not be less than|not be below|not be closer than|not fall below|min|min.|minimum|minimum of|a minimum of|not under|not be under|no smaller than|not smaller than|not before|not earlier than|no earlier than|from|≥|>='],
  ['>', 'over|above|more than|greater than|larger than|longer than|higher than|older than|later than|exceeds|exceed|exceeding|beyond|after|>'],
];
const APPROX = 'about|around|roughly|approximately|approx|approx.|circa|some|nearly|almost|~|≈|of about|of around';
const EXACT = 'exactly|precisely|=';

const AFTER: ReadonlyMap<string, Op> = new Map([
  ['or more', '>='],
  ['and more', '>='],
  ['or above', '>='],
  ['or over', '>='],
  ['or older', '>='],
  ['or longer', '>='],
  ['or less', '<='],
  ['or fewer', '<='],
  ['or below', '<='],
  ['or under', '<='],
  ['or shorter', '<='],
  ['or better', '<='],
  ['or younger', '<='],
  ['at most', '<='],
  ['at least', '>='],
]);

type Meaning = { readonly op: Op; readonly approx: boolean };
const TABLE: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...BEFORE.flatMap(([op, phrases]) => phrases.split('|').map((phrase) => [spaced(phrase), { op, approx: false }] as const)),
  ...APPROX.split('|').map((phrase) => [spaced(phrase), { op: '=', approx: true }] as const),
  ...EXACT.split('|').map((phrase) => [spaced(phrase), { op: '=', approx: false }] as const),
]);
const TOKENS_MAX = 5;
const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'the', 'only', 'just', 'than', 'total', 'another', 'its', 'their']);
/** Words that compare a moment only: `after 30 days` is the time of an act, `by 4 %` its size. */
const MOMENTS: ReadonlySet<string> = new Set(['after', 'by', 'from']);

/** Reads the longest comparison that ends just before a token. Of an amount (`isMoment` false) `after`, `by` and `from` say nothing. */
export function comparatorBefore(tokens: readonly Token[], at: number, isMoment: boolean): Comparator | null {
  const end = FILLERS.has(tokens[at - 1]?.lower ?? '') ? [at, at - 1] : [at];
  for (const last of end) {
    for (let size = Math.min(TOKENS_MAX, last); size >= 1; size -= 1) {
      const phrase = phraseOf(tokens, last - size, last);
      const meaning = phrase === null ? undefined : TABLE.get(phrase);
      if (phrase === null || meaning === undefined) continue;
      if (!isMoment && MOMENTS.has(phrase)) return null;
      const isNegated = tokens.slice(last - size, last).some(({ lower }) => lower === 'not' || lower === 'never');
      return { ...meaning, isNegated, from: last - size };
    }
  }
  return null;
}

/** Reads a comparison after a quantity: `or more`. The second value is the token after it. */
export function comparatorAfter(tokens: readonly Token[], at: number): readonly [Op, number] | null {
  const op = AFTER.get(`${tokens[at]?.lower ?? ''} ${tokens[at + 1]?.lower ?? ''}`);
  return op === undefined ? null : [op, at + 2];
}

/** Tokens joined by single spaces, or null where a line or a sentence ends between them. */
function phraseOf(tokens: readonly Token[], from: number, to: number): string | null {
  const words: string[] = [];
  for (let index = from; index < to; index += 1) {
    const token = tokens[index];
    if (token === undefined || (index > from && token.lines > 1)) return null;
    words.push(token.lower);
  }
  // A comma or the like inside is no phrase of the table, so nothing else needs to be looked at.
  return words.join(' ');
}

/** A phrase as its tokens are joined: signs stand apart. */
function spaced(phrase: string): string {
  return phrase.replaceAll('.', ' .').replaceAll('<=', '< =').replaceAll('>=', '> =');
}
