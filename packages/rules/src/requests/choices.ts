/**
 * Where a text can be taken in another way: what the claim would be then.
 *
 * @module
 */
import type { Claim, Quote, Scan, SeedText } from '@assay/kernel/intent';
import type { Read } from './claims.js';
import type { Choice } from './readings.js';
import { quoteOf } from './spans.js';

/**
 * The choices of some claims, by place among them. `reads`: the same claims with their clauses, sentence by
 * sentence. Linear.
 */
export function choicesOf(
  scan: Scan,
  seed: SeedText,
  claims: readonly Claim[],
  reads: readonly (readonly Read[])[],
): readonly Choice[] {
  const open = claims.filter(
    ({ kind, atom }) => kind === 'question' && (atom?.value === 'bound' || atom?.value === 'attachment'),
  );
  const shared = sharedScopes(scan, seed, reads);
  return claims.flatMap((claim, place): readonly Choice[] => {
    const { quote, atom } = claim;
    if (quote === null || claim.kind === 'question') return [];
    const scope = shared.get(`${quote.start} ${quote.end}`);
    const scoped: readonly Choice[] =
      scope === undefined || claim.scope.condition !== null
        ? []
        : [{ kind: 'scope', place, claim: { ...claim, scope: { ...claim.scope, condition: scope } } }];
    const asks =
      atom === null || typeof atom.value !== 'object'
        ? undefined
        : open.find(
            (one) => one.quote !== null && quote.start <= one.quote.start && one.quote.end <= quote.end,
          );
    if (atom === null || asks === undefined) return scoped;
    const isBound = asks.atom?.value === 'bound';
    if (isBound && atom.op !== '=') return scoped;
    return [
      ...scoped,
      isBound
        ? { kind: 'bound', place, claim: { ...claim, atom: { ...atom, op: '<=' } } }
        : {
            kind: 'attachment',
            place,
            claim: { ...claim, atom: { ...atom, key: `${atom.key}_total`.slice(0, 120) } },
          },
    ];
  });
}

/**
 * `save recipes and share them if they are online`: the condition behind the last act may reach the ones
 * before it.
 */
function sharedScopes(
  scan: Scan,
  seed: SeedText,
  reads: readonly (readonly Read[])[],
): ReadonlyMap<string, Quote> {
  const shared = new Map<string, Quote>();
  for (const sentence of reads) {
    const demands = sentence.filter(({ clause, claim }) => clause !== null && claim.kind === 'requirement');
    const last = demands.at(-1)?.clause ?? null;
    if (last === null || last.condition === null || last.leads || demands.length < 2 || last.opens !== 'verb')
      continue;
    const condition = quoteOf(scan, seed, last.condition);
    for (const { claim } of demands.slice(0, -1))
      if (claim.quote !== null) shared.set(`${claim.quote.start} ${claim.quote.end}`, condition);
  }
  return shared;
}
