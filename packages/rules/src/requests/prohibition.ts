/**
 * What a clause forbids, releases or permits by a negation.
 *
 * @module
 */
import type { Modality, Scan, Token } from '@assay/kernel/intent';
import { bindingPhrase, demand, isStory, of, quantitiesIn, type Around, type Demand } from './binding.js';
import type { Clause } from './clauses.js';
import { isOrderAt, kindAt } from './predicates.js';
import {
  assurance,
  avoidance,
  cessation,
  emptyObject,
  hindrance,
  inability,
  isSaidOf,
  prevention,
  SUBJECTS,
} from './governors.js';
import { isPresentRule, isTold } from './present.js';
import type { Sentence } from './sentences.js';
import { isInBound, spansWithin } from './spans.js';
import { isBase } from './verbs.js';
import { isIn, joined, wordAt, isNegation, isNoLonger } from './words.js';

/**
 * Phrases that forbid, orders not to, "no X", "nobody may", "is never …". Undefined: the clause negates
 * nothing. Null: it does, and demands nothing.
 */
export function refused(
  scan: Scan,
  clause: Clause,
  sentence: Sentence,
  around: Around,
): Demand | null | undefined {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const { finite } = clause;
  const assured = assurance(scan, clause);
  if (assured !== undefined) return assured;
  const permission = bindingPhrase(scan, 'may', clause);
  // `Not only admins may export` permits; `need not` releases.
  if (permission !== null && (isNotOnly(tokens, first, permission.at) || isRelease(tokens, permission)))
    return demand('may', first, permission);
  const forbidden = bindingPhrase(scan, 'forbidden', clause);
  // `is no longer forbidden`, `is not prohibited`: what is let go again is a leave.
  if (forbidden !== null && isLetGo(tokens, forbidden, finite)) return demand('may', first, forbidden);
  if (forbidden !== null && isForbidding(tokens, forbidden, finite))
    return demand('must_not', first, forbidden);
  // `There should be no request over 2 s`.
  const wish = bindingPhrase(scan, 'should', clause);
  const none = wish === null ? 0 : wish.at + wish.size + 1;
  if (
    wish !== null &&
    none < next &&
    ['no', 'nothing', 'nobody', 'none'].includes(wordAt(tokens, none)) &&
    ['be', 'have', 'contain'].includes(wordAt(tokens, none - 1)) &&
    !isInBound(scan, none) &&
    quantitiesIn(scan, clause).some((one) => one.op !== '=' && one.first > none)
  )
    return { ...demand('should', first, wish), isNegatedWish: true };
  const unable = inability(scan, clause);
  if (unable !== null) return demand('must_not', first, unable);
  const avoided =
    avoidance(tokens, first, next) ??
    prevention(scan, clause) ??
    cessation(scan, clause) ??
    hindrance(scan, clause);
  if (avoided !== null)
    return of('must_not', { first: avoided + 1, next: avoided + 1 }, avoided + 1, {
      first,
      next: avoided + 1,
    });
  const empty = emptyObject(scan, clause);
  if (empty !== null)
    return {
      ...of('must_not', { first: empty + 1, next: empty + 1 }, empty + 1, { first, next: empty + 1 }),
      isNoObject: true,
    };
  const negations = negationsIn(scan, clause);
  const [negation] = negations;
  if (negation === undefined) return undefined;
  const word = wordAt(tokens, negation);
  const start = ['please', 'also', 'and'].includes(wordAt(tokens, first)) ? first + 1 : first;
  const isTo =
    (wordAt(tokens, start) === 'do' && negation === start + 1) || (negation === start && word === "don't");
  if (
    negation + 1 < next &&
    finite?.kind !== 'modal' &&
    (isTo ||
      (negation === start &&
        (word === 'never' || word === 'not') &&
        (isOrderAt(scan, negation + 1, next) || isBase(wordAt(tokens, negation + 1)))))
  ) {
    const isUndone = wordAt(tokens, negation + 2) === 'to' && negation + 3 < next;
    // `Don't forget to lock up` orders it; `don't hesitate to call` leaves it open.
    if (isUndone && FORGETTING.has(wordAt(tokens, negation + 1)))
      return of('must', { first: negation + 3, next: negation + 3 }, negation + 3, {
        first,
        next: negation + 3,
      });
    if (isUndone && wordAt(tokens, negation + 1) === 'hesitate')
      return of('may', { first: negation + 3, next: negation + 3 }, negation + 3, {
        first,
        next: negation + 3,
      });
    return of('must_not', { first: negation + 1, next: negation + 1 }, negation + 1, {
      first,
      next: negation + 1,
    });
  }
  // `Let's not touch the ranking`.
  if (wordAt(tokens, start) === "let's" && negation === start + 1 && isBase(wordAt(tokens, negation + 1)))
    return of('must_not', { first: negation + 1, next: negation + 1 }, negation + 1, {
      first,
      next: negation + 1,
    });
  const isSubject = isNegativeSubject(scan, clause, negation);
  // `25 euros and no more`, `Not urgent`, `Not a fan of the icon`: nothing is forbidden.
  const isRest =
    next - start <= 3 &&
    negation === start &&
    ['more', 'less', 'later', 'longer', 'one'].includes(wordAt(tokens, start + 1));
  if (finite === null && negation === start && (isRest || isDisclaimer(tokens, negation))) return null;
  if (
    finite === null ||
    (finite.kind === 'past' && negation === start && word === 'no' && RELEASED.has(wordAt(tokens, finite.at)))
  )
    return negation === start && FRAGMENTS.has(word)
      ? {
          ...of('must_not', { first: negation + 1, next }, next, { first, next: negation + 1 }),
          isNoSubject: true,
        }
      : undefined;
  const isAtVerb = isSubject || isVerbNegation(tokens, finite.at, negation);
  if (!isAtVerb) return undefined;
  // `must never not load`: denied twice.
  if (finite.kind === 'modal' && ['not', 'never'].includes(wordAt(tokens, negation + 1))) return undefined;
  // `must not only log errors but also send …` demands both.
  if (['only', 'just', 'merely'].includes(wordAt(tokens, negation + 1)) && finite?.kind === 'modal')
    return undefined;
  // `Nobody may fail to answer`: denied twice as well.
  const ordered = undone(tokens, isSubject ? finite.at : negation, next);
  if (ordered !== null && finite?.kind === 'modal')
    return of(
      bindingPhrase(scan, 'should', clause) === null ? 'must' : 'should',
      { first, next: finite.at },
      ordered,
      { first: finite.at, next: ordered },
    );
  return negatedVerb(scan, clause, sentence, negation, isSubject, around);
}

/** `need not`, `there is no need`, `is optional`: what may be left undone. */
function isRelease(
  tokens: readonly Token[],
  { at, size }: { readonly at: number; readonly size: number },
): boolean {
  return tokens
    .slice(at, at + size)
    .some((_, index) => isNegation(wordAt(tokens, at + index)) || RELEASING.has(wordAt(tokens, at + index)));
}

const RELEASING: ReadonlySet<string> = new Set([
  'optional',
  'voluntary',
  'unnecessary',
  'dispensable',
  'without',
]);
const FORGETTING: ReadonlySet<string> = new Set(['forget', 'fail', 'omit', 'neglect']);

/** `must not fail to stop` orders it: the place of the verb that is ordered, or null. */
function undone(tokens: readonly Token[], negation: number, next: number): number | null {
  return FORGETTING.has(wordAt(tokens, negation + 1)) &&
    wordAt(tokens, negation + 2) === 'to' &&
    negation + 3 < next
    ? negation + 3
    : null;
}

/** `No account needed`. */
const RELEASED: ReadonlySet<string> = new Set([
  'needed',
  'required',
  'allowed',
  'permitted',
  'wanted',
  'added',
  'accepted',
  'used',
]);
const FRAGMENTS: ReadonlySet<string> = new Set([
  'no',
  'never',
  'nobody',
  'nothing',
  'not',
  'none',
  'neither',
]);

/** What a negated verb asks, by its auxiliary. */
function negatedVerb(
  scan: Scan,
  clause: Clause,
  sentence: Sentence,
  negation: number,
  isNoSubject: boolean,
  around: Around,
): Demand | null {
  const { tokens } = scan;
  const { first } = clause.core;
  const at = clause.finite?.at ?? first;
  const [verb, word] = [wordAt(tokens, at), wordAt(tokens, negation)];
  const isOver = isNoLonger(tokens, negation);
  const phrase = { at, size: Math.max(1, negation - at + (isOver ? 2 : 1)) };
  const made = (modality: Modality): Demand => ({
    ...demand(modality, first, isNoSubject ? { at, size: 1 } : phrase),
    isNoSubject,
  });
  const isOurs = isIn('firstPerson', wordAt(tokens, first)) || isIn('firstPerson', wordAt(tokens, at - 1));
  if (isDisclaimer(tokens, negation) || isDisclaimer(tokens, at)) return null;
  const wanting = bindingPhrase(scan, 'must', clause);
  if (isTold(scan, clause)) return null;
  const wish = bindingPhrase(scan, 'should', clause);
  if (wish !== null || verb === "shouldn't")
    return isNoSubject || isOver || word === 'not' || word === 'never' || verb === "shouldn't"
      ? { ...made('should'), isNegatedWish: true }
      : null;
  if (verb === 'would' || verb === "wouldn't" || verb === "couldn't") return null;
  // `Visitors can't reach us`: what the writer suffers is no rule; `As a guest I cannot save` is one.
  if (
    (verb === 'cannot' || verb === "can't") &&
    clause.actor === null &&
    SUFFERERS.some((one) =>
      tokens.slice(at + 1, Math.min(clause.core.next, at + 4)).some(({ lower }) => lower === one),
    )
  )
    return null;
  if (
    (verb === 'cannot' || verb === "can't") &&
    ((wordAt(tokens, at + 1) === 'make' && wordAt(tokens, at + 2) === 'it') ||
      (['come', 'attend'].includes(wordAt(tokens, at + 1)) &&
        spansWithin(scan.moments, clause.core).length === 0 &&
        wordAt(tokens, first) !== 'who' &&
        !isIn('actor', wordAt(tokens, at - 1))))
  )
    return null;
  if (
    (verb === 'cannot' || verb === "can't") &&
    ['get', 'reach', 'find', 'hear', 'sleep'].includes(wordAt(tokens, at + 1)) &&
    around.tone !== 'rule' &&
    clause.actor === null
  )
    return null;
  if ((verb === 'cannot' || verb === "can't") && clause.actor !== null) return made('must_not');
  if (verb === 'cannot' || verb === "can't" || verb === 'can')
    return verb !== 'can' && isOurs && (wordAt(tokens, first) !== 'we' || UNABLE.has(wordAt(tokens, at + 1)))
      ? null
      : made('must_not');
  if (
    verb === 'need' ||
    verb === "needn't" ||
    (wanting !== null &&
      /need|have to|has to|require|insist|demand/.test(joined(tokens, wanting.at, wanting.at + wanting.size)))
  )
    return made('may');
  if (wanting !== null && joined(tokens, wanting.at, wanting.at + 1).startsWith('want'))
    return made('must_not');
  const isRefusal = isOurs && REFUSED.has(wordAt(tokens, negation + 1));
  if (isRefusal && (clause.finite?.kind === 'do' || verb === "won't" || verb === 'will'))
    return made('must_not');
  if (clause.finite?.kind === 'modal')
    return isOurs && /will|'ll|won't/.test(verb) && !isExclusion(tokens, negation) ? null : made('must_not');
  if (wanting !== null && clause.finite?.kind !== 'do') return made('must_not');
  const mood = sentence.mood === null ? null : made('must_not');
  if (mood !== null) return mood;
  if (isOurs && word !== 'neither' && word !== 'never') return null;
  return isPresentRule(scan, clause, {
    sentence,
    isFollowing: false,
    ...around,
    isNegated: true,
    isStory: isStory(tokens, sentence, first),
  })
    ? made('must_not')
    : null;
}

/** `We won't index attachments` leaves it out; `we won't be there` only tells. */
function isExclusion(tokens: readonly Token[], negation: number): boolean {
  const verb = wordAt(tokens, negation + 1);
  return (
    isBase(verb) &&
    ![
      'be',
      'come',
      'attend',
      'manage',
      'see',
      'know',
      'forget',
      'mind',
      'go',
      'make',
      'get',
      'understand',
      'remember',
      'find',
      'learn',
      'lose',
      'let',
    ].includes(verb)
  );
}

/** `We do not ship to post boxes`, `I won't accept another heater`: what one refuses. */
const REFUSED: ReadonlySet<string> = new Set([
  'ship',
  'deliver',
  'accept',
  'refund',
  'exchange',
  'reimburse',
  'tolerate',
  'allow',
  'permit',
  'lend',
  'store',
  'support',
  'sell',
  'share',
  'pass',
  'collect',
  'provide',
  'offer',
  'grant',
  'cover',
]);

const SUFFERERS: readonly string[] = ['me', 'us'];

/** What people say they cannot do when something does not work. */
const UNABLE: ReadonlySet<string> = new Set([
  'see',
  'find',
  'reproduce',
  'log',
  'open',
  'tell',
  'say',
  'remember',
  'explain',
  'understand',
  'wait',
  'figure',
  'get',
  'reach',
  'believe',
  'hear',
  'stand',
  'sleep',
  'work',
]);

/** Negations of the main line of a core. */
function negationsIn(scan: Scan, { core: { first, next }, finite }: Clause): readonly number[] {
  const { tokens } = scan;
  const found: number[] = [];
  for (let at = first; at < next; at += 1) {
    const word = wordAt(tokens, at);
    if (
      at > first &&
      (word === 'who' || word === 'which' || word === 'that') &&
      wordAt(tokens, at - 1) !== ','
    ) {
      // What a relative clause negates is its own affair.
      if (finite !== null && at < finite.at) at = finite.at - 1;
      else while (at + 1 < next && wordAt(tokens, at + 1) !== ',') at += 1;
      continue;
    }
    // `no less than the agreed wage`, `not later than the day before`: a bound without a number.
    const isBound =
      ((word === 'no' || word === 'not') &&
        wordAt(tokens, at + 2) === 'than' &&
        (BOUNDING.has(wordAt(tokens, at + 1)) || wordAt(tokens, at + 1).endsWith('er')) &&
        !['other', 'rather'].includes(wordAt(tokens, at + 1))) ||
      (word === 'not' &&
        wordAt(tokens, at + 1) === 'be' &&
        wordAt(tokens, at + 2).endsWith('er') &&
        wordAt(tokens, at + 3) === 'than');
    if (isNegation(word) && !isInBound(scan, at) && !isBound) found.push(at);
  }
  return found;
}

const BOUNDING: ReadonlySet<string> = new Set(['less', 'more', 'worse']);

/** `no upload may …`, `nobody may …`, `neither … nor …` in front of the verb. */
function isNegativeSubject(scan: Scan, { core: { first }, finite }: Clause, negation: number): boolean {
  const word = wordAt(scan.tokens, negation);
  if (negation > first && isSaidOf(scan.tokens, negation)) return false;
  return (
    finite !== null &&
    negation < finite.at &&
    (negation <= first + 1 ? SUBJECTS.has(word) : negation === finite.at - 1 && PRONOUNS.has(word))
  );
}

const PRONOUNS: ReadonlySet<string> = new Set(['nobody', 'none', 'nothing']);

/** `is not liable`, `is not guaranteed`: what is not promised is not forbidden. */
function isDisclaimer(tokens: readonly Token[], negation: number): boolean {
  const at = ['a', 'an', 'the', 'our', 'my'].includes(wordAt(tokens, negation + 1))
    ? negation + 2
    : negation + 1;
  return [
    'liable',
    'guaranteed',
    'responsible',
    'sure',
    'certain',
    'known',
    'urgent',
    'concern',
    'problem',
    'issue',
    'priority',
    'clear',
    'possible',
    'big',
    'worth',
    'far',
    'fan',
    'bad',
    'great',
  ].includes(wordAt(tokens, at));
}

function isVerbNegation(tokens: readonly Token[], verb: number, negation: number): boolean {
  const word = wordAt(tokens, negation);
  if (negation === verb) return true;
  if (negation === verb - 1) return word === 'never' || word === 'neither' || word === 'not';
  if (negation < verb || negation > verb + 4) return false;
  if (isNoLonger(tokens, negation)) return negation === verb + 1;
  // `get no salt`, `contains no nuts`, `want neither a buffet nor …`.
  if ((word === 'no' || word === 'neither') && negation === verb + 1 && HAVING.has(wordAt(tokens, verb)))
    return true;
  // `may use neither bleach nor sprays`, `shall have no sharp edges`.
  if (
    (word === 'neither' || word === 'no') &&
    (isBase(wordAt(tokens, negation - 1)) || wordAt(tokens, negation - 1) === 'be') &&
    negation <= verb + 3
  )
    return ['must', 'shall', 'may', 'will'].includes(wordAt(tokens, verb));
  // `goes into settings, not the toolbar` contrasts; only an auxiliary is negated behind, with adverbs
  // between at most.
  const isClose =
    kindAt(tokens, verb, verb, negation) !== null &&
    tokens.slice(verb + 1, negation).every(({ lower }) => BETWEEN.has(lower) || lower.endsWith('ly'));
  return (
    isClose &&
    (word === 'not' ||
      word === 'never' ||
      word === 'neither' ||
      wordAt(tokens, negation + 1) === 'case' ||
      wordAt(tokens, negation + 1) === 'circumstances' ||
      wordAt(tokens, negation + 1) === 'way')
  );
}

const HAVING: ReadonlySet<string> = new Set([
  'get',
  'gets',
  'receive',
  'receives',
  'contain',
  'contains',
  'want',
  'wants',
  'pay',
  'pays',
  'accept',
  'accepts',
  'allow',
  'allows',
  'wear',
  'wears',
  'use',
  'uses',
  'carry',
  'carries',
  'include',
  'includes',
  'store',
  'stores',
  'send',
  'sends',
  'leave',
  'leaves',
  'make',
  'makes',
]);
const BETWEEN: ReadonlySet<string> = new Set([
  'rather',
  'really',
  'also',
  'always',
  'ever',
  'under',
  'in',
  'at',
  'be',
  'therefore',
  'then',
  'both',
  'just',
  'of',
  'by',
]);

/** `Subletting is prohibited`; not `stops prohibited items`. */
function isForbidding(
  tokens: readonly Token[],
  { at }: { readonly at: number },
  finite: Clause['finite'],
): boolean {
  return finite === null || at >= finite.at || wordAt(tokens, at).startsWith('refrain');
}

/** A negator right before a word that forbids by itself. */
function isLetGo(
  tokens: readonly Token[],
  { at }: { readonly at: number },
  finite: Clause['finite'],
): boolean {
  const isAgain =
    finite !== null && finite.kind === 'be' && LETTING.has(wordAt(tokens, at)) && at > finite.at;
  return (
    isAgain &&
    (wordAt(tokens, at - 1) === 'not' ||
      isNoLonger(tokens, at - 2) ||
      wordAt(tokens, finite.at).endsWith("n't"))
  );
}

const LETTING: ReadonlySet<string> = new Set([
  'forbidden',
  'prohibited',
  'banned',
  'unacceptable',
  'taboo',
  'excluded',
]);

function isNotOnly(tokens: readonly Token[], first: number, limit: number): boolean {
  for (let at = first; at < limit - 1; at += 1)
    if (wordAt(tokens, at) === 'not' && wordAt(tokens, at + 1) === 'only') return true;
  return false;
}
