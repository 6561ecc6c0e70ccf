/** 001 §4.4 Ambiguity resolution determinism, clause by clause. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import type { Interpretation } from '@assay/kernel/intent';
import { lawRuns } from '../../tools/laws.js';
import { readings } from '../intent/arbitraries.js';
import { answered, artifactOf, eventsOf, opened, policyWith, type Played } from '../intent/tools.js';

const runs = lawRuns('001 §4.4');
const SEED =
  'Uploads must finish within 2 s. The app must not store card data. Logs should be kept ' +
  'for 30 days, at most 5 MB each.';
const K = 2;

/** A run of two slots on recorded readings, in the order given. */
function decided(
  a: readonly Interpretation[],
  b: readonly Interpretation[],
  order: readonly ('a' | 'b')[] = ['a', 'b'],
): Played {
  const said = { a, b };
  return order.reduce(
    (run, slot) => answered(run, slot, said[slot] as unknown as Json),
    opened(
      SEED,
      policyWith({ proposers: ['a', 'b'], max_interpretations: K, min_score: 0, contradiction_budget: 9 }),
    ),
  );
}

const check = (property: (a: readonly Interpretation[], b: readonly Interpretation[]) => void): void =>
  fc.assert(fc.property(readings(SEED), readings(SEED), property), {
    ...runs,
    numRuns: Math.ceil(runs.numRuns / 2),
  });

describe('001 §4.4 ambiguity resolution determinism, given recorded interpretations', () => {
  it('001 §4.4 scoring deterministically produces the same scores', () => {
    check((a, b) => {
      const again = decided(
        structuredClone(a) as readonly Interpretation[],
        structuredClone(b) as readonly Interpretation[],
        ['b', 'a'],
      );
      expect(eventsOf(decided(a, b), 'scored')).toEqual(eventsOf(again, 'scored'));
    });
  });

  it('001 §4.4 pruning deterministically selects the top K: the best by total, then name, then node id', () => {
    check((a, b) => {
      const scored = eventsOf(decided(a, b), 'scored') as unknown as readonly {
        readonly total: number;
        readonly name: string;
        readonly rank: number;
        readonly kept: boolean;
      }[];
      expect(scored.map(({ rank }) => rank)).toEqual(scored.map((_, index) => index));
      expect(scored.map(({ kept }) => kept)).toEqual(scored.map((_, index) => index < K));
      for (const [index, one] of scored.entries()) {
        const next = scored[index + 1];
        if (next !== undefined)
          expect(one.total > next.total || (one.total === next.total && one.name <= next.name)).toBe(true);
      }
    });
  });

  it(
    '001 §4.4 collapse deterministically selects the winner: the first of the scored, in ' +
      'every order of arrival',
    () => {
      check((a, b) => {
        const [one, two] = [decided(a, b), decided(a, b, ['b', 'a'])];
        const first = eventsOf(one, 'scored')[0]?.['name'] ?? null;
        const chosen = eventsOf(one, 'chosen')[0]?.['name'] ?? null;
        expect([chosen === null || chosen === first, eventsOf(two, 'chosen')[0]?.['name'] ?? null]).toEqual([
          true,
          chosen,
        ]);
        const blueprint = artifactOf(one, 'blueprint') as
          | { readonly intent?: { readonly name: string } }
          | undefined;
        if (blueprint !== undefined) expect(blueprint.intent?.name).toBe(chosen);
      });
    },
  );

  it('001 §4.4 the committed intent root is stable: the id of the decision node, whatever the order of arrival', () => {
    check((a, b) => {
      const [one, two] = [decided(a, b), decided(a, b, ['b', 'a'])];
      const roots = [one, two].map(
        (run) => [...eventsOf(run, 'committed'), ...eventsOf(run, 'refused')][0]?.['root'] ?? null,
      );
      expect(roots[0]).toBe(roots[1]);
      const decisions = one.step.run.graph
        .nodes()
        .filter(({ kind }) => kind === 'decision')
        .map(({ id }) => id);
      expect(decisions).toEqual(roots[0] === null ? [] : [roots[0]]);
    });
  });
});
