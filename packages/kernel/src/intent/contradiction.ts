/**
 * Contradictions: demands that cannot both hold. Source: intent I9.
 *
 * *Derived*: equal key, scope and dimension, and solution sets that do not meet; only these count against a
 * budget. *Claimed*: a proposer points at two claims, or the two meet only under a key that it calls an
 * alias.
 */
import { groupBy } from '../collections/look-up.js';
import { compareText } from '../json.js';
import { renderAtom } from './atom.js';
import { scopeKey, type Claim, type Modality } from './claim.js';
import type { Interpretation } from './interpretation.js';
import type { Quote, SeedText } from './seed.js';
import { admittedBy, isDisjoint, type Solutions } from './solutions.js';

/**
 * Two claims, by place, that cannot both hold. `polarity`: the same atom demanded and forbidden; `interval`:
 * no value satisfies both.
 */
export type Contradiction = { readonly a: number; readonly b: number; readonly why: 'polarity' | 'interval' };

/**
 * Two claims, by place, that a proposer says cannot both hold: by pointing at them, or through keys it calls
 * one.
 */
export type ClaimedContradiction = {
  readonly a: number;
  readonly b: number;
  readonly why: 'proposed' | 'alias';
};

/**
 * The contradictions among claims, by place of the first, then of the second. Only demands count (`must`,
 * `must_not`): a wish or a permission gives way. Quadratic within one key and scope, linear otherwise.
 */
export function findContradictions(
  claims: readonly Claim[],
  seed: SeedText,
  keyOf?: (key: string) => string,
): readonly Contradiction[] {
  return listApart(claims, seed, keyOf).sort((x, y) => x.a - y.a || x.b - y.b);
}

/** As {@link findContradictions}, group by group. */
export function listApart(
  claims: readonly Claim[],
  seed: SeedText,
  keyOf?: (key: string) => string,
): Contradiction[] {
  return [...grouped(claims, seed, keyOf).values()].flatMap((group) =>
    group.flatMap((a, index) =>
      group
        .slice(index + 1)
        .flatMap((b) => (areApartDemands(a, b) ? { a: a.place, b: b.place, why: explainPair(a, b) } : [])),
    ),
  );
}

/**
 * What a proposer claims beyond the derived ones: its pairs, and what contradicts only under its aliases.
 * Ordered as they are.
 */
export function matchClaimed(
  claims: readonly Claim[],
  derived: readonly Contradiction[],
  pairs: readonly (readonly [number, number])[],
  aliases: readonly (readonly [string, string])[],
  seed: SeedText,
): readonly ClaimedContradiction[] {
  const pointed = pairs.map(([a, b]): ClaimedContradiction => ({ a, b, why: 'proposed' }));
  const under =
    aliases.length === 0
      ? []
      : findContradictions(claims, seed, representatives(aliases)).map(
          ({ a, b }): ClaimedContradiction => ({ a, b, why: 'alias' }),
        );
  const known = new Set(derived.map(renderPlaces));
  const found = [...pointed, ...under].filter(
    (pair) => !known.has(renderPlaces(pair)) && known.add(renderPlaces(pair)).size > 0,
  );
  return found.sort((x, y) => x.a - y.a || x.b - y.b);
}

/** How many pairs of a reading's demands are compared, at most. */
export function countPairs({ commits, aliases }: Interpretation, seed: SeedText): number {
  const groups = [...grouped(commits, seed, representatives(aliases)).values()];
  return groups.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
}

/** True if some demand of one reading contradicts some demand of another. */
export function areContrary(a: readonly Claim[], b: readonly Claim[], seed: SeedText): boolean {
  const others = grouped(b, seed);
  return [...grouped(a, seed)].some(([group, own]) => {
    const theirs = others.get(group) ?? [];
    return own.some((left) => theirs.some((right) => areApartDemands(left, right)));
  });
}

/** True if two claims rest on words of the seed, and not on the same ones. */
export function restApart(a: Quote | null, b: Quote | null): boolean {
  return a !== null && b !== null && (a.end <= b.start || b.end <= a.start);
}

/** A demand as it is compared: `group` holds what must be equal, `admitted` what it leaves open. */
export type Demand = {
  readonly place: number;
  readonly modality: Modality;
  readonly text: string;
  readonly admitted: Solutions;
};

/** Demands by measure and scope, each with its place. `keyOf` says which keys are one. */
export function grouped(
  claims: readonly Claim[],
  seed: SeedText,
  keyOf = (key: string): string => key,
): ReadonlyMap<string, readonly Demand[]> {
  const demands = claims.flatMap((claim, place) => {
    const { kind, modality, atom } = claim;
    if (atom === null || kind === 'question' || (modality !== 'must' && modality !== 'must_not')) return [];
    return {
      measure: `${keyOf(atom.key)}\u0000${scopeKey(claim, seed)}`,
      place,
      modality,
      text: renderAtom(atom),
      admitted: admittedBy(modality, atom),
    };
  });
  return groupBy(demands, ({ measure }) => measure);
}

/**
 * No value satisfies both; or one demands what the other forbids, word for word, however inexact the amount
 * is (months, years).
 */
export function areApartDemands(a: Demand, b: Demand): boolean {
  return (a.text === b.text && a.modality !== b.modality) || isDisjoint(a.admitted, b.admitted);
}

/** Why two demands that cannot both hold do not. */
export function explainPair(a: Demand, b: Demand): Contradiction['why'] {
  return a.text === b.text ? 'polarity' : 'interval';
}

/** One key for all that are called the same: the least of them by UTF-16 code units. */
function representatives(aliases: readonly (readonly [string, string])[]): (key: string) => string {
  const parents = new Map<string, string>();
  const findRoot = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    return root;
  };
  for (const [a, b] of aliases) {
    const [first = '', second = ''] = [findRoot(a), findRoot(b)].sort(compareText);
    if (first !== second) parents.set(second, first);
  }
  return findRoot;
}

function renderPlaces({ a, b }: { readonly a: number; readonly b: number }): string {
  return `${a} ${b}`;
}
