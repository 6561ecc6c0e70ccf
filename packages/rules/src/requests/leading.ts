/**
 * What stands before a main clause: condition, exception, the role of a user story, a greeting.
 *
 * @module
 */
import type { Scan, Token } from '@assay/kernel/intent';
import { findFinite, isOrderAt, kindAt } from './predicates.js';
import { isCovered, spanFrom, type Span } from './spans.js';
import { isBase, isParticiple } from './verbs.js';
import { findPhrase, isIn, phraseAt, wordAt } from './words.js';

/**
 * The parts before the clause, and where it starts. `isTemporal`: the condition is a mere phrase of time or
 * place.
 */
export type Leading = {
  readonly condition: Span | null;
  readonly exception: Span | null;
  readonly actor: Span | null;
  readonly next: number;
};

const SUBJECT_TOKENS_MAX = 8;
const PHRASE_TOKENS_MAX = 14;
const PARTS_MAX = 4;

/** Reads the parts before the main clause of a sentence. Linear in its tokens. */
export function leadingOf(scan: Scan, { first, next }: Span): Leading {
  const { tokens } = scan;
  let [at, condition, exception, actor]: [number, Span | null, Span | null, Span | null] = [
    pastGreeting(tokens, first, next),
    null,
    null,
    null,
  ];
  const role = roleOf(scan, at, next);
  if (role !== null) [actor, at] = [role.actor, role.next];
  for (let parts = 0; parts < PARTS_MAX; parts += 1) {
    at = pastJoints(tokens, at, next);
    const bound = boundInFront(scan, at, next) ?? shareInFront(scan, at, next);
    if (bound !== null && condition === null) {
      [condition, at] = [{ first: at, next: bound }, bound];
      continue;
    }
    const isException = phraseAt('exception', tokens, at, next) > 0;
    const isCondition =
      phraseAt('condition', tokens, at, next) > 0 || phraseAt('leading', tokens, at, next) > 0;
    if (!isException && !isCondition) break;
    const size = phraseAt('leading', tokens, at, next);
    const end =
      size > 1 &&
      wordAt(tokens, at + size - 1) !== 'of' &&
      !isIn('preposition', wordAt(tokens, at + size)) &&
      isMainAt(scan, at + size, next)
        ? { part: at + size, next: at + size }
        : endOfPart(scan, at, next);
    if (end === null) break;
    const part = { first: at, next: end.part };
    if (isException) exception = part;
    else condition = condition === null ? part : { first: condition.first, next: part.next };
    at = end.next;
  }
  return { condition, exception, actor, next: at };
}

/**
 * `Below 20 % the car is not offered`, `Above 25 °C, the vents open`: where the bound in front ends, or null.
 */
function boundInFront(scan: Scan, at: number, next: number): number | null {
  const amount = spanFrom(scan.quantities, at);
  if (
    amount === null ||
    amount.first !== at ||
    amount.next >= next ||
    !FRONT_BOUNDS.has(wordAt(scan.tokens, at))
  )
    return null;
  const isComma = wordAt(scan.tokens, amount.next) === ',';
  const main = isComma ? amount.next + 1 : amount.next;
  const isSubject =
    isIn('determiner', wordAt(scan.tokens, main)) || isIn('pronoun', wordAt(scan.tokens, main));
  return (isComma || isSubject) && isMainAt(scan, main, next) ? amount.next : null;
}

/**
 * `In 95 % of cases the ambulance must arrive …`: of how many it is demanded; where these words end, or null.
 */
function shareInFront(scan: Scan, at: number, next: number): number | null {
  const { tokens } = scan;
  const share = ['in', 'for', 'with'].includes(wordAt(tokens, at)) ? spanFrom(scan.quantities, at) : null;
  if (share === null || share.first !== at + 1 || share.unit !== '%' || wordAt(tokens, share.next) !== 'of')
    return null;
  for (let end = share.next + 2; end < Math.min(next, share.next + SHARED_TOKENS_MAX); end += 1) {
    if (wordAt(tokens, end) === ',' ? isMainAt(scan, end + 1, next) : isSubjectAt(scan, end, next))
      return end;
  }
  return null;
}

const SHARED_TOKENS_MAX = 8;
const FRONT_BOUNDS: ReadonlySet<string> = new Set(['below', 'under', 'above', 'over', 'beyond']);

/**
 * Where a part in front ends: at `then`, at the comma before a subject and its verb or an order, or without
 * comma before these.
 */
function endOfPart(
  scan: Scan,
  first: number,
  next: number,
): { readonly part: number; readonly next: number } | null {
  const { tokens } = scan;
  const isClause = phraseAt('leading', tokens, first, next) === 0;
  let comma = 0;
  for (let at = first + 1; at < Math.min(next, first + 60); at += 1) {
    const word = wordAt(tokens, at);
    if (
      word === 'then' &&
      at > first + 1 &&
      wordAt(tokens, at - 1) !== 'and' &&
      wordAt(tokens, at - 1) !== 'until'
    )
      return { part: wordAt(tokens, at - 1) === ',' ? at - 1 : at, next: at + 1 };
    if (word !== ',') continue;
    if (comma === 0) comma = at;
    const after = pastJoints(tokens, at + 1, next);
    if (isMainAt(scan, after, next) || phraseAt('condition', tokens, after, next) > 0)
      return { part: at, next: at + 1 };
  }
  if (comma > 0) return { part: comma, next: comma + 1 };
  const limit = Math.min(next, first + 2 + PHRASE_TOKENS_MAX * 2);
  let hasVerb = !isClause;
  const opening = Math.max(
    phraseAt('leading', tokens, first, next),
    phraseAt('condition', tokens, first, next),
  );
  for (let at = first + Math.max(opening, isClause ? 2 : 1); at < limit; at += 1) {
    hasVerb ||= kindAt(tokens, first + 1, at - 1, next) !== null;
    if (!hasVerb) continue;
    if (isSubjectAt(scan, at, next) || (isOrderStart(scan, at, next) && at > first + 1))
      return { part: at, next: at };
  }
  return null;
}

/** True where a main clause starts: its subject with a verb near, an order, or a bare verb of demand. */
function isMainAt(scan: Scan, at: number, next: number): boolean {
  const { tokens } = scan;
  if (at >= next) return false;
  if (
    wordAt(tokens, at) === 'no' ||
    wordAt(tokens, at) === 'never' ||
    wordAt(tokens, at) === "don't" ||
    wordAt(tokens, at) === 'do'
  )
    return true;
  if (isOrderAt(scan, at, next) || wordAt(tokens, at) === 'please') return true;
  if (kindAt(tokens, at, at, next) !== null) return true;
  const finite = findFinite(scan, at, Math.min(next, at + SUBJECT_TOKENS_MAX + 2));
  return finite !== null && !hasComma(tokens, at, finite.at);
}

/**
 * An article or a pronoun with a verb near, and no preposition or joint before: the subject after a part
 * without comma.
 */
function isSubjectAt(scan: Scan, at: number, next: number): boolean {
  const { tokens } = scan;
  const word = wordAt(tokens, at);
  const before = wordAt(tokens, at - 1);
  if (
    !(isIn('determiner', word) || isIn('pronoun', word)) ||
    isCovered(scan.quantities, at) ||
    isCovered(scan.moments, at)
  )
    return false;
  if (
    isIn('determiner', before) ||
    isIn('relative', before) ||
    before === 'and' ||
    before === 'or' ||
    (isIn('preposition', before) &&
      !['on', 'off', 'up', 'down', 'out', 'in', 'away', 'back', 'here', 'there', 'free', 'again'].includes(
        before,
      )) ||
    before === 'than' ||
    before === 'to'
  )
    return false;
  const finite = findFinite(scan, at, Math.min(next, at + SUBJECT_TOKENS_MAX));
  return finite !== null && finite.kind !== 'past' && (finite.at > at || isIn('pronoun', word));
}

function isOrderStart(scan: Scan, at: number, next: number): boolean {
  const { tokens } = scan;
  const before = wordAt(tokens, at - 1);
  if (wordAt(tokens, at) === 'please') return true;
  const isFree =
    tokens[at - 1]?.kind === 'word' &&
    !isParticiple(before) &&
    !isIn('determiner', before) &&
    !isIn('preposition', before) &&
    before !== 'to' &&
    before !== 'and' &&
    before !== 'or' &&
    before !== 'not' &&
    !isIn('pronoun', before);
  const isBound =
    phraseAt('may', tokens, at - 1, at) > 0 ||
    [
      'must',
      'can',
      'will',
      'shall',
      'should',
      'may',
      'could',
      'do',
      'does',
      'is',
      'are',
      'was',
      'were',
      'be',
      'been',
      'gets',
      'stays',
      'remains',
      'very',
      'too',
      'fully',
      'half',
      'last',
      'latest',
      'next',
      'new',
      'first',
      'final',
      'previous',
    ].includes(before);
  return isFree && !isBound && isOrderAt(scan, at, next) && isIn('determiner', wordAt(tokens, at + 1));
}

/** `Hi Anna, …`, `Hello, …`. */
function pastGreeting(tokens: readonly Token[], first: number, next: number): number {
  if (wordAt(tokens, first) === 'as' && isParticiple(wordAt(tokens, first + 1))) {
    for (let at = first + 2; at < Math.min(next, first + 10); at += 1)
      if (wordAt(tokens, at) === ',') return at + 1;
  }
  if (!['hi', 'hello', 'dear', 'hey', 'morning', 'good'].includes(wordAt(tokens, first))) return first;
  for (let at = first + 1; at < Math.min(next, first + 6); at += 1)
    if (wordAt(tokens, at) === ',') return at + 1;
  return first;
}

function pastJoints(tokens: readonly Token[], first: number, next: number): number {
  const isCounted =
    [
      'first',
      'second',
      'third',
      'fourth',
      'lastly',
      'next',
      'last',
      'additionally',
      'besides',
      'two',
      'again',
      'now',
    ].includes(wordAt(tokens, first)) && wordAt(tokens, first + 1) === ',';
  let at = isCounted ? first + 2 : first;
  while (
    at < next &&
    [
      ',',
      'and',
      'but',
      'so',
      'then',
      'however',
      'also',
      'therefore',
      'moreover',
      'furthermore',
      'secondly',
      'firstly',
      'finally',
      'yes',
      'ok',
      'ps',
      'oh',
    ].includes(wordAt(tokens, at))
  )
    at += 1;
  return at;
}

/** `As a night nurse I want …`: who asks. */
function roleOf(
  scan: Scan,
  first: number,
  next: number,
): { readonly actor: Span; readonly next: number } | null {
  const { tokens } = scan;
  if (wordAt(tokens, first) !== 'as' || !['a', 'an', 'the', 'our'].includes(wordAt(tokens, first + 1)))
    return null;
  for (let at = first + 2; at < Math.min(next, first + 12); at += 1) {
    const word = wordAt(tokens, at);
    if (word === 'i' || word === 'we' || word === "i'd")
      return { actor: { first: first + 2, next: wordAt(tokens, at - 1) === ',' ? at - 1 : at }, next: at };
  }
  return null;
}

function hasComma(tokens: readonly Token[], first: number, next: number): boolean {
  for (let at = first; at < next; at += 1) if (wordAt(tokens, at) === ',') return true;
  return false;
}

/** The condition or exception behind a clause, both without their own joints. */
export function trailingOf(
  scan: Scan,
  { first, next }: Span,
  startsWithVerb: boolean,
): { readonly core: number; readonly condition: Span | null; readonly exception: Span | null } {
  const { tokens } = scan;
  const found = findPhrase('exception', tokens, first + 1, next);
  // `but not after 1 March 2027`: a bound, and no exception.
  const exception =
    found !== null &&
    wordAt(tokens, found.at) === 'but' &&
    isBoundAt(scan, found.at + 1) &&
    findPhrase('may', tokens, first, found.at) === null
      ? null
      : found;
  let condition: Span | null = null;
  for (let at = first + 1; at < (exception?.at ?? next); at += 1) {
    const size = phraseAt('trailing', tokens, at, next);
    if (size === 0 || !isConditionAt(scan, { first, next: exception?.at ?? next }, at, size)) continue;
    condition = { first: at, next: exception?.at ?? next };
    break;
  }
  // `Bids in languages other than English will not be read`: a limit inside the subject leaves the clause
  // whole.
  const front = Math.min(condition?.first ?? next, exception?.at ?? next);
  const finite = front === next ? null : findFinite(scan, first, next);
  // `Lower the blinds once it is warmer …`: the verb behind is that of the condition.
  const late =
    startsWithVerb || (front < next && isOrdered(scan, first, front))
      ? null
      : finite === null || finite.at < front
        ? mainBehind(scan, first, front, next)
        : finite.at;
  if (late === null)
    return { core: front, condition, exception: exception === null ? null : { first: exception.at, next } };
  return {
    core: next,
    condition: condition === null ? null : { first: condition.first, next: late },
    exception: exception === null ? null : { first: exception.at, next: late },
  };
}

/** An order, or an order not to: `Never start unless …`. */
function isOrdered(scan: Scan, first: number, front: number): boolean {
  const { tokens } = scan;
  const at = ['please', 'also', 'always', 'never', 'not', "don't", 'only'].includes(wordAt(tokens, first))
    ? first + 1
    : wordAt(tokens, first) === 'do' && wordAt(tokens, first + 1) === 'not'
      ? first + 2
      : first;
  return isOrderAt(scan, at, front) || (at > first && at + 1 === front && isBase(wordAt(tokens, at)));
}

/** True where a comparison or a moment opens: `not after 1 March 2027`, `never more than 5`. */
function isBoundAt({ quantities, moments }: Scan, at: number): boolean {
  return spanFrom(moments, at)?.first === at || spanFrom(quantities, at)?.first === at;
}

/** The verb of a clause whose subject holds a limit, or null: nothing before the limit says anything. */
function mainBehind(scan: Scan, first: number, front: number, next: number): number | null {
  // `Deploy unless …`: an order of one word.
  if (
    isOrderAt(scan, first, front) ||
    (front - first === 1 && isBase(wordAt(scan.tokens, first))) ||
    findFinite(scan, first, front) !== null ||
    front - first > SUBJECT_TOKENS_MAX
  )
    return null;
  for (let at = front + 1; at < Math.min(next, front + SUBJECT_TOKENS_MAX); at += 1)
    if (
      kindAt(scan.tokens, at, at, next) === 'modal' ||
      ['is', 'are'].includes(wordAt(scan.tokens, at)) ||
      (RULING_BASES.has(wordAt(scan.tokens, at)) && at > front + 1)
    )
      return at;
  return null;
}

/**
 * Verbs that rule what a plural subject with a limit inside does: `Pets other than fish require a permit`.
 */
const RULING_BASES: ReadonlySet<string> = new Set([
  'require',
  'requires',
  'need',
  'needs',
  'pay',
  'pays',
  'cost',
  'costs',
]);

const WISHES: ReadonlySet<string> = new Set([
  'nice',
  'great',
  'good',
  'helpful',
  'help',
  'useful',
  'like',
  'lovely',
  'appreciated',
  'ideal',
  'better',
  'prefer',
  'love',
  'best',
  'ok',
  'welcome',
]);
/**
 * Words that are also prepositions: before an amount they belong to it (`after 30 days`), and behind one they
 * say how early.
 */
const LOOSE: ReadonlySet<string> = new Set(['after', 'before', 'until', 'upon', 'outside', 'during', 'once']);

function isConditionAt(scan: Scan, { first, next }: Span, at: number, size: number): boolean {
  const { tokens } = scan;
  const word = wordAt(tokens, at);
  // `It would be nice if …`: what follows is the wish itself.
  if (WISHES.has(wordAt(tokens, at - 1)) || (isIn('preposition', wordAt(tokens, at - 1)) && word === 'where'))
    return false;
  if (!LOOSE.has(word)) return at + size < next;
  if (isCovered(scan.quantities, at - 1)) return word !== 'before' && hasOther(scan, first, at - 1);
  if (
    word === 'once' &&
    ['a', 'an', 'per', 'every', 'each'].includes(wordAt(tokens, at + 1)) &&
    PERIODS.has(wordAt(tokens, at + 2))
  )
    return false;
  if (
    word === 'once' &&
    !isIn('determiner', wordAt(tokens, at + 1)) &&
    !isIn('pronoun', wordAt(tokens, at + 1))
  )
    return false;
  const amount = spanFrom(scan.quantities, at);
  const moment = spanFrom(scan.moments, at);
  // `may not come before 8:00`: the moment holds the word.
  if (isCovered(scan.moments, at)) return false;
  const isBefore = (span: Span | null): boolean => span !== null && span.first <= at + 2 && span.first < next;
  if (isBefore(amount)) return hasOther(scan, first, at) && word === 'after';
  return !isBefore(moment) && at + size < next;
}

const PERIODS: ReadonlySet<string> = new Set([
  'second',
  'minute',
  'hour',
  'day',
  'night',
  'week',
  'month',
  'quarter',
  'term',
  'season',
  'year',
  'decade',
]);

/** True where another amount with a bound stands before: `at least 45 minutes after four hours`. */
function hasOther({ quantities }: Scan, first: number, at: number): boolean {
  const before = spanFrom(quantities, first);
  return before !== null && before.next <= at && before.op !== '=';
}
