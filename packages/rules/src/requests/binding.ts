/**
 * Demands, and the phrases that bind a clause.
 *
 * @module
 */
import type { Modality, Quantity, Scan, Token } from '@assay/kernel/intent';
import type { Clause } from './clauses.js';
import { kindAt } from './predicates.js';
import type { Sentence } from './sentences.js';
import { isInBound, spansWithin, type Span } from './spans.js';
import type { Tone } from './tone.js';
import { isBase } from './verbs.js';
import { findPhrase, isIn, wordAt } from './words.js';

/**
 * What a clause demands. `subject`: the tokens before its verb; `verb`: the token its verb is looked for
 * from, the end of the core where it has none. `isNegatedWish`: "should not", which has no modality of its
 * own. `isNoSubject`: the negation is in the subject (`no upload may take longer than …`). `phrase`: the
 * words that bind. `who`: the subject, though it stand in the clause before.
 */
export type Demand = {
  readonly modality: Modality;
  readonly subject: Span;
  readonly verb: number;
  readonly isNegatedWish: boolean;
  readonly isNoSubject: boolean;
  readonly phrase: Span;
  readonly who: Span;
  /** The negation is in the object (`deliver no flowers`), so what follows does not share it. */
  readonly isNoObject?: true;
};

/** `isRuled`: the text states rules by its verbs of demand. `tone`: that of the paragraph. */
export type Around = { readonly isRuled: boolean; readonly tone: Tone };

/** A demand by its parts. */
export function of(modality: Modality, subject: Span, verb: number, phrase: Span): Demand {
  return { modality, subject, verb, isNegatedWish: false, isNoSubject: false, phrase, who: subject };
}

/** A demand bound by a phrase. */
export function demand(
  modality: Modality,
  first: number,
  { at, size }: { readonly at: number; readonly size: number },
): Demand {
  return of(modality, { first, next: at }, at + size, { first: at, next: at + size });
}

/** The quantities of a clause's core, in order. */
export function quantitiesIn({ quantities }: Scan, { core }: Clause): readonly Quantity[] {
  return spansWithin(quantities, core);
}

/**
 * The first phrase of a list that binds the main line of a clause: not one of a relative clause, and no noun
 * (`the need`).
 */
export function bindingPhrase(
  scan: Scan,
  list: 'must' | 'should' | 'may' | 'forbidden',
  { core: { first, next }, finite }: Clause,
): { readonly at: number; readonly size: number } | null {
  const { tokens } = scan;
  let from = first;
  while (from < next) {
    const found = findPhrase(list, tokens, from, next);
    if (found === null) return null;
    // Without a main verb only what opens the clause, or is no verb, can bind: `needs a fix today`,
    // `ideally blue`.
    const isLoose = list === 'forbidden' || wordAt(tokens, found.at).endsWith('ly');
    const isMain =
      isLoose ||
      (finite === null
        ? found.at <= first + 1 || kindAt(tokens, first, found.at, next) === null
        : found.at <= finite.at + 4);
    if (!isMain) return null;
    if (!isAside(scan, list, found, first)) return found;
    from = found.at + found.size;
  }
  return null;
}

function isAside(
  scan: Scan,
  list: string,
  { at, size }: { readonly at: number; readonly size: number },
  first: number,
): boolean {
  const { tokens } = scan;
  const before = wordAt(tokens, at - 1);
  if (
    isInBound(scan, at) &&
    isInBound(scan, at + size - 1) &&
    list !== 'forbidden' &&
    !wordAt(tokens, at).endsWith("n't")
  )
    return true;
  if (
    at > first &&
    ((isIn('relative', before) && !(before === 'that' && at - 1 === first)) ||
      before === 'if' ||
      (before === 'we' && ['who', 'which', 'that', 'what'].includes(wordAt(tokens, at - 2))))
  )
    return true;
  // `needs no more than 30 chairs`.
  if (size > 1 && wordAt(tokens, at + size - 1) === 'no' && isInBound(scan, at + size - 1)) return true;
  const isNoun = size === 1 && ['need', 'needs', 'want', 'wants', 'will'].includes(wordAt(tokens, at));
  if (
    isNoun &&
    ((isIn('determiner', before) && !isIn('pronoun', before) && before !== 'all' && before !== 'both') ||
      wordAt(tokens, at + 1) === 'of' ||
      before === 'special' ||
      before === 'to')
  )
    return true;
  return size === 1 && wordAt(tokens, at) === 'could' && !isSuggestion(tokens, first, at);
}

/**
 * `could` asks where somebody or it is to do something; an ability that is told (`that could cook`) asks
 * nothing.
 */
function isSuggestion(tokens: readonly Token[], first: number, at: number): boolean {
  return (at - first <= 4 && isBase(wordAt(tokens, at + 1))) || wordAt(tokens, at + 1) === 'be';
}

/** `I upload a drawing, the bar runs to the end`: the sentence begins with what the writer does. */
export function isStory(tokens: readonly Token[], sentence: Sentence, first: number): boolean {
  return (
    first > sentence.first &&
    (wordAt(tokens, sentence.first) === 'i' || wordAt(tokens, sentence.first) === 'we') &&
    kindAt(tokens, sentence.first, sentence.first + 1, first) !== 'modal'
  );
}
