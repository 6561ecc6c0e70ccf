/**
 * How binding a clause is, if it is a demand at all.
 *
 * @module
 */
import { isKnownUnit, findMeasure, type Modality, type Scan, type Token } from '@assay/kernel/intent';
import { bindingPhrase, demand, isStory, of, quantitiesIn, type Around, type Demand } from './binding.js';
import type { Clause } from './clauses.js';
import { isOrderAt, kindAt } from './predicates.js';
import { isPresentRule, isTold } from './present.js';
import { refused } from './prohibition.js';
import type { Sentence } from './sentences.js';
import { openShare, subjectShare } from './shares.js';
import { spansWithin, type Span } from './spans.js';
import type { Tone } from './tone.js';
import { isBase, isParticiple } from './verbs.js';
import { findPhrase, isIn, joined, phraseAt, wordAt, isNegation } from './words.js';

/**
 * Classifies a clause; null where it demands nothing: background, reasons, questions, the past. `previous`:
 * what the clause before it in the sentence demands. `around`: what the text around states.
 */
export function demandOf(
  scan: Scan,
  sentence: Sentence,
  clause: Clause,
  previous: Demand | null,
  around: Around,
): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const opening = wordAt(tokens, first);
  if (sentence.isQuestion) return asked(scan, clause);
  if (
    isIn('indirect', opening) ||
    phraseAt('reason', tokens, first, next) > 0 ||
    isPhatic(tokens, clause.core)
  )
    return null;
  if (isDisowned(scan, clause) || isPurpose(scan, sentence, clause)) return null;
  if (sentence.isBackground)
    return isBinding(scan, clause) ? (refused(scan, clause, sentence, around) ?? bound(scan, clause)) : null;
  if (clause.opens === 'amount')
    return previous === null
      ? around.tone === 'story'
        ? null
        : fragment(scan, sentence, clause)
      : {
          ...previous,
          modality: amountModality(scan, clause, previous),
          isNoSubject: false,
          subject: { first, next: first },
          verb: first,
          phrase: { first, next: first },
        };
  const shared = sharedVerb(scan, clause, previous);
  if (shared !== null) return shared;
  const own = ownDemand(scan, sentence, clause, previous, around);
  // `and shall hold …`: a verb without subject has that of the clause before.
  return own !== null && previous !== null && clause.opens === 'verb' ? { ...own, who: previous.who } : own;
}

function ownDemand(
  scan: Scan,
  sentence: Sentence,
  clause: Clause,
  previous: Demand | null,
  around: Around,
): Demand | null {
  const negative = refused(scan, clause, sentence, around);
  if (negative !== undefined) return negative;
  return (
    bound(scan, clause) ??
    underMood(scan, sentence, clause) ??
    order(scan, clause) ??
    present(scan, sentence, clause, previous, around) ??
    task(scan, clause) ??
    fragment(scan, sentence, clause, around.tone)
  );
}

/**
 * A further amount binds as the verb does; a limit of what is forbidden or permitted is a demand, `up to`
 * still permits.
 */
function amountModality(scan: Scan, clause: Clause, { modality }: Demand): Modality {
  if (wordAt(scan.tokens, clause.core.first) === 'only') return modality === 'should' ? 'should' : 'must';
  const isLimit = quantitiesIn(scan, clause).some(
    ({ op, first }) => op !== '=' && wordAt(scan.tokens, first) !== 'up',
  );
  // `…, with more than 450 kg`: still what is forbidden.
  if (modality === 'must_not' && wordAt(scan.tokens, clause.core.first - 1) === 'with') return modality;
  return modality === 'must_not' || (modality === 'may' && isLimit) ? 'must' : modality;
}

const PHATIC: ReadonlySet<string> = new Set([
  'thanks',
  'thank',
  'regards',
  'cheers',
  'sorry',
  'hope',
  'hoping',
  'see',
  'looking',
  'talk',
  'greetings',
  'sincerely',
  'yours',
  'best',
  'kind',
  'fyi',
  'btw',
  'closing',
  'welcome',
  'congratulations',
  'merry',
  'happy',
  'dear',
  'apologies',
]);

/** What is said to the reader, and asks nothing of the thing: thanks, `let me know`. */
function isPhatic(tokens: readonly Token[], { first, next }: Span): boolean {
  const opening = wordAt(tokens, first);
  const pair = joined(tokens, first, Math.min(next, first + 2));
  if (
    pair === 'let me' ||
    pair === 'let us' ||
    pair === 'tell me' ||
    (pair === 'give me' && next - first < 6) ||
    pair === 'see you' ||
    pair === 'see attached' ||
    pair === 'see above' ||
    pair === 'see below' ||
    pair === 'mind you' ||
    pair === 'come on' ||
    pair === 'never mind' ||
    pair === 'no worries' ||
    pair === 'no idea' ||
    pair === 'no rush' ||
    pair === 'no problem' ||
    pair === 'no hurry' ||
    pair === 'no wonder' ||
    pair === 'no reply' ||
    pair === 'no luck' ||
    pair === 'no doubt'
  )
    return true;
  return PHATIC.has(opening) && !(opening === 'see' && next - first > 3);
}

/** `To avoid queues, open a second desk`: what for, where what is to be done follows. */
function isPurpose({ tokens }: Scan, sentence: Sentence, { core: { first, next } }: Clause): boolean {
  const opening = joined(tokens, first, first + 2) === 'in order' ? first + 2 : first;
  return (
    wordAt(tokens, opening) === 'to' &&
    isBase(wordAt(tokens, opening + 1)) &&
    wordAt(tokens, next) === ',' &&
    next + 1 < sentence.next
  );
}

/**
 * `Nobody said that …`, `I doubt that …`, `… was last year's rule`: the words of a demand that nobody makes.
 */
function isDisowned({ tokens }: Scan, { core: { first, next }, finite }: Clause): boolean {
  const isNobody =
    wordAt(tokens, first) === 'nobody' ||
    joined(tokens, first, first + 2) === 'no one' ||
    joined(tokens, first, first + 3) === 'no - one';
  const said = isNobody
    ? tokens.slice(first + 1, Math.min(next, first + 5)).findIndex(({ lower }) => SAYING.has(lower))
    : -1;
  if (
    said >= 0 &&
    !tokens
      .slice(first + 1, first + 1 + said)
      .some((_, index) => ['modal', 'be'].includes(kindAt(tokens, first, first + 1 + index, next) ?? ''))
  )
    return true;
  if (
    ['i', 'we'].includes(wordAt(tokens, first)) &&
    tokens.slice(first + 1, Math.min(next, first + 4)).some(({ lower }) => lower === 'doubt')
  )
    return true;
  for (let place = (finite?.at ?? next) + 1; place + 1 < next; place += 1) {
    if (wordAt(tokens, place) !== 'was' && wordAt(tokens, place) !== 'were') continue;
    const named = tokens
      .slice(place + 1, Math.min(next, place + 6))
      .findIndex(({ lower }) => RULES.has(lower));
    if (
      named >= 0 &&
      !tokens.slice(place + 1, place + 1 + named).some(({ lower }) => isIn('preposition', lower))
    )
      return true;
  }
  return false;
}

const SAYING: ReadonlySet<string> = new Set([
  'said',
  'says',
  'claimed',
  'claims',
  'demanded',
  'asked',
  'promised',
  'told',
  'decided',
  'wrote',
  'thinks',
  'believes',
  'suggested',
  'insisted',
]);
const RULES: ReadonlySet<string> = new Set([
  'rule',
  'rules',
  'requirement',
  'requirements',
  'policy',
  'demand',
  'demands',
  'idea',
  'plan',
  'limit',
  'law',
  'wish',
]);

/** `Could we have …`, `Can you make …`: a question that asks for a thing. */
function asked(scan: Scan, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const start = ['so', 'and', 'also', 'maybe', 'perhaps'].includes(wordAt(tokens, first)) ? first + 1 : first;
  const asking = ['would it be possible', 'is it possible', 'will it be possible'].find(
    (phrase) => joined(tokens, start, Math.min(next, start + phrase.split(' ').length)) === phrase,
  );
  if (asking !== undefined) {
    const at = start + asking.split(' ').length + 1;
    return at + 1 < next
      ? of('should', { first: at + 1, next: at + 1 }, at, { first: start, next: at })
      : null;
  }
  const [modal, subject] = [wordAt(tokens, start), wordAt(tokens, start + 1)];
  if (!['could', 'can', 'would'].includes(modal) || clause.next - first < 5) return null;
  const isOne = ['we', 'you', 'i', 'it', 'they', 'somebody', 'someone'].includes(subject);
  const verbAt = isOne ? start + 2 : start + 3;
  const verb = wordAt(tokens, verbAt);
  const isTelling =
    [
      'send',
      'tell',
      'say',
      'explain',
      'confirm',
      'check',
      'let',
      'look',
      'help',
      'ask',
      'call',
      'mind',
      'come',
      'advise',
      'clarify',
      'remind',
      'forward',
    ].includes(verb) && subject === 'you';
  if (isTelling || modal === 'would') return null;
  const isAsking = isBase(verb) || verb === 'please' || verb === 'have' || verb === 'be' || verb === 'also';
  return isAsking
    ? of('should', { first: start + 1, next: verbAt }, verbAt, { first: start, next: verbAt })
    : null;
}

/** In a part that tells what is, only a plain `shall` or `must` of the main line still demands. */
function isBinding({ tokens }: Scan, { finite }: Clause): boolean {
  const word = finite === null ? '' : wordAt(tokens, finite.at);
  return word === 'shall' || word === 'must';
}

/** `and write the values down`: the verb shares modality and subject of the clause before. */
function sharedVerb(scan: Scan, clause: Clause, previous: Demand | null): Demand | null {
  const { tokens } = scan;
  const { first } = clause.core;
  if (clause.opens !== 'verb' || previous === null) return null;
  const kind = kindAt(tokens, first, first, clause.core.next);
  if (kind !== null) return null;
  const word = wordAt(tokens, first);
  if (isNegation(word)) return null;
  if ((word === 'avoid' || word === 'refrain') && previous.modality === 'must')
    return {
      ...of('must_not', { first: first + 1, next: first + 1 }, first + 1, { first, next: first + 1 }),
      who: previous.who,
    };
  const isLate = word === 'to' || ['then', 'also', 'automatically', 'immediately', 'always'].includes(word);
  const verb = isLate ? first + 1 : first;
  // `must not exceed 30 °C or fall below 10 °C`: the negation read in the first bound reaches the second.
  const isDenied =
    ['or', 'nor'].includes(wordAt(tokens, first - 1)) &&
    previous.modality !== 'must_not' &&
    spansWithin(scan.quantities, { first: previous.phrase.first, next: first }).at(-1)?.isNegated === true;
  const denied =
    previous.isNoObject === true
      ? { modality: 'must' as const }
      : isDenied
        ? previous.modality === 'should'
          ? { isNegatedWish: true }
          : { modality: 'must_not' as const }
        : {};
  return {
    ...previous,
    ...denied,
    subject: { first: verb + 1, next: verb + 1 },
    verb,
    phrase: { first, next: first },
    isNoSubject: false,
    who: previous.who,
  };
}

/** `must`, `should`, `may` and their kin. */
function bound(scan: Scan, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const should = bindingPhrase(scan, 'should', clause);
  const must = bindingPhrase(scan, 'must', clause);
  const may = bindingPhrase(scan, 'may', clause);
  if (
    should !== null &&
    (must === null ||
      should.at <= must.at ||
      (wordAt(tokens, should.at).endsWith('ly') && wordAt(tokens, should.at - 1) !== ',')) &&
    !isEnough(tokens, should)
  )
    return demand('should', first, should);
  if (must !== null && (may === null || must.at < may.at))
    return isPromise(scan, clause, must) ? null : demand('must', first, must);
  if (may !== null) return permitted(scan, clause, may);
  return (
    ability(scan, clause) ??
    (should !== null && must === null && next > first ? demand('should', first, should) : null)
  );
}

/** `we will look into it`: what the writer promises is nobody's demand. */
function isPromise(scan: Scan, { core: { first, next } }: Clause, { at }: { readonly at: number }): boolean {
  const { tokens } = scan;
  const word = wordAt(tokens, at);
  const isWill = word === 'will' || word === "'ll";
  // `We expect 60 guests` foresees.
  if (word === 'we' || word === 'i')
    return scan.quantities.some(
      ({ first: from, op, unit }) =>
        from === at + 2 && (op === '=' || op === '>=') && findMeasure(unit).dimension.startsWith('unit:'),
    );
  return (
    isWill &&
    (isIn('firstPerson', wordAt(tokens, first)) ||
      ['be glad', 'be happy', 'be able', 'be back', 'be away'].includes(
        joined(tokens, at + 1, Math.min(next, at + 3)),
      ))
  );
}

function isEnough(
  tokens: readonly Token[],
  { at, size }: { readonly at: number; readonly size: number },
): boolean {
  return wordAt(tokens, at + size) === 'enough';
}

/** A permission with an upper bound, or for some only, limits and is `must`. */
function permitted(
  scan: Scan,
  clause: Clause,
  may: { readonly at: number; readonly size: number },
): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  if (isCapped(scan, clause, may.at)) return demand('must', first, may);
  // `No more than one in ten trains may be late`: a share without a number that is read.
  const isShare = subjectShare(scan, clause) !== null;
  if (phraseAt('shareBound', tokens, first, may.at) > 1 && openShare(scan, clause) !== null && !isShare)
    return demand('must', first, may);
  if (
    !isShare &&
    wordAt(tokens, may.at) === 'may' &&
    may.size === 1 &&
    isIn('epistemic', wordAt(tokens, may.at + 1)) &&
    !isParticiple(wordAt(tokens, may.at + 2)) &&
    !quantitiesIn(scan, clause).some(
      ({ first: from, at }) => from < at && ['no', 'not', 'at'].includes(wordAt(tokens, from)),
    )
  )
    return null;
  // `Smaller files are fine`: a fault report says what works.
  if (
    joined(tokens, may.at, may.at + may.size) === 'are fine' &&
    (wordAt(tokens, first).endsWith('er') || wordAt(tokens, first) === 'others')
  )
    return null;
  const isLimit =
    quantitiesIn(scan, clause).some(
      ({ op, first: from }) =>
        from > may.at &&
        (op === '<=' || op === '<' || ['no', 'not'].includes(wordAt(tokens, from))) &&
        !['up', 'as'].includes(wordAt(tokens, from)),
    ) && clause.condition === null;
  const isOnly =
    tokens.slice(first, next).some(({ lower }) => lower === 'only') ||
    (wordAt(tokens, clause.condition?.first ?? -1) === 'only' && wordAt(tokens, may.at) !== 'may');
  return demand(isLimit || isOnly ? 'must' : 'may', first, may);
}

/** `No more than two vouchers may be combined`: the bound opens the clause. */
function isCapped(scan: Scan, clause: Clause, verb: number): boolean {
  const { tokens } = scan;
  return quantitiesIn(scan, clause).some(
    ({ op, first, next }) =>
      (op === '<=' || op === '<') &&
      first === clause.core.first &&
      next <= verb &&
      wordAt(tokens, first) !== 'up',
  );
}

/**
 * `users can export`: a permission for a person, an ability of the product. A first person states what it
 * can.
 */
function ability(scan: Scan, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const at = clause.finite?.at ?? -1;
  if (wordAt(tokens, at) !== 'can' || isTold(scan, clause)) return null;
  const subject = wordAt(tokens, first);
  if (wordAt(tokens, at + 1) === 'only' || tokens.slice(first, next).some(({ lower }) => lower === 'only'))
    return demand('must', first, { at, size: 1 });
  const isBounded = quantitiesIn(scan, clause).some(({ op }) => op !== '=');
  const isLimit =
    quantitiesIn(scan, clause).some(
      ({ op, first: from, at: number }) =>
        from > at &&
        from < number &&
        (op === '<=' || op === '<') &&
        !['up', 'as', 'within'].includes(wordAt(tokens, from)),
    ) && clause.condition === null;
  if (isLimit || isCapped(scan, clause, at)) return demand('must', first, { at, size: 1 });
  if (subject === 'who' || subject === 'which' || clause.actor !== null)
    return demand('must', first, { at, size: 1 });
  if (isIn('firstPerson', subject))
    return isBounded
      ? demand('must', first, { at, size: 1 })
      : subject === 'we'
        ? demand('may', first, { at, size: 1 })
        : null;
  const isProduct =
    (subject === 'it' ||
      ((subject === 'the' || subject === 'this' || subject === 'our') &&
        !wordAt(tokens, at - 1).endsWith('s'))) &&
    findPhrase('actor', tokens, first, at) === null &&
    wordAt(tokens, at + 1) !== 'be';
  return demand(isProduct ? 'must' : 'may', first, { at, size: 1 });
}

/** An order: a base form at the start. */
function order(scan: Scan, { core, condition, exception, front }: Clause): Demand | null {
  const { first, next } = core;
  const { tokens } = scan;
  const at = ['please', 'also', 'always', 'then', 'only', 'just', 'kindly', 'simply', 'instead'].includes(
    wordAt(tokens, first),
  )
    ? first + 1
    : first;
  const isBeing =
    wordAt(tokens, at) === 'be' &&
    tokens[at + 1]?.kind === 'word' &&
    !['it', 'they', 'he', 'she', 'that'].includes(wordAt(tokens, at + 1));
  // `Please order before the end of the month`, `Deploy unless coverage drops`: all that follows is when.
  const isLimited =
    exception !== null ||
    front !== undefined ||
    (condition !== null &&
      (wordAt(tokens, first - 1) === 'please' || !isIn('preposition', wordAt(tokens, condition.first))));
  const isBare = at + 1 === next && isBase(wordAt(tokens, at)) && isLimited;
  return ((isOrderAt(scan, at, next) || isBeing) && at + 1 < next) || isBare
    ? of('must', { first: at + 1, next: at + 1 }, at, { first: at, next: at })
    : null;
}

function present(
  scan: Scan,
  sentence: Sentence,
  clause: Clause,
  previous: Demand | null,
  around: Around,
): Demand | null {
  const { tokens } = scan;
  const { first } = clause.core;
  const at = clause.finite?.at;
  if (
    at === undefined ||
    !isPresentRule(scan, clause, {
      sentence,
      isFollowing: previous !== null,
      ...around,
      isNegated: false,
      isStory: isStory(tokens, sentence, first),
    })
  )
    return null;
  return of('must', { first, next: at }, at, { first: at, next: at });
}

/**
 * What stands under a heading or behind a label that demands or forbids: the heading binds, whatever the
 * item's own form.
 */
function underMood(scan: Scan, { mood, label, isItem }: Sentence, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const isEmpty =
    next - first === 1 && (isIn('preposition', wordAt(tokens, first)) || isIn('stop', wordAt(tokens, first)));
  if (
    mood === null ||
    isEmpty ||
    isIn('firstPerson', wordAt(tokens, first)) ||
    (clause.finite !== null && !isItem && label === null)
  )
    return null;
  const isOrder = isOrderAt(scan, first, next);
  const verb = isOrder ? first : (clause.finite?.at ?? next);
  return of(mood, { first: isOrder ? first + 1 : first, next: isOrder ? first + 1 : verb }, verb, {
    first,
    next: first,
  });
}

/** `Wim to ask the provider`: who is to do what, as notes of meetings say it. */
function task({ tokens, text }: Scan, { core: { first, next } }: Clause): Demand | null {
  const isName =
    /[A-Z]/.test(text.charAt(tokens[first]?.start ?? 0)) &&
    !isParticiple(wordAt(tokens, first)) &&
    !isIn('firstPerson', wordAt(tokens, first)) &&
    !UNTASKED.has(wordAt(tokens, first));
  return isName && next - first > 3 && wordAt(tokens, first + 1) === 'to' && isBase(wordAt(tokens, first + 2))
    ? of('must', { first, next: first + 1 }, first + 2, { first: first + 1, next: first + 2 })
    : null;
}

const UNTASKED: ReadonlySet<string> = new Set(
  (
    'just only simply happy glad able nice easy hard time nothing plenty something lots good ' +
    'great sad sorry ready free how what where when who which need want have try going due ' +
    'next best back only first close access up down welcome keen willing eager likely ' +
    'similar reply answer way reason'
  ).split(' '),
);

/** What stands behind a label or in a list, and comma parts with an amount. */
function fragment(scan: Scan, sentence: Sentence, clause: Clause, tone: Tone = 'plain'): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const opening = wordAt(tokens, first);
  if (
    clause.finite !== null ||
    sentence.isBackground ||
    isTold(scan, clause) ||
    next - first > FRAGMENT_TOKENS_MAX
  )
    return null;
  const quantities = quantitiesIn(scan, clause);
  if (opening === 'been' || opening === 'tried') return null;
  if (isIn('firstPerson', opening) && quantities.every(({ op }) => op === '=')) return null;
  const isMeasured = quantities.some(
    ({ op, unit, first }) =>
      op !== '=' ||
      (isKnownUnit(unit ?? '') &&
        (findMeasure(unit).dimension !== 'time' || wordAt(tokens, first - 1) === 'of')),
  );
  const isTelling =
    sentence.label !== null ||
    sentence.isItem ||
    clause.isListed ||
    (isMeasured && (opening !== 'the' || quantities.some(({ op }) => op !== '=')));
  const moments = spansWithin(scan.moments, clause.core);
  const isTimed = moments.some(
    ({ op, first, value }) =>
      value !== null && (op !== '=' || ['on', 'at', 'between', 'from'].includes(wordAt(tokens, first - 1))),
  );
  const isValue =
    sentence.label !== null &&
    (sentence.isItem ||
      (tone === 'rule' && sentence.label.next - sentence.label.first <= 2 && next - first <= 4));
  const only = tokens.slice(first, next).findIndex(({ lower }) => lower === 'only');
  const isOnly =
    (sentence.label !== null && next - first <= 4 && only >= 0) ||
    (only > 0 && next - first <= 6 && next - first > 1 && tone !== 'story');
  const isDated =
    clause.isListed &&
    (findPhrase('relativeDate', tokens, first, next) !== null || hasYear(tokens, first, next));
  return (quantities.length > 0 && isTelling) ||
    (moments.length > 0 && (isTelling || (isTimed && next - first > 1))) ||
    isValue ||
    isOnly ||
    isDated
    ? of('must', { first, next }, next, { first, next: first })
    : null;
}

const FRAGMENT_TOKENS_MAX = 18;

/** `invoices of 2024`. */
function hasYear(tokens: readonly Token[], first: number, next: number): boolean {
  for (let at = first + 1; at < next; at += 1)
    if (
      tokens[at]?.kind === 'number' &&
      tokens[at]?.lower.length === 4 &&
      ['of', 'in', 'from', 'since'].includes(wordAt(tokens, at - 1))
    )
      return true;
  return false;
}
