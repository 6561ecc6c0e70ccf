import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRequests, type Json } from '@assay/kernel';
import {
  coveredBy,
  parseInterpretations,
  salientUnits,
  scanText,
  SeedText,
  type Atom,
  type Interpretation,
  type Op,
} from '@assay/kernel/intent';
import { lawRuns } from '../../tools/laws.js';
import { readings } from './arbitraries.js';
import { nearValid } from './near-valid.js';
import {
  amount,
  answered,
  artifactOf,
  claimOn,
  eventsOf,
  opened,
  played,
  policyWith,
  reading,
} from './tools.js';
import { makeAmount } from '../../src/intent/units.js';
import { isDisjoint, isWithin, findSolutions } from '../../src/intent/solutions.js';

const runs = lawRuns('intent');

const SEED =
  'Uploads must finish within 2 s. The app must not store card data. Logs should be kept ' +
  'for 30 days, at most 5 MB each.';

/** All orders of a list. */
function ordersOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return items.length <= 1
    ? [items]
    : items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

describe('laws of the intent machine', () => {
  it('intent/arrival-order-invariant: every order of three slots gives the same artifacts, scores and graph', () => {
    const slots = ['a', 'b', 'c'];
    fc.assert(
      fc.property(fc.tuple(readings(SEED), readings(SEED), readings(SEED)), (given) => {
        const runs = ordersOf([0, 1, 2]).map((order) => {
          let run = opened(SEED, policyWith({ proposers: slots, contradiction_budget: 5 }));
          for (const index of order) run = answered(run, slots[index] ?? '', given[index] as unknown as Json);
          const { graph, outcome } = run.step.run;
          return JSON.stringify([
            outcome,
            graph.root(),
            artifactOf(run, 'blueprint'),
            artifactOf(run, 'verification_pack'),
            artifactOf(run, 'refusal_report'),
            eventsOf(run, 'scored'),
            eventsOf(run, 'vetoed'),
          ]);
        });
        return new Set(runs).size === 1;
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 5) },
    );
  });

  it('intent/exactly-one-outcome: blueprint and pack, or a refusal report, never both or neither', () => {
    fc.assert(
      fc.property(readings(SEED), (given) => {
        const run = answered(opened(SEED, policyWith({ proposers: ['a'] })), 'a', given as unknown as Json);
        const isSuccess =
          artifactOf(run, 'blueprint') !== undefined && artifactOf(run, 'verification_pack') !== undefined;
        const isRefusal = artifactOf(run, 'refusal_report') !== undefined;
        return (
          isSuccess !== isRefusal &&
          run.step.run.outcome === (isSuccess ? 'success' : 'refused') &&
          openRequests(run.step.run).length === 0
        );
      }),
      runs,
    );
  });

  it('intent/parse-total: any JSON is a list of readings or one rejection', () => {
    const seed = new SeedText(SEED);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue().map((value) => value as Json),
          readings(SEED).chain((value) => nearValid([value as unknown as Json])),
        ),
        (value) => {
          const parsed = parseInterpretations(value, seed);
          return parsed._tag === 'Right' || parsed.left.code === 'bad_interpretations';
        },
      ),
      runs,
    );
  });

  it('intent/scores-bounded: every part and total lies between 0 and 1,000,000, num never above den', () => {
    fc.assert(
      fc.property(readings(SEED), readings(SEED), (one, two) => {
        const run = played(
          SEED,
          { a: one, b: two },
          policyWith({
            proposers: ['a', 'b'],
            weights: {
              coverage: 1,
              grounding: 1,
              disclosure: 1,
              pin: 1,
              agreement: 1,
              specificity: 1,
              order: 1,
              confidence: 1,
            },
          }),
        );
        return eventsOf(run, 'scored').every(({ parts, total }) => {
          const fits = (
            parts as unknown as readonly {
              readonly num: number;
              readonly den: number;
              readonly ppm: number;
            }[]
          ).every(({ num, den, ppm }) => num <= den && ppm >= 0 && ppm <= 1_000_000);
          return fits && Number(total) >= 0 && Number(total) <= 1_000_000;
        });
      }),
      runs,
    );
  });

  it('intent/no-gain-by-repeating: a reading that says its claims twice scores the same', () => {
    fc.assert(
      fc.property(readings(SEED), (given) => {
        const twice = given.map((one) => ({ ...one, commits: [...one.commits, ...one.commits] }));
        const total = (list: readonly Interpretation[]): unknown =>
          eventsOf(played(SEED, { a: list }, policyWith({ proposers: ['a'], min_score: 0 })), 'scored').map(
            (event) => event['total'],
          );
        return JSON.stringify(total(given)) === JSON.stringify(total(twice));
      }),
      runs,
    );
  });

  it('intent/ties-lexicographic: of equal totals and as many demands the lesser name by UTF-16 wins', () => {
    const claim = claimOn(SEED, 'Uploads must finish within 2 s', {
      atom: amount('uploads.time', '<=', 2, 's'),
    });
    const other = { ...claim, atom: amount('app.time', '<=', 2, 's') };
    const names = ['Z', 'a', '\uffff', '\u{1f600}', 'a b', 'é'];
    for (const left of names) {
      for (const right of names) {
        const run = played(
          SEED,
          { a: [reading(left, [claim])], b: [reading(right, [other])] },
          policyWith({ proposers: ['a', 'b'], min_score: 0 }),
        );
        const scored = eventsOf(run, 'scored');
        expect(new Set(scored.map(({ total }) => total)).size).toBe(1);
        expect(scored[0]?.['name']).toBe(left < right ? left : right);
        expect(eventsOf(run, 'chosen')[0]?.['tie_break']).toBe(left === right ? 'commitments' : 'name');
      }
    }
  });

  it('intent/coverage-six: a quote covers at most six units', () => {
    const seed = new SeedText('must must must must must must must must');
    const units = salientUnits(seed, scanText(seed.text));
    expect(units).toHaveLength(8);
    expect(coveredBy(units, [{ start: 0, end: seed.length }]).size).toBe(6);
  });
});

describe('laws of atoms', () => {
  const ops = fc.constantFrom<Op>('=', '!=', '<', '<=', '>', '>=');
  const atoms = fc
    .tuple(
      ops,
      fc.integer({ min: -20, max: 20 }),
      fc.constantFrom('s', 'ms', 'min', 'month', 'd', 'degC', 'K'),
    )
    .map(([op, n, unit]): Atom => amount('x', op, n, unit));
  /** Some base amounts at which two atoms can be told apart. */
  const admits = (atom: Atom, other: Atom): boolean[] => {
    const { dimension, low } = makeAmount(
      atom.value as { readonly n: number; readonly scale: number },
      atom.unit,
    );
    const at = makeAmount(other.value as { readonly n: number; readonly scale: number }, other.unit);
    return dimension === at.dimension ? [low.num * at.low.den === at.low.num * low.den] : [];
  };

  it('atoms/disjoint-symmetric: the order of two sets does not matter', () => {
    fc.assert(
      fc.property(
        atoms,
        atoms,
        (a, b) =>
          isDisjoint(findSolutions(a), findSolutions(b)) === isDisjoint(findSolutions(b), findSolutions(a)),
      ),
      runs,
    );
  });

  it('atoms/within-not-disjoint: a set lies within itself, and what lies within another meets it', () => {
    fc.assert(
      fc.property(atoms, atoms, (a, b) => {
        const [left, right] = [findSolutions(a), findSolutions(b)];
        return isWithin(left, left) && !(isWithin(left, right) && isDisjoint(left, right));
      }),
      runs,
    );
  });

  it('atoms/disjoint-by-points: "=" is disjoint from a comparison exactly where the point does not satisfy it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9, max: 9 }),
        ops,
        fc.integer({ min: -9, max: 9 }),
        (point, op, bound) => {
          const satisfied = {
            '=': point === bound,
            '!=': point !== bound,
            '<': point < bound,
            '<=': point <= bound,
            '>': point > bound,
            '>=': point >= bound,
            in: true,
            not_in: true,
          }[op];
          return (
            isDisjoint(
              findSolutions(amount('x', '=', point, 's')),
              findSolutions(amount('x', op, bound, 's')),
            ) === !satisfied
          );
        },
      ),
      runs,
    );
  });

  it('atoms/other-dimension-never-disjoint: amounts of two dimensions contradict nothing', () => {
    fc.assert(
      fc.property(
        atoms,
        atoms,
        (a, b) => admits(a, b).length > 0 || !isDisjoint(findSolutions(a), findSolutions(b)),
      ),
      runs,
    );
  });
});

describe('laws of places', () => {
  it('seed/points-and-units-agree: code points are found again whatever the planes', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '\u{1f600}', '\u{10ffff}', ' ', '\uffff'), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const seed = new SeedText(text);
        const points = [...text];
        return (
          seed.length === points.length &&
          points.every(
            (point, index) =>
              seed.slice({ start: index, end: index + 1 }) === point &&
              seed.pointAt(seed.unitAt(index)) === index,
          )
        );
      }),
      runs,
    );
  });
});
