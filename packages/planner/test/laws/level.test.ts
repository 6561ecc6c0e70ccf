/** Laws of renewable resources: what is levelled holds, and what is proven of them is true of every schedule. */
import { orThrow } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { findLevelFault } from '../../src/level/check.js';
import { LEVELLED_MAX, levelTasks } from '../../src/level/level.js';
import { makeReport } from '../../src/machine/finishing.js';
import { planDocument, planPicture, tellReport } from '../../src/picture/index.js';
import { listTaken } from '../../src/plan/plan.js';
import { computeCap, rollup } from '../../src/rollup/rollup.js';
import { checkPlan, checkRaise, parsePlan, type Plan } from '../../src/schedule/index.js';
import { arbitrarySharedFile } from '../../tools/arbitrary-plan.js';
import { everyChoice, lengthOf, minutesOf } from '../../tools/naive-plan.js';

const RUNS = lawRuns('levelling laws');
const plans = arbitrarySharedFile({ tasks: 4, alternatives: 2, rows: 1 }).map((file) =>
  orThrow(parsePlan(file)),
);

/** What a choice takes. */
const take = (plan: Plan, choice: readonly number[]) => ({
  taken: listTaken(plan, choice),
  minutes: minutesOf(plan, choice),
});

/** Minute by minute, and link by link as it is written: true where nothing is broken. */
function holdsByMinute(plan: Plan, choice: readonly number[], starts: readonly number[]): boolean {
  const { taken, minutes } = take(plan, choice);
  const event = (task: number, end: string | undefined): number =>
    (starts[task] ?? 0) + (end === 'F' ? (minutes[task] ?? 0) : 0);
  const areLinked = plan.tasks.every(({ after, links }, task) =>
    (links ?? after.map((each) => ({ task: each, link: 'FS' as const, lag: 0 }))).every(
      ({ task: before, link, lag }) => event(task, link[1]) >= event(before, link[0]) + lag,
    ),
  );
  const end = Math.max(...starts.map((_, task) => event(task, 'F')));
  return (
    areLinked &&
    Array.from({ length: end }, (_, minute) => minute).every((minute) =>
      plan.renewable.every(([id, capacity]) => {
        const running = taken.filter((_, task) => event(task, 'S') <= minute && minute < event(task, 'F'));
        const used = running.map(({ uses }) => new Map(uses).get(id) ?? 0);
        return used.reduce((sum, use) => sum + use, 0) <= capacity;
      }),
    )
  );
}

describe('plans of more tasks than are levelled', () => {
  it('say not_held in every document, and keep the sums of shared work', () => {
    const tasks = Array.from({ length: LEVELLED_MAX + 1 }, (_, at) => ({
      id: `t${at}`,
      minutes: 1,
      confidence: 500_000,
      uses: { anna: 1 },
    }));
    const read = (minutes: number): Plan =>
      orThrow(parsePlan({ plan: 1, renewable: { anna: 1 }, deadline: { op: '<=', minutes }, tasks }));
    const plan = read(201);
    const report = checkPlan(plan);
    const documents = [planDocument(plan, report), makeReport(report), planPicture(tellReport(plan, report))];
    for (const each of documents) expect(JSON.stringify(each)).toContain('not_held');
    expect([report.before.status, report.before.length[1]]).toEqual(['TIGHT', 1]);
    expect(rollup(read(200)).status).toBe('UNSAT');
  });
});

describe('laws of levelling', () => {
  it('planner/levelled-holds: every link and capacity at every minute; the checker says so of it alone', () => {
    fc.assert(
      fc.property(plans, fc.array(fc.nat(12), { minLength: 4, maxLength: 4 }), (plan, other) => {
        for (const choice of everyChoice(plan)) {
          const { taken, minutes } = take(plan, choice);
          const { starts, length } = levelTasks(plan, taken, minutes);
          expect(findLevelFault(plan, taken, minutes, starts)).toBeNull();
          expect(holdsByMinute(plan, choice, starts)).toBe(true);
          expect(length).toBe(Math.max(...starts.map((start, task) => start + (minutes[task] ?? 0))));
          expect(length).toBeGreaterThanOrEqual(lengthOf(plan, choice));
          const drawn = plan.tasks.map((_, task) => other[task] ?? 0);
          expect(findLevelFault(plan, taken, minutes, drawn) === null).toBe(
            holdsByMinute(plan, choice, drawn),
          );
        }
      }),
      RUNS,
    );
  });

  it('planner/shared-work-is-a-true-bound: no levelled choice breaks it, no repair is late, none is ruled out', () => {
    const labels = new Set<string>();
    fc.assert(
      fc.property(plans, (plan) => {
        const { deadline } = plan;
        const fits = everyChoice(plan).filter((choice) => {
          const { status, lines, length } = rollup(plan, choice);
          if (deadline !== null && length[1] <= computeCap(deadline))
            expect(lines.filter(({ kind, status: own }) => kind === 'work' && own === 'UNSAT')).toEqual([]);
          return status === 'SAT' || status === 'TIGHT';
        });
        const { repair, after, next, raise } = checkPlan(plan);
        if (repair === null) return;
        labels.add(repair.label);
        if (raise !== null) expect(checkRaise(plan, raise)).toBe(true);
        if (after !== null) expect(['SAT', 'TIGHT']).toContain(after.status);
        for (const { choice } of next) expect(['SAT', 'TIGHT']).toContain(rollup(plan, choice).status);
        if (repair.label === 'none') expect(fits).toEqual([]);
      }),
      RUNS,
    );
    expect([...labels]).toEqual(expect.arrayContaining(['exact', 'none']));
  });
});
