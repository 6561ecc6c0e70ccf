/** The solver and the search: the same repairs, and values that the search does not reach alone. */
import { orThrow, type Json } from '@assay/kernel';
import { namedChoice, parsePlan, repair, type Plan } from '@assay/planner/schedule';
import { suggest } from '@assay/proposers/solver';
import { describe, expect, it } from 'vitest';
import { randomPlan } from '../../../planner/bench/instances.mjs';

const signal = new AbortController().signal;
const asked = { best: [], seconds: 20, signal } as const;
const placesOf = (plan: Plan, choice: readonly (readonly [string, string])[]): readonly number[] =>
  plan.tasks.map(({ approaches }, task) => approaches.findIndex(({ id }) => id === choice[task]?.[1]));

describe('the solver', () => {
  it('finds the repair that the search finds, with the same values', async () => {
    for (const seed of [1, 2, 3]) {
      const plan = orThrow(
        parsePlan(randomPlan({ tasks: 8, approaches: 3, rows: 2, percent: 80, seed }) as Json),
      );
      const own = repair(plan);
      if (!('key' in own)) throw new Error('a repair');
      expect(own.key.changes.length).toBeGreaterThan(0);
      const found = orThrow(await suggest(plan, { ...asked, unfinished: 'substitutions' }));
      const choice = placesOf(plan, found.choice);
      // With one node a question the search finds little: what it has, it has from the solver.
      const led = repair(plan, 1, { ...found, choice });
      expect('key' in led ? led.key.changes.length : null).toBe(own.key.changes.length);
      expect(repair(plan, undefined, { ...found, choice })).toMatchObject({ label: own.label, key: own.key });
    }
  });

  it('brings the search to a value that it does not reach alone', async () => {
    const plan = orThrow(
      parsePlan(randomPlan({ tasks: 20, approaches: 4, rows: 3, percent: 75, seed: 3 }) as Json),
    );
    const alone = repair(plan, 3);
    if (!('key' in alone)) throw new Error('a repair');
    const best = namedChoice(plan, alone.choice);
    const found = orThrow(await suggest(plan, { ...asked, best, unfinished: alone.unfinished ?? 'cost' }));
    const led = repair(plan, 3, { ...found, choice: placesOf(plan, found.choice) });
    if (!('key' in led)) throw new Error('a repair');
    const value = ({ key }: typeof led): readonly number[] => [key.changes.length, -key.confidence, key.cost];
    const [before, after] = [value(alone), value(led)];
    const at = before.findIndex((n, index) => n !== after[index]);
    expect(at < 0 || (after[at] ?? 0) < (before[at] ?? 0)).toBe(true);
  });
});
