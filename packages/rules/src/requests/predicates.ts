/**
 * Where a clause says something: its finite verb, or the verb of an order.
 *
 * @module
 */
import type { Scan, Token } from '@assay/kernel/intent';
import { isCovered, isInBound } from './spans.js';
import { isCapital, isClosing } from './stretches.js';
import { baseOfThird, isBase, isParticiple, isPast, isPlainBase } from './verbs.js';
import { isIn, isMonth, wordAt } from './words.js';

/** Sort of a finite verb: an auxiliary, or a full verb in the present (`third`, `base`) or the past. */
export type FiniteKind = 'modal' | 'be' | 'have' | 'do' | 'third' | 'base' | 'past';

/** A finite verb: its token and sort. */
export type Finite = { readonly at: number; readonly kind: FiniteKind };

const MODALS: ReadonlySet<string> = new Set(
  (
    "must shall will should may might can could would ought cannot can't won't shan't " +
    "mustn't shouldn't needn't wouldn't couldn't mightn't i'd we'd he'd she'd they'd i'll " +
    "we'll he'll she'll they'll it'll you'll you'd"
  ).split(' '),
);
const BE: ReadonlySet<string> = new Set(
  "is are am isn't aren't it's that's there's they're he's she's you're i'm we're".split(' '),
);
const PAST_BE: ReadonlySet<string> = new Set("was were wasn't weren't had hadn't did didn't".split(' '));
const HAVE: ReadonlySet<string> = new Set("has have hasn't haven't i've we've they've".split(' '));
const DO: ReadonlySet<string> = new Set("do does don't doesn't".split(' '));
/** Between subject and verb these change nothing. */
const ADVERBS: ReadonlySet<string> = new Set(
  (
    'also always usually often then only never still now normally automatically therefore ' +
    'immediately both all each not just currently already rarely sometimes mostly often ' +
    'regularly simply either neither'
  ).split(' '),
);
const PLURAL_PRONOUNS: ReadonlySet<string> = new Set(
  'they we you i who people these those both all staff police others most many some'.split(' '),
);
/** Words after which no clause of the main line goes on. */
const STOPS: ReadonlySet<string> = new Set(
  'if when while whilst because unless whenever wherever although though whether'.split(' '),
);
const ANYONES: ReadonlySet<string> = new Set(
  'everyone everybody anyone anybody nobody someone somebody whoever'.split(' '),
);
const RELATIVES: ReadonlySet<string> = new Set('who which that whose whom where what how why'.split(' '));
const ONE_OF: ReadonlySet<string> = new Set(
  'everyone everybody anyone anybody each every a an nobody whoever someone'.split(' '),
);
/**
 * Modals that hold their negation: verbs even where a comparison takes them in (`shouldn't be older than`).
 */
const REFUSING: ReadonlySet<string> = new Set(["shouldn't", "mustn't", "shan't"]);
const REACH = 60;

/**
 * The main finite verb between two tokens, or null: relative clauses and what a conjunction subordinates are
 * passed over. Looks at 60 tokens.
 */
export function findFinite(scan: Scan, first: number, next: number): Finite | null {
  const { tokens } = scan;
  const limit = Math.min(next, first + REACH);
  let skips = 0;
  let weak: Finite | null = null;
  let past: Finite | null = null;
  for (let at = first; at < limit; at += 1) {
    const word = wordAt(tokens, at);
    if (at > first && STOPS.has(word)) break;
    if (weak !== null && (word === ',' || word === 'and' || word === 'or' || word === 'but')) break;
    if (isRelative(tokens, first, at)) {
      skips = 1;
      // `who need`: the verb of the relative clause stands right behind.
      if (
        (word !== 'whose' && isBase(wordAt(tokens, at + 1))) ||
        (word !== 'whose' && baseOfThird(wordAt(tokens, at + 1)) !== null)
      )
        [at, skips] = [at + 1, 0];
      continue;
    }
    const kind =
      isInBound(scan, at) && !REFUSING.has(word)
        ? null
        : (kindAt(tokens, first, at, next) ?? kindBehindAmount(scan, first, at));
    if (kind === null) continue;
    if (skips > 0) {
      skips = 0;
      // `who has not confirmed`: the whole group belongs to the relative clause.
      while (at + 1 < limit && isVerbal(tokens, at + 1)) at += 1;
      continue;
    }
    if (kind === 'past' && !PAST_BE.has(word)) past ??= { at, kind };
    else if (isWeak(tokens, at, kind)) weak ??= { at, kind };
    else return { at, kind };
  }
  return weak ?? past;
}

/**
 * `Uploads above 10 MB need approval`, `Letters over 20 g cost 1.60 EUR`: a plural subject that ends in its
 * bound.
 */
function kindBehindAmount({ tokens, quantities }: Scan, first: number, at: number): FiniteKind | null {
  const word = wordAt(tokens, at);
  const isBehind =
    at > first + 2 &&
    !isCovered(quantities, at) &&
    isCovered(quantities, at - 1) &&
    tokens[at - 1]?.kind === 'word';
  return isBehind &&
    isPlural(wordAt(tokens, first)) &&
    (RULING.has(word) || (isBase(word) && isObjectAt(tokens, at + 1)))
    ? 'base'
    : null;
}

const RULING: ReadonlySet<string> = new Set([
  'need',
  'require',
  'pay',
  'cost',
  'get',
  'go',
  'count',
  'lose',
  'receive',
]);

/**
 * True for the verb of an order: a base form with what it acts on. A word that may be a noun needs a
 * neighbour that says so.
 */
export function isOrderAt(scan: Scan, at: number, next: number): boolean {
  const { tokens } = scan;
  const word = wordAt(tokens, at);
  const after = wordAt(tokens, at + 1);
  if (at + 1 >= next) return isPlainBase(word) && at > 0;
  if (!isBase(word) || after === 'of' || after === ':' || (after === '-' && tokens[at + 1]?.glued === true))
    return false;
  const kind = kindAt(tokens, at, at + 1, next);
  // `Delete logs after …`: behind a plain verb a word that may be a verb is a noun.
  // `Refund orders over …`: neither is plain, and no article says that the first is a noun.
  const isDoubt =
    kind === 'third' &&
    !isPlainBase(baseOfThird(after) ?? '') &&
    !isIn('actor', word) &&
    isObjectAt(tokens, at + 2) &&
    !isParticiple(wordAt(tokens, at + 2));
  if (kind !== null && !isDoubt && !(isPlainBase(word) && (kind === 'third' || kind === 'base')))
    return false;
  if (isDoubt) return true;
  // `Repair or replace it`.
  if ((after === 'or' || after === 'and') && isBase(wordAt(tokens, at + 2)) && isObjectAt(tokens, at + 3))
    return true;
  if (isPlainBase(word)) return true;
  // `Work on Sundays is not permitted`: a noun before a preposition, where a verb follows.
  if (isIn('preposition', after) && at + 2 < next && !isIn('pronoun', after) && !isIn('determiner', after)) {
    const finite = findFinite(scan, at, next);
    return finite === null || (finite.kind !== 'be' && finite.kind !== 'modal');
  }
  if (isObjectAt(tokens, at + 1) || isParticiple(after)) return true;
  // `Use PostgreSQL`: a verb and a name, and the sentence is over.
  if (
    at + 2 === next &&
    tokens[at + 1]?.kind === 'word' &&
    (word === 'use' ||
      (isClosing(wordAt(tokens, next)) && isCapital(scan.text.charCodeAt(tokens[at + 1]?.start ?? 0))))
  )
    return true;
  return next - at > 2 && findFinite(scan, at, next) === null;
}

/**
 * True where a word opens what a verb acts on: an article, a pronoun, a number, a preposition, a particle.
 */
export function isObjectAt(tokens: readonly Token[], at: number): boolean {
  const word = wordAt(tokens, at);
  const kind = tokens[at]?.kind;
  return (
    isIn('determiner', word) ||
    isIn('pronoun', word) ||
    AMOUNTS.has(word) ||
    (isIn('preposition', word) && word !== 'of') ||
    kind === 'number' ||
    kind === 'clock' ||
    kind === 'date' ||
    word === 'not' ||
    word === '"' ||
    word === '“'
  );
}

const AMOUNTS: ReadonlySet<string> = new Set([
  'more',
  'less',
  'fewer',
  'least',
  'most',
  'exactly',
  'roughly',
  'approximately',
  'enough',
  'much',
  'half',
]);

/** True for a plural noun by its form. */
export function isPlural(word: string): boolean {
  return (
    PLURALS.has(word) ||
    (word.length > 3 &&
      word.endsWith('s') &&
      !word.endsWith('ss') &&
      !word.endsWith('us') &&
      !word.endsWith('is') &&
      !word.endsWith("'s"))
  );
}

const PLURALS: ReadonlySet<string> = new Set(
  'people children men women staff police data feet teeth mice media'.split(' '),
);

/** The sort of finite verb a token is where a clause starts at `first`, or null. */
export function kindAt(tokens: readonly Token[], first: number, at: number, next: number): FiniteKind | null {
  const word = wordAt(tokens, at);
  const before = wordAt(tokens, at - 1);
  if (tokens[at]?.kind !== 'word') return null;
  if (isMonth(tokens, at)) return null;
  if (MODALS.has(word))
    return at > first && isIn('determiner', before) && !isIn('pronoun', before) && word !== 'may'
      ? null
      : 'modal';
  if (BE.has(word)) return 'be';
  if (PAST_BE.has(word)) return 'past';
  if (HAVE.has(word)) return before === 'to' || MODALS.has(before) ? null : 'have';
  if (DO.has(word)) return before === 'to' || MODALS.has(before) ? null : 'do';
  if (at === first) return null;
  let subject = at - 1;
  while (subject > first && ADVERBS.has(wordAt(tokens, subject))) subject -= 1;
  const noun = wordAt(tokens, subject);
  // `Groups larger than 8 need …`, `Children under 6 enter …`: a plural subject that ends in its bound.
  if (
    tokens[subject]?.kind === 'number' &&
    subject === at - 1 &&
    isPlural(wordAt(tokens, first)) &&
    isBase(word) &&
    (word === 'need' || word === 'pay' || isPlainBase(word) || isObjectAt(tokens, at + 1))
  )
    return 'base';
  if (tokens[subject]?.kind !== 'word' && wordAt(tokens, subject) !== '"' && noun !== ')' && noun !== '”')
    return null;
  if (
    noun === 'to' ||
    noun.endsWith("'s") ||
    noun.endsWith("s'") ||
    MODALS.has(noun) ||
    (isIn('preposition', noun) && !isIn('pronoun', noun))
  )
    return null;
  if (
    isIn('determiner', noun) &&
    !isIn('pronoun', noun) &&
    noun !== 'both' &&
    noun !== 'all' &&
    noun !== 'each' &&
    noun !== 'many' &&
    noun !== 'most' &&
    noun !== 'some' &&
    noun !== 'one'
  )
    return null;
  if (
    noun === 'and' ||
    noun === 'or' ||
    noun === 'but' ||
    noun === 'be' ||
    noun === 'been' ||
    noun === 'being'
  )
    return null;
  if (ANYONES.has(noun) && baseOfThird(word) !== null) return 'third';
  const opening = wordAt(tokens, first);
  if (baseOfThird(word) !== null)
    return isPlural(noun) && !PLURALS.has(noun) && !isObjectAt(tokens, at + 1) && !ONE_OF.has(opening)
      ? null
      : thirdAt(tokens, at, next);
  // `Customers outside the EU pay …`: the head of the subject is plural.
  const isHeadMany =
    isPlural(opening) && isIn('preposition', wordAt(tokens, first + 1)) && isObjectAt(tokens, at + 1);
  const isMany =
    isHeadMany ||
    PLURAL_PRONOUNS.has(noun) ||
    (isPlural(noun) && baseOfThird(noun) === null) ||
    (isPlural(noun) && subject === at - 1);
  if (
    isMany &&
    isBase(word) &&
    (isPlainBase(word) ||
      word === 'stay' ||
      isObjectAt(tokens, at + 1) ||
      isPlural(wordAt(tokens, at + 1)) ||
      at + 1 >= next)
  )
    return 'base';
  if (isPast(word) || (isParticiple(word) && word.endsWith('ed') && isObjectAt(tokens, at + 1)))
    return 'past';
  return null;
}

/** A third person that is a plural noun as well counts where its neighbour says so. */
function thirdAt(tokens: readonly Token[], at: number, next: number): FiniteKind | null {
  const base = baseOfThird(wordAt(tokens, at)) ?? '';
  if (isPlainBase(base)) return 'third';
  const after = wordAt(tokens, at + 1);
  if (at + 1 >= next) return isIn('subordinator', after) ? 'third' : null;
  return isObjectAt(tokens, at + 1) ||
    isParticiple(after) ||
    (isPlural(after) && !isPlural(wordAt(tokens, at - 1))) ||
    isIn('subordinator', after) ||
    after.endsWith('ly')
    ? 'third'
    : null;
}

function isWeak(tokens: readonly Token[], at: number, kind: FiniteKind): boolean {
  if (kind === 'third') return !isPlainBase(baseOfThird(wordAt(tokens, at)) ?? '');
  return kind === 'base' && !isPlainBase(wordAt(tokens, at));
}

function isRelative(tokens: readonly Token[], first: number, at: number): boolean {
  if (at === first || !RELATIVES.has(wordAt(tokens, at))) return false;
  const before = tokens[at - 1];
  return (
    (before?.kind === 'word' && !isIn('preposition', wordAt(tokens, at - 1))) || wordAt(tokens, at) !== 'that'
  );
}

/** Parts of a verb group behind its first word. */
function isVerbal(tokens: readonly Token[], at: number): boolean {
  const word = wordAt(tokens, at);
  return (
    word === 'not' ||
    word === 'been' ||
    word === 'be' ||
    word === 'to' ||
    ADVERBS.has(word) ||
    (isParticiple(word) && wordAt(tokens, at - 1) !== 'to') ||
    (isBase(word) && (MODALS.has(wordAt(tokens, at - 1)) || wordAt(tokens, at - 1) === 'not'))
  );
}
