/** Plan files that are refused: the code, the element and the place. Source: dec-K59, dec-K62, dec-K73. */
import { orThrow, type Json } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.js';
import { parsePlan, readPsplib } from '../../src/schedule/index.js';
import { planLimits } from '../../src/plan/plan.js';
import { agentPlan } from '../../tools/examples.js';
import { arbitraryPlanFile } from '../../tools/arbitrary-plan.js';
import { exchanged } from '../../tools/person-notation.js';

const task = (id: string, more: object = {}): object => ({
  id,
  minutes: [1, 2, 3],
  confidence: 500_000,
  amounts: { cost: 5 },
  ...more,
});
const plan = (tasks: readonly object[], more: object = {}): Json =>
  ({ plan: 1, rows: [{ id: 'cost', op: '<=', cap: 9 }], tasks, ...more }) as unknown as Json;
const refused = (file: Json): string => {
  const read = parsePlan(file);
  return read._tag === 'Right'
    ? 'taken'
    : `${read.left.code} ${read.left.name} ${read.left.path} ${read.left.detail}`;
};
const other = (id: string, more: object = {}): object => ({
  id,
  minutes: 1,
  confidence: 1,
  amounts: { cost: 1 },
  ...more,
});

describe('plan files', () => {
  it.each([
    [
      'a cycle',
      plan([task('a', { after: ['c'] }), task('b', { after: ['a'] }), task('c', { after: ['b'] })]),
      'cycle a /tasks a > b > c',
    ],
    ['a task that waits for itself', plan([task('a', { after: ['a'] })]), 'cycle a /tasks a'],
    ['an unknown key', plan([task('a', { cost: 5 })]), 'unknown_key tasks /tasks/0/cost cost'],
    [
      'a negative estimate',
      plan([task('a', { minutes: [-1, 2, 3] })]),
      'out_of_range a /tasks/0/minutes/0 0 to 1125899906842623',
    ],
    ['a missing estimate', plan([task('a', { amounts: {} })]), 'missing a /tasks/0/amounts/cost '],
    ['missing minutes', plan([{ id: 'a', confidence: 1 }]), 'missing tasks /tasks/0/minutes minutes'],
    [
      'a start that is no date',
      plan([task('a')], { start: '2027-02-29' }),
      'shape start /start a date such as 2027-01-04',
    ],
    [
      'days of 25 hours',
      plan([task('a')], { hours_per_day: 25 }),
      'out_of_range hours_per_day /hours_per_day 1 to 24',
    ],
    ['low above mid', plan([task('a', { minutes: [3, 2, 4] })]), 'low_mid_high a /tasks/0/minutes 3/2/4'],
    ['mid above high', plan([task('a', { minutes: [1, 5, 4] })]), 'low_mid_high a /tasks/0/minutes 1/5/4'],
    [
      'a build in no time',
      plan([task('a', { kind: 'build', minutes: 0 })]),
      'zero_minutes a.base /tasks/0/minutes ',
    ],
    ['NaN', plan([task('a', { minutes: Number.NaN })]), 'not_integer a /tasks/0/minutes '],
    ['half a minute', plan([task('a', { minutes: 0.5 })]), 'not_integer a /tasks/0/minutes '],
    [
      'an amount beyond 2^53',
      plan([task('a', { amounts: { cost: 2 ** 53 } })]),
      'not_integer a /tasks/0/amounts/cost ',
    ],
    [
      'a sum beyond the limit',
      plan([1, 2].map((n) => task(`a${n}`, { amounts: { cost: 2 ** 50 - 1 } }))),
      'too_large cost /rows 1125899906842623',
    ],
    [
      'a link of no kind',
      plan([task('a'), task('b', { after: [{ task: 'a', link: 'fs' }] })]),
      'shape b /tasks/1/after/0/link FS SS FF SF',
    ],
    [
      'a lag that is a text',
      plan([task('a'), task('b', { after: [{ task: 'a', lag: '2d' }] })]),
      'not_integer b /tasks/1/after/0/lag ',
    ],
    [
      'lags beyond the limit',
      plan([task('a'), task('b', { after: [{ task: 'a', lag: -(2 ** 50 - 3) }] })]),
      'too_large minutes /tasks 1125899906842623',
    ],
    [
      'a circle of starts',
      plan([
        task('a', { after: [{ task: 'b', link: 'SS' }] }),
        task('b', { after: [{ task: 'a', link: 'SS' }] }),
      ]),
      'cycle a /tasks a > b',
    ],
    ['an unknown task', plan([task('a', { after: ['z'] })]), 'unknown_task a /tasks/0/after/0 z'],
    [
      'an unknown row',
      plan([task('a', { amounts: { cost: 1, gold: 2 } })]),
      'unknown_row a /tasks/0/amounts/gold gold',
    ],
    [
      'more of a resource than there is',
      plan([task('a', { alternatives: [other('x', { uses: { anna: 3 } })] })], { renewable: { anna: 2 } }),
      'needs_more a.x /tasks/0/alternatives/0/uses/anna anna: 3 of 2',
    ],
    [
      'a resource that there is not',
      plan([task('a', { uses: { bob: 1 } })], { renewable: { anna: 2 } }),
      'unknown_resource a /tasks/0/uses/bob bob',
    ],
    [
      'a resource of no name',
      plan([task('a')], { renewable: { 'Anna B.': 2 } }),
      'bad_name renewable /renewable/Anna B. ',
    ],
    ['two tasks of one name', plan([task('a'), task('a')]), 'duplicate a /tasks a'],
    [
      'two approaches of one name',
      plan([task('a', { alternatives: [other('base')] })]),
      'duplicate a /tasks/0/alternatives base',
    ],
    [
      'two approaches that are one',
      plan([task('a', { alternatives: [other('x'), other('y')] })]),
      'same_approach a.y /tasks/0/alternatives x',
    ],
    [
      'one method in two spellings',
      plan([task('a', { method: 'Grid  search!', alternatives: [other('x', { method: 'grid-search' })] })]),
      'same_approach a.x /tasks/0/alternatives base',
    ],
    ['a name that is none', plan([task('Web Scraping!')]), 'bad_name tasks /tasks/0/id '],
    [
      'a foreign operator',
      plan([task('a')], { deadline: { op: '>', minutes: 4 } }),
      'bad_operator deadline /deadline/op < <=',
    ],
    [
      'a metric of nobody',
      plan([task('a')], { metrics: [{ id: 'f', task: 'z', op: '>', bound: 1 }] }),
      'unknown_task f /metrics z',
    ],
    [
      'a row and a metric of one name',
      plan([task('a')], { metrics: [{ id: 'cost', task: 'a', op: '>', bound: 1 }] }),
      'duplicate cost  cost',
    ],
    [
      'a pair of one',
      plan([task('a')], { couplings: [{ id: 'p', tasks: ['a', 'a'], op: '<', bound: 1, values: [] }] }),
      'shape p /couplings/0/tasks two tasks',
    ],
    [
      'a pair of unknown approaches',
      plan([task('a'), task('b')], {
        couplings: [{ id: 'p', tasks: ['a', 'b'], op: '<', bound: 1, values: [['base', 'z', 1]] }],
      }),
      'unknown_approach p /couplings/0/values/0 z',
    ],
    ['no tasks', plan([]), 'missing tasks /tasks a task'],
    ['another version', plan([task('a')], { plan: 2 }), 'out_of_range plan /plan 0 to 1'],
    ['no object', [], 'shape plan  an object'],
  ])('refuses %s', (_, file, expected) => {
    expect(refused(file as Json)).toBe(expected);
  });

  it('refuses more tasks than the limit, which it names', () => {
    const tasks = Array.from({ length: planLimits.tasks + 1 }, (_, index) => task(`t${index}`));
    expect(refused(plan(tasks))).toBe('too_large tasks /tasks 2000');
  });

  it('takes a row that most tasks do not touch, by its default', () => {
    const rows = [{ id: 'hosting', op: '<', cap: 9, default: 0 }];
    const read = orThrow(parsePlan(plan([{ id: 'a', minutes: 1, confidence: 1 }], { rows })));
    expect(read.tasks[0]?.approaches[0]?.amounts).toEqual([[0, 0, 0]]);
  });

  it('planner/parse-is-total: a plan with one value exchanged is read or refused with a place', () => {
    const runs = { seed: LAW_SEED, numRuns: draws(1_000) };
    fc.assert(
      fc.property(
        arbitraryPlanFile({ tasks: 3, alternatives: 2, rows: 2 }),
        fc.nat(200),
        fc.jsonValue(),
        (file, at, value) => {
          const read = parsePlan(exchanged(file, at, value as Json));
          if (read._tag === 'Left') expect(read.left.path).toMatch(/^(?:\/|$)/);
        },
      ),
      runs,
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => parsePlan(value as Json)._tag === 'Left'),
      runs,
    );
  });
});

const PSPLIB = `projects                      :  1
jobs (incl. supersource/sink ):  3
RESOURCES
  - renewable                 :  1   R
  - nonrenewable              :  1   N
  - doubly constrained        :  0   D
PROJECT INFORMATION:
pronr.  #jobs rel.date duedate tardcost  MPM-Time
    1      1      0       39       11       4
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          1           2
   2        2          1           3
   3        1          0
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  N 1
------------------------------------------------------------------------
  1      1     0       0    0
  2      1     4       2    7
         2     6       1    3
  3      1     0       0    0
RESOURCEAVAILABILITIES:
  R 1  N 1
   12   5
`;

describe('PSPLIB files', () => {
  it('become plan files: jobs, modes, non-renewables as rows, renewables kept', () => {
    const { plan: file, criticalPath } = orThrow(readPsplib(PSPLIB));
    const read = orThrow(parsePlan(file));
    expect(criticalPath).toBe(4);
    expect(read.tasks.map(({ id, after }) => [id, after])).toEqual([
      ['t001', []],
      ['t002', [0]],
      ['t003', [1]],
    ]);
    expect(read.tasks[1]?.approaches).toMatchObject([
      { id: 'm1', minutes: [4, 4, 4], amounts: [[7, 7, 7]], uses: [['r1', 2]] },
      { id: 'm2', minutes: [6, 6, 6], amounts: [[3, 3, 3]], uses: [['r1', 1]] },
    ]);
    expect(read.rows).toMatchObject([{ id: 'n1', op: '<=', bound: 5 }]);
    expect(read.renewable).toEqual([['r1', 12]]);
  });

  it('are refused where they end early or a number is none', () => {
    for (let lines = 0; lines < 20; lines += 1)
      expect(readPsplib(PSPLIB.split('\n').slice(0, lines).join('\n'))._tag).toBe('Left');
    expect(readPsplib(PSPLIB.replace('     6  ', '     x  '))).toMatchObject({
      left: { code: 'bad_psplib', wanted: 'a mode' },
    });
    expect(orThrow(parsePlan(agentPlan())).renewable).toEqual([]);
  });
});
