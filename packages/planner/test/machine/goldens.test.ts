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

/** The value at a path of keys; of a list the item at a place or with an `id`, or its `length`. */
function at(value: Json, ...path: readonly string[]): Json {
  return path.reduce<Json>((here, key) => {
    if (Array.isArray(here)) {
      const list = here as readonly Json[];
      if (key === 'length') return list.length;
      return list[Number(key)] ?? list.find((each) => isObject(each) && each['id'] === key) ?? null;
    }
    return isObject(here) ? (field(here, key) ?? null) : null;
  }, value);
}
const any: unknown = expect.any(Number);

const eventsOf = (records: readonly EvidenceRecord[]): readonly string[] =>
  records
    .flatMap(({ kind, payload }) => (kind === 'decision' ? ((payload as Payload).events ?? []) : []))
    .map((event) => String(at(event, 't')));

const SAID: readonly (readonly [name: string, status: string, changes: Json])[] = [
  ['e1-agent', 'success', [['t8', 'a']]],
  ['e1b-two-changes', 'success', pairs('t4 b, t7 a')],
  ['e1c-hopeless', 'refused', null],
  ['e1-no-survey', 'refused', null],
  ['e1-idle-survey', 'refused', null],
  ['e7-actuals', 'success', [['t8', 'a']]],
  ['e7-unreachable', 'refused', [['t8', 'a']]],
  ['e2-trading', 'success', [['o1', 'a']]],
  ['e3-classifier', 'success', pairs('h1 b, m2 a')],
  ['e3b-classes', 'success', pairs('h1 b, m2 a')],
];

function pairs(text: string): Json {
  return text.split(', ').map((pair) => pair.split(' '));
}

/** Figures of specs D.8: of which run, in which of its artifacts, at which path, and what stands there. */
const FIGURES: readonly (readonly [name: string, artifact: string, path: string, figure: unknown])[] = [
  // 58,500 of 50,000 cents, 900 of 1,440 minutes; t8.a brings 44,500 and 840.
  ['e1-agent', 'report', 'judged before cost', { status: 'UNSAT', total: [26_500, 58_500, 108_000] }],
  ['e1-agent', 'report', 'judged before cost', { slack: -8_500, exposed: true, hopeless: false }],
  [
    'e1-agent',
    'report',
    'judged before deadline',
    { status: 'SAT', total: [450, 900, 1_500], exposed: true },
  ],
  ['e1-agent', 'report', 'judged', { length: 900, barrier: 960 }],
  ['e1-agent', 'report', 'judged cores 0 tasks', ['t4', 't5', 't7', 't8']],
  ['e1-agent', 'report', 'judged after cost', { status: 'SAT', total: [19_500, 44_500, 76_000] }],
  ['e1-agent', 'report', 'judged next 0', { changes: [['t8', 'b']], cost: 40_500, confidence: 350_000 }],
  ['e1-agent', 'plan', '', { length: 840, critical: ['t1', 't3', 't6', 't7', 't8', 't9'], unchecked: [] }],
  // 49,400 of 50,000 is TIGHT; the cap and t8 alone say why nothing fits.
  ['e1b-two-changes', 'report', 'judged after cost', { status: 'TIGHT', slack: 600 }],
  ['e1b-two-changes', 'report', 'judged next 0', { changes: pairs('t5 b, t7 a'), cost: 49_000 }],
  ['e1c-hopeless', 'report', 'judged core_best', { constraints: ['cost'], tasks: ['t8'], minimal: true }],
  ['e1c-hopeless', 'report', 'judged least_raise joint', { proven: true }],
  // 16,300 of 10,000, core o1; the grid brings 3,100 and 690 minutes.
  ['e2-trading', 'report', 'judged before cost', { status: 'UNSAT', slack: -6_300 }],
  ['e2-trading', 'report', 'judged', { length: 750 }],
  ['e2-trading', 'report', 'judged cores 0 tasks', ['o1']],
  ['e2-trading', 'report', 'judged after cost total 1', 3_100],
  ['e2-trading', 'report', 'constraints no-look-ahead', { selected: true }],
  ['e2-trading', 'plan', 'length', 690],
  ['e2-trading', 'plan', 'tasks d1 start', 0],
  ['e2-trading', 'plan', 'tasks d2 start', 0],
  // Two caps in two units, one pair repairs both, p99 is TIGHT; questions are raised.
  ['e3-classifier', 'report', 'judged before compute', { status: 'UNSAT', slack: -2_900 }],
  ['e3-classifier', 'report', 'judged before hosting', { status: 'UNSAT', slack: -13_000 }],
  ['e3-classifier', 'report', 'judged cores', [{ tasks: ['m2'] }, { tasks: ['h1'] }]],
  ['e3-classifier', 'report', 'judged after compute', { status: 'SAT', total: [any, 2_200, any] }],
  ['e3-classifier', 'report', 'judged after hosting', { status: 'SAT', total: [any, 3_600, any] }],
  ['e3-classifier', 'report', 'judged after f1', { status: 'SAT', total: [any, 895, any] }],
  ['e3-classifier', 'report', 'judged after p99', { status: 'TIGHT', total: [any, 460, any] }],
  ['e3-classifier', 'report', 'judged after deadline', { status: 'SAT', total: [any, 270, any] }],
  ['e3-classifier', 'report', 'questions length', 2],
  ['e3b-classes', 'report', 'constraints sixteen-classes', { selected: true }],
  // t4 at 7,000 changes nothing; t7 at 14,000 breaks the cap, and t8.b mends it: 48,500, TIGHT.
  ['e7-actuals', 'report', '', { replans: 1, sigma_ppm: 810_000, budget: { spent: { cents: 48_500 } } }],
  ['e7-actuals', 'plan', 'lines cost', { status: 'TIGHT', total: [48_500, 48_500, 48_500] }],
  ['e7-actuals', 'plan', 'baseline lines cost total 1', 44_500],
  ['e7-actuals', 'assembly', 'parts length', 9],
  // Without t8.b 2,501 cents are missing.
  [
    'e7-unreachable',
    'report',
    'judged least_raise joint',
    { caps: [{ id: 'cost', by: 2_501 }], proven: true },
  ],
];

describe('the scenarios E1 to E3 and E7', () => {
  it.each(SAID)('%s ends in %s', (name, status, changes) => {
    const report = artifact(readRecords(`planner-${name}`), 'report');
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

  it.each(FIGURES)('%s, %s, %s: %j', (name, of, path, figure) => {
    const found = at(artifact(readRecords(`planner-${name}`), of), ...path.split(' ').filter(Boolean));
    if (typeof figure === 'object') expect(found).toMatchObject(figure as object);
    else expect(found).toBe(figure);
  });

  it('E1: constraints, tasks, roll-up, core, survey, repair, roll-up, verification, in this order', () => {
    const order = eventsOf(readRecords('planner-e1-agent')).filter((t) =>
      /^(?:constraint|planned|rolled_up|core|surveyed|repaired|verified|ending)$/.test(t),
    );
    expect(order.filter((t, place) => t !== order[place - 1]).join(' ')).toBe(
      'constraint planned rolled_up core surveyed rolled_up core repaired rolled_up verified ending',
    );
  });

  it('E3b: 50 classes against 16 is a conflict, which a person settles', () => {
    const records = readRecords('planner-e3b-classes');
    expect(eventsOf(records)).toContain('conflict');
    const human = records.filter(
      ({ kind, payload }) => kind === 'proposal' && at(payload as Json, 'source') === 'human',
    );
    expect(human).toHaveLength(1);
  });
});
