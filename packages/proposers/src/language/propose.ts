/**
 * The `rules` proposer: readings of a request by the requirements language, without any model.
 *
 * Synchronous and pure: the same text gives the same readings on every engine. Linear in the text.
 *
 * Readings of a text: all that it says, and what is left where it contradicts itself or only wishes. Source:
 * intent I5; language L3–L5; L7; I6.
 */
import { type Failure, type Json, type JsonObject, admit, orThrow } from '@assay/kernel';
import {
  findContradictions,
  readFacts,
  QUOTE_POINTS_MAX,
  SeedText,
  type Atom,
  type Claim,
  type InterpretationProposer,
  type InterpretationsBody,
  type PinAtom,
  type Quote,
  listCommitments,
  MODALITIES,
  NO_SCOPE,
  QUESTION_KEY,
  READING_LIMITS,
  findQuestionClass,
  type Interpretation,
} from '@assay/kernel/intent';
import { makeKey } from './keys.js';
import type { Clause, Outcome } from './clauses.js';
import { readSentence } from './reader.js';
import { RULES, type Rule } from './rules.js';
import {
  isForced,
  listLexemes,
  readText,
  splitSentences,
  wordAt,
  type Sentence,
  type Span,
  type Text,
} from './sentences.js';
import { DAYS, findModality, SPANS } from './words.js';

/** Name under which the proposals of the rules are recorded. */
export const RULES_PROPOSER = 'rules';
/** Longest text that is read, in UTF-16 units, and most claims of a reading. */
export const RULES_LIMITS = { textUnits: 1_048_576, claims: 800 } as const;
const GRAMMAR_VERSION = 'requirements/1';
const WHO_UNITS = 200;

type Answer = Required<ReturnType<InterpretationProposer['proposeInterpretations']>>;

/** A sentence that is not read, the rule that it breaks, and what to write instead. */
export type Unread = { readonly quote: Quote; readonly rule: Rule; readonly say: string };
/** What a request comes to. Each sentence is read, unread, or quiet: a title, a greeting. */
export type RequestRead = {
  readonly claims: readonly Claim[];
  readonly unread: readonly Unread[];
  readonly sentences: readonly { readonly quote: Quote; readonly state: 'read' | 'unread' | 'quiet' }[];
};

type Making = { readonly text: Text; readonly seed: SeedText; readonly pin: readonly PinAtom[] };

/** Reads a request sentence by sentence. Nothing is asked about claims beyond the limit. Linear. */
export function readRequest(request: string, pin: readonly PinAtom[] = []): RequestRead {
  const text = readText(request);
  const making: Making = { text, seed: new SeedText(request), pin };
  const claims: Claim[] = [];
  const unread: Unread[] = [];
  let [before, it]: [Clause | null, Span | null] = [null, null];
  const sentences = splitSentences(text).map((sentence): RequestRead['sentences'][number] => {
    const whole = makeQuote(making, sentence);
    const quote = isLong(whole) ? quoteBeginning(making, sentence) : whole;
    const outcome = isQuiet(text, sentence) ? 'quiet' : readClauses(making, sentence, before, it);
    [before, it] = [null, null];
    if (typeof outcome !== 'string') {
      // Nothing is otherwise than what is otherwise.
      const isBranch = /[CD]/.test(listLexemes(text, sentence)[0]?.letter ?? '');
      before =
        outcome.findLast(({ condition, exception }) => (condition ?? exception) !== null && !isBranch) ??
        null;
      it = outcome.at(-1)?.thing ?? null;
      const isMany = claims.length > RULES_LIMITS.claims;
      for (const clause of outcome)
        claims.push(...makeClaims(making, clause), ...(isMany ? [] : listAsks(making, clause)));
      return { quote: whole, state: 'read' };
    }
    const rule = outcome;
    if (rule === 'quiet' || isShort(text, sentence, rule)) return { quote: whole, state: 'quiet' };
    // `Backups have to be daily`: what binds is said, but not by its word.
    const isWeak = rule === 'no_force' && /\b(?:have|has|had) to\b/i.test(making.seed.slice(quote));
    const broken = isWeak ? 'weak' : rule;
    unread.push({ quote, rule: broken, say: RULES[broken].say });
    claims.push(makeQuestion(quote, 'unread', 'must'));
    return { quote: whole, state: 'unread' };
  });
  return { claims, unread, sentences };
}

/** Signs that do not show, or show as other letters; Greek but for the signs of units. */
const HIDDEN = /[\u0300-\u03a8\u03aa-\u03bb\u03bd-\u1fff\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]/;

/** The clauses of a sentence, or the rule that it breaks. `it`: the thing of the clause before. */
function readClauses(
  making: Making,
  sentence: Sentence,
  before: Clause | null,
  it: Span | null,
): Outcome | 'quiet' {
  const { text, seed } = making;
  const { tokens, text: given } = text.scan;
  if (HIDDEN.test(given.slice(tokens[sentence.first]?.start, tokens[sentence.next - 1]?.end)))
    return 'letters';
  const read = readSentence(text, sentence, before);
  if (typeof read === 'string') return read;
  if (read.some((clause) => isLong(makeQuote(making, clause.quote)))) return 'long';
  const isPronoun = ({ first, next }: Span): boolean =>
    next === first + 1 && /^(?:it|they)$/.test(wordAt(text, first));
  const clauses = read.map((one) =>
    isPronoun(one.thing) && it !== null && it.next > 0 ? { ...one, thing: it } : one,
  );
  const made = clauses.map((clause) => makeClaims(making, clause));
  const isNameless = clauses.some(
    ({ thing }, at) => !isPronoun(thing) && made[at]?.some(({ atom }) => atom?.key === 'it') === true,
  );
  if (isNameless) return 'letters';
  return findContradictions(made.flat(), seed).length > 0 ? 'bound' : clauses;
}

/**
 * Proposes readings of a request: `literal`, then `keep-first`, `keep-second` and `essential` where they commit to
 * something else; at most `n`. Refuses with the final failure `denied` and {code}: `nothing_found`, or `too_long` with
 * {limit, value, needed}.
 */
export function proposeByRules({ seed_text, pin, n }: InterpretationsBody): Answer {
  const { textUnits, claims: most } = RULES_LIMITS;
  if (seed_text.length > textUnits)
    return denied('too_long', { limit: 'text_units', value: textUnits, needed: seed_text.length });
  const { claims, unread } = readRequest(seed_text, pin);
  if (claims.length > most)
    return denied('too_long', { limit: 'claims', value: most, needed: claims.length });
  if (claims.length === 0) return denied('nothing_found', {});
  const value = makeReadings(claims, new SeedText(seed_text)).slice(0, Math.max(1, n));
  return answer(value, null, { unread: unread.length });
}

/** The rules as a synchronous proposer, for `runEngine`. */
export const rulesProposer: InterpretationProposer = {
  proposer: RULES_PROPOSER,
  proposeInterpretations: (_seedHash, _n, body) => proposeByRules(body),
};

function answer(value: Json, failure: Failure | null, more: JsonObject): Answer {
  const provenance = { grammar_version: GRAMMAR_VERSION, ...more };
  return { source: 'rule', value, confidence: null, failure, provenance };
}

function denied(code: string, detail: JsonObject): Answer {
  return answer(null, { code: 'denied', final: true, detail: { code, ...detail } }, {});
}

/** Titles, and lines above a list that end in a force or say next to nothing. */
function isQuiet(text: Text, sentence: Sentence): boolean {
  const { kind, first, next } = sentence;
  return kind === 'title' || (kind === 'stem' && (next - first < 4 || isForced(text, sentence)));
}

/** `Best, Marit`: no force, amount or order, and under four words. */
function isShort(text: Text, sentence: Sentence, rule: Rule): boolean {
  if (rule !== 'no_force' || sentence.next - sentence.first > 3) return false;
  return listLexemes(text, sentence).every(({ letter }) => !/[1-9@#VMXSYAFdrxl]/.test(letter));
}

function makeClaims(making: Making, clause: Clause): readonly Claim[] {
  const { text, pin, seed } = making;
  const { force, limits, actor, condition, exception } = clause;
  const quote = makeQuote(making, clause.quote);
  const part = (span: Span | null): Quote | null => (span === null ? null : makeQuote(making, span));
  const scope = { actor: part(actor), condition: part(condition), exception: part(exception) };
  const modality = findModality(force);
  const make = (atom: Atom): Claim => ({ kind: 'requirement', modality, atom, quote, scope });
  const claims = limits.flatMap((limit) =>
    limit.bounds.flatMap(({ op, value, unit }) => {
      return value === null ? [] : make({ key: makeKey(text, clause, limit, pin), op, value, unit });
    }),
  );
  if (claims.length > 0) return claims;
  const key = makeKey(text, clause, null, pin);
  // `Only admins may delete accounts`: who does it is among them.
  const who = seed.slice(makeQuote(making, clause.thing)).replace(/[*`]|(?<!\w)_+|_+(?!\w)/g, '');
  if (actor !== null) return [make({ key, op: 'in', value: who.slice(0, WHO_UNITS), unit: null })];
  return [make({ key, op: '=', value: force !== 'should_not', unit: null })];
}

/** What the words of a clause leave open, outside its scopes. */
function listAsks(making: Making, clause: Clause): readonly Claim[] {
  const { text, seed } = making;
  const { limits, force, action } = clause;
  const modality = findModality(force);
  const quote = makeQuote(making, clause.quote);
  const scopes = [clause.condition, clause.exception].flatMap((span) =>
    span === null ? [] : makeQuote(making, span),
  );
  const isIn = ({ start }: Quote, parts: readonly Quote[]): boolean =>
    parts.some((part) => start >= part.start && start < part.end);
  const dated = limits.filter(({ bounds }) => bounds.some(({ value }) => value === null));
  const named = [...dated, ...daysIn(text, clause.quote)].map((span) => makeQuote(making, span));
  const days = named.filter((day) => !isIn(day, scopes));
  const open = readFacts(seed.slice(quote))
    .open.markers.map(({ quote: { start, end } }) => ({ start: quote.start + start, end: quote.start + end }))
    .filter((one) => !isIn(one, scopes) && !isIn(one, days));
  // `must not be stored and shared`: both, or either.
  const isNegative = force === 'must_not' || force === 'should_not';
  const joint = isNegative ? listLexemes(text, action).find(({ letter }) => letter === 'j') : undefined;
  const both =
    joint === undefined ? [] : [makeQuote(making, { first: joint.first - 1, next: joint.next + 1 })];
  return [
    ...open.map((one) => makeQuestion(one, 'vague', modality)),
    ...days.map((one) => makeQuestion(one, 'relative_date', modality)),
    ...both.map((one) => makeQuestion(one, 'scope', modality)),
  ];
}

/** `by Friday`, `next week`: days that the words do not date. */
function daysIn(text: Text, { first, next }: Span): readonly Span[] {
  const found: Span[] = [];
  for (let at = first; at < next; at += 1) {
    const [word, before] = [wordAt(text, at), wordAt(text, at - 1)];
    const isNext = ['next', 'this', 'coming'].includes(before) && (SPANS.has(word) || DAYS.has(word));
    if (!isNext && (!DAYS.has(word) || before === 'every' || before === 'each')) continue;
    const isLed = isNext || ['by', 'on', 'before', 'until', 'after'].includes(before);
    found.push({ first: isLed ? at - 1 : at, next: at + 1 });
  }
  return found;
}

function makeQuote({ text, seed }: Making, { first, next }: Span): Quote {
  return seed.quote(text.scan.tokens[first]?.start ?? 0, text.scan.tokens[next - 1]?.end ?? 0);
}

/** As many whole words as a quote may hold: one that ends inside a word is vetoed, with the reading. */
function quoteBeginning(making: Making, { first, next }: Span): Quote {
  const { tokens } = making.text.scan;
  let found = makeQuote(making, { first, next: first + 1 });
  for (let end = first + 2; end < next; end += 1) {
    const quote = makeQuote(making, { first, next: end });
    if (isLong(quote)) break;
    if ((tokens[end - 1]?.end ?? 0) < (tokens[end]?.start ?? 0)) found = quote;
  }
  return { start: found.start, end: Math.min(found.end, found.start + QUOTE_POINTS_MAX) };
}

function isLong({ start, end }: Quote): boolean {
  return end - start > QUOTE_POINTS_MAX;
}

const NAMED_MAX = 24;

/**
 * `literal` always; `keep-first` and `keep-second` where demands contradict each other; `essential` without wishes and
 * leaves. Equal sets of commitments are given once.
 */
export function makeReadings(claims: readonly Claim[], seed: SeedText): readonly Interpretation[] {
  const vague = claims.flatMap((claim) =>
    findQuestionClass(claim) === 'vague' && claim.quote !== null ? [seed.slice(claim.quote)] : [],
  );
  const words = [...new Set(vague)].slice(0, NAMED_MAX);
  const assumed = words.map((word) => `“${word}” stays unmeasured: threshold pending clarification.`);
  const contrary = findContradictions(claims, seed);
  const later = [...new Set(contrary.map(({ b }) => b))].slice(0, READING_LIMITS.commits - claims.length);
  const conflicts = later.flatMap((b) => makeQuestion(claims[b]?.quote ?? null, 'conflict', 'must'));
  const all = [...claims, ...conflicts];
  const keeping = (side: 'a' | 'b'): Draft => {
    const dropped = new Set(contrary.map((found) => found[side === 'a' ? 'b' : 'a']));
    const kept = claims.filter((_, at) => !dropped.has(at));
    const [name, first, second] =
      side === 'a' ? ['keep-first', 'Earlier', 'later'] : ['keep-second', 'Later', 'earlier'];
    return [name, kept, [...assumed, `${first} statement prevails; its ${second} opposite is dropped.`]];
  };
  const binding = all.filter(({ kind, modality }) => kind === 'question' || modality.startsWith('must'));
  const drafts: readonly Draft[] = [
    ['literal', all, assumed],
    ...(contrary.length === 0 ? [] : [keeping('a'), keeping('b')]),
    ['essential', binding, [...assumed, 'Wishes and permissions do not bind.']],
  ];
  const known = new Set<string>();
  return drafts.flatMap(([name, commits, assumptions]): readonly Interpretation[] => {
    const key = orThrow(admit(listCommitments(commits, seed))).text;
    if (commits.length === 0 || known.has(key)) return [];
    known.add(key);
    const intent_summary = summarize(commits);
    return [{ name, assumptions, intent_summary, commits, contradictions: [], aliases: [] }];
  });
}

type Draft = readonly [name: string, commits: readonly Claim[], assumptions: readonly string[]];

/** Counts in fixed words: the rules write no prose of their own. */
function summarize(claims: readonly Claim[]): string {
  const asked = claims.filter(({ kind }) => kind === 'question').length;
  const counts = MODALITIES.map((modality) => {
    const found = claims.filter((claim) => claim.kind !== 'question' && claim.modality === modality);
    return `${modality} ${found.length}, `;
  });
  return `${counts.join('')}open questions ${asked}`;
}

/** A question about words of the text. */
export function makeQuestion(quote: Claim['quote'], about: string, modality: Claim['modality']): Claim {
  const atom = { key: QUESTION_KEY, op: '=', value: about, unit: null } as const;
  return { kind: 'question', modality, quote, atom, scope: NO_SCOPE };
}
