/**
 * Five goals with their plans, written before they were calculated: what was stated must come back with a
 * status. Amounts are cents, times minutes.
 *
 * @module
 */
import type { JsonObject } from '@assay/kernel';

/** A goal, the bounds that it states, and how a run of it ends. */
export type StatedGoal = {
  readonly file: JsonObject;
  readonly bounds: readonly string[];
  readonly status: 'success' | 'refused';
};

const task = (
  id: string,
  after: readonly string[],
  minutes: number,
  cost: number,
  more: object = {},
): object => ({
  id,
  kind: 'build',
  after,
  minutes: [Math.ceil(minutes / 2), minutes, 2 * minutes],
  confidence: 600_000,
  amounts: { cost: [Math.ceil(cost / 2), cost, 2 * cost] },
  ...more,
});
const way = (id: string, minutes: number, cost: number, confidence: number): object => ({
  id,
  method: `${id} way`,
  minutes,
  confidence,
  amounts: { cost },
});
const plan = (
  goal: string,
  cap: number,
  minutes: number,
  tasks: readonly object[],
  more: object = {},
): JsonObject =>
  ({
    plan: 1,
    goal,
    rows: [{ id: 'cost', unit: 'cents', op: '<=', cap }],
    deadline: { op: '<', minutes },
    tasks,
    ...more,
  }) as JsonObject;

/** See the module. */
export const FIVE_GOALS: readonly StatedGoal[] = [
  {
    file: plan('move a service to another host', 90_000, 2_000, [
      task('list', [], 120, 6_000),
      task('copy', ['list'], 300, 15_000),
      task('switch', ['copy'], 60, 3_000),
    ]),
    bounds: ['cost', 'deadline'],
    status: 'success',
  },
  {
    file: plan('a report of sales each morning', 30_000, 1_000, [
      task('source', [], 120, 8_000),
      task('model', ['source'], 240, 24_000, {
        alternatives: [way('spare', 200, 12_000, 500_000), way('rough', 60, 4_000, 300_000)],
      }),
      task('mail', ['model'], 60, 3_000),
    ]),
    bounds: ['cost', 'deadline'],
    status: 'success',
  },
  {
    file: plan('an app for two phones', 100_000, 700, [
      task('design', [], 200, 20_000),
      task('one', ['design'], 500, 30_000, { alternatives: [way('shared', 350, 45_000, 550_000)] }),
      task('two', ['design'], 500, 30_000, { alternatives: [way('shared', 340, 40_000, 550_000)] }),
      task('store', ['one', 'two'], 60, 5_000),
    ]),
    bounds: ['cost', 'deadline'],
    status: 'refused',
  },
  {
    file: plan('a day of talks for a hundred people', 500_000, 10_000, [
      task('place', [], 600, 200_000, { alternatives: [way('school', 900, 90_000, 500_000)] }),
      task('speakers', [], 3_000, 150_000),
      task('food', ['place'], 400, 180_000, { alternatives: [way('buffet', 200, 120_000, 700_000)] }),
      task('day', ['food', 'speakers'], 480, 30_000),
    ]),
    bounds: ['cost', 'deadline'],
    status: 'success',
  },
  {
    file: plan(
      'a search that finds nine of ten',
      60_000,
      3_000,
      [
        task('index', [], 300, 20_000, {
          metrics: { recall: 850 },
          alternatives: [{ ...way('vector', 400, 28_000, 500_000), metrics: { recall: 930 } }],
        }),
        task('page', ['index'], 200, 12_000),
        task('measure', ['index'], 120, 6_000),
      ],
      { metrics: [{ id: 'recall', task: 'index', unit: 'per mille', op: '>=', bound: 900 }] },
    ),
    bounds: ['cost', 'deadline', 'recall'],
    status: 'success',
  },
];
