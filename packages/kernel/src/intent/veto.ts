/** Vetoes: why a reading is out before it is scored. Source: intent I3, I5, I7, I8. */
import { countBefore } from '../collections/look-up.js';
import type { Candidate } from './answers.js';
import type { Atom } from './atom.js';
import { listQuotes, type Claim, type Modality } from './claim.js';
import { findContradictions, restApart, type Contradiction } from './contradiction.js';
import type { Decimal } from './decimal.js';
import { READING_LIMITS } from './interpretation.js';
import { readNumber } from './number-words.js';
import { isNegator } from './salient.js';
import { areApart, type PinAtom } from './pin.js';
import { assertedNegation, type Asserted, type Negations } from './polarity.js';
import type { Policy } from './policy.js';
import { scanText } from './scan.js';
import { isLong, type Quote, type SeedText } from './seed.js';
import type { ScoreBasis } from './score.js';
import type { SeedFacts } from './seed-facts.js';
import { isOpener } from './stretches.js';
import { isSameAmount, findMeasure } from './units.js';

/** An atom as somebody states it. */
export type Stated = { readonly modality: Modality; readonly atom: Atom };

/**
 * One veto. Of several places the first is named: `claim` is the place among the reading's distinct claims.
 * `ungrounded`: `span`, a quote is longer than 240 code points; `cut`, it begins or ends inside a word or a
 * number, or is a condition or exception without the negator before it; `number`, the atom's number and unit,
 * or its date, cannot be read in the quote. `pin_conflict` names both atoms. `polarity`: the seed only
 * negates what the reading asserts there. `self_contradiction`: two demands that cannot both hold and rest on
 * the same words of the seed, or one of them on none; where each rests on words of its own, the seed
 * contradicts itself and the reading is kept (`contradiction_budget`).
 */
export type Veto =
  | { readonly code: 'duplicate_reading'; readonly of: { readonly slot: string; readonly index: number } }
  | { readonly code: 'ungrounded'; readonly claim: number; readonly rule: 'span' | 'cut' | 'number' }
  | {
      readonly code: 'pin_conflict';
      readonly claim: number;
      readonly claimed: Stated;
      readonly pinned: Stated;
    }
  | { readonly code: 'polarity'; readonly asserted: Asserted }
  | {
      readonly code: 'self_contradiction';
      readonly a: number;
      readonly b: number;
      readonly why: Contradiction['why'];
    }
  | {
      readonly code: 'over_limit';
      readonly of: 'max_interpretations' | keyof typeof READING_LIMITS;
      readonly value: number;
      readonly limit: number;
    };

/** All vetoes of each candidate, in the order of the codes. Linear in the claims times the pins. */
export function findVetoes(
  candidates: readonly Candidate[],
  { pin, policy, facts }: ScoreBasis,
): readonly (readonly Veto[])[] {
  const { seed, negations } = facts;
  const firsts = new Map<string, Candidate>();
  return candidates.map((candidate) => {
    const identity = `${candidate.from.slot}\u0000${candidate.key}`;
    const first = firsts.get(identity);
    if (first === undefined) firsts.set(identity, candidate);
    const { claims } = candidate;
    const limit = limitVeto(candidate, policy);
    // Demands are compared pair by pair: not those of a reading that is too long anyway.
    const own = limit === null ? ownVeto(claims, seed) : null;
    const vetoes = [
      duplicateVeto(first),
      groundingVeto(claims, facts),
      pinVeto(claims, pin),
      polarityVeto(candidate, negations),
      own,
      limit,
    ];
    return vetoes.filter((veto) => veto !== null);
  });
}

/**
 * True if an atom's number and unit, or its date or clock time, can be read in some words; other text and
 * flags need none.
 */
export function isReadable({ value, unit }: Atom, words: string): boolean {
  if (typeof value === 'boolean' || (typeof value === 'string' && unit === null)) return true;
  const { tokens, quantities, moments } = scanText(words);
  // A date and a clock time together stand in the words as one or as two.
  if (typeof value === 'string')
    return [[value], value.split('T')].some((parts) =>
      parts.every((part) => moments.some((moment) => moment.value === part)),
    );
  if (findMeasure(unit).dimension === 'count')
    return (
      tokens.some((_, at) => isValue(readNumber(tokens, at)?.value, value)) ||
      quantities.some((found) => isValue(found.value, value))
    );
  return quantities.some((found) => isSameAmount(found, { value, unit }));
}

function duplicateVeto(first: Candidate | undefined): Veto | null {
  return first === undefined
    ? null
    : { code: 'duplicate_reading', of: { slot: first.from.slot, index: first.index } };
}

function groundingVeto(claims: readonly Claim[], facts: SeedFacts): Veto | null {
  for (const [claim, stated] of claims.entries()) {
    const { quote, atom } = stated;
    if (listQuotes(stated).some(([, own]) => isLong(own))) return { code: 'ungrounded', claim, rule: 'span' };
    if (listQuotes(stated).some(([path, own]) => isCut(own, facts) || isRobbed(path, own, facts)))
      return { code: 'ungrounded', claim, rule: 'cut' };
    if (quote === null) continue;
    if (atom !== null && !isReadable(atom, facts.seed.slice(quote)))
      return { code: 'ungrounded', claim, rule: 'number' };
  }
  return null;
}

/**
 * True if a quote begins or ends inside an ASCII word, a negator, a number, a date or a time, or leaves a
 * number's sign behind.
 */
function isCut({ start, end }: Quote, { seed, tokens }: SeedFacts): boolean {
  const { text } = seed;
  const isInside = (unit: number): boolean => {
    const token = tokens[countBefore(tokens.length, (index) => (tokens[index]?.start ?? 0) < unit) - 1];
    return (
      (token !== undefined && (token.kind !== 'word' || isNegator(token)) && unit < token.end) ||
      /[A-Za-z0-9]{2}/.test(text.slice(unit - 1, unit + 1))
    );
  };
  const from = seed.unitAt(start);
  const isUnsigned = /^[^A-Za-z0-9]?[-−][0-9]$/.test(text.slice(Math.max(0, from - 2), from + 1));
  return isUnsigned || isInside(from) || isInside(seed.unitAt(end));
}

/**
 * True if a condition or an exception leaves the negator behind that stands before its first word:
 * `approved` of `if not approved`.
 */
function isRobbed(path: string, { start }: Quote, { seed, tokens }: SeedFacts): boolean {
  if (path !== 'scope/condition' && path !== 'scope/exception') return false;
  const index = countBefore(tokens.length, (at) => (tokens[at]?.start ?? 0) < seed.unitAt(start));
  const [before, first] = [tokens[index - 1], tokens[index]];
  return (
    before !== undefined &&
    first !== undefined &&
    isNegator(before) &&
    !isOpener(first) &&
    !(before.lower === 'without' && path === 'scope/exception')
  );
}

function pinVeto(claims: readonly Claim[], pin: readonly PinAtom[]): Veto | null {
  for (const [claim, { kind, modality, atom }] of claims.entries()) {
    if (atom === null || kind === 'question') continue;
    const claimed = { modality, atom };
    const pinned = pin.find((one) => areApart(one, claimed));
    if (pinned !== undefined) return { code: 'pin_conflict', claim, claimed, pinned };
  }
  return null;
}

function polarityVeto({ claims, reading }: Candidate, negations: Negations): Veto | null {
  const asserted = assertedNegation(claims, reading, negations);
  return asserted === null ? null : { code: 'polarity', asserted };
}

function ownVeto(claims: readonly Claim[], seed: SeedText): Veto | null {
  const own = findContradictions(claims, seed).find(
    ({ a, b }) => !restApart(claims[a]?.quote ?? null, claims[b]?.quote ?? null),
  );
  return own === undefined ? null : { code: 'self_contradiction', ...own };
}

function limitVeto({ index, claims, reading }: Candidate, { max_interpretations }: Policy): Veto | null {
  if (index >= max_interpretations)
    return { code: 'over_limit', of: 'max_interpretations', value: index + 1, limit: max_interpretations };
  const sizes = {
    commits: claims.length,
    assumptions: reading.assumptions.length,
    contradictions: reading.contradictions.length,
    aliases: reading.aliases.length,
  };
  const of = (['commits', 'assumptions', 'contradictions', 'aliases'] as const).find(
    (name) => sizes[name] > READING_LIMITS[name],
  );
  return of === undefined ? null : { code: 'over_limit', of, value: sizes[of], limit: READING_LIMITS[of] };
}

function isValue(found: Decimal | undefined, value: Decimal): boolean {
  return found !== undefined && isSameAmount({ value: found, unit: null }, { value, unit: null });
}
