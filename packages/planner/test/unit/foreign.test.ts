/** Plans of other programs: Patterson's form and tables of Microsoft Project; what becomes of them, and refusals. */
import { orThrow } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.js';
import { parsePlan, readForeign } from '../../src/schedule/index.js';
import { rollup } from '../../src/rollup/rollup.js';

const read = (text: string): unknown => {
  const found = readForeign(text);
  if (found === null) return 'none of these';
  if (found._tag === 'Left') return `${found.left.code} ${found.left.line} ${found.left.wanted}`;
  const { tasks, renewable, length } = {
    ...orThrow(parsePlan(found.right)),
    ...rollup(orThrow(parsePlan(found.right))),
  };
  return { tasks: tasks.map(({ id, after, links }) => [id, links ?? after]), renewable, length: length[1] };
};

const PATTERSON = '4 1\n2\n\n0 0 2 2 3\n3 1 1 4\n4 2 1 4\n0 0 0\n';
const TABLE = `ID,Task Name,Duration,Predecessors,Resource Names,Outline Level
1,House,,,,1
2,Dig,5 days,,Anna,2
3,"Pour, and wait",4 hrs,"2FS+2 days",Bob[50%],2
4,Roof,0.5 days?,"2SS+50%,3FF-30 mins",Anna;Bob[50%],2
5,Party,0 days,1,,1
`;

describe('plans of other programs', () => {
  it('Patterson: activities, successors and resources; levelled', () => {
    const tasks = [
      ['t001', []],
      ['t002', [0]],
      ['t003', [0]],
      ['t004', [1, 2]],
    ];
    expect(read(PATTERSON)).toEqual({ tasks, renewable: [['r1', 2]], length: 7 });
  });

  it('Microsoft Project: working days, links with lags, summaries, milestones, percent of resources', () => {
    expect(read(TABLE)).toEqual({
      tasks: [
        ['t2', []],
        ['t3', [{ task: 0, link: 'FS', lag: 960 }]],
        [
          't4',
          [
            { task: 0, link: 'SS', lag: 1_200 },
            { task: 1, link: 'FF', lag: -30 },
          ],
        ],
        ['t5', [0, 1, 2]],
      ],
      renewable: [
        ['Anna', 1],
        ['Bob', 2],
      ],
      length: 3_600,
    });
    expect(
      read(
        TABLE.replaceAll(';', '|')
          .replace(/,(?! and)/g, ';')
          .replaceAll('|', ','),
      ),
    ).toEqual(read(TABLE));
  });

  const row = (cells: string): string =>
    `ID;Name;Duration;Predecessors;Resource Names;Cost\n1;a;1 day;;;\n${cells}`;
  it.each([
    ['a plan in YAML', 'plan: 1', 'none of these'],
    ['too few numbers', '4 1\n2\n0 0 2 2 3\n', 'bad_patterson 3 a duration'],
    ['a successor that there is not', PATTERSON.replace('1 4\n4', '1 9\n4'), 'bad_patterson 5 a successor'],
    ['more numbers', `${PATTERSON}7`, 'bad_patterson 8 the end'],
    ['no task', 'ID,Name,Duration\n', 'bad_project 1 followed by a task'],
    ['an open quote', row('2;"b;1 day'), 'bad_project 3 a cell whose quotes end'],
    ['an id twice', row('1;b;1 day'), 'bad_project 3 an id of its own, a whole number'],
    ['a number of another language', row('2;b;1,5 days'), 'bad_project 3 a duration such as'],
    ['elapsed time', row('2;b;3 edays'), 'bad_project 3 a duration such as'],
    [
      'a predecessor that there is not',
      row('2;b;1 day;7'),
      'bad_project 3 a predecessor of the table: it has no 7',
    ],
    ['a link of no kind', row('2;b;1 day;1FX'), 'bad_project 3 a predecessor such as 3, 3SS'],
    ['a lag without a unit', row('2;b;1 day;1FS+2'), 'bad_project 3 a lag such as'],
    ['material', row('2;b;1 day;;Paint[3 cans]'), 'bad_project 3 a resource such as Anna'],
    [
      'costs of two currencies',
      row('2;b;1 day;;;$5\n3;c;1 day;;;€5'),
      'bad_project 4 a cost in USD like the others',
    ],
    ['a cost of another language', row('2;b;1 day;;;1.200,00 €'), 'bad_project 3 a cost such as'],
  ])('refuses %s, by its line', (_, text, said) => {
    expect(read(text)).toContain(said);
  });

  it('reading is total: a text with some characters exchanged is read, refused by its line, or none of these', () => {
    const text = fc.constantFrom(PATTERSON, TABLE);
    const changes = fc.array(
      fc.tuple(fc.nat(300), fc.constantFrom('"', '\n', ';', ',', '[', '9', '%', '-', 'F')),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(text, changes, (whole, drawn) => {
        const changed = drawn.reduce<string>(
          (each, [at, by]) => each.slice(0, at) + by + each.slice(at + 1),
          whole,
        );
        const found = readForeign(changed);
        if (found?._tag === 'Left') expect(found.left.line).toBeLessThanOrEqual(changed.split('\n').length);
        if (found?._tag === 'Right') parsePlan(found.right);
      }),
      { seed: LAW_SEED, numRuns: draws(1_000) },
    );
  });
});
