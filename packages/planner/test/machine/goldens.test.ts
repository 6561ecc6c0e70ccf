/** The scenarios E1 to E3 and E7 as committed, with every figure of specs D.8. */
import { field, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { listObjects, readField } from '@assay/kernel/shape';
import { describe, expect, it } from 'vitest';
import { BODIES, type AskKind } from '../../src/protocol/bodies.js';
import { readRecords } from '../../../kernel/tools/goldens.ts';

type Payload = { readonly name?: string; readonly content?: Json; readonly events?: readonly Json[] };

function artifact(records: readonly EvidenceRecord[], name: string): Json {
  const found = records.find(({ payload }) => (payload as Payload).name === name);
  return (found?.payload as Payload | undefined)?.content ?? null;
}

/** The value at a path of keys and places, or of the item of a list by its `id`. */
function at(value: Json, ...path: readonly (string | number)[]): Json {
  return path.reduce<Json>((here, key) => {
    if (Array.isArray(here)) {
      const list = here as readonly Json[];
      return (
        (typeof key === 'number' ? list[key] : list.find((each) => isObject(each) && each['id'] === key)) ??
        null
      );
    }
    return isObject(here) ? (field(here, String(key)) ?? null) : null;
  }, value);
}

const eventsOf = (records: readonly EvidenceRecord[]): readonly string[] =>
  records
    .flatMap(({ kind, payload }) => (kind === 'decision' ? ((payload as Payload).events ?? []) : []))
    .map((event) => String(at(event, 't')));

const SAID: readonly (readonly [name: string, status: string, changes: Json])[] = [
  ['e1-agent', 'success', [['t8', 'a']]],
  [
    'e1b-two-changes',
    'success',
    [
      ['t4', 'b'],
      ['t7', 'a'],
    ],
  ],
  ['e1c-hopeless', 'refused', null],
  ['e1-no-survey', 'refused', null],
  ['e1-idle-survey', 'refused', null],
  ['e7-actuals', 'success', [['t8', 'a']]],
  ['e7-unreachable', 'refused', [['t8', 'a']]],
  ['e2-trading', 'success', [['o1', 'a']]],
  [
    'e3-classifier',
    'success',
    [
      ['h1', 'b'],
      ['m2', 'a'],
    ],
  ],
  [
    'e3b-classes',
    'success',
    [
      ['h1', 'b'],
      ['m2', 'a'],
    ],
  ],
];

describe('the scenarios E1 to E3 and E7', () => {
  it.each(SAID)('%s ends in %s', (name, status, changes) => {
    const records = readRecords(`planner-${name}`);
    const report = artifact(records, 'report');
    expect(at(report, 'status')).toBe(status);
    expect(at(report, 'judged', 'repair', 'changes')).toEqual(changes);
    if (status === 'refused') expect(at(report, 'reasons')).toEqual(['cap_unreachable']);
  });

  it.each(SAID)('%s asks what the shapes of bodies say', (name) => {
    const asked = readRecords(`planner-${name}`).flatMap(({ payload }) =>
      listObjects(readField(payload, 'requests')),
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const { kind, body } of asked) expect(BODIES[kind as AskKind](body as Json)).toBeNull();
  });

  it('E1: 58,500 of 50,000 cents, 900 of 1,440 minutes; t8.a brings 44,500 and 840', () => {
    const records = readRecords('planner-e1-agent');
    const judged = at(artifact(records, 'report'), 'judged');
    const plan = artifact(records, 'plan');
    expect(at(judged, 'before', 'cost')).toMatchObject({
      status: 'UNSAT',
      total: [26_500, 58_500, 108_000],
      slack: -8_500,
      exposed: true,
      hopeless: false,
    });
    expect(at(judged, 'before', 'deadline')).toMatchObject({
      status: 'SAT',
      total: [450, 900, 1_500],
      exposed: true,
    });
    expect([at(judged, 'length'), at(judged, 'barrier')]).toEqual([900, 960]);
    expect(at(judged, 'cores', 0, 'tasks')).toEqual(['t4', 't5', 't7', 't8']);
    expect(at(judged, 'after', 'cost')).toMatchObject({ status: 'SAT', total: [19_500, 44_500, 76_000] });
    expect(at(judged, 'next', 0)).toMatchObject({
      changes: [['t8', 'b']],
      cost: 40_500,
      confidence: 350_000,
    });
    expect(at(plan, 'length')).toBe(840);
    expect(at(plan, 'critical')).toEqual(['t1', 't3', 't6', 't7', 't8', 't9']);
    expect(at(plan, 'unchecked')).toEqual([]);
  });

  it('E1: constraints, tasks, roll-up, core, survey, repair, roll-up, verification, in this order', () => {
    const order = eventsOf(readRecords('planner-e1-agent')).filter((t) =>
      ['constraint', 'planned', 'rolled_up', 'core', 'surveyed', 'repaired', 'verified', 'ending'].includes(
        t,
      ),
    );
    expect(order.filter((t, place) => t !== order[place - 1])).toEqual([
      'constraint',
      'planned',
      'rolled_up',
      'core',
      'surveyed',
      'rolled_up',
      'core',
      'repaired',
      'rolled_up',
      'verified',
      'ending',
    ]);
  });

  it('E1b: 49,400 of 50,000 is TIGHT; E1c: the cap and t8 alone say why nothing fits', () => {
    const two = at(artifact(readRecords('planner-e1b-two-changes'), 'report'), 'judged');
    expect(at(two, 'after', 'cost')).toMatchObject({ status: 'TIGHT', slack: 600 });
    expect(at(two, 'next', 0)).toMatchObject({
      changes: [
        ['t5', 'b'],
        ['t7', 'a'],
      ],
      cost: 49_000,
    });
    const none = at(artifact(readRecords('planner-e1c-hopeless'), 'report'), 'judged');
    expect(at(none, 'core_best')).toMatchObject({ constraints: ['cost'], tasks: ['t8'], minimal: true });
    expect(at(none, 'least_raise', 'joint', 'proven')).toBe(true);
  });

  it('E2: 16,300 of 10,000, core o1; the grid brings 3,100 and 690 minutes', () => {
    const records = readRecords('planner-e2-trading');
    const judged = at(artifact(records, 'report'), 'judged');
    expect(at(judged, 'before', 'cost')).toMatchObject({ status: 'UNSAT', slack: -6_300 });
    expect(at(judged, 'length')).toBe(750);
    expect(at(judged, 'cores', 0, 'tasks')).toEqual(['o1']);
    expect(at(judged, 'after', 'cost', 'total', 1)).toBe(3_100);
    expect(at(artifact(records, 'plan'), 'length')).toBe(690);
    const names = at(artifact(records, 'report'), 'constraints');
    expect(at(names, 'no-look-ahead')).toMatchObject({ selected: true });
    const tasks = at(artifact(records, 'plan'), 'tasks');
    expect([at(tasks, 'd1', 'start'), at(tasks, 'd2', 'start')]).toEqual([0, 0]);
  });

  it('E3: two caps in two units, one pair repairs both, p99 is TIGHT; questions are raised', () => {
    const records = readRecords('planner-e3-classifier');
    const report = artifact(records, 'report');
    const judged = at(report, 'judged');
    expect(at(judged, 'before', 'compute')).toMatchObject({ status: 'UNSAT', slack: -2_900 });
    expect(at(judged, 'before', 'hosting')).toMatchObject({ status: 'UNSAT', slack: -13_000 });
    expect([0, 1].map((core) => at(judged, 'cores', core, 'tasks'))).toEqual([['m2'], ['h1']]);
    const after = ['compute', 'hosting', 'f1', 'p99', 'deadline'].map((id) => [
      at(judged, 'after', id, 'total', 1),
      at(judged, 'after', id, 'status'),
    ]);
    expect(after).toEqual([
      [2_200, 'SAT'],
      [3_600, 'SAT'],
      [895, 'SAT'],
      [460, 'TIGHT'],
      [270, 'SAT'],
    ]);
    expect(at(report, 'questions')).toHaveLength(2);
  });

  it('E3b: 50 classes against 16 is a conflict, which a person settles', () => {
    const records = readRecords('planner-e3b-classes');
    expect(eventsOf(records)).toContain('conflict');
    const human = records.filter(
      ({ kind, payload }) => kind === 'proposal' && at(payload as Json, 'source') === 'human',
    );
    expect(human).toHaveLength(1);
    expect(at(at(artifact(records, 'report'), 'constraints'), 'sixteen-classes')).toMatchObject({
      selected: true,
    });
  });

  it('E7: t4 at 7,000 changes nothing; t7 at 14,000 breaks the cap, and t8.b mends it: 48,500, TIGHT', () => {
    const records = readRecords('planner-e7-actuals');
    const report = artifact(records, 'report');
    expect(at(report, 'replans')).toBe(1);
    expect(at(report, 'budget', 'spent')).toEqual({ cents: 48_500 });
    const plan = artifact(records, 'plan');
    expect(at(plan, 'lines', 'cost')).toMatchObject({ status: 'TIGHT', total: [48_500, 48_500, 48_500] });
    expect(at(plan, 'baseline', 'lines', 'cost', 'total', 1)).toBe(44_500);
    expect(at(artifact(records, 'assembly'), 'parts')).toHaveLength(9);
    expect(at(report, 'sigma_ppm')).toBe(810_000);
  });

  it('E7 without t8.b: refused, and 2,501 cents are missing', () => {
    const report = artifact(readRecords('planner-e7-unreachable'), 'report');
    expect(at(report, 'judged', 'least_raise')).toMatchObject({
      joint: { caps: [{ id: 'cost', by: 2_501 }], proven: true },
    });
  });
});
