/**
 * How binding a clause is, if it is a demand at all.
 *
 * @module
 */
import type { Modality, Quantity, Scan, Token } from '@assay/kernel/intent';
import { bindingPhrase, isInMoment, spansWithin } from './binding.js';
import type { Clause } from './clauses.js';
import type { Sentence } from './sentences.js';
import { isParticiple, passiveAt, verbAt } from './verbs.js';
import { findPhrase, isIn, phraseAt } from './words.js';

/**
 * What a clause demands. `subject`: the tokens before its verb; `verb`: the token its verb is looked for from,
 * the end of the core where it has none. `isNegatedWish`: "should not", which has no modality of its own: a
 * wish that no atom states. `phrase`: the words that bind.
 */
export type Demand = {
  readonly modality: Modality;
  readonly subject: { readonly first: number; readonly next: number };
  readonly verb: number;
  readonly isNegatedWish: boolean;
  readonly phrase: { readonly first: number; readonly next: number };
};

/** Classifies a clause; null where it demands nothing: background, reasons, questions, the past. `follows`: the clause before it in the sentence is a demand. */
export function demandOf(scan: Scan, sentence: Sentence, clause: Clause, follows: boolean): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  if (sentence.isQuestion || isIn('indirect', tokens[first]?.lower) || phraseAt('reason', tokens, first, next) > 0) return null;
  // `have A, but no B` tells of a state; `apply per project, not per user` goes on demanding.
  const isTold = first !== sentence.first && !follows && !clause.isListed && bindingPhrase(scan, 'must', first, next) === null;
  if (isTold && (tokens[first]?.lower === 'not' || tokens[first]?.lower === 'no')) return null;
  return prohibition(scan, clause) ?? explicit(scan, clause) ?? underMood(scan, sentence, clause) ?? order(scan, clause) ?? presentTense(scan, sentence, clause) ?? fragment(scan, sentence, clause);
}

/** The quantities of a clause's core, in order. */
export function quantitiesIn({ quantities }: Scan, { core }: Clause): readonly Quantity[] {
  return spansWithin(quantities, core);
}

const CONTRACTED = "n't";

/** True for a word that negates by itself, outside comparisons like `no more than`. */
function isNegation(token: Token | undefined): boolean {
  const word = token?.lower.replaceAll('’', "'") ?? '';
  return isIn('negation', word) || word.endsWith(CONTRACTED);
}

/** Places of the core that negate: the words of a comparison (`not exceed`) are folded into its operator. */
function negationsIn(scan: Scan, clause: Clause): readonly number[] {
  const found: number[] = [];
  const inside = quantitiesIn(scan, clause);
  for (let at = clause.core.first; at < clause.core.next; at += 1) {
    const isFolded = inside.some(({ first, at: number }) => first <= at && at < number) || isInMoment(scan, at);
    if (!isFolded && isNegation(scan.tokens[at])) found.push(at);
  }
  return found;
}

/** Phrases that forbid, orders not to, "no X", "nobody may", "is never …". */
function prohibition(scan: Scan, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const permission = bindingPhrase(scan, 'may', first, next);
  // `Not only admins may export` permits; `need not` releases.
  if (permission !== null && (isNotOnly(tokens, first, permission.at) || /not|n't|no /.test(joinedAt(tokens, permission)))) return demand('may', first, permission);
  const forbidden = bindingPhrase(scan, 'forbidden', first, next);
  if (forbidden !== null) return demand('must_not', first, forbidden);
  const negations = negationsIn(scan, clause);
  const [negation] = negations;
  if (negation === undefined) return null;
  const word = tokens[negation]?.lower ?? '';
  const isRefused = (tokens[first]?.lower === 'do' && negation === first + 1) || (negation === first && word.endsWith('t') && word.startsWith('don'));
  if (negation + 1 < next && (isRefused || (negation === first && isOrderAhead(tokens, negation + 1, next)))) return bare('must_not', { first: negation + 1, next: negation + 1 }, negation + 1, { first, next: negation + 1 });
  const wish = bindingPhrase(scan, 'should', first, next);
  if (wish !== null) return isNegated(tokens, wish, negations) ? { ...demand('should', first, wish), isNegatedWish: true } : null;
  const modal = bindingPhrase(scan, 'must', first, next) ?? permission;
  // `we don't want accounts` forbids, `they don't need one` releases.
  if (modal !== null && negations.includes(modal.at - 1) && modal.at - 1 > first) return demand(joinedAt(tokens, modal).startsWith('want') ? 'must_not' : 'may', first, modal);
  if (modal !== null) return isNegated(tokens, modal, negations) ? demand('must_not', first, modal) : null;
  if (isModalBefore(tokens, negation)) return demand('must_not', first, { at: Math.max(first, negation - 1), size: 1 });
  if (isBackground(tokens, clause)) return null;
  if (negation === first && (word === 'no' || word === 'never' || word === 'nobody' || word === 'not')) return bare('must_not', { first: first + 1, next }, next, { first, next: first + 1 });
  return isRule(tokens, clause, negation) ? demand('must_not', first, { at: negation, size: 1 }) : null;
}

/** True where a negation belongs to a verb of demand: just after it (`must in no case`), or as its subject (`nobody may`). A `no` or `without` further on is part of what is demanded. */
function isNegated(tokens: readonly Token[], { at, size }: { readonly at: number; readonly size: number }, negations: readonly number[]): boolean {
  return negations.some((negation) => {
    const word = tokens[negation]?.lower ?? '';
    if (negation > at) return negation < at + size + 1 || (negation < at + size + 3 && (word === 'not' || word === 'never' || tokens[negation + 1]?.lower === 'case' || tokens[negation + 1]?.lower === 'circumstances'));
    return negation < at && (word === 'no' || word === 'nobody' || word === 'none' || word === 'neither' || word === 'nothing');
  });
}

/** `must`, `should`, `may` and their kin. A `may` with an upper bound limits, and is `must`. */
function explicit(scan: Scan, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const should = bindingPhrase(scan, 'should', first, next);
  if (should !== null) return demand('should', first, should);
  const must = bindingPhrase(scan, 'must', first, next);
  const may = bindingPhrase(scan, 'may', first, next);
  if (must !== null && (may === null || must.at < may.at)) return demand('must', first, must);
  if (may !== null) {
    const isLimit = quantitiesIn(scan, clause).some(({ op, first: from }) => from > may.at && (op === '<=' || op === '<') && tokens[from]?.lower !== 'up') || tokens.slice(first, next).some(({ lower }) => lower === 'only');
    return demand(isLimit ? 'must' : 'may', first, may);
  }
  return ability(scan, clause);
}

/** `users can export`: a permission for a person, an ability of the product. A first person states what it can. */
function ability(scan: Scan, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  for (let at = first; at < next; at += 1) {
    const word = tokens[at]?.lower;
    if (word !== 'can') continue;
    if (tokens[at - 1]?.lower === 'who' || tokens[at - 1]?.lower === 'that') return null;
    const isBounded = quantitiesIn(scan, clause).some(({ op }) => op !== '=');
    if (isIn('firstPerson', tokens[first]?.lower)) return isBounded ? demand('must', first, { at, size: 1 }) : null;
    return demand(findPhrase('actor', tokens, first, at) === null ? 'must' : 'may', first, { at, size: 1 });
  }
  return null;
}

/** An order: a verb of the list at the start. */
function order({ tokens }: Scan, { core }: Clause): Demand | null {
  const { first, next } = core;
  const at = ['please', 'also', 'always', 'then', 'only'].includes(tokens[first]?.lower ?? '') ? first + 1 : first;
  if (!isOrderAhead(tokens, at, next)) return null;
  return bare('must', { first: at + 1, next: at + 1 }, at, { first: at, next: at });
}

/** The plain present of a rule: a bound, a passive with an amount, a lead time, an item of a list, a condition before, `every …`. */
function presentTense(scan: Scan, sentence: Sentence, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  if (isBackground(tokens, clause)) return null;
  const quantities = quantitiesIn(scan, clause).filter(({ approx }) => !approx);
  const passive = passiveAt(tokens, first, next);
  const verb = passive ?? verbAt(tokens, first, next);
  const isDuty = DUTY.has(tokens[first]?.lower ?? '') && next - first > 2;
  if (verb === null) return isDuty && next - first > 3 ? bare('must', { first, next: first + 2 }, first + 2, { first, next: first }) : null;
  const isBounded = quantities.some(({ op, first: from, at }) => op !== '=' || from < at);
  const isLead = quantities.some(({ next: after }) => tokens[after]?.lower === 'before' || tokens[after]?.lower === 'after');
  const hasAmount = quantities.length > 0 || spansWithin(scan.moments, clause.core).length > 0;
  const isRuled = isBounded || isLead || isDuty || clause.leads || (hasAmount && (passive !== null || sentence.isItem));
  return isRuled ? bare('must', { first, next: verb }, verb, { first: verb, next: verb }) : null;
}

const DUTY: ReadonlySet<string> = new Set(['every', 'everybody', 'everyone', 'each', 'only', 'all', 'both']);

/** What stands under a heading or behind a label that demands or forbids: the heading binds, whatever the item's own form. */
function underMood({ tokens }: Scan, { mood }: Sentence, { core: { first, next } }: Clause): Demand | null {
  if (mood === null || isIn('firstPerson', tokens[first]?.lower)) return null;
  const isOrder = isOrderAhead(tokens, first, next);
  return bare(mood, { first: isOrder ? first + 1 : first, next: isOrder ? first + 1 : next }, isOrder ? first : next, { first, next: first });
}

/** What stands behind a label or in a list, and comma parts with an amount. */
function fragment(scan: Scan, sentence: Sentence, clause: Clause): Demand | null {
  const { tokens } = scan;
  const { first, next } = clause.core;
  if (isBackground(tokens, clause)) return null;
  const quantities = quantitiesIn(scan, clause).filter(({ approx }) => !approx);
  const isShort = next - first <= FRAGMENT_TOKENS_MAX && verbAt(tokens, first, next) === null;
  const isTelling = sentence.isLabelled || sentence.isItem || clause.isListed || quantities.some(({ op }) => op !== '=');
  const hasMoment = spansWithin(scan.moments, clause.core).length > 0;
  return isShort && (quantities.length > 0 || hasMoment) && isTelling ? bare('must', { first, next }, next, { first, next: first }) : null;
}

const FRAGMENT_TOKENS_MAX = 16;

function demand(modality: Modality, first: number, { at, size }: { readonly at: number; readonly size: number }): Demand {
  return bare(modality, { first, next: at }, at + size, { first: at, next: at + size });
}

function bare(modality: Modality, subject: Demand['subject'], verb: number, phrase: Demand['phrase']): Demand {
  return { modality, subject, verb, isNegatedWish: false, phrase };
}

function joinedAt(tokens: readonly Token[], { at, size }: { readonly at: number; readonly size: number }): string {
  return tokens.slice(at, at + size).map(({ lower }) => lower.replaceAll('’', "'")).join(' ');
}

function isNotOnly(tokens: readonly Token[], first: number, limit: number): boolean {
  for (let at = first; at < limit - 1; at += 1) if (tokens[at]?.lower === 'not' && tokens[at + 1]?.lower === 'only') return true;
  return false;
}

function isOrderAhead(tokens: readonly Token[], at: number, next: number): boolean {
  const after = tokens[at + 1]?.lower ?? '';
  return at < next - 1 && phraseAt('imperative', tokens, at, next) > 0 && !isIn('finite', after) && !['of', 'will', 'must', 'shall', 'should', 'may', 'can'].includes(after);
}

/** `will not`, `cannot`, `can't`: the negated auxiliary forbids where its subject is not the writer. */
function isModalBefore(tokens: readonly Token[], negation: number): boolean {
  const [before, word] = [tokens[negation - 1]?.lower ?? '', tokens[negation]?.lower.replaceAll('’', "'") ?? ''];
  const isModal = ['will', 'can', 'may', 'might'].includes(before) || ['cannot', "can't", "won't", "mustn't"].includes(word);
  const subject = tokens[negation - (isModal && word === 'not' ? 2 : 1)]?.lower;
  return isModal && !isIn('firstPerson', subject);
}

/** `are never contacted`, `is not rewritten`, `neither buy nor rent`: the plain present of a prohibition. */
function isRule(tokens: readonly Token[], clause: Clause, negation: number): boolean {
  if (isBackground(tokens, clause)) return false;
  const [before, word, after] = [tokens[negation - 1]?.lower, tokens[negation]?.lower, tokens[negation + 1]?.lower ?? ''];
  if ((before === 'is' || before === 'are') && (word === 'not' || word === 'never')) return isParticiple(after) || isParticiple(tokens[negation + 2]?.lower ?? '');
  return word === 'never' && !isIn('firstPerson', tokens[clause.core.first]?.lower);
}

/** The past, thanks, and what first persons do without saying that they want it. */
function isBackground(tokens: readonly Token[], { core: { first, next } }: Clause): boolean {
  return findPhrase('background', tokens, first, next) !== null || isWriter(tokens, first) || (first + 1 < next && isWriter(tokens, first + 1));
}

/** A first person; the `i` of `i.e.` is none. */
function isWriter(tokens: readonly Token[], at: number): boolean {
  return isIn('firstPerson', tokens[at]?.lower) && tokens[at + 1]?.lower !== '.';
}
