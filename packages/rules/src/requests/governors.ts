/**
 * Verbs that govern what follows them: `ensure that …` passes on what it asks, `avoid`, `prevent`,
 * `stop …ing` turn it round. Negations inside what is governed are counted: two of them cancel out.
 *
 * @module
 */
import type { Scan, Token } from '@assay/kernel/intent';
import { bindingPhrase, of, quantitiesIn, type Demand } from './binding.js';
import type { Clause } from './clauses.js';
import { findFinite, isOrderAt } from './predicates.js';
import { isInBound } from './spans.js';
import { isBase, isParticiple, lemmaOf } from './verbs.js';
import { isIn, isNegation, isNoLonger, joined, wordAt } from './words.js';

/** Words that make a subject negative. */
export const SUBJECTS: ReadonlySet<string> = new Set([
  'no',
  'nobody',
  'none',
  'nothing',
  'neither',
  'nor',
  'never',
  'not',
]);
const GOVERNED_TOKENS_MAX = 12;
/** Words before a governing verb that leave it in force. */
const LEADING: ReadonlySet<string> = new Set([
  'please',
  'also',
  'always',
  'and',
  'must',
  'shall',
  'should',
  'will',
  'to',
  'be',
  'we',
  'i',
]);

/**
 * `Avoid vortexing`, `must avoid glare`: the place of the verb that forbids what follows it, or null.
 * `should avoid` only wishes.
 */
export function avoidance(tokens: readonly Token[], first: number, next: number): number | null {
  const start = startOf(tokens, first);
  for (let at = start; at + 1 < Math.min(next, start + GOVERNED_TOKENS_MAX); at += 1) {
    if (wordAt(tokens, at) !== 'avoid') continue;
    // `Open a second desk to avoid queues`: what for. `I want to avoid queues` asks.
    if (
      at === start ||
      ['must', 'shall'].includes(wordAt(tokens, at - 1)) ||
      (wordAt(tokens, at - 1) === 'to' && (at - 1 === start || ASKING.has(wordAt(tokens, at - 2))))
    )
      return at;
  }
  return null;
}

/**
 * `Prevent requests from taking longer than 5 s`, `must forbid passwords under 12 characters`: what a
 * comparison names is what must not be, as with `avoid`. Without a comparison the verb is an act like any
 * other.
 */
export function prevention(scan: Scan, clause: Clause): number | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const start = startOf(tokens, first);
  if (SUBJECTS.has(wordAt(tokens, first)) || !isCompared(scan, clause)) return null;
  for (let at = start; at + 1 < Math.min(next, start + GOVERNED_TOKENS_MAX); at += 1) {
    const isKept =
      KEEPING.has(wordAt(tokens, at)) &&
      tokens
        .slice(at + 1, Math.min(next - 1, at + GOVERNED_TOKENS_MAX))
        .some(({ lower }, index) => lower === 'from' && wordAt(tokens, at + index + 2).endsWith('ing'));
    if ((isKept || PREVENTING.has(wordAt(tokens, at))) && isGoverning(scan, clause, at, start)) return at;
    const out = ruledOut(scan, clause, at, start);
    if (out !== null) return out;
  }
  return null;
}

/**
 * `Make it impossible to`, `rule out that`, `exclude that`, `disable booking`: the last word of what rules an
 * act out, or null.
 */
function ruledOut(scan: Scan, clause: Clause, at: number, start: number): number | null {
  const { tokens } = scan;
  const [word, after] = [wordAt(tokens, at), wordAt(tokens, at + 1)];
  if (word === 'impossible')
    return at > start && ['to', 'for', 'that'].includes(after) && isOrderAt(scan, start, clause.core.next)
      ? at
      : null;
  const isActing =
    (word === 'exclude' && after === 'that') ||
    (word === 'disable' && after.endsWith('ing') && isBase(lemmaOf(after)));
  if (
    !(isActing || (word === 'rule' && after === 'out')) ||
    !(at === start || isGoverning(scan, clause, at, start))
  )
    return null;
  return isActing ? at : at + 1;
}

const PREVENTING: ReadonlySet<string> = new Set([
  'prevent',
  'forbid',
  'prohibit',
  'disallow',
  'ban',
  'preclude',
]);
const ASKING: ReadonlySet<string> = new Set([
  'want',
  'wants',
  'need',
  'needs',
  'has',
  'have',
  'try',
  'tries',
  'is',
  'are',
  'wish',
  'like',
  'careful',
  'sure',
  'ought',
  'important',
  'essential',
  'vital',
  'necessary',
  'crucial',
  'asked',
  'required',
  'requested',
  'told',
  'supposed',
  'expected',
  'obliged',
  'care',
  'prefer',
  'aim',
  'aims',
  'goal',
  'agree',
  'agrees',
  'undertakes',
  'you',
  'us',
  'him',
  'them',
  'everyone',
  'everybody',
  'us',
  'one',
  'how',
]);
/** With `from …ing` behind: `keep the temperature from falling below 5 °C`. */
const KEEPING: ReadonlySet<string> = new Set(['keep', 'stop', 'protect', 'block', 'hinder', 'bar']);

/** `must be prevented from running for more than 10 minutes`: the place before what must not be, or null. */
export function hindrance(scan: Scan, clause: Clause): number | null {
  const { tokens } = scan;
  const at = clause.finite?.at ?? clause.core.next;
  if (
    !['must', 'shall', 'is', 'are'].includes(wordAt(tokens, at)) ||
    SUBJECTS.has(wordAt(tokens, clause.core.first)) ||
    !isCompared(scan, clause)
  )
    return null;
  for (let place = at + 1; place < Math.min(clause.core.next - 2, at + GOVERNED_TOKENS_MAX); place += 1) {
    if (isNegation(wordAt(tokens, place))) return null;
    if (
      HINDERED.has(wordAt(tokens, place)) &&
      wordAt(tokens, place + 1) === 'from' &&
      wordAt(tokens, place + 2).endsWith('ing')
    )
      return place + 1;
  }
  return null;
}

const HINDERED: ReadonlySet<string> = new Set([
  'prevented',
  'kept',
  'stopped',
  'hindered',
  'barred',
  'protected',
  'blocked',
  'discouraged',
  'deterred',
]);

/** `Accept no bids above 500 EUR`: the object of an order is none. The place of the negation, or null. */
export function emptyObject(scan: Scan, clause: Clause): number | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const start = startOf(tokens, first);
  return isOrderAt(scan, start, next) &&
    wordAt(tokens, start + 1) === 'no' &&
    !isInBound(scan, start + 1) &&
    !NO_THINGS.has(wordAt(tokens, start + 2))
    ? start + 1
    : null;
}

/** `Make no mistake`, `waste no time`: no thing of which there could be one. */
const NO_THINGS: ReadonlySet<string> = new Set([
  'mistake',
  'time',
  'doubt',
  'more',
  'less',
  'later',
  'longer',
  'one',
  'matter',
  'further',
  'effort',
  'chances',
]);

/**
 * `Stop keeping logs for more than 30 days`: what a comparison names is what must end. The place of the verb,
 * or null.
 */
export function cessation(scan: Scan, clause: Clause): number | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const start = startOf(tokens, first);
  if (!isCompared(scan, clause)) return null;
  for (let at = start; at + 1 < Math.min(next, start + GOVERNED_TOKENS_MAX); at += 1)
    if (isEnding(tokens, at) && (at === start || ['must', 'shall', 'to'].includes(wordAt(tokens, at - 1))))
      return at;
  return null;
}

/** `stop sending`, `cease storing`: an act that is to end. */
export function isEnding(tokens: readonly Token[], at: number): boolean {
  return (
    ENDING.has(wordAt(tokens, at)) &&
    isBase(lemmaOf(wordAt(tokens, at + 1))) &&
    wordAt(tokens, at + 1).endsWith('ing')
  );
}

const ENDING: ReadonlySet<string> = new Set([
  'stop',
  'cease',
  'quit',
  'discontinue',
  'halt',
  'stops',
  'ceases',
]);

/**
 * `Ensure that no request takes more than 2 s`, `make sure that it does not grow beyond 1,000 entries`: what
 * is to be ensured is itself negated, and a comparison follows. Undefined elsewhere, and where two negations
 * cancel out.
 */
export function assurance(scan: Scan, clause: Clause): Demand | undefined {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const bound = quantitiesIn(scan, clause).find(({ op, isNegated }) => op !== '=' && !isNegated);
  const assured = bound === undefined ? null : assuredIn(tokens, first, Math.min(next, bound.first));
  if (bound === undefined || assured === null) return undefined;
  const { from } = assured;
  const isTo = ['not', 'never'].includes(wordAt(tokens, from)) && wordAt(tokens, from + 1) === 'to';
  // `ensure that at no time more than 20 people are inside`; `no more than 20` is a bound, and right as it
  // stands.
  const isEver = ['at no time', 'at no point', 'in no case', 'on no account'].includes(
    joined(tokens, from, Math.min(next, from + 3)),
  );
  if (isEver)
    return {
      ...of('must_not', { first: from, next: from + 3 }, from + 3, { first, next: from + 3 }),
      isNoSubject: true,
    };
  if (isInBound(scan, from)) return undefined;
  const negations = isTo ? [from] : negationsIn(scan, from, bound.first);
  const [negation] = negations;
  if (negation === undefined || negations.length % 2 === 0) return undefined;
  const isNone = !isTo && negation === from && SUBJECTS.has(wordAt(tokens, from));
  const behind = negation + (isNoLonger(tokens, negation) ? 2 : 1);
  const verb = isTo
    ? from + 2
    : isNone
      ? (findFinite(scan, from + 1, next)?.at ?? verbBefore(tokens, from + 1, bound.first))
      : behind;
  const made = {
    ...of('must_not', { first: from, next: isNone || isTo ? verb : negation }, verb, {
      first,
      next: from + 1,
    }),
    isNoSubject: isNone,
  };
  return (assured.at > first && wordAt(tokens, assured.at - 1) === 'should') ||
    bindingPhrase(scan, 'should', clause) !== null
    ? { ...made, modality: 'should', isNegatedWish: true }
    : made;
}

/** `Rooms not in use`, `members not present`: said of a noun, and of nothing else. */
export function isSaidOf(tokens: readonly Token[], at: number): boolean {
  const after = wordAt(tokens, at + 1);
  return (
    wordAt(tokens, at) === 'not' && (isIn('preposition', after) || isParticiple(after) || SAID_OF.has(after))
  );
}

const SAID_OF: ReadonlySet<string> = new Set([
  'present',
  'available',
  'open',
  'ready',
  'able',
  'yet',
  'willing',
  'eligible',
  'fit',
  'free',
  'full',
]);

/**
 * The phrase that ensures and where what is ensured begins, or null: the phrase opens the clause, or stands
 * behind a verb of demand. A negative subject behind `that` is asked for whatever says so
 * (`the rule is that nobody …`).
 */
function assuredIn(
  tokens: readonly Token[],
  first: number,
  next: number,
): { readonly at: number; readonly from: number } | null {
  for (let at = first + 1; at < next; at += 1) {
    if (isNegation(wordAt(tokens, at))) break;
    if (
      wordAt(tokens, at) === 'that' &&
      SUBJECTS.has(wordAt(tokens, at + 1)) &&
      wordAt(tokens, at + 1) !== 'not'
    )
      return { at: first, from: at + 1 };
  }
  for (let at = first; at < Math.min(next, first + GOVERNED_TOKENS_MAX); at += 1) {
    const size = assuringAt(tokens, at, next);
    if (size === 0) continue;
    if (at > first && !LEADING.has(wordAt(tokens, at - 1))) return null;
    return { at, from: at + size + (wordAt(tokens, at + size) === 'that' ? 1 : 0) };
  }
  return null;
}

function assuringAt(tokens: readonly Token[], at: number, next: number): number {
  return (
    ASSURING.find(
      (words) => joined(tokens, at, Math.min(next, at + words.split(' ').length)) === words,
    )?.split(' ').length ?? 0
  );
}

const ASSURING: readonly string[] = [
  'ensure',
  'make sure',
  'see to it',
  'take care',
  'be sure',
  'be careful',
  'guarantee',
  'ensures',
  'makes sure',
  'assure',
  'check',
  'verify',
  'confirm',
  'try',
  'ensured',
  'guaranteed',
  'assured',
  'made sure',
  'make certain',
  'made certain',
  'care must be taken',
  'care shall be taken',
  'care should be taken',
  'care is taken',
  'care has to be taken',
  'seen to it',
  'arrange',
  'insist',
  'demand',
  'see',
  'watch out',
  'mind',
];

/**
 * The negations between two tokens; what a relative clause negates is its own affair, and so is a noun of
 * which there is none unless asked for.
 */
function negationsIn(scan: Scan, from: number, next: number, isNounToo = false): readonly number[] {
  const { tokens } = scan;
  const found: number[] = [];
  let isInside = false;
  for (let at = from; at < next; at += 1) {
    const word = wordAt(tokens, at);
    if (at > from && isIn('relative', word)) isInside = true;
    if (word === ',') isInside = false;
    const isOfNoun = !isNounToo && word === 'no' && at > from && !isNoLonger(tokens, at);
    if (!isInside && isNegation(word) && !isInBound(scan, at) && !isOfNoun) found.push(at);
  }
  return found;
}

/** The verb right before a comparison (`lasts longer than`), or the comparison itself. */
function verbBefore(tokens: readonly Token[], from: number, bound: number): number {
  for (let at = bound - 1; at > from && at > bound - 4; at -= 1)
    if (isBase(lemmaOf(wordAt(tokens, at)))) return at;
  return bound;
}

/**
 * `must be unable to upload more than 3 files`: the words that bind, where a comparison follows; else null.
 */
export function inability(scan: Scan, clause: Clause): { readonly at: number; readonly size: number } | null {
  const { tokens } = scan;
  const at = clause.finite?.at ?? clause.core.next;
  const isUnable =
    ['must', 'shall'].includes(wordAt(tokens, at)) &&
    ['be unable to', 'be impossible to', 'be impossible for'].includes(joined(tokens, at + 1, at + 4));
  return isUnable && quantitiesIn(scan, clause).some(({ op, first }) => op !== '=' && first > at)
    ? { at, size: 4 }
    : null;
}

function startOf(tokens: readonly Token[], first: number): number {
  return ['please', 'also', 'always', 'and'].includes(wordAt(tokens, first)) ? first + 1 : first;
}

function isCompared(scan: Scan, clause: Clause): boolean {
  return quantitiesIn(scan, clause).some(({ op }) => op !== '=');
}

function isGoverning(scan: Scan, { core, finite }: Clause, at: number, start: number): boolean {
  return at === start
    ? finite === null || isOrderAt(scan, at, core.next)
    : ['must', 'shall', 'will', 'to', 'we', 'i'].includes(wordAt(scan.tokens, at - 1));
}
