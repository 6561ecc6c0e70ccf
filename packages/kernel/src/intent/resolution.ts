/**
 * Contradictions that are settled: by the pin, by scopes that keep two demands apart, or because the
 * committed reading drops one side. Never by confidence. Source: intent I9.
 */
import type { Json } from '../json.js';
import type { Candidate } from './answers.js';
import { describeIdentity, scopeKey, NO_SCOPE, type Claim } from './claim.js';
import {
  areApartDemands,
  explainPair,
  grouped,
  listApart,
  restApart,
  type Contradiction,
} from './contradiction.js';
import { areApart, type PinAtom } from './pin.js';
import type { SeedText } from './seed.js';

/** Most settled contradictions that are listed; beyond it they are counted by nobody. */
export const SETTLED_MAX = 1_024;

/** What settled a contradiction. */
export type SettledBy = 'pin' | 'scope' | 'commit';

/**
 * A settled contradiction between a committed claim (by place) and another one, or a claim of a reading that
 * was not chosen.
 */
export type Resolution =
  | { readonly by: 'scope'; readonly a: number; readonly b: number; readonly why: Contradiction['why'] }
  | {
      readonly by: 'pin' | 'commit';
      readonly a: number;
      readonly rejected: Claim;
      readonly reading: string;
      readonly why: Contradiction['why'];
    };

/**
 * What the committed claims settle. `others`: the readings that were not chosen, best first; of several that
 * hold a rejected side the first is named. Quadratic within one measure, linear otherwise.
 */
export function listResolutions(
  claims: readonly Claim[],
  others: readonly Candidate[],
  pin: readonly PinAtom[],
  seed: SeedText,
  hash: (value: Json) => string,
): readonly Resolution[] {
  return [
    ...dropped(claims, others, pin, seed, (claim) => hash(describeIdentity(claim, seed))),
    ...separated(claims, seed),
  ];
}

function dropped(
  claims: readonly Claim[],
  others: readonly Candidate[],
  pin: readonly PinAtom[],
  seed: SeedText,
  idOf: (claim: Claim) => string,
): readonly Resolution[] {
  const own = grouped(claims, seed);
  const known = new Set(claims.map(idOf));
  const found = new Map<string, Resolution>();
  for (const { claims: theirs, reading } of others) {
    for (const [group, rivals] of grouped(theirs, seed)) {
      const demands = own.get(group) ?? [];
      for (const [rival, rejected] of demands.length === 0
        ? []
        : rivals.map((one) => [one, theirs[one.place]] as const)) {
        const id = rejected === undefined ? null : idOf(rejected);
        if (rejected === undefined || id === null || known.has(id) || found.size >= SETTLED_MAX) continue;
        for (const demand of demands) {
          const claim = claims[demand.place];
          const key = `${demand.place} ${id}`;
          if (
            claim === undefined ||
            found.has(key) ||
            !areApartDemands(demand, rival) ||
            !restApart(claim.quote, rejected.quote)
          )
            continue;
          found.set(key, {
            by: isPinnedAway(rejected, pin) ? 'pin' : 'commit',
            a: demand.place,
            rejected,
            reading: reading.name,
            why: explainPair(demand, rival),
          });
        }
      }
    }
  }
  return [...found.values()];
}

/** Demands of one measure that could not both hold if their scopes were one. */
function separated(claims: readonly Claim[], seed: SeedText): readonly Resolution[] {
  const scopes = claims.map((claim) => scopeKey(claim, seed));
  const unscoped = claims.map((claim) => ({ ...claim, scope: NO_SCOPE }));
  return listApart(unscoped, seed)
    .filter(({ a, b }) => scopes[a] !== scopes[b])
    .slice(0, SETTLED_MAX)
    .map((pair) => ({ by: 'scope', ...pair }));
}

function isPinnedAway({ modality, atom }: Claim, pin: readonly PinAtom[]): boolean {
  return atom !== null && pin.some((one) => areApart(one, { modality, atom }));
}
