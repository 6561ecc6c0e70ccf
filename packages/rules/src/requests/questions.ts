/**
 * What the words of a clause leave open: one question each, by class, and never an answer. Source: intent I6.
 *
 * @module
 */
import {
  findMeasure,
  QUESTION_KEY,
  type Claim,
  type Quantity,
  type QuestionClass,
  type Scan,
  type SeedText,
} from '@assay/kernel/intent';
import type { Clause } from './clauses.js';
import { quantitiesIn, type Demand } from './binding.js';
import { lostBound, unplacedIn, unplacedMoment } from './amounts.js';
import { isPlural } from './predicates.js';
import type { Sentence } from './sentences.js';
import { unsureFilter } from './premise.js';
import { openShare, openSpan, seldomIn } from './shares.js';
import { isCovered, quoteOf, spansWithin, type Span } from './spans.js';
import { isParticiple } from './verbs.js';
import { findPhrase, isIn, phraseAt, wordAt } from './words.js';

type Source = { readonly scan: Scan; readonly seed: SeedText };

/** Questions of a clause that demands something. */
export function questionsIn(
  source: Source,
  clause: Clause,
  demand: Demand,
  label: Span | null,
): readonly Claim[] {
  const spans: readonly (readonly [QuestionClass, Span])[] = [
    ...vagueIn(source.scan, clause, demand).map((span) => ['vague', span] as const),
    ...boundsIn(source.scan, clause).map((span) => ['bound', span] as const),
    ...referentsIn(source.scan, clause).map((span) => ['referent', span] as const),
    ...choicesIn(source.scan, clause, demand).map((span) => ['and_or', span] as const),
    ...attachmentsIn(source.scan, clause, demand).map((span) => ['attachment', span] as const),
    ...scopesIn(source.scan, clause, demand).map((span) => ['scope', span] as const),
    ...seldomActs(source.scan, clause).map((span) => ['vague', span] as const),
    ...unreadIn(source.scan, clause, demand, label).map((span) => ['scope', span] as const),
  ];
  return spans.map(([asks, span]) => question(source, span, asks, demand.modality));
}

/**
 * Vague words of a clause that demands nothing and still says what is wished: `We value …`,
 * `Can it be faster?`.
 */
export function wishesIn(source: Source, sentence: Sentence, clause: Clause): readonly Claim[] {
  const { tokens } = source.scan;
  const { first } = clause.core;
  const [opening, verb] = [wordAt(tokens, first), wordAt(tokens, first + 1)];
  const isWish = (opening === 'we' || opening === 'i') && WISHING.has(verb);
  const isAsked = sentence.isQuestion && ['can', 'could', 'would', 'is', 'should', 'shall'].includes(opening);
  if (sentence.isBackground || !(isWish || isAsked)) return [];
  return vagueIn(source.scan, clause, { phrase: { first, next: first } }).map((span) =>
    question(source, span, 'vague', 'should'),
  );
}

const WISHING: ReadonlySet<string> = new Set([
  'value',
  'hope',
  'expect',
  'like',
  'love',
  'appreciate',
  'imagine',
  'look',
  'are',
  'am',
  'dream',
  'think',
  'care',
  'wish',
  'aim',
  'envisage',
  'enjoy',
]);

/** Moments without an anchor: never resolved, always asked. */
export function datesIn(source: Source, { first, next }: Sentence): readonly Claim[] {
  const { tokens, moments } = source.scan;
  const asked: Claim[] = [];
  for (let at = first; at < next; at += 1) {
    const size = phraseAt('relativeDate', tokens, at, next);
    const ordinal = size === 0 ? ordinalDay(tokens, at) : 0;
    if (
      size + ordinal === 0 ||
      isCovered(moments, at + size + ordinal - 1) ||
      isFollowedByDate(source.scan, at + size)
    )
      continue;
    asked.push(question(source, { first: at, next: at + size + ordinal }, 'relative_date', 'must'));
    at += size + ordinal - 1;
  }
  for (const moment of spansWithin(moments, { first, next }))
    if (moment.value === null) asked.push(question(source, moment, 'relative_date', 'must'));
  return asked;
}

/** A question about some words. */
export function question(
  { scan, seed }: Source,
  span: Span,
  asks: QuestionClass,
  modality: Claim['modality'],
): Claim {
  return {
    kind: 'question',
    modality,
    quote: quoteOf(scan, seed, span),
    atom: { key: QUESTION_KEY, op: '=', value: asks, unit: null },
    scope: { actor: null, condition: null, exception: null },
  };
}

/**
 * `Give the dashboard a modern feel and good performance`: nothing but vague words beside verb and object.
 */
export function isVagueAlone(scan: Scan, clause: Clause, { phrase, subject }: Demand): boolean {
  const { tokens } = scan;
  const { first, next } = clause.core;
  if (quantitiesIn(scan, clause).length > 0 || clause.condition !== null || clause.exception !== null)
    return false;
  // A named thing with a vague measure is a demand that raises a question; `we need something modern` is only
  // the question.
  const isNamed = Array.from(
    { length: Math.max(0, Math.min(subject.next, next) - subject.first) },
    (_, index) => subject.first + index,
  ).some(
    (at) =>
      tokens[at]?.kind === 'word' &&
      !isIn('stop', wordAt(tokens, at)) &&
      !isFiller(wordAt(tokens, at)) &&
      phraseAt('vague', tokens, at, next) === 0,
  );
  if (isNamed && phrase.next > phrase.first) return false;
  return saysOnlyVague(scan, clause, phrase, first);
}

/** `The app must be fast`: a named thing, and nothing but vague words said of it. */
export function isVagueOfThing(scan: Scan, clause: Clause, { phrase, subject }: Demand): boolean {
  // `must respond quickly`: the verb says no more than that it is there.
  const isManner = MANNERS.has(wordAt(scan.tokens, phrase.next));
  const isBare =
    quantitiesIn(scan, clause).length === 0 &&
    spansWithin(scan.moments, clause.core).length === 0 &&
    clause.condition === null &&
    clause.exception === null;
  return (
    isBare &&
    phrase.next > phrase.first &&
    subject.next <= phrase.next &&
    saysOnlyVague(
      scan,
      clause,
      { first: phrase.first, next: isManner ? phrase.next + 1 : phrase.next },
      Math.max(clause.core.first, subject.next),
    )
  );
}

const MANNERS: ReadonlySet<string> = new Set([
  'respond',
  'react',
  'load',
  'work',
  'run',
  'behave',
  'perform',
  'operate',
  'start',
  'open',
]);

function saysOnlyVague(
  { tokens }: Scan,
  { core: { first, next } }: Clause,
  phrase: Span,
  from: number,
): boolean {
  let [vague, content] = [0, 0];
  for (let at = from; at < next; at += 1) {
    if (phrase.first <= at && at < phrase.next) continue;
    const size = phraseAt('vague', tokens, at, next);
    if (size > 0) {
      vague += 1;
      at += size - 1;
    } else if (
      tokens[at]?.kind === 'word' &&
      !isIn('stop', wordAt(tokens, at)) &&
      !isIn('preposition', wordAt(tokens, at)) &&
      !isFiller(wordAt(tokens, at))
    )
      content += 1;
  }
  return vague > 0 && content <= (vague > 1 ? 1 : 0) + (isFiller(wordAt(tokens, first)) ? 1 : 0);
}

function isFiller(word: string): boolean {
  return [
    'something',
    'anything',
    'thing',
    'things',
    'feel',
    'look',
    'way',
    'make',
    'give',
    'feeling',
    'style',
    'kind',
    'sort',
    'overall',
    'really',
    'everything',
    'keep',
    'nothing',
  ].includes(word);
}

function ordinalDay(tokens: Scan['tokens'], at: number): number {
  const [article, day, suffix] = [wordAt(tokens, at), tokens[at + 1], tokens[at + 2]];
  const isDay =
    article === 'the' &&
    day?.kind === 'number' &&
    day.lower.length <= 2 &&
    suffix?.glued === true &&
    ['st', 'nd', 'rd', 'th'].includes(suffix.lower);
  const after = wordAt(tokens, at + 3);
  return isDay && (tokens[at + 3]?.kind !== 'word' || isIn('preposition', after) || isIn('stop', after))
    ? 3
    : 0;
}

/** `on Tuesday 3 March 2026` has its anchor behind it. */
function isFollowedByDate({ tokens, moments }: Scan, at: number): boolean {
  const place = wordAt(tokens, at) === ',' ? at + 1 : at;
  return moments.some(({ first, unit, value }) => first === place && unit !== 'clock' && value !== null);
}

/** Words of a measure without a threshold. */
function vagueIn(scan: Scan, clause: Clause, { phrase }: Pick<Demand, 'phrase'>): readonly Span[] {
  const { tokens, quantities } = scan;
  const found: Span[] = [];
  for (let at = clause.first; at < clause.next; at += 1) {
    const size = phraseAt('vague', tokens, at, clause.next);
    if (
      size === 0 ||
      isCovered(quantities, at) ||
      (phrase.first <= at && at < phrase.next) ||
      isMeasured(scan, at, size)
    )
      continue;
    found.push({ first: at, next: at + size });
    at += size - 1;
  }
  return found;
}

/** `30 cm deep`, `as low as 3 °C`, `as well`, `how long`: measured, or no measure at all. */
function isMeasured({ tokens, quantities }: Scan, at: number, size: number): boolean {
  const [word, before, after] = [wordAt(tokens, at), wordAt(tokens, at - 1), wordAt(tokens, at + size)];
  const isAfterAmount = isCovered(quantities, at - 1) && !isPlural(wordAt(tokens, at - 1));
  if (
    isAfterAmount &&
    ['deep', 'wide', 'high', 'tall', 'long', 'thick', 'heavy', 'early', 'broad'].includes(word)
  )
    return true;
  if (word === 'latest' && before === 'the' && wordAt(tokens, at - 2) === 'at') return true;
  if (word === 'well' && (before === 'as' || before === '')) return true;
  if (
    (word === 'soon' || word === 'long' || word === 'much' || word === 'many' || word === 'often') &&
    before === 'as'
  )
    return true;
  if ((word === 'many' || word === 'often' || word === 'much') && before === 'how') return true;
  if (word === 'enough' && isIn('determiner', before)) return true;
  if (
    (word === 'light' ||
      word === 'clear' ||
      word === 'clean' ||
      word === 'cool' ||
      word === 'warm' ||
      word === 'quality' ||
      word === 'performance' ||
      word === 'solid' ||
      word === 'play') &&
    (isIn('determiner', after) ||
      after === 'of' ||
      isIn('determiner', before) ||
      before === 'of' ||
      at === 0 ||
      tokens[at - 1]?.kind === 'symbol')
  )
    return word !== 'performance' && word !== 'quality';
  return (
    (word === 'short' || word === 'high' || word === 'low') &&
    (after === 'notice' || after === 'school' || after === 'season' || after === 'street')
  );
}

/** Approximate amounts, and a bare span of time that says neither from when nor how exactly. */
function boundsIn(scan: Scan, clause: Clause): readonly Span[] {
  const open = quantitiesIn(scan, clause).filter(
    (quantity) => quantity.approx || isBareSpan(clause, quantity),
  );
  return open.map(({ first, next }) => ({ first, next }));
}

function isBareSpan({ core, isListed }: Clause, { first, next, op, unit }: Quantity): boolean {
  return (
    isListed &&
    op === '=' &&
    first === core.first &&
    next === core.next &&
    findMeasure(unit).dimension === 'time'
  );
}

/** What points outside the text, and a pronoun that two things before it may mean. */
function referentsIn(scan: Scan, clause: Clause): readonly Span[] {
  const { tokens } = scan;
  const found: Span[] = [];
  for (let at = clause.first; at < clause.next; at += 1) {
    const size = phraseAt('referent', tokens, at, clause.next);
    if (size === 0) continue;
    found.push({ first: at, next: at + size });
    at += size - 1;
  }
  const { first, next } = clause.core;
  const pronoun = wordAt(tokens, first);
  const isOpen =
    ['it', 'he', 'she', 'they'].includes(pronoun) &&
    (pronoun === 'it' || pronoun === 'they' ? hasTwoThings(scan, first) : hasTwoNames(scan, first));
  return isOpen && next > first + 1 ? [{ first, next: first + 2 }, ...found] : found;
}

const LOOK_BACK = 30;

/** `the pump and the valve`, `the server, the client` shortly before. */
function hasTwoThings({ tokens }: Scan, at: number): boolean {
  for (let index = at - 1; index > Math.max(0, at - LOOK_BACK); index -= 1) {
    const word = wordAt(tokens, index);
    if (
      word === 'and' &&
      wordAt(tokens, index + 1) === 'the' &&
      [2, 3, 4].some((back) => wordAt(tokens, index - back) === 'the')
    )
      return true;
  }
  return false;
}

/** Two capitalised names joined by `and`, or one that does something to another, shortly before. */
function hasTwoNames({ tokens, text }: Scan, at: number): boolean {
  for (let index = at - 1; index > Math.max(0, at - LOOK_BACK); index -= 1) {
    const isNamed = (place: number): boolean => {
      const code = text.charCodeAt(tokens[place]?.start ?? 0);
      return code >= 0x41 && code <= 0x5a;
    };
    if (wordAt(tokens, index) === 'and' && isNamed(index - 1) && isNamed(index + 1)) return true;
  }
  return false;
}

/**
 * `engraved or printed`, `Empty it, or put up a new one`: who chooses is not said. Where an actor may or
 * must, the actor chooses.
 */
function choicesIn(scan: Scan, clause: Clause, { modality, subject }: Demand): readonly Span[] {
  const { tokens, quantities } = scan;
  const { first, next } = clause.core;
  const hasActor = findPhrase('actor', tokens, subject.first, Math.min(subject.next, next)) !== null;
  if (modality === 'must_not') return [];
  if (wordAt(tokens, first - 1) === 'or') return [{ first: first - 1, next }];
  for (let at = first + 1; at < next - 1; at += 1) {
    const word = wordAt(tokens, at);
    if (word === 'and' && wordAt(tokens, at + 1) === '/' && wordAt(tokens, at + 2) === 'or')
      return [{ first: at - 1, next: Math.min(next, at + 4) }];
    if (word !== 'or' || isCovered(quantities, at) || hasActor) continue;
    if (
      wordAt(tokens, at + 1) === 'more' ||
      wordAt(tokens, at + 1) === 'less' ||
      wordAt(tokens, at + 1) === 'better' ||
      hasEither(tokens, first, at)
    )
      continue;
    return [{ first: at - 1, next: at + (isIn('determiner', wordAt(tokens, at + 1)) ? 3 : 2) }];
  }
  return [];
}

function hasEither(tokens: Scan['tokens'], first: number, at: number): boolean {
  for (let index = Math.max(first, at - 12); index < at; index += 1)
    if (wordAt(tokens, index) === 'either' || wordAt(tokens, index) === 'whether') return true;
  return false;
}

/** `Files up to 250 MB`, `bags under 20 kg`: for each or for all of them. */
function attachmentsIn(scan: Scan, clause: Clause, { modality }: Demand): readonly Span[] {
  const { tokens } = scan;
  if (modality === 'must_not') return [];
  return quantitiesIn(scan, clause).flatMap(({ first, next, op, unit }) => {
    const dimension = findMeasure(unit).dimension;
    const isShared = ['bytes', 'mass', 'volume'].includes(dimension) || dimension.startsWith('money_');
    const noun = wordAt(tokens, first - 1);
    const isOpen =
      isShared &&
      (op === '<' || op === '<=') &&
      unit?.includes('/') !== true &&
      isPlural(noun) &&
      !isParticiple(noun);
    const isTold = ['each', 'total', 'in', 'altogether', 'together', 'per', 'apiece'].includes(
      wordAt(tokens, next),
    );
    return isOpen && !isTold ? [{ first: first - 1, next }] : [];
  });
}

/**
 * `must not be stored and shared`, `except admins and guests in the lab`: how far the negation or the
 * exception reaches.
 */
function scopesIn(scan: Scan, clause: Clause, { modality, phrase }: Demand): readonly Span[] {
  const { tokens } = scan;
  const { exception, core } = clause;
  if (exception !== null && findJoint(scan, exception) !== null) return [exception];
  if (modality !== 'must_not' || phrase.next <= phrase.first) return [];
  const joint = findJoint(scan, { first: phrase.next, next: core.next });
  return joint !== null &&
    isParticiple(wordAt(tokens, joint + 1)) &&
    isParticiple(wordAt(tokens, joint - 1)) &&
    wordAt(tokens, joint) === 'and'
    ? [{ first: joint - 1, next: joint + 2 }]
    : [];
}

function seldomActs(scan: Scan, clause: Clause): readonly Span[] {
  const found = seldomIn(scan, clause);
  return found === null ? [] : [found];
}

/** Words by which a bound may say another thing than it seems to: no check is made of it. */
function unreadIn(scan: Scan, clause: Clause, demand: Demand, label: Span | null): readonly Span[] {
  const found =
    openShare(scan, clause) ??
    openSpan(scan, clause) ??
    unsureFilter(scan, clause, demand) ??
    unplacedIn(scan, clause, demand, label) ??
    unplacedMoment(scan, clause, demand) ??
    lostBound(scan, clause, demand, label);
  return found === null ? [] : [found];
}

function findJoint({ tokens }: Scan, { first, next }: Span): number | null {
  for (let at = first + 1; at < next - 1; at += 1)
    if (wordAt(tokens, at) === 'and' || wordAt(tokens, at) === 'or') return at;
  return null;
}
