/**
 * Sentences: stretches that can hold a demand, with what their heading, stem or label makes of them.
 *
 * @module
 */
import type { Scan, Token } from '@assay/kernel/intent';
import { findFinite } from './predicates.js';
import { spansWithin, type Span } from './spans.js';
import { isClosing, stretchesOf, type Stretch } from './stretches.js';
import { findPhrase, isIn, phraseAt, wordAt } from './words.js';

/** What a heading, stem or label makes of the items under it; null: nothing. */
export type Mood = 'must' | 'must_not' | 'should' | 'may' | null;

/**
 * A sentence: its tokens `[first, next)` without bullet and closing mark. `label`: the words before a colon
 * that it follows. `isBackground`: it stands where a text tells what is. `isRuled`: it stands under a heading
 * of requirements. `paragraph`: its number. `premise`: a label that picks out by a bound what the sentence
 * speaks of (`Bags over 23 kg: refuse`).
 */
export type Sentence = Span & {
  readonly mood: Mood;
  readonly isItem: boolean;
  readonly label: Span | null;
  readonly isQuestion: boolean;
  readonly isBackground: boolean;
  readonly isRuled: boolean;
  readonly paragraph: number;
  readonly premise?: Span;
};

const LABEL_TOKENS_MAX = 6;
const INTRODUCTION_TOKENS_MAX = 14;
const HEADING_TOKENS_MAX = 16;
const NUMBERED_TOKENS_MAX = 8;
const MARKUP: ReadonlySet<string> = new Set(['*', '_', '#', '[', ']', '>', '|', '`', '~']);

type Heading = { readonly mood: Mood; readonly isBackground: boolean; readonly isStem: boolean };

/** Splits a scanned text into sentences. Linear. */
export function sentencesOf(scan: Scan): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let [section, stem]: [Heading, Heading | null] = [NO_HEADING, null];
  let [paragraph, isTelling, isLineTold] = [0, false, false];
  for (const stretch of stretchesOf(scan)) {
    const bare = withoutMarkup(scan.tokens, stretch);
    // What a symptom or a step is called tells no further than its line.
    if (isLineTold && (scan.tokens[stretch.first]?.lines ?? 0) > 0) [isTelling, isLineTold] = [false, false];
    const own = paragraph;
    const wasTelling = isTelling;
    if (stretch.isAlone) [paragraph, isTelling] = [paragraph + 1, false];
    if (bare.next <= bare.first) continue;
    const heading = headingOf(scan, stretch, bare);
    if (heading !== null) {
      if (heading.isStem) stem = heading;
      else [section, stem] = [heading, null];
      continue;
    }
    // The mood of a stem ends with its list, that of a heading with its section; only items take it over.
    if (!stretch.isItem) stem = null;
    const above = stem ?? section;
    const around: Around = {
      mood: stretch.isItem ? above.mood : null,
      isItem: stretch.isItem,
      isBackground: above.isBackground || wasTelling,
      isRuled: above.mood !== null,
      paragraph: own,
    };
    for (const sentence of labelled(scan, bare, around)) {
      sentences.push(sentence);
      // `Actual: … Expected: …`: a label that demands ends what is told.
      if (sentence.label !== null && !sentence.isBackground && sentence.mood !== null) isTelling = false;
      // `About us: …`: what follows in the paragraph tells on.
      isTelling ||=
        sentence.isBackground &&
        !stretch.isAlone &&
        !stretch.isItem &&
        sentence.label !== null &&
        isBackgroundTitle(scan.tokens, sentence.label.first, sentence.label.next) &&
        sentence.label.first === bare.first;
      if (isTelling && !wasTelling && sentence.label !== null)
        isLineTold = LINES.has(wordAt(scan.tokens, sentence.label.first));
    }
  }
  return sentences;
}

/** Labels of a report whose text is one line. */
const LINES: ReadonlySet<string> = new Set([
  'actual',
  'observed',
  'steps',
  'version',
  'versions',
  'environment',
  'setup',
  'got',
  'symptom',
  'symptoms',
  'today',
  'reason',
  'now',
]);

const NO_HEADING: Heading = { mood: null, isBackground: false, isStem: false };

function withoutMarkup(tokens: readonly Token[], { first, next }: Span): Span {
  let [from, to] = [first, next];
  while (from < to && MARKUP.has(wordAt(tokens, from))) from += 1;
  while (to > from && MARKUP.has(wordAt(tokens, to - 1))) to -= 1;
  return { first: from, next: to };
}

/** A short stretch without closing mark, or with a colon: a heading or the stem of a list. */
function headingOf(scan: Scan, stretch: Stretch, { first, next }: Span): Heading | null {
  const { tokens } = scan;
  const last = wordAt(tokens, next - 1);
  const made = (isStem: boolean): Heading => ({
    mood: moodOf(tokens, first, next),
    isBackground: isBackgroundTitle(tokens, first, next),
    isStem,
  });
  const isStem = last === ':' && (tokens[next]?.lines ?? 1) > 0;
  const end = isStem ? next - 1 : next;
  const isMarked = wordAt(tokens, stretch.first) === '#' && !stretch.isItem;
  if (isMarked) return { ...made(false), isStem: false };
  // `The bill has to` right above its bullets, without a colon.
  const isOpen =
    !stretch.isItem &&
    isOpenStem(tokens, first, next) &&
    (tokens[stretch.next]?.lines ?? 0) > 0 &&
    next === stretch.next;
  if (isOpen) return made(true);
  if (isStem && (!stretch.isItem || stretch.isNumbered)) return made(!stretch.isNumbered && end - first > 0);
  const isAtLineEnd = (tokens[stretch.next]?.lines ?? 2) > 0;
  if (isClosing(last) || !isAtLineEnd) return null;
  if (stretch.isItem && !(stretch.isNumbered && stretch.isAlone && next - first <= NUMBERED_TOKENS_MAX))
    return null;
  // `MUST NOT` right above its bullets; a title or the heading of a section before a blank line.
  const isTop = stretch.first === 0 && stretch.next < tokens.length && last !== ',';
  const isAbove = next - first <= 4 && phraseMood(tokens, first, next) !== null && !stretch.isItem;
  if (
    !isAbove &&
    (!(stretch.isAlone || isTop) || next - first > HEADING_TOKENS_MAX || stretch.next >= tokens.length)
  )
    return null;
  const hasAmount =
    spansWithin(scan.quantities, { first, next }).length > 0 ||
    spansWithin(scan.moments, { first, next }).length > 0;
  const finite = findFinite(scan, first, next);
  const says = finite !== null && (finite.kind === 'modal' || finite.kind === 'be' || hasAmount);
  if (isAbove) return made(false);
  return (isTop && finite?.kind !== 'modal') || (!says && !hasAmount && !isGreeting(tokens, first, next))
    ? made(false)
    : null;
}

/** A line that breaks off behind what binds: `The bill has to`, `It must not`. */
function isOpenStem(tokens: readonly Token[], first: number, next: number): boolean {
  return (
    next - first <= HEADING_TOKENS_MAX &&
    (['must', 'shall', 'should', 'may', 'will', 'to', 'not', 'never', 'cannot', 'can'] as const).some(
      (word) => wordAt(tokens, next - 1) === word,
    ) &&
    moodOf(tokens, first, next) !== null
  );
}

/**
 * What a heading, a stem or a label asks of what follows it. Prohibition counts before demand: `MUST NOT`
 * holds both.
 */
function moodOf(tokens: readonly Token[], first: number, next: number): Mood {
  if (findPhrase('stemNot', tokens, first, next) !== null || isAvoiding(tokens, first, next))
    return 'must_not';
  if (findPhrase('stemShould', tokens, first, next) !== null) return 'should';
  if (findPhrase('stemMust', tokens, first, next) !== null) return 'must';
  return findPhrase('stemMay', tokens, first, next) === null ? null : 'may';
}

/** `Please avoid:`, `Things to avoid`; `How to avoid …` tells how. */
function isAvoiding(tokens: readonly Token[], first: number, next: number): boolean {
  const last = wordAt(tokens, next - 1) === ':' ? next - 2 : next - 1;
  return (
    last >= first &&
    ['avoid', 'avoided'].includes(wordAt(tokens, last)) &&
    !isIn('indirect', wordAt(tokens, first))
  );
}

function phraseMood(tokens: readonly Token[], first: number, next: number): Mood {
  const size = (['stemNot', 'stemShould', 'stemMust', 'stemMay'] as const).some(
    (list) => phraseAt(list, tokens, first, next) === next - first,
  );
  return size || isAvoiding(tokens, first, next) ? moodOf(tokens, first, next) : null;
}

function isBackgroundTitle(tokens: readonly Token[], first: number, next: number): boolean {
  const size = phraseAt('stemBackground', tokens, first, next);
  return size > 0 && next - first - size <= 3;
}

function isGreeting(tokens: readonly Token[], first: number, next: number): boolean {
  return wordAt(tokens, next - 1) === ',' || ['hi', 'hello', 'dear', 'hey'].includes(wordAt(tokens, first));
}

type Around = Pick<Sentence, 'mood' | 'isItem' | 'isBackground' | 'isRuled' | 'paragraph'>;

/**
 * The sentence behind its label (`Material:`, `Limits I'd suggest:`), without its closing marks; an
 * introduction that is more than a label is a sentence of its own.
 */
function labelled(scan: Scan, { first, next }: Span, around: Around): readonly Sentence[] {
  const { tokens } = scan;
  const limit = Math.min(next - 1, first + INTRODUCTION_TOKENS_MAX + 1);
  let colon = 0;
  for (let index = first + 1; index < limit; index += 1)
    if (wordAt(tokens, index) === ':' && tokens[index + 1]?.glued !== true) colon = index;
  let end = next;
  while (end > first && isClosing(wordAt(tokens, end - 1))) end -= 1;
  const isQuestion = tokens.slice(end, next).some(({ lower }) => lower === '?');
  const from = colon > 0 ? colon + 1 : first;
  if (end <= from) return [];
  if (colon === 0) return [{ ...around, first, next: end, label: null, isQuestion }];
  const label = { first, next: colon };
  if (phraseAt('stemLine', tokens, first, colon) === colon - first)
    return [{ ...around, first: from, next: end, label, isQuestion, isBackground: true }];
  const own = moodOf(tokens, first, colon);
  const finite = findFinite(scan, first, colon);
  const isShort = colon - first <= LABEL_TOKENS_MAX;
  const isLabel = isShort || own !== null;
  const rest: Sentence = {
    ...around,
    first: from,
    next: end,
    mood: isSaying(tokens, label, finite !== null) ? around.mood : (own ?? around.mood),
    label: isLabel ? label : null,
    isQuestion,
    isBackground:
      (around.isBackground && !(isShort && own !== null)) || isBackgroundTitle(tokens, first, colon),
  };
  // `Bags over 23 kg: refuse`: of which things something is said.
  if (finite === null && own === null && isPickedOut(scan, label))
    return [{ ...rest, label: null, premise: label }];
  const isBare =
    isShort &&
    finite === null &&
    (spansWithin(scan.quantities, { first: from, next: end })[0]?.first ?? next) <= from + 1;
  const isSentence =
    !isBare && colon - first > 2 && (own === null || isSaying(tokens, label, finite !== null));
  return isSentence ? [{ ...around, first, next: colon, label: null, isQuestion: false }, rest] : [rest];
}

/** A noun with a bound, and nothing behind it. */
export function isPickedOut(
  { tokens, quantities }: Pick<Scan, 'tokens' | 'quantities'>,
  { first, next }: Span,
): boolean {
  const last = spansWithin(quantities, { first, next }).at(-1);
  return (
    last !== undefined &&
    last.op !== '=' &&
    last.next === next &&
    last.first > first &&
    tokens
      .slice(first, last.first)
      .every(
        ({ kind, lower }) =>
          (kind === 'word' && !isIn('preposition', lower) && !NAMING.has(lower)) ||
          lower === 'of' ||
          lower === 'with',
      )
  );
}

/** Words of a label that names a measure. */
const NAMING: ReadonlySet<string> = new Set([
  'budget',
  'limit',
  'time',
  'price',
  'cost',
  'size',
  'maximum',
  'minimum',
  'max',
  'min',
  'required',
  'goal',
  'target',
  'deadline',
  'duration',
  'capacity',
]);

const INTRODUCING: ReadonlySet<string> = new Set([
  'following',
  'follows',
  'these',
  'this',
  'things',
  'points',
  'below',
  'wishes',
  'requirements',
  'rules',
  'conditions',
  'changes',
  'features',
  'to',
  'suggest',
  'propose',
  'expect',
]);

/**
 * `The machine must have two modes: …` demands by itself; `What I would expect:` and `Limits I'd suggest:`
 * only introduce.
 */
function isSaying(tokens: readonly Token[], { first, next }: Span, hasFinite: boolean): boolean {
  if (!hasFinite || isIn('indirect', wordAt(tokens, first))) return false;
  // `It must never wake the bees: no lights` says what it demands; `It must not:` and
  // `We need the following:` do not.
  const isFull =
    next - first > 4 &&
    (isIn('pronoun', wordAt(tokens, first)) || isIn('determiner', wordAt(tokens, first))) &&
    !isIn('firstPerson', wordAt(tokens, first)) &&
    !tokens.slice(first, next).some(({ lower }) => INTRODUCING.has(lower));
  return next - first > LABEL_TOKENS_MAX || isFull;
}
