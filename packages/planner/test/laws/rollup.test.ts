/** Laws of the roll-up. Source: specs D.5 law-F1, law-F2; dec-K55, dec-K68, dec-K69. */
import { orThrow } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { parsePlan, type Plan, type Status } from '../../src/schedule/index.js';
import { rollup, waterfall } from '../../src/rollup/rollup.js';
import { arbitraryPlan } from '../../tools/arbitrary-plan.js';
import { everyChoice, holds, lengthOf, sumOf } from '../../tools/naive-plan.js';

const RUNS = lawRuns('roll-up laws');
const plans = arbitraryPlan({ tasks: 4, alternatives: 2, rows: 2 });

/** A plan of one task with one row. */
const single = (op: string, bound: number, cost: readonly number[], margin?: number): Plan =>
  orThrow(
    parsePlan({
      plan: 1,
      rows: [{ id: 'cost', op, cap: bound, ...(margin === undefined ? {} : { margin }) }],
      tasks: [{ id: 't', minutes: 1, confidence: 1, amounts: { cost } }],
    }),
  );
const status = (plan: Plan): Status | undefined => rollup(plan, [0]).lines[0]?.status;

describe('laws of the roll-up', () => {
  it('planner/rollup-equals-sums: totals are sums, a hard line fails exactly if the choice does not hold', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        for (const choice of everyChoice(plan)) {
          const { lines, status: worst, length } = rollup(plan, choice);
          for (const row of plan.rows.keys()) expect(lines[row]?.total?.[1]).toBe(sumOf(plan, choice, row));
          expect(length[1]).toBe(lengthOf(plan, choice));
          expect(worst === 'SAT' || worst === 'TIGHT').toBe(holds(plan, choice));
        }
      }),
      RUNS,
    );
  });

  it('planner/waterfall-adds-up: used never falls, used and left are the bound, the last is the total', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const choice = plan.tasks.map(() => 0);
        for (const [row, { bound }] of plan.rows.entries()) {
          const steps = waterfall(plan, choice, row);
          let before = 0;
          for (const { used, left, mid } of steps) {
            expect([used - mid, used + left]).toEqual([before, bound]);
            before = used;
          }
          expect(before).toBe(sumOf(plan, choice, row));
        }
      }),
      RUNS,
    );
  });

  it('planner/status-by-comparison: exact at the edges of the bound and of its margin, also far above 2^53', () => {
    const amounts = fc.integer({ min: 0, max: 2 ** 50 - 1 });
    fc.assert(
      fc.property(
        amounts,
        amounts,
        fc.nat(1_000_000),
        fc.constantFrom('<', '<='),
        fc.integer({ min: -1, max: 1 }),
        (bound, any, margin, op, by) => {
          const edge = Number((BigInt(bound) * BigInt(1_000_000 - margin)) / 1_000_000n);
          for (const figure of [any, bound + by, edge + by]) {
            if (figure < 0 || figure > 2 ** 50 - 1) continue;
            const isBroken = op === '<' ? figure >= bound : figure > bound;
            const isTight = BigInt(figure) * 1_000_000n > BigInt(bound) * BigInt(1_000_000 - margin);
            expect(status(single(op, bound, [figure, figure, figure], margin))).toBe(
              isBroken ? 'UNSAT' : isTight ? 'TIGHT' : 'SAT',
            );
          }
        },
      ),
      RUNS,
    );
  });

  it('planner/cheaper-is-never-worse: lowering an estimate worsens no status', () => {
    const order = ['SAT', 'TIGHT', 'UNSAT'];
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(20), fc.constantFrom('<', '<='), (cap, cost, less, op) => {
        const lower = Math.max(0, cost - less);
        const [before, after] = [cost, lower].map((mid) =>
          order.indexOf(status(single(op, cap, [mid, mid, mid])) ?? ''),
        );
        expect(after).toBeLessThanOrEqual(before ?? 0);
      }),
      RUNS,
    );
  });

  it('exposed by high, hopeless by low; equality breaks `<`; 90 % of a cap is SAT, above it TIGHT', () => {
    expect(rollup(single('<', 10, [10, 10, 11]), [0]).lines[0]).toMatchObject({
      status: 'UNSAT',
      isExposed: true,
      isHopeless: true,
    });
    expect(rollup(single('<=', 10, [8, 9, 11]), [0]).lines[0]).toMatchObject({
      status: 'SAT',
      isExposed: true,
      isHopeless: false,
    });
    expect(status(single('<=', 500, [451, 451, 451]))).toBe('TIGHT');
    expect(status(single('<=', 500, [450, 450, 450]))).toBe('SAT');
  });

  it('a figure that nobody stated is UNKNOWN, and `>=` mirrors the sides', () => {
    const read = (metrics: object) =>
      rollup(
        orThrow(
          parsePlan({
            plan: 1,
            metrics: [{ id: 'f', task: 't', op: '>=', bound: 100, margin: 100_000 }],
            tasks: [{ id: 't', minutes: 1, confidence: 1, metrics: { ...metrics } }],
          }),
        ),
        [0],
      ).lines[0];
    expect(read({})).toMatchObject({ status: 'UNKNOWN', slack: null });
    expect(read({ f: [90, 105, 130] })).toMatchObject({
      status: 'TIGHT',
      slack: 5,
      isExposed: true,
      isHopeless: false,
    });
    expect(read({ f: [80, 99, 99] })).toMatchObject({ status: 'UNSAT', slack: -1, isHopeless: true });
    expect(read({ f: 110 })).toMatchObject({ status: 'SAT', isExposed: false });
  });
});
