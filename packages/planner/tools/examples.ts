/**
 * The plans of E1 (an agent that repairs software), E2 (a trading strategy) and E3 (a document classifier).
 *
 * Source: specs D.8; 000 "Verification Examples".
 *
 * @module
 */
import type { Json } from '@assay/kernel';

type Triple = readonly [low: number, mid: number, high: number];
type Other = readonly [id: string, cost: Triple, minutes: Triple, percent: number, extra?: object];

function task(
  id: string,
  kind: string,
  row: string,
  cost: Triple,
  minutes: Triple,
  percent: number,
  after: readonly string[] = [],
  others: readonly Other[] = [],
  extra: object = {},
): object {
  return {
    id,
    kind,
    after,
    minutes,
    confidence: percent * 10_000,
    amounts: { [row]: cost },
    alternatives: others.map(([name, amount, time, sure, more = {}]) => ({
      id: name,
      minutes: time,
      confidence: sure * 10_000,
      amounts: { [row]: amount },
      ...more,
    })),
    ...extra,
  };
}

const T8: readonly Other[] = [
  ['a', [11_000, 19_000, 28_000], [90, 180, 300], 55],
  ['b', [9_000, 15_000, 26_000], [120, 240, 420], 35],
];

/** E1; `isRepairable` false leaves t8 without alternatives (E1b). */
export function agentPlan(cap: number = 50_000, isRepairable: boolean = true): Json {
  const tasks = [
    task('t1', 'research', 'cost', [200, 500, 1000], [60, 120, 180], 80),
    task('t2', 'research', 'cost', [300, 1000, 2000], [60, 120, 240], 60),
    task('t3', 'build', 'cost', [500, 1500, 3000], [120, 180, 300], 70, ['t1']),
    task(
      't4',
      'build',
      'cost',
      [1000, 4000, 8000],
      [120, 240, 360],
      50,
      ['t1', 't2'],
      [
        ['a', [600, 1800, 3500], [90, 180, 300], 55],
        ['b', [300, 900, 1800], [60, 120, 240], 40],
      ],
    ),
    task(
      't5',
      'build',
      'cost',
      [1500, 6000, 11_000],
      [120, 240, 360],
      50,
      ['t2'],
      [
        ['a', [1000, 3500, 7000], [120, 210, 330], 50],
        ['b', [800, 2500, 5000], [90, 180, 300], 35],
      ],
    ),
    task('t6', 'build', 'cost', [800, 3000, 6000], [60, 180, 300], 50, ['t3']),
    task(
      't7',
      'evaluation',
      'cost',
      [4000, 9000, 16_000],
      [60, 120, 240],
      40,
      ['t4', 't5', 't6'],
      [
        ['a', [1500, 3000, 6000], [30, 60, 120], 50],
        ['b', [2500, 4500, 8000], [60, 120, 180], 50],
      ],
    ),
    task(
      't8',
      'evaluation',
      'cost',
      [18_000, 33_000, 60_000],
      [120, 240, 360],
      25,
      ['t7'],
      isRepairable ? T8 : [],
    ),
    task('t9', 'evaluation', 'cost', [200, 500, 1000], [30, 60, 120], 80, ['t8']),
  ];
  const rows = [{ id: 'cost', unit: 'cents', op: '<', cap }];
  return {
    plan: 1,
    goal: 'an agent that repairs software',
    rows,
    deadline: { op: '<=', minutes: 1_440 },
    tasks,
  } as Json;
}

/** E2. */
export function tradingPlan(): Json {
  const tasks = [
    task('d1', 'research', 'cost', [0, 200, 500], [60, 90, 120], 70),
    task('d2', 'research', 'cost', [0, 100, 200], [30, 30, 60], 70),
    task('s1', 'build', 'cost', [100, 400, 800], [60, 120, 180], 70, ['d1', 'd2']),
    task('b1', 'build', 'cost', [200, 600, 1200], [120, 180, 240], 70, ['d1', 'd2', 's1']),
    task(
      'o1',
      'build',
      'cost',
      [6000, 14_000, 26_000],
      [120, 180, 300],
      25,
      ['b1'],
      [
        ['a', [0, 800, 2000], [60, 120, 240], 70],
        ['b', [200, 1200, 3000], [60, 90, 180], 55],
        ['c', [1000, 3500, 7000], [90, 150, 240], 40],
      ],
    ),
    task('v1', 'evaluation', 'cost', [100, 500, 1000], [60, 120, 180], 70, ['o1']),
    task('p1', 'build', 'cost', [0, 300, 600], [60, 120, 180], 70, ['s1']),
    task('c1', 'evaluation', 'cost', [0, 200, 400], [30, 60, 90], 70, ['v1', 'p1']),
  ];
  const rows = [{ id: 'cost', unit: 'cents', op: '<', cap: 10_000 }];
  return { plan: 1, rows, deadline: { op: '<=', minutes: 960 }, tasks } as Json;
}

/** E3: two caps in two units, a metric, and a coupling table with gaps. */
export function classifierPlan(): Json {
  const f1 = (per_mille: number): object => ({ metrics: { f1: per_mille } });
  const hosted = (hosting: number, compute: Triple): object => ({ amounts: { compute, hosting } });
  const tasks = [
    task('m1', 'research', 'compute', [0, 100, 200], [30, 30, 60], 70),
    task(
      'm2',
      'build',
      'compute',
      [3500, 7000, 14_000],
      [120, 180, 300],
      28,
      ['m1'],
      [
        ['a', [600, 1400, 2500], [60, 90, 150], 60, f1(895)],
        ['b', [2000, 4200, 9000], [120, 180, 300], 50, f1(870)],
        ['c', [500, 1000, 2000], [60, 90, 150], 50, f1(820)],
      ],
      f1(910),
    ),
    task('q1', 'build', 'compute', [0, 200, 500], [30, 60, 90], 70, ['m2']),
    task('a1', 'build', 'compute', [0, 100, 200], [30, 60, 90], 70),
    task(
      'h1',
      'build',
      'compute',
      [100, 300, 600],
      [30, 60, 90],
      70,
      ['q1', 'a1'],
      [
        ['b', [100, 200, 400], [30, 60, 90], 60, hosted(3_600, [100, 200, 400])],
        ['c', [100, 300, 500], [30, 60, 90], 60, hosted(9_000, [100, 300, 500])],
      ],
      hosted(18_000, [100, 300, 600]),
    ),
    task('l1', 'evaluation', 'compute', [0, 200, 400], [30, 30, 60], 70, ['h1']),
  ];
  const rows = [
    { id: 'compute', unit: 'cents', op: '<', cap: 5_000 },
    { id: 'hosting', unit: 'cents a month', op: '<', cap: 5_000, default: 0 },
  ];
  const values = [
    ['base', 'base', 140],
    ['base', 'b', 2_100],
    ['a', 'b', 460],
    ['b', 'b', 900],
    ['c', 'b', 90],
  ];
  return {
    plan: 1,
    rows,
    metrics: [{ id: 'f1', task: 'm2', unit: 'per mille', op: '>', bound: 880 }],
    couplings: [{ id: 'p99', tasks: ['m2', 'h1'], unit: 'ms', op: '<', bound: 500, margin: 100_000, values }],
    deadline: { op: '<=', minutes: 480 },
    tasks,
  } as Json;
}
