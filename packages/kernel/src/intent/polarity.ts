/**
 * Polarity: a reading that asserts what the seed only negates is out. Source: intent I8.
 *
 * A negator reaches the next content words within five tokens, up to the next clause mark. What stands there,
 * and nowhere in the seed without a negator, may not be asserted: not by a demand whose quote begins behind
 * the negator, and not by a proposer's own words that leave the negator out.
 */
import type { Atom } from './atom.js';
import type { Claim } from './claim.js';
import type { Interpretation } from './interpretation.js';
import { oncePerQuote, type Quote, type SeedText } from './seed.js';
import { isNegator, OWN_FORCE } from './salient.js';
import { BULLETS } from './stretches.js';
import { saidTokens, tokenize, type Token } from './tokens.js';

/**
 * What a seed negates. `pairs`: two content words behind a negator; `starts`: UTF-16 places of the first of
 * them. `isBehind`: true if the first content word of a quote is one of these. `negatedIn`: the words that
 * a quote negates itself. A quote whose words do not count has neither. Built once a run.
 */
export type Negations = {
  readonly pairs: ReadonlySet<string>;
  readonly starts: ReadonlySet<number>;
  readonly isBehind: (quote: Quote) => boolean;
  readonly negatedIn: (quote: Quote) => ReadonlySet<string>;
};

/** Where a reading asserts it: a claim by place, or a text of the proposer's own. */
export type Asserted =
  | { readonly in: 'claim'; readonly claim: number }
  | { readonly in: 'name' | 'intent_summary' | 'assumptions' };

const REACH = 5;
/** `not only`, `no more than`: what follows belongs to a comparison or a permission. */
const COMPARING: ReadonlySet<string> = new Set(
  (
    'only just more less fewer later earlier longer shorter higher lower greater least most ' +
    'exceed exceeds exceeding above below over under'
  ).split(' '),
);
const CLAUSE_MARKS = '.,;:!?()–—|•';
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those any all each every some such be is are was were been ' +
    'being am do does did have has had will would shall should must may might can could to ' +
    'of in on at by for from with into as and or but if than then it its they them their we ' +
    'our you your he she his her i me my us who which there here so very also'
  ).split(' '),
);

/** Reads what a seed only negates; what it strikes out or comments out negates nothing. Linear. */
export function findNegations(seed: SeedText): Negations {
  const clauses = splitClauses(saidTokens(seed.text, tokenize(seed.text)));
  const negated = new Map<string, number>();
  const plain = new Set<string>();
  for (const clause of clauses) {
    for (const [start, pair, isNegated] of listPairs(clause)) {
      if (!isNegated) plain.add(pair);
      else if (!negated.has(pair)) negated.set(pair, start);
    }
  }
  const only = [...negated].filter(([pair]) => !plain.has(pair));
  const starts = new Set(clauses.flatMap(behindNegators));
  const readTokens = (quote: Quote): readonly Token[] =>
    seed.reads(quote) ? tokenize(seed.slice(quote)) : [];
  const isBehind = oncePerQuote((quote) => {
    const first = readTokens(quote).find((token) => isContent(token) || isNegator(token));
    return first !== undefined && !isNegator(first) && starts.has(seed.unitAt(quote.start) + first.start);
  });
  return {
    pairs: new Set(only.map(([pair]) => pair)),
    starts,
    isBehind,
    negatedIn: oncePerQuote((quote) => new Set(splitClauses(readTokens(quote)).flatMap(negatedWords))),
  };
}

/** Where a reading first asserts what the seed only negates, or null. */
export function assertedNegation(
  claims: readonly Claim[],
  reading: Interpretation,
  negations: Negations,
): Asserted | null {
  if (negations.starts.size === 0) return null;
  const claim = claims.findIndex((one) => assertsNegated(one, negations));
  if (claim >= 0) return { in: 'claim', claim };
  const says = (text: string): boolean =>
    splitClauses(tokenize(text)).some((clause) =>
      listPairs(clause).some(([, pair, isNegated]) => !isNegated && negations.pairs.has(pair)),
    );
  if (says(reading.name)) return { in: 'name' };
  if (says(reading.intent_summary)) return { in: 'intent_summary' };
  return reading.assumptions.some(says) ? { in: 'assumptions' } : null;
}

/**
 * A demand that begins behind the negator, or that sets a flag named by what a negator in its own quote
 * negates.
 */
function assertsNegated({ kind, modality, quote, atom }: Claim, { isBehind, negatedIn }: Negations): boolean {
  if (quote === null || modality === 'must_not' || kind === 'question') return false;
  const isNegatedFlag =
    atom !== null && isSetFlag(atom) && atom.key.split(/[._]/).some((name) => negatedIn(quote).has(name));
  return isNegatedFlag || isBehind(quote);
}

/** Both words of each pair that a clause negates. */
function negatedWords(clause: readonly Token[]): readonly string[] {
  return listPairs(clause).flatMap(([, pair, isNegated]) => (isNegated ? pair.split(' ') : []));
}

/**
 * The clauses of a text without their marks. Items of a list under a line that ends in a negator (`MUST NOT`,
 * `We will not:`) or begins `Not in`, `Not for`, `Not part` begin with a negator of their own.
 */
function splitClauses(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const clauses: (readonly Token[])[] = [];
  let heading: Token | null = null;
  let clause: Token[] = [];
  let line: Token[] = [];
  const end = (): void => {
    // An item that says itself what must or must not be stands on its own.
    const own =
      heading !== null &&
      clause[0] === heading &&
      clause.slice(1).some((token) => OWN_FORCE.has(token.lower) || isNegator(token))
        ? clause.slice(1)
        : clause;
    if (own.length > 0) clauses.push(own);
    clause = [];
  };
  for (const token of tokens) {
    const isItem = token.lines > 0 && BULLETS.includes(token.lower);
    if (token.lines > 0) {
      // A line of a list leaves the heading above it in force; any other line is a heading itself or ends it.
      if (!BULLETS.includes(line[0]?.lower ?? ' ')) heading = negatingLine(line);
      line = [];
    }
    line.push(token);
    if (token.lines > 0 || CLAUSE_MARKS.includes(token.lower)) end();
    if (isItem && heading !== null) clause.push(heading);
    // `need not` takes a duty away, and negates nothing.
    else if (!CLAUSE_MARKS.includes(token.lower) && !isFreeing(token, clause.at(-1))) clause.push(token);
  }
  end();
  return clauses;
}

function isFreeing({ lower }: Token, before?: Token): boolean {
  return lower.startsWith('needn') || (lower === 'not' && before?.lower === 'need');
}

function negatingLine(line: readonly Token[]): Token | null {
  const words = line.filter(({ kind }) => kind === 'word');
  const [first, second] = words;
  const last = words.at(-1);
  if (last !== undefined && isNegator(last)) return last;
  return first?.lower === 'not' && ['in', 'for', 'part'].includes(second?.lower ?? '') && words.length < 8
    ? first
    : null;
}

/**
 * Neighbouring content words of a clause within reach: place of the first, both words, and whether a negator
 * stands within reach before them.
 */
function listPairs(
  clause: readonly Token[],
): readonly (readonly [start: number, pair: string, isNegated: boolean])[] {
  const content = clause.map((token, at) => ({ token, at })).filter(({ token }) => isContent(token));
  const negators = clause
    .map((token, at) => ({ token, at }))
    .filter(({ token }) => isNegator(token))
    .map(({ at }) => at);
  const pairs: (readonly [number, string, boolean])[] = [];
  let passed = 0;
  for (const [index, { token, at }] of content.entries()) {
    while ((negators[passed] ?? Infinity) < at) passed += 1;
    const next = content[index + 1];
    if (next === undefined || next.at - at > REACH) continue;
    const negator = negators[passed - 1];
    // Only the two words next to it are negated; anywhere behind it in the clause they are not asserted
    // either.
    const isNear =
      negator !== undefined &&
      (content[index - 1]?.at ?? -1) < negator &&
      next.at - negator <= REACH &&
      !isComparing(clause, negator);
    if (isNear) pairs.push([token.start, `${token.lower} ${next.token.lower}`, true]);
    else if (negator === undefined) pairs.push([token.start, `${token.lower} ${next.token.lower}`, false]);
  }
  return pairs;
}

/** The first content word behind each negator. */
function behindNegators(clause: readonly Token[]): readonly number[] {
  return clause.flatMap((token, at) => {
    if (!isNegator(token) || isComparing(clause, at)) return [];
    const next = clause.slice(at + 1, at + 1 + REACH).find(isContent);
    return next === undefined ? [] : [next.start];
  });
}

function isSetFlag({ op, value }: Atom): boolean {
  return typeof value === 'boolean' && (op === '=') === value;
}

function isComparing(clause: readonly Token[], negator: number): boolean {
  return COMPARING.has(clause[negator + 1]?.lower ?? '') || COMPARING.has(clause[negator + 2]?.lower ?? '');
}

function isContent(token: Token): boolean {
  return token.kind === 'word' && !FUNCTION_WORDS.has(token.lower) && !isNegator(token);
}
