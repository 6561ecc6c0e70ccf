/** Plans far above the sizes of the laws: proven where one leaf does it, and nothing nested too deep. */
import { Meter, orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import {
  checkCertificate,
  checkPlan,
  parsePlan,
  makeQuestion,
  repair,
  type Certificate,
} from '../../src/schedule/index.js';

/** So many tasks, each with one cheaper and slower alternative. */
function plan(count: number, cap: number): Json {
  const tasks = Array.from({ length: count }, (_, index) => ({
    id: `t${String(index).padStart(3, '0')}`,
    minutes: 10,
    confidence: 500_000,
    amounts: { cost: 100 + index },
    alternatives: [
      { id: 'a', minutes: 20, confidence: 400_000, amounts: { cost: 40 + ((index * 37) % 41) } },
    ],
  }));
  return { plan: 1, rows: [{ id: 'cost', op: '<=', cap }], tasks };
}

function depth(node: Certificate): number {
  return 'parts' in node ? 1 + Math.max(0, ...node.parts.map(([, inner]) => depth(inner))) : 0;
}

/** A meter that goes on counting once it is spent. */
class Counted extends Meter {
  taken = 0;
  override spend(steps: number): boolean {
    this.taken += steps;
    return super.spend(steps);
  }
}

/** Hard knapsacks: so many tasks, each with eight alternatives in sixteen rows, at so many percent of a middle. */
function knapsack(count: number, percent: number, edges: number): Json {
  let seed = 7;
  const below = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const rows = Array.from({ length: 16 }, (_, row) => ({
    id: `r${row}`,
    op: '<=',
    cap: count * 50 * percent,
  }));
  const amounts = () => Object.fromEntries(rows.map(({ id }) => [id, below(10_000)]));
  const tasks = Array.from({ length: count }, (_, task) => ({
    id: `t${task}`,
    minutes: 1 + below(100),
    confidence: 500_000,
    amounts: amounts(),
    after: Array.from({ length: Math.min(edges, task) }, (__, back) => `t${task - 1 - back}`),
    alternatives: Array.from({ length: 8 }, (__, place) => ({
      id: `a${place}`,
      method: `m${place}`,
      minutes: 1 + below(100),
      confidence: 400_000 + below(1_000),
      amounts: amounts(),
    })),
  }));
  return { plan: 1, rows, tasks, deadline: { op: '<=', minutes: count * 40 } };
}

describe('the meter of an answer', () => {
  it.each([
    ['a knapsack of 60 tasks', 60, 70, 0],
    ['one that nothing fits', 60, 20, 0],
    ['400 tasks with 40 edges each', 400, 75, 40],
  ])('bounds what is said of %s, whatever nodes are allowed', (_, count, percent, edges) => {
    const plan = orThrow(parsePlan(knapsack(count, percent, edges)));
    const steps = 4_000_000;
    const meter = new Counted(steps);
    const { repair: found, raise, coreBest, isNextComplete } = checkPlan(plan, 10_000_000, null, meter);
    expect(meter.isSpent).toBe(true);
    // Each of the questions looks at its root once.
    expect(meter.taken).toBeLessThan(8 * steps);
    const isOpen = found?.label === 'open' || found?.label === 'bounded';
    expect(isOpen || !isNextComplete || raise?.joint?.proven !== true || coreBest?.isMinimal !== true).toBe(
      true,
    );
  });
});

describe('large plans', () => {
  it('the fewest substitutions among 300 tasks are proven, as the greatest savings add up', () => {
    const read = orThrow(parsePlan(plan(300, 50_000)));
    const savings = read.tasks.map(
      ({ approaches: [own, other] }) => (own?.amounts[0]?.[1] ?? 0) - (other?.amounts[0]?.[1] ?? 0),
    );
    let left = savings.reduce(
      (sum, _, task) => sum + (read.tasks[task]?.approaches[0]?.amounts[0]?.[1] ?? 0),
      -50_000,
    );
    let fewest = 0;
    for (const saving of savings.toSorted((a, b) => b - a)) {
      if (left <= 0) break;
      left -= saving;
      fewest += 1;
    }
    const found = repair(read);
    expect('key' in found ? found.key.changes.length : null).toBe(fewest);
    expect(found.proofs.map(({ criterion }) => criterion)).toContain('substitutions');
    for (const { objective, bounds, claim, certificate } of found.proofs) {
      expect(depth(certificate)).toBeLessThanOrEqual(80);
      expect(checkCertificate(makeQuestion(read, objective, bounds), claim, certificate)).toBe(true);
    }
  });

  it('certificates nested deeper than 80 branches are refused', () => {
    const read = orThrow(parsePlan(plan(1, 10)));
    const question = makeQuestion(read, null);
    const leaf: Certificate = { weights: [['cost', 1]], unit: 0 };
    const nested = (levels: number): Certificate =>
      levels === 0 ? leaf : { task: 't000', parts: [[['base', 'a'], nested(levels - 1)]] };
    expect(checkCertificate(question, { kind: 'unsat' }, nested(80))).toBe(true);
    expect(checkCertificate(question, { kind: 'unsat' }, nested(81))).toBe(false);
  });
});
