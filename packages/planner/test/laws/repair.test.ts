/** Laws of repairs, held against every choice there is. Source: specs D.5 law-F11 … law-F19. */
import { orThrow } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import {
  checkCertificate,
  checkPlan,
  findFit,
  parsePlan,
  makeQuestion,
  repair,
  type Plan,
  type Repair,
} from '../../src/schedule/index.js';
import { nextRepairs } from '../../src/repair/next.js';
import { rollup } from '../../src/rollup/rollup.js';
import { arbitraryPlan, arbitraryPlanFile, arbitrarySharedFile, turned } from '../../tools/arbitrary-plan.js';
import { everyRepair, holds } from '../../tools/naive-plan.js';

const RUNS = lawRuns('repair laws', 0.4);
const plans = arbitraryPlan({ tasks: 5, alternatives: 3, rows: 2 });
const NODES = 20_000;

/** Every proof of a repair, checked against the question it names. */
function expectProven(plan: Plan, { proofs }: Repair): void {
  for (const { objective, bounds, claim, certificate } of proofs)
    expect(checkCertificate(makeQuestion(plan, objective, bounds), claim, certificate)).toBe(true);
}

describe('laws of repairs', () => {
  it('planner/repair-equals-brute-force: the first repair is the first of all choices, or none is there', () => {
    const seen = { exact: 0, none: 0 };
    fc.assert(
      fc.property(plans, (plan) => {
        const all = everyRepair(plan);
        const found = repair(plan);
        expectProven(plan, found);
        expect(found.label).toBe(all.length === 0 ? 'none' : 'exact');
        const fit = findFit(plan);
        expect(fit.verdict).toBe(all.length === 0 ? 'UNSAT' : 'SAT');
        if (fit.verdict === 'SAT') expect(holds(plan, fit.choice)).toBe(true);
        if (found.label === 'none') {
          seen.none += 1;
          expect(found.proofs).toHaveLength(1);
        } else if ('choice' in found) {
          seen.exact += 1;
          expect(found.choice).toEqual(all[0]);
          expect(rollup(plan, found.choice).status).toMatch(/^SAT|TIGHT$/);
        }
      }),
      RUNS,
    );
    expect(Math.min(seen.exact, seen.none)).toBeGreaterThan(RUNS.numRuns / 10);
  });

  it('planner/every-tiny-plan: all plans of two tasks, two approaches, amounts 0 to 2 under each cap', () => {
    for (let code = 0; code < 81; code += 1) {
      const [a, b, c, d] = [
        code % 3,
        Math.floor(code / 3) % 3,
        Math.floor(code / 9) % 3,
        Math.floor(code / 27),
      ];
      for (let cap = 0; cap <= 4; cap += 1) {
        const task = (id: string, own: number | undefined, other: number | undefined) => ({
          id,
          minutes: 1,
          confidence: 500_000,
          method: 'own',
          amounts: { cost: own ?? 0 },
          alternatives: [
            { id: 'a', minutes: 1, confidence: 500_000, method: 'other', amounts: { cost: other ?? 0 } },
          ],
        });
        const rows = [{ id: 'cost', op: '<=', cap }];
        const plan = orThrow(parsePlan({ plan: 1, rows, tasks: [task('t1', a, b), task('t2', c, d)] }));
        const found = repair(plan);
        expectProven(plan, found);
        expect('choice' in found ? found.choice : undefined).toEqual(everyRepair(plan)[0]);
      }
    }
  });

  it('planner/next-equals-brute-force: the repairs that come next are the ones that come next', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const all = everyRepair(plan);
        const first = all[0];
        if (first === undefined) return;
        const next = nextRepairs(plan, first, NODES);
        expect(next.isComplete).toBe(true);
        expect(next.repairs.map(({ choice }) => choice)).toEqual(all.slice(1, 6));
      }),
      RUNS,
    );
  });

  it('planner/order-invariant: the whole report is the same however lists and keys are ordered', () => {
    const size = { tasks: 4, alternatives: 2, rows: 2 };
    const files = fc.oneof(arbitraryPlanFile(size), arbitrarySharedFile(size));
    fc.assert(
      fc.property(files, (file) => {
        const [one, other] = [orThrow(parsePlan(file)), orThrow(parsePlan(turned(file)))];
        expect(other).toEqual(one);
        expect(checkPlan(other)).toEqual(checkPlan(one));
      }),
      RUNS,
    );
  });

  it('planner/a-limit-never-lies: with few nodes, bounds hold, proofs are sound and no label is too good', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 3 }), (plan, nodes) => {
        const found = repair(plan, nodes);
        const best = everyRepair(plan)[0];
        expectProven(plan, found);
        if (found.label === 'none') expect(best).toBeUndefined();
        if (!('choice' in found)) return;
        expect(holds(plan, found.choice)).toBe(true);
        if (found.label === 'exact') expect(found.choice).toEqual(best);
      }),
      RUNS,
    );
  });

  it('planner/a-suggestion-is-never-believed: any choice and weights leave the repair as it is', () => {
    fc.assert(
      fc.property(
        plans,
        fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }),
        fc.array(fc.nat(1_000_000), { minLength: 2, maxLength: 2 }),
        fc.nat(1_000),
        (plan, places, [first = 0, second = 0], unit) => {
          const choice = plan.tasks.map((_, task) => places[task] ?? 0);
          const weights = [
            ['r0', first],
            ['r9', second],
          ] as const;
          expect(strip(repair(plan, NODES, { choice, weights, unit }))).toEqual(strip(repair(plan)));
        },
      ),
      RUNS,
    );
  });

  it('planner/dominated-is-never-chosen: no alternative is taken that another one beats in everything', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        if (plan.metrics.length > 0 || plan.couplings.length > 0) return;
        const found = repair(plan);
        if (!('choice' in found)) return;
        for (const [task, { approaches }] of plan.tasks.entries()) {
          const taken = approaches[found.choice[task] ?? 0];
          if (taken === approaches[0] || taken === undefined) continue;
          const beats = approaches
            .slice(1)
            .filter(
              ({ amounts, minutes, confidence }) =>
                confidence > taken.confidence &&
                minutes[1] < taken.minutes[1] &&
                amounts.every((amount, row) => amount[1] < (taken.amounts[row]?.[1] ?? 0)),
            );
          expect(beats).toEqual([]);
        }
      }),
      RUNS,
    );
  });
});

/** A repair without what describes the way to it. */
function strip(found: Repair): unknown {
  if (!('choice' in found)) return found.label;
  return { label: found.label, choice: found.choice, key: found.key };
}
