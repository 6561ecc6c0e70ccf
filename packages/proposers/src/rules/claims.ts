/**
 * From clauses to claims: quote, atom, scope; and the questions their words raise.
 *
 * @module
 */
import {
  measureOf,
  QUESTION_KEY,
  QUOTE_POINTS_MAX,
  type Atom,
  type Claim,
  type InterpretationsBody,
  type Moment,
  type Quantity,
  type QuestionClass,
  type Quote,
  type Scan,
  type Scope,
  type SeedText,
} from '@assay/kernel/intent';
import { bindingPhrase, isCovered, spansWithin, type Span } from './binding.js';
import { clausesOf, type Clause } from './clauses.js';
import { keyOf, pinFor } from './keys.js';
import { demandOf, quantitiesIn, type Demand } from './modality.js';
import type { Sentence } from './sentences.js';
import { findPhrase, isIn, phraseAt } from './words.js';

/** What the claims of a text are read from. */
export type Reading = { readonly scan: Scan; readonly seed: SeedText; readonly pin: InterpretationsBody['pin'] };

/** All claims of a sentence: demands first, then the questions raised in it. */
export function claimsOf(reading: Reading, sentence: Sentence): readonly Claim[] {
  const claims: Claim[] = [];
  const keys = new Map<string, number>();
  let follows = false;
  for (const clause of clausesOf(reading.scan, sentence)) {
    const demand = demandOf(reading.scan, sentence, clause, follows);
    follows = demand !== null;
    if (demand === null) continue;
    const asked = questionsIn(reading, clause, demand);
    const isWishAlone = isVagueAlone(reading.scan, clause, demand);
    if (!isWishAlone) claims.push(...demandsIn(reading, clause, demand, keys));
    claims.push(...asked);
  }
  const covered = claims.some(({ kind }) => kind !== 'question');
  return covered || !sentence.isQuestion ? [...claims, ...datesIn(reading, sentence)] : claims;
}

/** One claim for each amount or moment of the clause, or one without atom. */
function demandsIn(reading: Reading, clause: Clause, demand: Demand, keys: Map<string, number>): readonly Claim[] {
  const quote = quoteOf(reading, clause);
  if (quote === null) return [];
  const claim: Claim = { kind: 'requirement', modality: demand.modality, quote, atom: null, scope: scopeOf(reading, clause, demand) };
  const atoms = demand.isNegatedWish ? [] : atomsIn(reading, clause, demand, keys);
  const seen = atoms.filter(({ span }) => lies(reading, span, quote));
  return seen.length === 0 ? [{ ...claim, atom: flagOf(reading, clause, demand) }] : seen.map(({ atom, modality }) => ({ ...claim, atom, modality }));
}

type Found = { readonly atom: Atom; readonly modality: Claim['modality']; readonly span: Span };

function atomsIn(reading: Reading, clause: Clause, demand: Demand, keys: Map<string, number>): readonly Found[] {
  const { scan, pin } = reading;
  const found: Found[] = [];
  let range: Quantity | null = null;
  for (const quantity of quantitiesIn(scan, clause)) {
    if (isBase(scan, quantity) || isPremise(scan, clause, demand, quantity)) continue;
    const pinned = pinFor(pin, scan, clause, measureOf(quantity.unit).dimension);
    const key = pinned?.atom.key ?? keyOf(scan, clause, demand, quantity.unit, quantity);
    // The two ends of a range are one measure; any other second amount of a sentence is another one.
    const isEnd: boolean = range !== null && range.first === quantity.first && range.op === '>=' && quantity.op === '<=';
    const atom: Atom = { key: isEnd ? (found.at(-1)?.atom.key ?? key) : pinned === null ? numbered(key, keys) : key, op: quantity.op, value: quantity.value, unit: quantity.unit };
    found.push({ atom, modality: folded(demand, quantity), span: quantity });
    range = quantity;
  }
  if (found.length > 0) return found;
  const moments = spansWithin(scan.moments, clause.core).filter((moment) => moment.value !== null && !isPremise(scan, clause, demand, moment));
  return moments.map((moment) => ({ atom: momentAtom(moment, keyOf(scan, clause, demand, moment.unit, moment), keys), modality: demand.modality, span: moment }));
}

/**
 * An amount that says of what the rest is demanded: a bound behind the subject (`files up to 250 MB upload in
 * one go`), or the load at which another holds (`below 200 ms at 1,000 req/s`). A bound at the front (`at least
 * 30 % of …`), and one of a thing that is itself forbidden, is the demand.
 */
function isPremise(scan: Scan, clause: Clause, { subject, phrase }: Demand, { first, next, op }: Quantity | Moment): boolean {
  const isForbidden = bindingPhrase(scan, 'forbidden', phrase.first, phrase.next) !== null;
  const isBehind = op !== '=' && first > subject.first && next <= subject.next && subject.next < clause.core.next && !isForbidden;
  const isLoad = scan.tokens[first - 1]?.lower === 'at' && op === '=' && quantitiesIn(scan, clause).some((other) => other.op !== '=' && other.next === first - 1);
  return isBehind || isLoad;
}

/** `must not exceed 4 mm` demands at most 4 mm: the negation of a comparison is in its operator. */
function folded({ modality }: Demand, { isNegated }: Quantity): Claim['modality'] {
  return isNegated && modality === 'must_not' ? 'must' : modality;
}

/** `one working day per 2,000 words`: the second amount is what the first is per. `95 % of requests` is a share. */
function isBase({ tokens }: Scan, { first, approx }: Quantity): boolean {
  return approx || tokens[first - 1]?.lower === 'per' || (tokens[first - 1]?.lower === 'for' && tokens[first]?.kind === 'number' && tokens[first + 1]?.lower === '%');
}

function momentAtom({ op, value, unit }: Moment, key: string, keys: Map<string, number>): Atom {
  return { key: numbered(key, keys), op, value: value ?? '', unit };
}

function numbered(key: string, keys: Map<string, number>): string {
  const count = (keys.get(key) ?? 0) + 1;
  keys.set(key, count);
  return count === 1 ? key : `${key}_${count}`;
}

/** The flag a clause sets where a pin names all its words. */
function flagOf({ scan, pin }: Reading, clause: Clause, { isNegatedWish }: Demand): Atom | null {
  const pinned = isNegatedWish ? null : pinFor(pin, scan, clause, null);
  return pinned === null || typeof pinned.atom.value !== 'boolean' ? null : { key: pinned.atom.key, op: '=', value: true, unit: null };
}

/** The words of a clause: without a leading condition, cut at a word where they are too long. */
function quoteOf({ scan, seed }: Reading, { core, next }: Clause): Quote | null {
  for (let end = next; end > core.first; end -= 1) {
    const quote = spanQuote(scan, seed, { first: core.first, next: end });
    if (quote.end - quote.start <= QUOTE_POINTS_MAX) return quote;
  }
  return null;
}

function scopeOf({ scan, seed }: Reading, clause: Clause, demand: Demand): Scope {
  const { condition, exception, core } = clause;
  const { subject, verb } = demand;
  const premise = quantitiesIn(scan, clause).find((quantity) => isPremise(scan, clause, demand, quantity)) ?? spansWithin(scan.moments, core).find((moment) => isPremise(scan, clause, demand, moment)) ?? null;
  const part = (span: Span | null): Quote | null => (span === null ? null : spanQuote(scan, seed, span));
  const actor = verb < core.next ? findPhrase('actor', scan.tokens, subject.first, Math.min(subject.next, verb)) : null;
  return { actor: actor === null ? null : part({ first: actor.at, next: actor.at + actor.size }), condition: part(condition ?? premise), exception: part(exception) };
}

/** Vague words and open bounds of a clause. */
function questionsIn(reading: Reading, clause: Clause, { modality, phrase }: Demand): readonly Claim[] {
  const { tokens } = reading.scan;
  const asked: Claim[] = [];
  for (let at = clause.first; at < clause.next; at += 1) {
    const size = phraseAt('vague', tokens, at, clause.next);
    if (size === 0 || isBound(reading.scan, at) || (phrase.first <= at && at < phrase.next)) continue;
    asked.push(question(reading, { first: at, next: at + size }, 'vague', modality));
    at += size - 1;
  }
  for (const { approx, first, next } of quantitiesIn(reading.scan, clause)) if (approx) asked.push(question(reading, { first, next }, 'bound', modality));
  return asked;
}

/** Moments without an anchor: never resolved, always asked. */
function datesIn(reading: Reading, { first, next }: Sentence): readonly Claim[] {
  const { tokens, moments } = reading.scan;
  const asked: Claim[] = [];
  for (let at = first; at < next; at += 1) {
    const size = phraseAt('relativeDate', tokens, at, next);
    if (size === 0) continue;
    asked.push(question(reading, { first: at, next: at + size }, 'relative_date', 'must'));
    at += size - 1;
  }
  for (const moment of spansWithin(moments, { first, next })) if (moment.value === null) asked.push(question(reading, moment, 'relative_date', 'must'));
  return asked;
}

function question({ scan, seed }: Reading, span: Span, asks: QuestionClass, modality: Claim['modality']): Claim {
  return { kind: 'question', modality, quote: spanQuote(scan, seed, span), atom: { key: QUESTION_KEY, op: '=', value: asks, unit: null }, scope: { actor: null, condition: null, exception: null } };
}

/** `0.2 mm or better`: the word belongs to a comparison. */
function isBound({ quantities }: Scan, at: number): boolean {
  return isCovered(quantities, at);
}

/** `Give the dashboard a modern feel and good performance`: nothing but vague words beside verb and object. */
function isVagueAlone(scan: Scan, clause: Clause, { phrase }: Demand): boolean {
  const { first, next } = clause.core;
  if (quantitiesIn(scan, clause).length > 0) return false;
  let [vague, content] = [0, 0];
  for (let at = first; at < next; at += 1) {
    if (phrase.first <= at && at < phrase.next) continue;
    const size = phraseAt('vague', scan.tokens, at, next);
    if (size > 0) {
      vague += 1;
      at += size - 1;
    } else if (scan.tokens[at]?.kind === 'word' && !isIn('stop', scan.tokens[at]?.lower)) content += 1;
  }
  return vague > 0 && content <= vague + 1;
}

function lies({ scan, seed }: Reading, span: Span, quote: Quote): boolean {
  const inner = spanQuote(scan, seed, span);
  return inner.start >= quote.start && inner.end <= quote.end;
}

function spanQuote({ tokens }: Scan, seed: SeedText, { first, next }: Span): Quote {
  return seed.quote(tokens[first]?.start ?? 0, tokens[next - 1]?.end ?? 0);
}
