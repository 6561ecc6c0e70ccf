/** Words that compare: `no more than`, `within`, `or better`. Source: intent I1. */
import type { Op } from './atom.js';
import type { Token } from './tokens.js';

/**
 * A comparison read before or after a number. `approx`: about, roughly; the bound is open. `isNegated`: the
 * phrase holds the negation.
 */
export type Comparator = {
  readonly op: Op;
  readonly approx: boolean;
  readonly isNegated: boolean;
  readonly from: number;
};

function orEqual(list: string): string {
  return list.replace(/(\w+) ?/g, '$1 than or equal to|equal to or $1 than|').slice(0, -1);
}

const BEFORE: readonly (readonly [op: Op, phrases: string])[] = [
  [
    '<',
    'under|below|beneath|underneath|less than|fewer than|smaller than|shorter than|' +
      'lower than|lighter than|faster than|younger than|cheaper than|earlier than|' +
      'narrower than|closer than|nearer than|colder than|cooler than|slower than|thinner than|' +
      'sooner than|weaker than|quieter than|tighter than|in under|in less than|before|<|unter|' +
      'weniger als|vor',
  ],
  [
    '<=',
    'within|inside|up to|at most|max|max .|maximum|maximum of|a maximum of|maximum is|' +
      'limited to|restricted to|capped at|at the latest|until|till|by|≤|< =|or less than|' +
      'as many as|as much as|less or equal to|= <|höchstens|maximal|bis zu|bis|innerhalb von|binnen|' +
      `nicht mehr als|${orEqual('less fewer smaller lower shorter')}`,
  ],
  [
    '>=',
    'at least|at the earliest|min|min .|minimum|minimum of|a minimum of|minimum is|from|' +
      'starting from|as of|≥|> =|greater or equal to|= >|mindestens|wenigstens|minimal|ab|' +
      orEqual('greater more larger bigger higher longer'),
  ],
  [
    '>',
    'over|above|more than|greater than|larger than|bigger than|longer than|higher than|' +
      'older than|later than|heavier than|wider than|taller than|deeper than|hotter than|' +
      'warmer than|farther than|further than|thicker than|dearer than|costlier than|' +
      'louder than|brighter than|steeper than|stronger than|exceeds|exceed|exceeding|exceeded|' +
      'beyond|past|in excess of|after|upwards of|>|über|mehr als',
  ],
];
/** Both words negate the comparison that follows: `no more than`, `not below`. */
const NEGATED: Readonly<Partial<Record<Op, Op>>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };
const NEGATORS: ReadonlySet<string> = new Set('no not never cannot nor without nicht'.split(' '));
/** Comparisons that a bare `no` or `not` turns round. `not within` and `no max` are no English bounds. */
const TURNED: ReadonlySet<Op> = new Set<Op>(['<', '>']);
/**
 * Verbs that state a measure: between a negator and its comparison they change nothing
 * (`must not take longer than`).
 */
const MEASURING: ReadonlySet<string> = new Set(
  (
    'be is are was take takes last lasts cost costs weigh weighs fall falls drop drops rise ' +
    'rises go goes get gets come comes sink sinks climb climbs become run runs require ' +
    'requires need needs contain contains use uses draw draws consume consumes measure ' +
    'measures exceed'
  ).split(' '),
);
const APPROX =
  'about|around|roughly|approximately|approx|approx .|circa|ca|ca .|some|nearly|almost|~|≈|' +
  'of about|of around|in the region of|in the order of|or so|etwa|rund|ungefähr';
const EXACT = 'exactly|precisely|=|genau';

const AFTER: ReadonlyMap<string, Op> = new Map<string, Op>([
  ...words(
    '>=',
    'or and',
    'more above over older longer later higher greater up upwards warmer heavier larger bigger wider hotter taller',
  ),
  ...words(
    '<=',
    'or and',
    'less fewer below under shorter younger lower smaller cheaper earlier lighter colder cooler',
  ),
  ['or better', '<='],
  ['or faster', '<='],
  ['at most', '<='],
  ['at least', '>='],
  ['at max', '<='],
  ['the latest', '<='],
]);

type Meaning = { readonly op: Op; readonly approx: boolean };
const TABLE: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...BEFORE.flatMap(([op, phrases]) =>
    phrases.split('|').map((phrase) => [phrase, { op, approx: false }] as const),
  ),
  ...APPROX.split('|').map((phrase) => [phrase, { op: '=', approx: true }] as const),
  ...EXACT.split('|').map((phrase) => [phrase, { op: '=', approx: false }] as const),
]);
const TOKENS_MAX = 5;
const FILLERS: ReadonlySet<string> = new Set(
  'a an the only just than total another its their of around about'.split(' '),
);
/**
 * Words that compare a moment only: `after 30 days` is the time of an act, `by 4 %` its size, `as of` its
 * start.
 */
const MOMENTS: ReadonlySet<string> = new Set([
  'after',
  'by',
  'from',
  'past',
  'as of',
  'starting from',
  'vor',
  'ab',
]);
/**
 * Comparisons of a time that, before `before` or `in advance`, say how early:
 * `not later than 14 days before`.
 */
const LEADS: ReadonlySet<string> = new Set('before ahead prior'.split(' '));

/**
 * Reads the longest comparison that ends just before a token. Of an amount (`isMoment` false) `after`, `by`
 * and `from` say nothing.
 */
export function comparatorBefore(tokens: readonly Token[], at: number, isMoment: boolean): Comparator | null {
  const end = FILLERS.has(tokens[at - 1]?.lower ?? '') ? [at, at - 1] : [at];
  for (const last of end) {
    for (let size = Math.min(TOKENS_MAX, last); size >= 1; size -= 1) {
      const phrase = findPhrase(tokens, last - size, last);
      const meaning =
        phrase === null
          ? undefined
          : (TABLE.get(phrase) ?? (size === 3 ? TABLE.get(phrase.replace(/ [a-z]+ /, ' ')) : undefined));
      if (phrase === null || meaning === undefined) continue;
      if (!isMoment && MOMENTS.has(phrase) && !isLater(tokens, last - size)) return null;
      return withNegation(
        tokens,
        { ...meaning, isNegated: false, from: last - size },
        phrase.includes('equal'),
      );
    }
  }
  return null;
}

/**
 * Reads a comparison after a quantity: `or more`, `maximum`. The second value is the token after it.
 * `or better` of a share is more, of anything else less.
 */
export function comparatorAfter(
  tokens: readonly Token[],
  at: number,
  unit: string | null,
): readonly [Op, number] | null {
  const [first, second] = [tokens[at]?.lower ?? '', tokens[at + 1]?.lower ?? ''];
  if (first === 'max' || first === 'maximum' || first === 'tops') return ['<=', at + 1];
  if (first === 'min' || first === 'minimum') return ['>=', at + 1];
  if (first === 'upwards' || first === 'onwards') return ['>=', at + 1];
  if (first === '+' && tokens[at]?.glued === true) return ['>=', at + 1];
  if (first === 'at' && second === 'the') return tokens[at + 2]?.lower === 'latest' ? ['<=', at + 3] : null;
  const op = AFTER.get(`${first} ${second}`);
  if (op === undefined) return readAfterJapanese(first, second, at);
  return [second === 'better' && (unit === '%' || unit === 'dpi') ? '>=' : op, at + 2];
}

/** True if a time is counted back from an event: `24 hours before delivery`, `2 days in advance`. */
export function isLead(tokens: readonly Token[], at: number): boolean {
  const [word, after] = [tokens[at]?.lower ?? '', tokens[at + 1]?.lower];
  return LEADS.has(word) || (word === 'in' && after === 'advance');
}

/** A negator before the comparison, or before a measuring verb before it, turns it round. */
function withNegation(tokens: readonly Token[], found: Comparator, isOrEqual: boolean): Comparator {
  const turned = TURNED.has(found.op) || isOrEqual ? NEGATED[found.op] : undefined;
  if (turned === undefined) return found;
  let from = found.from;
  for (let steps = 0; steps < 2 && MEASURING.has(tokens[from - 1]?.lower ?? ''); steps += 1) from -= 1;
  // `without spending more than 300 EUR`.
  if (tokens[from - 2]?.lower === 'without' && tokens[from - 1]?.lower.endsWith('ing') === true) from -= 1;
  if (tokens[from - 1]?.lower === 'any') from -= 1;
  // `must no longer exceed 100 MB`.
  if (tokens[from - 1]?.lower === 'longer' && tokens[from - 2]?.lower === 'no')
    return { op: turned, approx: found.approx, isNegated: true, from: from - 2 };
  // `a budget not to exceed 500 EUR`.
  if (tokens[from - 1]?.lower === 'to' && NEGATORS.has(tokens[from - 2]?.lower ?? '')) from -= 1;
  const negator = tokens[from - 1];
  const word = negator?.lower ?? '';
  if (!(NEGATORS.has(word) || word.endsWith("n't") || word.endsWith('n’t')) || (tokens[from]?.lines ?? 0) > 1)
    return found;
  return { op: turned, approx: found.approx, isNegated: word !== 'no', from: from - 1 };
}

/** `no later than`, `not after`: of an amount `after` compares only where it is negated. */
function isLater(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.lower === 'after' && NEGATORS.has(tokens[at - 1]?.lower ?? '');
}

/** `以内` and its kin stand behind the unit. */
function readAfterJapanese(first: string, second: string, at: number): readonly [Op, number] | null {
  const pair = first + second;
  if (pair === '以内' || pair === '以下' || pair === 'まで') return ['<=', at + 2];
  if (pair === '以上') return ['>=', at + 2];
  if (pair === '未満') return ['<', at + 2];
  return null;
}

function words(op: Op, joints: string, list: string): readonly (readonly [string, Op])[] {
  return joints
    .split(' ')
    .flatMap((joint) => list.split(' ').map((word) => [`${joint} ${word}`, op] as const));
}

/** Tokens joined by single spaces, or null if a paragraph ends between them. */
function findPhrase(tokens: readonly Token[], from: number, to: number): string | null {
  let phrase = '';
  for (let index = from; index < to; index += 1) {
    const token = tokens[index];
    if (token === undefined || (index > from && token.lines > 1)) return null;
    phrase += index > from ? ` ${token.lower}` : token.lower;
  }
  // A comma or the like inside is no phrase of the table, so nothing else needs to be looked at.
  return phrase;
}
