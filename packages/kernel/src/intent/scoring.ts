/**
 * Which salient units of a seed score, and what a claim has to hold of each. Source: intent I10 (coverage).
 */
import { groupBy } from '../collections/look-up.js';
import { listSaid, type Said } from './said.js';
import { type SalientUnit, FORBIDDING } from './salient.js';
import type { Quote, SeedText } from './seed.js';
import { BULLETS, locateQuote, type Stretches } from './stretches.js';

/**
 * Before a side: a bound beside a negation (`not stay open for more than 30 s`), which may well be meant the
 * other way round.
 */
export const BESIDE = '~';
/** Before a modal word: a negator stands next to it (`must not`, `not required`). */
export const NEXT = '!';

/** The second half of a choice: a claim behind `otherwise` holds it by the scope before. */
export const BRANCH = '(else)';

/**
 * A unit that scores. `sort`: its sentence and what a claim has to hold. `holder`: its place, by which an
 * aside that holds it is counted once.
 */
type Counted = {
  readonly sort: string;
  readonly sentence: number;
  readonly isNumber: boolean;
  readonly aside: number;
  readonly holder: number;
};

/** A negator in a proviso: it is part of a condition or an exception, and forbids nothing. */
const ASIDE_NOT = '(not)';
const ASIDE_IF = '(if)';

/**
 * What of a seed coverage counts: `total` units, all by their sort and sentence, and those of each aside that demand
 * nothing. `said`: what each sentence can bear out.
 */
export type Scoring = Stretches & {
  readonly total: number;
  readonly said: readonly Said[];
  readonly sorts: ReadonlyMap<string, readonly Counted[]>;
  readonly inSentences: ReadonlyMap<number, readonly Counted[]>;
  readonly inAsides: ReadonlyMap<number, readonly Counted[]>;
};

/**
 * Sorts the units that score: what is demanded, how much of it and by when. Names, quotations and dates
 * without a year are shown where nobody claims them, and no more. Linear but for the search of places.
 */
export function makeScoring(seed: SeedText, units: readonly SalientUnit[], stretches: Stretches): Scoring {
  const { sentences, tokens, pieces, asides, provisos, idle, elses } = stretches;
  const isIdle = (quote: Quote): boolean => locateQuote(idle, quote) >= 0;
  const said = listSaid(seed, stretches);
  const forbidding = tokens
    .flat()
    .filter(({ lower }) => FORBIDDING.has(lower))
    .map(({ start, end }) => seed.quote(start, end));
  const [outside, inside] = [new Set<number>(), new Set<number>()];
  for (const quote of [
    ...forbidding,
    ...units.filter(({ kind }) => kind === 'negation').map((unit) => unit.quote),
  ].filter((quote) => !isIdle(quote))) {
    const proviso = locateQuote(provisos, quote);
    if (proviso < 0) outside.add(locateQuote(pieces, quote));
    else inside.add(proviso);
  }
  const renderNeed = ({ kind, quote, holds }: SalientUnit, index: number): string => {
    if (kind === 'negation') return locateQuote(provisos, quote) < 0 ? 'not' : ASIDE_NOT;
    if (kind !== 'modal') {
      const needed = holds ?? '';
      if (said[locateQuote(sentences, quote)]?.isBanned === true) return turned(needed);
      return outside.has(locateQuote(pieces, quote)) || inside.has(locateQuote(provisos, quote))
        ? needed.replace(/[<>^]?$/, `${BESIDE}$&`)
        : needed;
    }
    const place = locateQuote(idle, quote);
    const isNext = [units[index - 1], units[index + 1]].some(
      (other) =>
        other?.kind === 'negation' &&
        locateQuote(provisos, other.quote) < 0 &&
        locateQuote(idle, other.quote) === place &&
        (place >= 0 || isBeside(other.quote, quote)),
    );
    return (isNext ? NEXT : '') + (holds ?? '');
  };
  // A line above a list demands by its items.
  const isStem = (sentence: number): boolean =>
    tokens[sentence]?.at(-1)?.lower === ':' && BULLETS.includes(tokens[sentence + 1]?.[0]?.lower ?? ' ');
  const count = (needed: string, quote: Quote, isNumber = false): Counted => {
    const sentence = locateQuote(sentences, quote);
    const aside = locateQuote(asides, quote);
    return { sort: `${sentence} ${needed}`, sentence, isNumber, aside, holder: quote.start };
  };
  const counted = units.flatMap((unit, index): Counted[] => {
    const isWord = unit.kind === 'modal' || unit.kind === 'negation';
    const isSilent =
      unit.holds === null ||
      (isWord && isStem(locateQuote(sentences, unit.quote))) ||
      (unit.kind === 'negation' && isIdle(unit.quote));
    return isSilent ? [] : [count(renderNeed(unit, index), unit.quote, !isWord)];
  });
  // A condition counts as one: leaving it out is leaving something out. Its quote holds it, as it holds what
  // else stands there. The second half of a choice holds only where the first does not.
  const starts = new Set(units.map(({ quote }) => quote.start));
  counted.push(
    ...provisos.filter(({ start }) => !starts.has(start)).map((quote) => count(ASIDE_IF, quote)),
    ...elses.map((quote) => count(BRANCH, quote)),
  );
  return {
    ...stretches,
    said,
    total: counted.length,
    sorts: groupBy(counted, ({ sort }) => sort),
    inSentences: groupBy(counted, ({ sentence }) => sentence),
    inAsides: groupBy(
      counted.filter(({ aside }) => aside >= 0),
      ({ aside }) => aside,
    ),
  };
}

/**
 * What a claim has to hold of an amount whose words are banned: a bound on the other side, any other number
 * beside a negation.
 */
function turned(needed: string): string {
  if (needed.endsWith('^')) return needed;
  const side = /[<>]$/.exec(needed)?.[0];
  return side === undefined ? needed + BESIDE : needed.slice(0, -1) + (side === '<' ? '>' : '<');
}

/** True if no more than a space parts two quotes. */
function isBeside(a: Quote, b: Quote): boolean {
  return Math.max(a.start, b.start) - Math.min(a.end, b.end) < 2;
}
