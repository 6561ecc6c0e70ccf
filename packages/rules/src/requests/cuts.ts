/**
 * Where a sentence says something new: a verb of its own, a prohibition, a condition with its main clause, a
 * further amount.
 *
 * @module
 */
import { findMeasure, type Quantity, type Scan, type Token } from '@assay/kernel/intent';
import { HANDLING, REMOVING } from './acts.js';
import { leadingOf } from './leading.js';
import { isNextTo, isOutside } from './pairs.js';
import { findFinite, isObjectAt, isOrderAt, isPlural, kindAt, type Finite } from './predicates.js';
import { isCovered, isInBound, isPart, spanFrom, spansWithin, type Span } from './spans.js';
import { baseOfThird, isBase, isParticiple, isPlainBase, lemmaOf } from './verbs.js';
import { findPhrase, isIn, joined, phraseAt, wordAt, isNegation, isNoLonger } from './words.js';

/**
 * How a clause follows the one before: `main` on its own, `verb` with its subject, `amount` as a further
 * amount of it.
 */
export type Opens = 'main' | 'verb' | 'amount';

/** Words that join clauses. */
export const JOINTS: ReadonlySet<string> = new Set([
  'though',
  'although',
  'and',
  'but',
  'so',
  'or',
  'then',
  'however',
  'also',
  'yet',
  'plus',
  'as well as',
]);
const SUBJECT_TOKENS_MAX = 11;
const AMOUNT_TOKENS_MAX = 6;

/**
 * The clause that is being read: where its verb stands, null where it has none, and whether that is an order
 * or follows a modal.
 */
export type Left = {
  readonly first: number;
  readonly opens: Opens;
  readonly verb: number | null;
  readonly kind: Finite['kind'] | 'order' | null;
};

/** Reads the clause that starts at a token. */
export function leftOf(scan: Scan, { first, next }: Span, opens: Opens): Left {
  const at = ['please', 'also', 'always', 'then', 'only', 'just', 'never'].includes(
    wordAt(scan.tokens, first),
  )
    ? first + 1
    : first;
  const word = wordAt(scan.tokens, at);
  if (
    isOrderAt(scan, at, next) ||
    ((word === "don't" || word === 'do') && isBase(wordAt(scan.tokens, at + (word === 'do' ? 2 : 1))))
  )
    return { first, opens, verb: at, kind: 'order' };
  const finite = findFinite(scan, first, next);
  return { first, opens, verb: finite?.at ?? null, kind: finite?.kind ?? null };
}

/** What begins at a comma, a joint, a dash or `with`; null where the clause goes on. */
export function cutAt(
  scan: Scan,
  left: Left,
  at: number,
  next: number,
): { readonly first: number; readonly opens: Opens } | null {
  const { tokens } = scan;
  const word = wordAt(tokens, at);
  if (isCovered(scan.quantities, at) || isCovered(scan.moments, at)) return null;
  if (
    (word === '–' ||
      word === '—' ||
      word === '→' ||
      word === '⇒' ||
      (word === '-' && tokens[at]?.glued !== true && tokens[at + 1]?.glued !== true)) &&
    at > left.first
  )
    return { first: at + 1, opens: 'main' };
  if (word === '(' && findFinite(scan, at + 1, Math.min(next, at + 12)) !== null && at > left.first)
    return null;
  if (word === 'plus' && spanFrom(scan.quantities, at)?.first !== at)
    return amountCut(scan, left, at, at + 1, next);
  // `Do not start with fewer than 3 nodes`: the bound is what is forbidden.
  // `a discount to customers with more than 10 orders`: which customers.
  if (
    word === 'with' &&
    ['to', 'for', 'from'].includes(wordAt(tokens, at - 2)) &&
    isPlural(wordAt(tokens, at - 1)) &&
    left.verb !== null
  )
    return null;
  if (word === 'with')
    return isForbidding(tokens, left, at) ||
      tokens.slice(Math.max(left.first, at - AMOUNT_TOKENS_MAX), at).some(({ lower }) => lower === 'even')
      ? null
      : amountCut(scan, left, at, at + 1, next);
  if (
    word !== ',' &&
    word !== 'and' &&
    word !== 'but' &&
    word !== 'or' &&
    (word !== 'so' || wordAt(tokens, at + 1) === 'that')
  )
    return null;
  if (word === ',' && isInterposed(tokens, left, at)) return null;
  let from = at;
  while (from < next && (wordAt(tokens, from) === ',' || JOINTS.has(wordAt(tokens, from)))) from += 1;
  if (from >= next || at === left.first) return null;
  const isComma = word === ',';
  const hasVerb = left.opens === 'amount' || (left.verb !== null && left.verb < at);
  if (isComma && phraseAt('reason', tokens, at + 1, next) > 0) return { first: at + 1, opens: 'main' };
  const opening = wordAt(tokens, from);
  // `six printers, each of which prints …`, `…, failing which no claim can be made`.
  if (
    isComma &&
    (opening === 'each' || opening === 'all' || opening === 'both' || opening === 'none') &&
    wordAt(tokens, from + 1) === 'of' &&
    ['which', 'whom', 'them'].includes(wordAt(tokens, from + 2)) &&
    (findFinite(scan, from + 3, next) !== null ||
      (opening === 'none' && (spanFrom(scan.quantities, from)?.first ?? next) <= from + 4))
  )
    return { first: from, opens: 'main' };
  if (isComma && opening === 'failing' && ['which', 'that'].includes(wordAt(tokens, from + 1)))
    return { first: from, opens: 'main' };
  // `who can be reached` after a comma says something of its own.
  if (
    isComma &&
    (opening === 'who' || opening === 'which') &&
    kindAt(tokens, from + 1, from + 1, next) === 'modal'
  )
    return { first: from, opens: 'main' };
  // `but please cap them`, `so don't add one`, `contrast 4.5:1, keep the logo`: an order of its own.
  const isRequest =
    wordAt(tokens, from - 1) === 'please' ||
    opening === 'please' ||
    opening === "don't" ||
    (opening === 'do' && wordAt(tokens, from + 1) === 'not');
  if (
    isRequest ||
    (isComma && !hasVerb && isPlainBase(opening) && isObjectAt(tokens, from + 1) && left.verb === null)
  )
    return { first: from, opens: 'main' };
  // `…, so hide the option`.
  if (
    isComma &&
    hasVerb &&
    wordAt(tokens, from - 1) === 'so' &&
    isPlainBase(opening) &&
    isOrderAt(scan, from, next)
  )
    return { first: from, opens: 'main' };
  if (isComma && opening === 'due' && hasVerb) return { first: from, opens: 'verb' };
  if (
    (opening === 'no' ||
      opening === 'never' ||
      opening === 'nobody' ||
      (opening === 'nothing' && wordAt(tokens, from + 1) !== 'but')) &&
    (!isInBound(scan, from) || isCovered(scan.moments, from))
  )
    return { first: from, opens: 'main' };
  if (hasVerb && phraseAt('never', tokens, from, next) > 0) return { first: from, opens: 'main' };
  // `, but only by operators`, `, though only on Fridays`: what is permitted is limited.
  if (
    hasVerb &&
    opening === 'only' &&
    ['but', 'though', 'although'].includes(wordAt(tokens, from - 1)) &&
    from + 1 < next
  )
    return { first: from, opens: 'amount' };
  const isValued =
    left.verb === null && spansWithin(scan.quantities, { first: left.first, next: at }).length > 0;
  if (
    isComma &&
    (hasVerb || isValued) &&
    ((opening === 'to' && wordAt(tokens, from + 1) === 'be') ||
      opening === 'payable' ||
      (opening === 'limited' && wordAt(tokens, from + 1) === 'to'))
  )
    return { first: from, opens: 'verb' };
  if (
    isComma &&
    opening === 'in' &&
    wordAt(tokens, from + 1) === 'which' &&
    wordAt(tokens, from + 2) === 'case'
  )
    return { first: from, opens: 'main' };
  if (hasVerb && word !== 'or' && opensCondition(scan, from, next) && JOINTS.has(wordAt(tokens, from - 1)))
    return { first: from, opens: 'main' };
  if (hasVerb && opensVerb(scan, left, at, from, next)) return { first: from, opens: 'verb' };
  // `No plastic one, it was …`: after a fragment a pronoun or an article starts anew.
  const isAnew =
    isComma &&
    isTelling(scan, { first: left.first, next: at }) &&
    (isIn('pronoun', opening) || isIn('determiner', opening));
  if ((hasVerb || isAnew) && opensSubject(scan, from, next, isComma || word === 'so' || word === 'but'))
    return { first: from, opens: 'main' };
  // `Arrival is at 9:30, departure no later than 17:00`.
  const moment = isComma && hasVerb ? spanFrom(scan.moments, from) : null;
  if (
    moment !== null &&
    moment.op !== '=' &&
    moment.first > from &&
    moment.first <= from + 2 &&
    moment.next <= next &&
    spansWithin(scan.moments, { first: left.first, next: at }).length > 0 &&
    !isIn('preposition', opening)
  )
    return { first: from, opens: 'amount' };
  return word === 'or' ? null : amountCut(scan, left, at, from, next);
}

/** True where the verb so far is negated: `do not start`, `must never travel`. */
function isForbidding(tokens: readonly Token[], { first, verb }: Left, at: number): boolean {
  if (phraseAt('never', tokens, first, at) > 0) return true;
  for (
    let index = Math.max(first, (verb ?? first) - 1);
    index < Math.min(at, (verb ?? first) + 4);
    index += 1
  )
    if (isNegation(wordAt(tokens, index)) || isNoLonger(tokens, index)) return true;
  return false;
}

/**
 * `must not, even for a short time, be switched off`: the two commas around what stands between a modal and
 * its verb.
 */
function isInterposed(tokens: readonly Token[], { verb, kind }: Left, at: number): boolean {
  if (verb === null || kind !== 'modal' || at <= verb || at > verb + INTERPOSED_TOKENS_MAX) return false;
  const open = wordAt(tokens, verb + 1) === 'not' ? verb + 2 : verb + 1;
  if (wordAt(tokens, open) !== ',') return false;
  for (let index = open + 1; index < at; index += 1) if (wordAt(tokens, index) === ',') return false;
  return true;
}

const INTERPOSED_TOKENS_MAX = 14;

/** `…, and if the scan does not match, the tablet …`: a condition with a main clause of its own behind it. */
function opensCondition(scan: Scan, from: number, next: number): boolean {
  return OWN_CONDITIONS.has(wordAt(scan.tokens, from)) && leadingOf(scan, { first: from, next }).next > from;
}

/** Words that open a condition inside a sentence. */
export const OWN_CONDITIONS: ReadonlySet<string> = new Set([
  'if',
  'when',
  'where',
  'while',
  'once',
  'after',
  'during',
  'until',
  'unless',
  'between',
  'without',
]);

/**
 * `and shall hold`, `and runs for four years`, `and write the values down`: a verb that shares the subject.
 */
function opensVerb(scan: Scan, left: Left, at: number, from: number, next: number): boolean {
  const { tokens } = scan;
  let verb = from;
  while (ADVERBS.has(wordAt(tokens, verb)) && verb < next) verb += 1;
  const word = wordAt(tokens, verb);
  const code = scan.text.charCodeAt(tokens[verb]?.start ?? 0);
  const kind = kindAt(tokens, verb, verb, next);
  // `are kept for 7 days, then deleted`, `is cut to size and stored at 4 °C`: a participle that shares the
  // auxiliary, where each has words of its own.
  if (
    wordAt(tokens, at) === 'but' &&
    wordAt(tokens, from) === 'not' &&
    isParticiple(wordAt(tokens, from + 1)) &&
    (left.kind === 'modal' || left.kind === 'be')
  )
    return true;
  const isShared =
    isParticiple(word) &&
    !word.endsWith('ing') &&
    (left.kind === 'be' || left.kind === 'modal') &&
    ['and', 'then'].includes(wordAt(tokens, from - 1)) &&
    hasPassive(tokens, left, at);
  if (isShared && (wordAt(tokens, from - 1) === 'then' || isComplementAt(scan, verb + 1, next))) return true;
  // A capital inside a sentence is a name: `English, Polish and Arabic`.
  if (kind === null && code >= 0x41 && code <= 0x5a) return false;
  if (kind === 'past') return false;
  if (kind !== null) return true;
  if (word === 'to' && isBase(wordAt(tokens, verb + 1)) && hasInfinitive(tokens, left.verb ?? at, at))
    return true;
  const third = baseOfThird(word);
  if (
    third !== null &&
    (wordAt(tokens, at) !== 'or' || hasObject(scan, left, at)) &&
    (left.kind === 'third' || left.kind === 'have' || left.kind === 'do' || left.kind === 'be')
  )
    return isPlainBase(third) ? !isListNoun(tokens, verb, next) : isObjectAt(tokens, verb + 1);
  const isBaseFit =
    left.kind === 'modal' ||
    left.kind === 'order' ||
    left.kind === 'base' ||
    left.kind === 'do' ||
    (left.verb !== null && hasInfinitive(tokens, left.verb, at));
  if (!isBaseFit || !isBase(word) || !hasObject(scan, left, at)) return false;
  // `repaired or replaced` shares what follows; a base form that may be a noun needs its own object.
  return isPlainBase(word)
    ? !isParticiple(word) || isObjectAt(tokens, verb + 1)
    : isObjectAt(tokens, verb + 1) || (isPlural(wordAt(tokens, verb + 1)) && left.kind === 'order');
}

const ADVERBS: ReadonlySet<string> = new Set([
  'then',
  'also',
  'never',
  'always',
  'therefore',
  'automatically',
  'immediately',
  'please',
  'otherwise',
  'instead',
  'finally',
  'not',
  'neither',
]);

/** True where the clause so far is passive and says more than its participle. */
function hasPassive(tokens: readonly Token[], left: Left, at: number): boolean {
  for (let index = left.verb ?? at; index < Math.min(at - 1, (left.verb ?? at) + 6); index += 1)
    if (isParticiple(wordAt(tokens, index)) && index + 1 < at)
      return isIn('preposition', wordAt(tokens, index + 1)) || tokens[index + 1]?.kind === 'number';
  return false;
}

function isComplementAt({ tokens, quantities }: Scan, at: number, next: number): boolean {
  return at < next && (isIn('preposition', wordAt(tokens, at)) || isCovered(quantities, at));
}

function isListNoun(tokens: readonly Token[], at: number, next: number): boolean {
  return at + 1 >= next || wordAt(tokens, at + 1) === 'of' || wordAt(tokens, at + 1) === ',';
}

function hasInfinitive(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at < Math.min(to, from + 12); at += 1)
    if (wordAt(tokens, at) === 'to' && isBase(wordAt(tokens, at + 1))) return true;
  return false;
}

/**
 * True where the verb before a joint has something of its own: `order, change and cancel a meal` is one act
 * three times.
 */
function hasObject(scan: Scan, left: Left, at: number): boolean {
  const { tokens } = scan;
  let verb = left.verb ?? at;
  // Past the auxiliaries to the verb itself.
  while (
    verb < at &&
    (kindAt(tokens, left.first, verb, at) === 'modal' ||
      [
        'be',
        'able',
        'to',
        'not',
        'also',
        'only',
        'please',
        'always',
        'have',
        'has',
        'need',
        'needs',
        'want',
        'wants',
        'like',
        'do',
        "don't",
        'never',
      ].includes(wordAt(tokens, verb)))
  )
    verb += 1;
  let content =
    isBase(wordAt(tokens, verb)) || baseOfThird(wordAt(tokens, verb)) !== null || verb >= at ? 0 : 1;
  for (let index = verb + 1; index < Math.min(at, verb + 40); index += 1) {
    const word = wordAt(tokens, index);
    if (word !== ',' && word !== 'and' && word !== 'or' && !isBase(word)) content += 1;
  }
  return content > 0;
}

/** A subject with a finite verb near: `and every correction is recorded`. */
function opensSubject(scan: Scan, from: number, next: number, isLoose: boolean): boolean {
  const { tokens } = scan;
  const opening = wordAt(tokens, from);
  if (
    (isIn('preposition', opening) && !isIn('pronoun', opening)) ||
    (isIn('subordinator', opening) && opening !== 'that') ||
    opening === 'to'
  )
    return false;
  const limit = Math.min(next, from + SUBJECT_TOKENS_MAX + 1);
  const finite = findFinite(scan, from, limit);
  if (finite === null || finite.at === from) return false;
  if (finite.kind === 'past' && !isLoose) return false;
  for (let at = from; at < finite.at; at += 1) {
    const word = wordAt(tokens, at);
    if (word === ',') return false;
  }
  return true;
}

/**
 * A further amount: `but no more than 12,000 EUR in total`, `and on the web within 2 minutes`,
 * `with a median under 40 ms`.
 */
function amountCut(
  scan: Scan,
  left: Left,
  at: number,
  from: number,
  next: number,
): { readonly first: number; readonly opens: 'amount' } | null {
  const { tokens } = scan;
  const stated = ['in any case', 'in any event', 'in all cases', 'at any rate', 'in total'].some(
    (phrase) => joined(tokens, from, from + phrase.split(' ').length) === phrase,
  )
    ? from + 3
    : from;
  const amount = spanFrom(scan.quantities, stated);
  if (amount !== null && stated > from && amount.first <= stated + 1 && amount.op !== '=')
    return { first: from, opens: 'amount' };
  // `within 12 weeks, but in any event not later than 30 September`.
  const moment = spanFrom(scan.moments, stated);
  const isClose = moment !== null && moment.first <= stated + 1 && moment.op !== '=';
  if (
    moment !== null &&
    isClose &&
    (stated > from ||
      (moment.first === from &&
        wordAt(tokens, from - 1) === 'but' &&
        findPhrase('may', tokens, left.first, at) === null))
  )
    return { first: from, opens: 'amount' };
  // `three times a day, at least once for an hour`, `put aside, though not more than twice`.
  if (
    left.verb !== null &&
    (wordAt(tokens, at) === ',' || wordAt(tokens, at) === 'and' || wordAt(tokens, at) === 'but') &&
    isRepeated(tokens, from, next)
  )
    return { first: from, opens: 'amount' };
  if (amount === null || amount.next > next || amount.first > from + AMOUNT_TOKENS_MAX) return null;
  for (let index = from; index < amount.first; index += 1) if (isBarrier(tokens, index)) return null;
  const before = spansWithin(scan.quantities, { first: left.first, next: at });
  // `within 1 month and 10 days`: one span of two parts, or two; never a demand of its own.
  const last = before.at(-1);
  if (isPart(last, amount, at)) return null;
  // `below 1 EUR and above 1,000 EUR`: no one thing is both, so both say the same of it.
  if (
    last !== undefined &&
    (isOutside(tokens, last, amount) || (isHandling(tokens, left, last) && isNextTo(tokens, last, amount)))
  )
    return null;
  // `even on phones with less than 3 GB`: where it holds as well.
  if (wordAt(tokens, from) === 'even') return null;
  // `soon, at the latest two weeks after you start`: the time just named, once more.
  if (before.length === 0 && joined(tokens, amount.first, amount.first + 3) === 'at the latest') return null;
  const isWith = wordAt(tokens, at) === 'with';
  const isDirect = amount.first <= from + 1;
  const isBound = amount.op !== '=';
  if (isWith)
    return isBound &&
      !isHandling(tokens, left, amount) &&
      (isDirect || before.length > 0) &&
      isMeasuring(left, at, before)
      ? { first: from, opens: 'amount' }
      : null;
  const start = wordAt(tokens, from) === 'with' ? from + 1 : from;
  if (isBound && (amount.first === from || (isDirect && isIn('preposition', wordAt(tokens, from)))))
    return left.verb !== null || before.length > 0 || wordAt(tokens, at) === ','
      ? { first: start, opens: 'amount' }
      : null;
  const opening = wordAt(tokens, from);
  if (left.verb === null && before.length === 0) return null;
  if (!isBound && isIn('preposition', opening) && amount.first > from) return null;
  // `sugar and the juice of one lemon`.
  if (!isBound && amount.first > from && wordAt(tokens, amount.first - 1) === 'of') return null;
  // `smoked paprika, 60 g`: the measure of what is named just before.
  if (
    wordAt(tokens, at) === ',' &&
    !isBound &&
    before.length === 0 &&
    left.kind === 'order' &&
    !findMeasure(amount.unit).dimension.startsWith('unit:')
  )
    return null;
  const isCounted =
    amount.first === from &&
    left.verb !== null &&
    before.every(({ first }) => first < (left.verb ?? 0)) &&
    !hasList(tokens, left.verb, at);
  const isGapped =
    before.some(({ first }) => left.verb === null || first > left.verb) &&
    (!hasList(tokens, left.verb ?? left.first, at) || wordAt(tokens, at) === ',');
  return isCounted || (isGapped && isSameSort(before, amount)) || (isGapped && isBound)
    ? { first: start, opens: 'amount' }
    : null;
}

/** `at least once`, `no more than twice`. */
function isRepeated(tokens: readonly Token[], from: number, next: number): boolean {
  return ['at least', 'at most', 'no more than', 'not more than'].some((bound) => {
    const at = from + bound.split(' ').length;
    return at < next && joined(tokens, from, at) === bound && ['once', 'twice'].includes(wordAt(tokens, at));
  });
}

/**
 * `Reject passwords with fewer than 12 characters`: the amount says to which things it is done, and asks
 * nothing of the others.
 */
function isHandling(tokens: readonly Token[], { verb }: Left, { op }: Quantity): boolean {
  const acts = op === '<' || op === '>' ? HANDLING : REMOVING;
  return verb !== null && [verb, verb + 1, verb + 2].some((at) => acts.has(lemmaOf(wordAt(tokens, at))));
}

function isMeasuring(left: Left, at: number, before: readonly Quantity[]): boolean {
  return (left.verb !== null && left.verb < at) || before.length > 0;
}

/**
 * A share stands beside a share (`quality with 35 % and the system with 20 %`); anything beside a measured
 * amount.
 */
function isSameSort(before: readonly Quantity[], amount: Quantity): boolean {
  const last = before.at(-1);
  return last !== undefined && ((last.unit === '%') === (amount.unit === '%') || amount.unit !== '%');
}

/** A list with commas in one clause is left whole. */
function hasList(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at < Math.min(to, from + 60); at += 1) if (wordAt(tokens, at) === ',') return true;
  return false;
}

function isBarrier(tokens: readonly Token[], at: number): boolean {
  const word = wordAt(tokens, at);
  return (
    word === ',' ||
    word === 'and' ||
    word === 'or' ||
    word === 'that' ||
    word === 'who' ||
    word === 'which' ||
    word === 'than' ||
    word === 'per' ||
    isIn('subordinator', word) ||
    word === '('
  );
}

/** A part that states a quantity, a moment or a "no". */
export function isTelling({ tokens, quantities, moments }: Scan, part: Span): boolean {
  const opening = wordAt(tokens, part.first);
  return (
    opening === 'no' ||
    opening === 'never' ||
    opening === 'nothing' ||
    spansWithin(quantities, part).length > 0 ||
    spansWithin(moments, part).length > 0
  );
}
