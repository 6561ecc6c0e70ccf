/** The examples with every figure of specs D.8: E1, E1b, E1c, E2, E3, E7. */
import { isObject, orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { checkPlan, parsePlan, type Plan, type PlanReport, type Repair } from '../../src/schedule/index.js';
import { waterfall } from '../../src/rollup/rollup.js';
import { agentPlan, classifierPlan, tradingPlan } from '../../tools/examples.js';

const read = (file: Json): { readonly plan: Plan; readonly report: PlanReport } => {
  const plan = orThrow(parsePlan(file));
  return { plan, report: checkPlan(plan) };
};
const line = ({ before, after }: PlanReport, id: string, when: 'before' | 'after' = 'before') => {
  const found = (when === 'before' ? before : after)?.lines.find((each) => each.id === id);
  return found === undefined ? null : { status: found.status, total: found.total?.[1], slack: found.slack };
};
const changes = (repair: Repair | null): readonly string[] =>
  repair !== null && 'key' in repair ? repair.key.changes.map((change) => change.join('.')) : [];
const named = (plan: Plan, places: readonly number[]) =>
  places.map((place) => plan.tasks[place]?.id ?? '').join('>');

describe('the examples', () => {
  it('E1: 58,500 of 50,000 cents; t8.a repairs it, though t8.b is cheaper', () => {
    const { plan, report } = read(agentPlan());
    expect(report.before.lines[0]).toMatchObject({
      total: [26_500, 58_500, 108_000],
      isExposed: true,
      isHopeless: false,
    });
    expect(line(report, 'cost')).toEqual({ status: 'UNSAT', total: 58_500, slack: -8_500 });
    expect(report.before.lines[1]).toMatchObject({
      id: 'deadline',
      status: 'SAT',
      total: [450, 900, 1_500],
      isExposed: true,
    });
    expect(named(plan, report.schedule.critical)).toBe('t1>t3>t6>t7>t8>t9');
    expect([report.schedule.length, report.schedule.barrier]).toEqual([900, 960]);
    expect(Array.from(report.schedule.level)).toEqual([1, 1, 2, 2, 2, 3, 4, 5, 6]);
    expect(report.cores).toMatchObject([{ constraints: ['cost'], tasks: ['t4', 't5', 't7', 't8'] }]);
    expect(report.cores[0]?.amounts.reduce((sum, [, amount]) => sum + amount, 0)).toBe(52_000);
    expect(report.survey).toEqual(['t4', 't5', 't7', 't8']);
    expect(report.repair?.label).toBe('exact');
    expect(changes(report.repair)).toEqual(['t8.a']);
    expect(line(report, 'cost', 'after')).toEqual({ status: 'SAT', total: 44_500, slack: 5_500 });
    expect(line(report, 'deadline', 'after')?.total).toBe(840);
    expect(report.next[0]?.key).toMatchObject({ changes: [['t8', 'b']], cost: 40_500, confidence: 350_000 });
    expect(
      waterfall(plan, [0, 0, 0, 0, 0, 0, 0, 0, 0], 0)
        .map(({ left }) => left)
        .at(-1),
    ).toBe(-8_500);
  });

  it('E1b: without an alternative for t8, two changes: t4.b and t7.a, before t5.b and t7.a', () => {
    const { report } = read(agentPlan(50_000, false));
    expect(changes(report.repair)).toEqual(['t4.b', 't7.a']);
    expect(line(report, 'cost', 'after')).toMatchObject({ status: 'TIGHT', total: 49_400 });
    expect(line(report, 'deadline', 'after')?.total).toBe(840);
    const two = report.next
      .filter(({ key }) => key.changes.length === 2)
      .map(({ key }) => [changesOf(key), key.cost]);
    expect(two).toEqual([['t5.b t7.a', 49_000]]);
  });

  it('E1c: under 4,000 cents nothing fits; the cap and t8 alone say why', () => {
    const { report } = read(agentPlan(4_000));
    expect(report.repair?.label).toBe('none');
    expect(report.coreBest).toMatchObject({ constraints: ['cost'], tasks: ['t8'], isMinimal: true });
    expect(report.raise?.joint).toMatchObject({ proven: true, caps: [{ id: 'cost', by: 23_901 }] });
  });

  it('E2: all three ways to optimise repair it; the grid is taken', () => {
    const { plan, report } = read(tradingPlan());
    expect(line(report, 'cost')).toMatchObject({ status: 'UNSAT', total: 16_300 });
    expect(named(plan, report.schedule.critical)).toBe('d1>s1>b1>o1>v1>c1');
    expect(report.schedule.length).toBe(750);
    expect(report.cores).toMatchObject([{ constraints: ['cost'], tasks: ['o1'] }]);
    expect(changes(report.repair)).toEqual(['o1.a']);
    expect(line(report, 'cost', 'after')?.total).toBe(3_100);
    expect(line(report, 'deadline', 'after')?.total).toBe(690);
    expect(report.next.map(({ key }) => [changesOf(key), key.cost])).toEqual([
      ['o1.b', 3_500],
      ['o1.c', 5_800],
    ]);
  });

  it('E3: only m2.a with h1.b; p99 is TIGHT, and gaps of the table are named', () => {
    const { plan, report } = read(classifierPlan());
    expect(line(report, 'compute')).toMatchObject({ status: 'UNSAT', total: 7_900 });
    expect(line(report, 'hosting')).toMatchObject({ status: 'UNSAT', total: 18_000 });
    expect(named(plan, report.schedule.critical)).toBe('m1>m2>q1>h1>l1');
    expect(report.schedule.length).toBe(360);
    expect(report.cores).toMatchObject([
      { constraints: ['compute'], tasks: ['m2'] },
      { constraints: ['hosting'], tasks: ['h1'] },
    ]);
    expect(changes(report.repair)).toEqual(['h1.b', 'm2.a']);
    expect(report.next).toEqual([]);
    const after = ['compute', 'hosting', 'f1', 'p99', 'deadline'].map((id) => line(report, id, 'after'));
    expect(after.map((each) => each?.total)).toEqual([2_200, 3_600, 895, 460, 270]);
    expect(after.map((each) => each?.status)).toEqual(['SAT', 'SAT', 'SAT', 'TIGHT', 'SAT']);
    expect(report.missing.map(({ approaches }) => approaches.join(' '))).toContain('m2.a h1.c');
  });

  it('E3: 5,000 under a cap of 5,000 cents is UNSAT', () => {
    const file = classifierPlan();
    const tasks = isObject(file) && Array.isArray(file['tasks']) ? file['tasks'] : [];
    const chosen = tasks.map((task: Json) =>
      isObject(task) && task['id'] === 'm2' ? { ...task, amounts: { compute: 4_100 } } : task,
    );
    const { report } = read({ ...(isObject(file) ? file : {}), tasks: chosen } as Json);
    expect(line(report, 'compute')).toEqual({ status: 'UNSAT', total: 5_000, slack: 0 });
  });

  it('E7: spent 21,500 and t8, t9 open: t8.b repairs it, without it 2,501 cents are missing', () => {
    const settled = (id: string, cost: number, after: readonly string[]) => ({
      id,
      after,
      minutes: 1,
      confidence: 1_000_000,
      amounts: { cost },
    });
    const t8 = (others: readonly Json[]) => ({
      ...settled('t8', 19_000, ['t7']),
      alternatives: others,
    });
    const plan = (others: readonly Json[]) =>
      read({
        plan: 1,
        rows: [{ id: 'cost', op: '<', cap: 50_000 }],
        tasks: [
          settled('done', 33_000, []),
          settled('t7', 0, ['done']),
          t8(others),
          settled('t9', 500, ['t8']),
        ],
      } as Json);
    const other = { id: 'b', minutes: 1, confidence: 350_000, amounts: { cost: 15_000 } };
    const { report } = plan([other]);
    expect(line(report, 'cost')?.total).toBe(52_500);
    expect(changes(report.repair)).toEqual(['t8.b']);
    expect(line(report, 'cost', 'after')).toMatchObject({ status: 'TIGHT', total: 48_500 });
    expect(plan([]).report.raise?.joint?.caps).toMatchObject([{ id: 'cost', by: 2_501 }]);
  });
});

function changesOf({ changes: list }: { readonly changes: readonly (readonly [string, string])[] }): string {
  return list.map((change) => change.join('.')).join(' ');
}
