/**
 * How binding a clause is, if it is a demand at all.
 *
 * @module
 */
import { isKnownUnit, measureOf, type Modality, type Quantity, type Scan, type Token } from '@assay/kernel/intent';
import type { Clause } from './clauses.js';
import { isOrderAt, kindAt } from './predicates.js';
import { isPresentRule, isTold } from './present.js';
import type { Sentence } from './sentences.js';
import { isInBound, spansWithin, type Span } from './spans.js';
import type { Tone } from './tone.js';
import { isBase, isParticiple } from './verbs.js';
import { findPhrase, isIn, joined, phraseAt, wordAt } from './words.js';

/**
 * What a clause demands. `subject`: the tokens before its verb; `verb`: the token its verb is looked for from, the
 * end of the core where it has none. `isNegatedWish`: "should not", which has no modality of its own.
 * `isNoSubject`: the negation is in the subject (`no upload may take longer than …`). `phrase`: the words that bind. `who`: the subject, though it stand in the clause before.
 */
export type Demand = {
  readonly modality: Modality;
  readonly subject: Span;
  readonly verb: number;
  readonly isNegatedWish: boolean;
  readonly isNoSubject: boolean;
  readonly phrase: Span;
  readonly who: Span;
};

/** `isRuled`: the text states rules by its verbs of demand. `tone`: that of the paragraph. */
export type Around = { readonly isRuled: boolean; readonly tone: Tone };

/** Classifies a clause; null where it demands nothing: background, reasons, questions, the past. `previous`: what the clause before it in the sentence demands. `around`: what the text around states. */
export function demandOf(scan: Scan, sentence: Sentence, clause: Clause, previous: Demand | null, around: Around): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const opening = wordAt(tokens, first);
  if (sentence.isQuestion) return asked(scan, clause);
  if (isIn('indirect', opening) || phraseAt('reason', tokens, first, next) > 0 || isPhatic(tokens, clause.core)) return null;
  if (sentence.isBackground) return isBinding(scan, clause) ? (refused(scan, clause, sentence, around) ?? bound(scan, clause)) : null;
  if (clause.opens === 'amount') return previous === null ? (around.tone === 'story' ? null : fragment(scan, sentence, clause)) : { ...previous, modality: amountModality(scan, clause, previous), isNoSubject: false, subject: { first, next: first }, verb: first, phrase: { first, next: first } };
  const shared = sharedVerb(scan, clause, previous);
  if (shared !== null) return shared;
  const own = ownDemand(scan, sentence, clause, previous, around);
  // `and shall hold …`: a verb without subject has that of the clause before.
  return own !== null && previous !== null && clause.opens === 'verb' ? { ...own, who: previous.who } : own;
}

function ownDemand(scan: Scan, sentence: Sentence, clause: Clause, previous: Demand | null, around: Around): Demand | null {
  const negative = refused(scan, clause, sentence, around);
  if (negative !== undefined) return negative;
  return bound(scan, clause) ?? underMood(scan, sentence, clause) ?? order(scan, clause) ?? present(scan, sentence, clause, previous, around) ?? fragment(scan, sentence, clause);
}

/** A further amount binds as the verb does; a limit of what is forbidden or permitted is a demand, `up to` still permits. */
function amountModality(scan: Scan, clause: Clause, { modality }: Demand): Modality {
  const isLimit = quantitiesIn(scan, clause).some(({ op, first }) => op !== '=' && wordAt(scan.tokens, first) !== 'up');
  return modality === 'must_not' || (modality === 'may' && isLimit) ? 'must' : modality;
}

/** The quantities of a clause's core, in order. */
export function quantitiesIn({ quantities }: Scan, { core }: Clause): readonly Quantity[] {
  return spansWithin(quantities, core);
}

/** True for a word that negates by itself, outside comparisons like `no more than`. */
export function isNegation(word: string): boolean {
  return isIn('negation', word) || word.endsWith("n't");
}

/** The first phrase of a list that binds the main line of a clause: not one of a relative clause, and no noun (`the need`). */
export function bindingPhrase(scan: Scan, list: 'must' | 'should' | 'may' | 'forbidden', { core: { first, next }, finite }: Clause): { readonly at: number; readonly size: number } | null {
  const { tokens } = scan;
  let from = first;
  while (from < next) {
    const found = findPhrase(list, tokens, from, next);
    if (found === null) return null;
    // Without a main verb only what opens the clause, or is no verb, can bind: `needs a fix today`, `ideally blue`.
    const isLoose = list === 'forbidden' || wordAt(tokens, found.at).endsWith('ly');
    const isMain = isLoose || (finite === null ? found.at <= first + 1 || kindAt(tokens, first, found.at, next) === null : found.at <= finite.at + 4);
    if (!isMain) return null;
    if (!isAside(scan, list, found, first)) return found;
    from = found.at + found.size;
  }
  return null;
}

function isAside(scan: Scan, list: string, { at, size }: { readonly at: number; readonly size: number }, first: number): boolean {
  const { tokens } = scan;
  const before = wordAt(tokens, at - 1);
  if (isInBound(scan, at) && isInBound(scan, at + size - 1) && list !== 'forbidden') return true;
  if (at > first && ((isIn('relative', before) && !(before === 'that' && at - 1 === first)) || before === 'if' || (before === 'we' && ['who', 'which', 'that', 'what'].includes(wordAt(tokens, at - 2))))) return true;
  const isNoun = size === 1 && ['need', 'needs', 'want', 'wants', 'will'].includes(wordAt(tokens, at));
  if (isNoun && (isIn('determiner', before) && !isIn('pronoun', before) && before !== 'all' && before !== 'both' || wordAt(tokens, at + 1) === 'of' || before === 'special' || before === 'to')) return true;
  return size === 1 && wordAt(tokens, at) === 'could' && !isSuggestion(tokens, first, at);
}

/** `could` asks where somebody or it is to do something; an ability that is told (`that could cook`) asks nothing. */
function isSuggestion(tokens: readonly Token[], first: number, at: number): boolean {
  return at - first <= 4 && isBase(wordAt(tokens, at + 1)) || wordAt(tokens, at + 1) === 'be';
}

const PHATIC: ReadonlySet<string> = new Set(['thanks', 'thank', 'regards', 'cheers', 'sorry', 'hope', 'hoping', 'see', 'looking', 'talk', 'greetings', 'sincerely', 'yours', 'best', 'kind', 'fyi', 'btw', 'closing']);

/** What is said to the reader, and asks nothing of the thing: thanks, `let me know`. */
function isPhatic(tokens: readonly Token[], { first, next }: Span): boolean {
  const opening = wordAt(tokens, first);
  const pair = joined(tokens, first, Math.min(next, first + 2));
  if (pair === 'let me' || pair === 'let us' || pair === 'tell me' || pair === 'give me' && next - first < 6 || pair === 'see you' || pair === 'see attached' || pair === 'see above' || pair === 'see below' || pair === 'mind you' || pair === 'come on' || pair === 'never mind' || pair === 'no worries' || pair === 'no idea' || pair === 'no rush' || pair === 'no problem' || pair === 'no hurry' || pair === 'no wonder' || pair === 'no reply' || pair === 'no luck' || pair === 'no doubt') return true;
  return PHATIC.has(opening) && !(opening === 'see' && next - first > 3);
}

/** `Could we have …`, `Can you make …`: a question that asks for a thing. */
function asked(scan: Scan, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const start = ['so', 'and', 'also', 'maybe', 'perhaps'].includes(wordAt(tokens, first)) ? first + 1 : first;
  const asking = ['would it be possible', 'is it possible', 'will it be possible'].find((phrase) => joined(tokens, start, Math.min(next, start + phrase.split(' ').length)) === phrase);
  if (asking !== undefined) {
    const at = start + asking.split(' ').length + 1;
    return at + 1 < next ? of('should', { first: at + 1, next: at + 1 }, at, { first: start, next: at }) : null;
  }
  const [modal, subject] = [wordAt(tokens, start), wordAt(tokens, start + 1)];
  if (!['could', 'can', 'would'].includes(modal) || next - first < 5) return null;
  const isOne = ['we', 'you', 'i', 'it', 'they', 'somebody', 'someone'].includes(subject);
  const verbAt = isOne ? start + 2 : start + 3;
  const verb = wordAt(tokens, verbAt);
  const isTelling = ['send', 'tell', 'say', 'explain', 'confirm', 'check', 'let', 'look', 'help', 'ask', 'call', 'mind', 'come', 'advise', 'clarify', 'remind', 'forward'].includes(verb) && subject === 'you';
  if (isTelling || modal === 'would') return null;
  const isAsking = isBase(verb) || verb === 'please' || verb === 'have' || verb === 'be' || verb === 'also';
  return isAsking ? of('should', { first: start + 1, next: verbAt }, verbAt, { first: start, next: verbAt }) : null;
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
  const isLate = word === 'to' || ['then', 'also', 'automatically', 'immediately', 'always'].includes(word);
  const verb = isLate ? first + 1 : first;
  return { ...previous, subject: { first: verb + 1, next: verb + 1 }, verb, phrase: { first, next: first }, isNoSubject: false, who: previous.who };
}

/** Phrases that forbid, orders not to, "no X", "nobody may", "is never …". Undefined: the clause negates nothing. Null: it does, and demands nothing. */
function refused(scan: Scan, clause: Clause, sentence: Sentence, around: Around): Demand | null | undefined {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const { finite } = clause;
  const permission = bindingPhrase(scan, 'may', clause);
  // `Not only admins may export` permits; `need not` releases.
  if (permission !== null && (isNotOnly(tokens, first, permission.at) || / not|n't|^no |^not /.test(` ${joined(tokens, permission.at, permission.at + permission.size)}`.slice(1)))) return demand('may', first, permission);
  const forbidden = bindingPhrase(scan, 'forbidden', clause);
  if (forbidden !== null && isForbidding(tokens, forbidden, finite)) return demand('must_not', first, forbidden);
  const negations = negationsIn(scan, clause);
  const [negation] = negations;
  if (negation === undefined) return undefined;
  const word = wordAt(tokens, negation);
  const start = ['please', 'also', 'and'].includes(wordAt(tokens, first)) ? first + 1 : first;
  const isTo = (wordAt(tokens, start) === 'do' && negation === start + 1) || (negation === start && word === "don't");
  if (negation + 1 < next && finite?.kind !== 'modal' && (isTo || (negation === start && (word === 'never' || word === 'not') && (isOrderAt(scan, negation + 1, next) || isBase(wordAt(tokens, negation + 1)))))) {
    return of('must_not', { first: negation + 1, next: negation + 1 }, negation + 1, { first, next: negation + 1 });
  }
  const isSubject = isNegativeSubject(scan, clause, negation);
  if (finite === null) return negation === start && FRAGMENTS.has(word) ? { ...of('must_not', { first: negation + 1, next }, next, { first, next: negation + 1 }), isNoSubject: true } : undefined;
  const isAtVerb = isSubject || isVerbNegation(tokens, finite.at, negation);
  if (!isAtVerb) return undefined;
  return negatedVerb(scan, clause, sentence, negation, isSubject, around);
}

const FRAGMENTS: ReadonlySet<string> = new Set(['no', 'never', 'nobody', 'nothing', 'not', 'none', 'neither']);

/** What a negated verb asks, by its auxiliary. */
function negatedVerb(scan: Scan, clause: Clause, sentence: Sentence, negation: number, isNoSubject: boolean, around: Around): Demand | null {
  const { tokens } = scan;
  const { first } = clause.core;
  const at = clause.finite?.at ?? first;
  const [verb, word] = [wordAt(tokens, at), wordAt(tokens, negation)];
  const phrase = { at, size: Math.max(1, negation - at + 1) };
  const made = (modality: Modality): Demand => ({ ...demand(modality, first, isNoSubject ? { at, size: 1 } : phrase), isNoSubject });
  const isOurs = isIn('firstPerson', wordAt(tokens, first));
  const wanting = bindingPhrase(scan, 'must', clause);
  if (isTold(scan, clause)) return null;
  const wish = bindingPhrase(scan, 'should', clause);
  if (wish !== null || verb === "shouldn't") return isNoSubject || word === 'not' || word === 'never' || verb === "shouldn't" ? { ...made('should'), isNegatedWish: true } : null;
  if (verb === 'would' || verb === "wouldn't" || verb === "couldn't") return null;
  if (verb === 'cannot' || verb === "can't" || verb === 'can') return verb !== 'can' && isOurs && (wordAt(tokens, first) !== 'we' || UNABLE.has(wordAt(tokens, at + 1))) ? null : made('must_not');
  if (verb === 'need' || verb === "needn't" || (wanting !== null && /need|have to|has to/.test(joined(tokens, wanting.at, wanting.at + wanting.size)))) return isNoSubject ? made('must_not') : made('may');
  if (wanting !== null && joined(tokens, wanting.at, wanting.at + 1).startsWith('want')) return made('must_not');
  if (clause.finite?.kind === 'modal') return isOurs && /will|'ll|won't/.test(verb) ? null : made('must_not');
  if (wanting !== null && clause.finite?.kind !== 'do') return made('must_not');
  const mood = sentence.mood === null ? null : made('must_not');
  if (mood !== null) return mood;
  if (isOurs && word !== 'neither' && word !== 'never') return null;
  return isPresentRule(scan, clause, { sentence, isFollowing: false, ...around, isNegated: true, isStory: isStory(tokens, sentence, first) }) ? made('must_not') : null;
}

/** What people say they cannot do when something does not work. */
const UNABLE: ReadonlySet<string> = new Set(['see', 'find', 'reproduce', 'log', 'open', 'tell', 'say', 'remember', 'explain', 'understand', 'wait', 'figure', 'get', 'reach', 'believe', 'hear', 'stand', 'sleep', 'work']);

/** Negations of the main line of a core. */
function negationsIn(scan: Scan, { core: { first, next }, finite }: Clause): readonly number[] {
  const { tokens } = scan;
  const found: number[] = [];
  for (let at = first; at < next; at += 1) {
    const word = wordAt(tokens, at);
    if (at > first && (word === 'who' || word === 'which' || word === 'that') && wordAt(tokens, at - 1) !== ',') {
      // What a relative clause negates is its own affair.
      if (finite !== null && at < finite.at) at = finite.at - 1;
      else while (at + 1 < next && wordAt(tokens, at + 1) !== ',') at += 1;
      continue;
    }
    if (isNegation(word) && !isInBound(scan, at)) found.push(at);
  }
  return found;
}

/** `no upload may …`, `nobody may …`, `neither … nor …` in front of the verb. */
function isNegativeSubject(scan: Scan, { core: { first }, finite }: Clause, negation: number): boolean {
  const word = wordAt(scan.tokens, negation);
  return finite !== null && negation < finite.at && negation <= first + 1 && ['no', 'nobody', 'none', 'nothing', 'neither', 'never', 'not'].includes(word);
}

function isVerbNegation(tokens: readonly Token[], verb: number, negation: number): boolean {
  const word = wordAt(tokens, negation);
  if (negation === verb) return true;
  if (negation === verb - 1) return word === 'never' || word === 'neither' || word === 'not';
  if (negation < verb || negation > verb + 4) return false;
  // `goes into settings, not the toolbar` contrasts; only an auxiliary is negated behind, with adverbs between at most.
  const isClose = kindAt(tokens, verb, verb, negation) !== null && tokens.slice(verb + 1, negation).every(({ lower }) => BETWEEN.has(lower) || lower.endsWith('ly'));
  return isClose && (word === 'not' || word === 'never' || word === 'neither' || wordAt(tokens, negation + 1) === 'case' || wordAt(tokens, negation + 1) === 'circumstances' || wordAt(tokens, negation + 1) === 'way');
}

const BETWEEN: ReadonlySet<string> = new Set(['also', 'always', 'ever', 'under', 'in', 'at', 'be', 'therefore', 'then', 'both', 'just', 'of', 'by']);

/** `Subletting is prohibited`; not `stops prohibited items`. */
function isForbidding(tokens: readonly Token[], { at }: { readonly at: number }, finite: Clause['finite']): boolean {
  return finite === null || at >= finite.at || wordAt(tokens, at).startsWith('refrain');
}

/** `must`, `should`, `may` and their kin. */
function bound(scan: Scan, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const should = bindingPhrase(scan, 'should', clause);
  const must = bindingPhrase(scan, 'must', clause);
  const may = bindingPhrase(scan, 'may', clause);
  if (should !== null && (must === null || should.at <= must.at || wordAt(tokens, should.at).endsWith('ly')) && !isEnough(tokens, should)) return demand('should', first, should);
  if (must !== null && (may === null || must.at < may.at)) return isPromise(tokens, clause, must) ? null : demand('must', first, must);
  if (may !== null) return permitted(scan, clause, may);
  return ability(scan, clause) ?? (should !== null && must === null && next > first ? demand('should', first, should) : null);
}

/** `we will look into it`: what the writer promises is nobody's demand. */
function isPromise(tokens: readonly Token[], { core: { first, next } }: Clause, { at }: { readonly at: number }): boolean {
  const word = wordAt(tokens, at);
  const isWill = word === 'will' || word === "'ll";
  return isWill && (isIn('firstPerson', wordAt(tokens, first)) || ['be glad', 'be happy', 'be able', 'be back', 'be away'].includes(joined(tokens, at + 1, Math.min(next, at + 3))));
}

function isEnough(tokens: readonly Token[], { at, size }: { readonly at: number; readonly size: number }): boolean {
  return wordAt(tokens, at + size) === 'enough';
}

/** A permission with an upper bound, or for some only, limits and is `must`. */
function permitted(scan: Scan, clause: Clause, may: { readonly at: number; readonly size: number }): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  if (wordAt(tokens, may.at) === 'may' && may.size === 1 && isIn('epistemic', wordAt(tokens, may.at + 1)) && !isParticiple(wordAt(tokens, may.at + 2))) return null;
  const isLimit = quantitiesIn(scan, clause).some(({ op, first: from }) => from > may.at && (op === '<=' || op === '<') && !['up', 'as'].includes(wordAt(tokens, from))) && clause.condition === null;
  const isOnly = tokens.slice(first, next).some(({ lower }) => lower === 'only') || (wordAt(tokens, clause.condition?.first ?? -1) === 'only' && wordAt(tokens, may.at) !== 'may');
  return demand(isLimit || isOnly ? 'must' : 'may', first, may);
}

/** `users can export`: a permission for a person, an ability of the product. A first person states what it can. */
function ability(scan: Scan, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const at = clause.finite?.at ?? -1;
  if (wordAt(tokens, at) !== 'can' || isTold(scan, clause)) return null;
  const subject = wordAt(tokens, first);
  if (wordAt(tokens, at + 1) === 'only' || tokens.slice(first, next).some(({ lower }) => lower === 'only')) return demand('must', first, { at, size: 1 });
  const isBounded = quantitiesIn(scan, clause).some(({ op }) => op !== '=');
  if (subject === 'who' || subject === 'which' || clause.actor !== null) return demand('must', first, { at, size: 1 });
  if (isIn('firstPerson', subject)) return isBounded ? demand('must', first, { at, size: 1 }) : subject === 'we' ? demand('may', first, { at, size: 1 }) : null;
  const isProduct = (subject === 'it' || ((subject === 'the' || subject === 'this' || subject === 'our') && !wordAt(tokens, at - 1).endsWith('s'))) && findPhrase('actor', tokens, first, at) === null && wordAt(tokens, at + 1) !== 'be';
  return demand(isProduct ? 'must' : 'may', first, { at, size: 1 });
}

/** An order: a base form at the start. */
function order(scan: Scan, { core }: Clause): Demand | null {
  const { first, next } = core;
  const { tokens } = scan;
  const at = ['please', 'also', 'always', 'then', 'only', 'just', 'kindly', 'simply', 'instead'].includes(wordAt(tokens, first)) ? first + 1 : first;
  return isOrderAt(scan, at, next) && at + 1 < next ? of('must', { first: at + 1, next: at + 1 }, at, { first: at, next: at }) : null;
}

function present(scan: Scan, sentence: Sentence, clause: Clause, previous: Demand | null, around: Around): Demand | null {
  const { tokens } = scan;
  const { first } = clause.core;
  const at = clause.finite?.at;
  if (at === undefined || !isPresentRule(scan, clause, { sentence, isFollowing: previous !== null, ...around, isNegated: false, isStory: isStory(tokens, sentence, first) })) return null;
  return of('must', { first, next: at }, at, { first: at, next: at });
}

/** `I upload a drawing, the bar runs to the end`: the sentence begins with what the writer does. */
function isStory(tokens: readonly Token[], sentence: Sentence, first: number): boolean {
  return first > sentence.first && (wordAt(tokens, sentence.first) === 'i' || wordAt(tokens, sentence.first) === 'we') && kindAt(tokens, sentence.first, sentence.first + 1, first) !== 'modal';
}

/** What stands under a heading or behind a label that demands or forbids: the heading binds, whatever the item's own form. */
function underMood(scan: Scan, { mood, label, isItem }: Sentence, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const isEmpty = next - first === 1 && (isIn('preposition', wordAt(tokens, first)) || isIn('stop', wordAt(tokens, first)));
  if (mood === null || isEmpty || isIn('firstPerson', wordAt(tokens, first)) || (clause.finite !== null && !isItem && label === null)) return null;
  const isOrder = isOrderAt(scan, first, next);
  const verb = isOrder ? first : (clause.finite?.at ?? next);
  return of(mood, { first: isOrder ? first + 1 : first, next: isOrder ? first + 1 : verb }, verb, { first, next: first });
}

/** What stands behind a label or in a list, and comma parts with an amount. */
function fragment(scan: Scan, sentence: Sentence, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const opening = wordAt(tokens, first);
  if (clause.finite !== null || sentence.isBackground || isTold(scan, clause) || next - first > FRAGMENT_TOKENS_MAX) return null;
  const quantities = quantitiesIn(scan, clause);
  if (isIn('firstPerson', opening) && quantities.every(({ op }) => op === '=')) return null;
  const isMeasured = quantities.some(({ op, unit, first }) => op !== '=' || (isKnownUnit(unit ?? '') && (measureOf(unit).dimension !== 'time' || wordAt(tokens, first - 1) === 'of')));
  const isTelling = sentence.label !== null || sentence.isItem || clause.isListed || (isMeasured && (opening !== 'the' || quantities.some(({ op }) => op !== '=')));
  const moments = spansWithin(scan.moments, clause.core);
  const isTimed = moments.some(({ op, first, value }) => value !== null && (op !== '=' || ['on', 'at', 'between', 'from'].includes(wordAt(tokens, first - 1))));
  const isValue = sentence.label !== null && sentence.isItem;
  const isDated = clause.isListed && (findPhrase('relativeDate', tokens, first, next) !== null || hasYear(tokens, first, next));
  return (quantities.length > 0 && isTelling) || (moments.length > 0 && (isTelling || (isTimed && next - first > 1))) || isValue || isDated ? of('must', { first, next }, next, { first, next: first }) : null;
}

const FRAGMENT_TOKENS_MAX = 18;

/** `invoices of 2024`. */
function hasYear(tokens: readonly Token[], first: number, next: number): boolean {
  for (let at = first + 1; at < next; at += 1) if (tokens[at]?.kind === 'number' && tokens[at]?.lower.length === 4 && ['of', 'in', 'from', 'since'].includes(wordAt(tokens, at - 1))) return true;
  return false;
}

function demand(modality: Modality, first: number, { at, size }: { readonly at: number; readonly size: number }): Demand {
  return of(modality, { first, next: at }, at + size, { first: at, next: at + size });
}

function of(modality: Modality, subject: Span, verb: number, phrase: Span): Demand {
  return { modality, subject, verb, isNegatedWish: false, isNoSubject: false, phrase, who: subject };
}

function isNotOnly(tokens: readonly Token[], first: number, limit: number): boolean {
  for (let at = first; at < limit - 1; at += 1) if (wordAt(tokens, at) === 'not' && wordAt(tokens, at + 1) === 'only') return true;
  return false;
}
