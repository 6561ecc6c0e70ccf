/**
 * Which salient units claims cover, and which they account for. Source: intent I4, I10 (coverage).
 *
 * Words inside a quote are *covered*: they do not disappear, and the blueprint shows them. To *account* for a
 * unit a claim must also hold it: the number in its atom, the prohibition in its modality. Only that scores,
 * so that quoting sentences back gains nothing.
 *
 * @module
 */
import { countBefore, groupBy } from '../collections/look-up.js';
import { renderAtom, sideOf } from './atom.js';
import { BESIDE, heldIn, isSaid, NEXT } from './bearing.js';
import { quotesOf, type Claim } from './claim.js';
import { FORBIDDING } from './modal-words.js';
import { saidOf, type Said } from './said.js';
import type { SalientUnit } from './salient.js';
import type { Quote, SeedText } from './seed.js';
import { OPPOSITE } from './solutions.js';
import { placeIn, type Stretches } from './stretches.js';

/** Most units one quote covers. Source: intent I4. */
export const COVERED_MAX = 6;

/**
 * Which units the quotes cover: each quote the first six inside it. By index into `units`. O((q + u) log u).
 */
export function coveredBy(units: readonly SalientUnit[], quotes: readonly Quote[]): ReadonlySet<number> {
  const covered = new Set<number>();
  for (const { start, end } of quotes) {
    let taken = 0;
    for (
      let index = countBefore(units.length, (at) => (units[at]?.quote.start ?? 0) < start);
      index < units.length && taken < COVERED_MAX;
      index += 1
    ) {
      const unit = units[index];
      if (unit === undefined || unit.quote.start >= end) break;
      if (unit.quote.end > end) continue;
      covered.add(index);
      taken += 1;
    }
  }
  return covered;
}

/**
 * A unit that scores. `sort`: its sentence and what a claim has to hold. `holder`: its place, by which an
 * aside that holds it is counted once.
 */
type Counted = { readonly sort: string; readonly aside: number; readonly holder: number };

/** A negator in a proviso: it is part of a condition or an exception, and forbids nothing. */
const ASIDE_NOT = '(not)';
const ASIDE_IF = '(if)';

/**
 * What of a seed coverage counts: `total` units, all by their sort, and those of each aside that demand
 * nothing. `said`: what each sentence can bear out.
 */
export type Scoring = Stretches & {
  readonly total: number;
  readonly said: readonly Said[];
  readonly sorts: ReadonlyMap<string, readonly Counted[]>;
  readonly inAsides: ReadonlyMap<number, readonly Counted[]>;
};

/**
 * Sorts the units that score: what is demanded, how much of it and by when. Names, quotations and dates
 * without a year are shown where nobody claims them, and no more. Linear but for the search of places.
 */
export function scoringOf(seed: SeedText, units: readonly SalientUnit[], stretches: Stretches): Scoring {
  const { sentences, tokens, pieces, asides, provisos, idle } = stretches;
  const isIdle = (quote: Quote): boolean => placeIn(idle, quote) >= 0;
  const said = saidOf(seed, stretches);
  const forbidding = tokens
    .flat()
    .filter(({ lower }) => FORBIDDING.has(lower))
    .map(({ start, end }) => seed.quote(start, end));
  const [outside, inside] = [new Set<number>(), new Set<number>()];
  for (const quote of [
    ...forbidding,
    ...units.filter(({ kind }) => kind === 'negation').map((unit) => unit.quote),
  ].filter((quote) => !isIdle(quote))) {
    const proviso = placeIn(provisos, quote);
    if (proviso < 0) outside.add(placeIn(pieces, quote));
    else inside.add(proviso);
  }
  const neededOf = ({ kind, quote, holds }: SalientUnit, index: number): string => {
    if (kind === 'negation') return placeIn(provisos, quote) < 0 ? 'not' : ASIDE_NOT;
    if (kind !== 'modal') {
      const needed = holds ?? '';
      if (said[placeIn(sentences, quote)]?.isBanned === true) return turned(needed);
      return outside.has(placeIn(pieces, quote)) || inside.has(placeIn(provisos, quote))
        ? needed.replace(/[<>^]?$/, `${BESIDE}$&`)
        : needed;
    }
    const place = placeIn(idle, quote);
    const isNext = [units[index - 1], units[index + 1]].some(
      (other) =>
        other?.kind === 'negation' &&
        placeIn(idle, other.quote) === place &&
        (place >= 0 || isBeside(other.quote, quote)),
    );
    return (isNext ? NEXT : '') + (holds ?? '');
  };
  const counted = units.flatMap((unit, index): Counted[] =>
    unit.holds === null || (unit.kind === 'negation' && isIdle(unit.quote))
      ? []
      : [
          {
            sort: `${placeIn(sentences, unit.quote)} ${neededOf(unit, index)}`,
            aside: placeIn(asides, unit.quote),
            holder: unit.quote.start,
          },
        ],
  );
  // A condition counts as one: leaving it out is leaving something out. Its quote holds it, as it holds what
  // else stands there.
  const starts = new Set(units.map(({ quote }) => quote.start));
  for (const quote of provisos)
    if (!starts.has(quote.start))
      counted.push({
        sort: `${placeIn(sentences, quote)} ${ASIDE_IF}`,
        aside: placeIn(asides, quote),
        holder: quote.start,
      });
  return {
    ...stretches,
    said,
    total: counted.length,
    sorts: groupBy(counted, ({ sort }) => sort),
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

/** True where no more than a space parts two quotes. */
function isBeside(a: Quote, b: Quote): boolean {
  return Math.max(a.start, b.start) - Math.min(a.end, b.end) < 2;
}

/**
 * How many units some demand accounts for. A claim stands in the one sentence that holds its quote: of equal
 * units there, as many are accounted for as claims of other atoms or modalities hold them. Its scopes account
 * for the units of the asides they stand in. Where in the sentence a quote begins and ends decides nothing,
 * and over its end it accounts for nothing: so no longer quote gains. A question asks, an assumption only
 * assumes, and both account for nothing; so does a claim that its sentence does not say.
 */
export function accountedBy(scoring: Scoring, claims: readonly Claim[]): number {
  const { sentences, asides, sorts, inAsides } = scoring;
  const held = claims.flatMap((claim) => {
    const sentence =
      claim.kind === 'question' || claim.kind === 'assumption' || claim.quote === null
        ? -1
        : placeIn(sentences, claim.quote);
    const said = scoring.said[sentence];
    const holds = heldIn(scoring, sentence, claim);
    if (said === undefined || !isSaid(claim, said, holds)) return [];
    const holder = statementOf(claim);
    const scoped = quotesOf(claim).flatMap(([path, quote]) =>
      path === 'quote' ? [] : (inAsides.get(placeIn(asides, quote)) ?? []),
    );
    return [
      ...[...holds.numbers, ...holds.words].map((needed) => ({ sort: `${sentence} ${needed}`, holder })),
      ...scoped,
    ];
  });
  return [...groupBy(held, ({ sort }) => sort)].reduce(
    (sum, [sort, by]) =>
      sum + Math.min(new Set(by.map(({ holder }) => holder)).size, sorts.get(sort)?.length ?? 0),
    0,
  );
}

/**
 * What a claim says, wherever and in whichever way it says it: modality and atom, a forbidden bound as the
 * demand of its opposite. Saying it again adds nothing.
 */
export function statementOf({ modality, atom }: Pick<Claim, 'modality' | 'atom'>): string {
  if (modality === 'must_not' && atom !== null && sideOf(atom.op) !== '')
    return statementOf({ modality: 'must', atom: { ...atom, op: OPPOSITE[atom.op] } });
  return `${modality} ${atom === null ? '' : renderAtom(atom)}`;
}
