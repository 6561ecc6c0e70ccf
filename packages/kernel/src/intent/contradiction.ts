/**
 * Derived contradictions: claims of equal key, scope and dimension that cannot both hold. Source: intent I9.
 *
 * @module
 */
import type { Claim } from './claim.js';
import { scopeKey } from './claim.js';
import type { SeedText } from './seed.js';
import { admittedBy, isDisjoint, type Solutions } from './solutions.js';
import { renderAtom } from './atom.js';

/** Two claims, by place, that cannot both hold. `polarity`: the same atom demanded and forbidden; `interval`: no value satisfies both. */
export type Contradiction = { readonly a: number; readonly b: number; readonly why: 'polarity' | 'interval' };

/**
 * The contradictions among claims, by place of the first, then of the second. Only demands count (`must`,
 * `must_not`): a wish or a permission gives way. Quadratic within one key and scope, linear otherwise.
 */
export function contradictionsOf(claims: readonly Claim[], seed: SeedText): readonly Contradiction[] {
  const groups = new Map<string, Demand[]>();
  for (const [place, claim] of claims.entries()) {
    const demand = demandOf(claim, place, seed);
    if (demand === null) continue;
    const group = groups.get(demand.group);
    if (group === undefined) groups.set(demand.group, [demand]);
    else group.push(demand);
  }
  const found: Contradiction[] = [];
  for (const group of groups.values()) {
    for (const [index, a] of group.entries()) {
      for (const b of group.slice(index + 1)) if (isDisjoint(a.admitted, b.admitted)) found.push({ a: a.place, b: b.place, why: a.text === b.text ? 'polarity' : 'interval' });
    }
  }
  return found.sort((x, y) => x.a - y.a || x.b - y.b);
}

/** True where some demand of one reading contradicts some demand of another. */
export function areContrary(a: readonly Claim[], b: readonly Claim[], seed: SeedText): boolean {
  const [own, others] = [demands(a, seed), demands(b, seed)];
  return own.some((left) => others.some((right) => left.group === right.group && isDisjoint(left.admitted, right.admitted)));
}

type Demand = { readonly place: number; readonly group: string; readonly text: string; readonly admitted: Solutions };

function demands(claims: readonly Claim[], seed: SeedText): readonly Demand[] {
  return claims.map((claim, place) => demandOf(claim, place, seed)).filter((demand) => demand !== null);
}

function demandOf(claim: Claim, place: number, seed: SeedText): Demand | null {
  const { kind, modality, atom } = claim;
  if (atom === null || kind === 'question' || (modality !== 'must' && modality !== 'must_not')) return null;
  return { place, group: `${atom.key}\u0000${scopeKey(claim, seed)}`, text: renderAtom(atom), admitted: admittedBy(modality, atom) };
}
