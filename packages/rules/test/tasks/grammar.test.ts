import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANSWERED, FAMILIES, type Asked, type Filter, type Goal } from '../../src/tasks/goal.ts';
import { parseGoal } from '../../src/tasks/parse.ts';
import { restated } from '../../src/tasks/restate.ts';
import { insidePath, UNITS } from '@assay/controller/steps';
import { draws } from '../../../kernel/tools/laws.ts';

const SEED = 20_261_122;

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const path = fc
  .array(text, { minLength: 1, maxLength: 3 })
  .map((names) => insidePath(names.join('/')))
  .filter((found) => found !== null);
const two = fc
  .tuple(path, path)
  .filter(([of, to]) => of !== to)
  .map(([of, to]) => ({ of, to }));
const option = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const filter: fc.Arbitrary<Filter> = fc.record({
  under: option(path),
  ext: option(fc.stringMatching(/^[a-z0-9_-]{1,8}$/)),
  name: fc.constant(null),
  contains: option(text),
});

/** Goals of every family but those from outside, of which the words are the goal. */
const goals: readonly fc.Arbitrary<Goal>[] = [
  fc.record({
    family: fc.constant('extreme'),
    which: fc.constantFrom('largest', 'smallest', 'newest', 'oldest'),
    filter,
    to: path,
  }),
  fc.record({ family: fc.constantFrom('count', 'list', 'collect'), filter, to: path }),
  fc.record({
    family: fc.constant('list'),
    filter: filter.map((found) => ({ ...found, ext: null, name: 'a?b*.t[x' })),
    to: path,
  }),
  fc.record({
    family: fc.constant('count'),
    filter: filter.map((found) => ({ ...found, ext: null, name: '*.MD' })),
    to: path,
  }),
  fc.tuple(two, fc.constantFrom(...UNITS)).map(([paths, unit]) => ({ family: 'measure', unit, ...paths })),
  fc.tuple(two, fc.constantFrom('copy', 'move')).map(([paths, family]) => ({ family, ...paths })),
  fc.record({
    family: fc.constant('create'),
    text: fc.string({ unit: 'grapheme', maxLength: 200 }),
    to: path,
  }),
  fc.record({ family: fc.constant('remove'), of: path }),
  fc
    .tuple(two, fc.oneof(fc.integer({ min: 1, max: 9_999 }), text, fc.constant(null)))
    .map(([paths, column]) => ({ family: 'sum', column, ...paths })),
  fc.record({
    family: fc.constantFrom('duplicates', 'sizes'),
    filter: filter.map(({ under }) => ({ under, ext: null, name: null, contains: null })),
    to: path,
  }),
];

/** The goal whose answer is only said, of one that writes it; another as it is. */
const answers = (goal: fc.Arbitrary<Goal>): fc.Arbitrary<Goal> =>
  goal.map((drawn) =>
    ANSWERED.some((family) => family === drawn.family)
      ? { family: 'answer', goal: { ...drawn, to: '' } as Asked }
      : drawn,
  );

describe('the grammar', () => {
  it('control/restated-is-read-back: the words of a goal mean that goal, and without its file its answer', () => {
    expect(goals.length).toBeGreaterThan(0);
    for (const goal of [...goals, ...goals.map(answers)]) {
      fc.assert(
        fc.property(goal, (drawn) => {
          expect(parseGoal(restated(drawn))).toEqual({ _tag: 'Right', right: drawn });
        }),
        { seed: SEED, numRuns: draws(60) },
      );
    }
  });

  it('reads any text without failing, and in bounded time', () => {
    const word = fc.constantFrom(
      'find',
      'the',
      'largest',
      'file',
      'files',
      'and',
      'write',
      'its',
      'name',
      'to',
      'in',
      'all',
      'containing',
      '"x"',
      'a.txt',
      '*.md',
      'count',
      'list',
      'of',
      'lines',
      'copy',
      "'",
      '“',
      'that',
      'it',
      'again',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
          fc.string({ unit: 'binary', maxLength: 300 }),
        ),
        (said) => {
          const read = parseGoal(said);
          if (read._tag === 'Right') expect([...FAMILIES, 'answer']).toContain(read.right.family);
          else
            expect(['not_understood', 'ambiguous', 'outside_workspace', 'same_file', 'open_quote']).toContain(
              read.left.code,
            );
        },
      ),
      { seed: SEED, numRuns: draws(1_000) },
    );
    const started = performance.now();
    parseGoal(`list all files ${'in the folder docs '.repeat(5_000)}`);
    parseGoal(`find all files containing x ${'and write their names '.repeat(28)}to a.txt`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('a pattern in quotes means its own letters; a bare one is a way of saying an extension', () => {
    const filterOf = (said: string): unknown =>
      (
        parseGoal(`count all files matching ${said} and write the number to n.txt`) as {
          right?: { filter: unknown };
        }
      ).right?.filter;
    expect(filterOf('"*.MD"')).toEqual({ under: null, ext: null, name: '*.MD', contains: null });
    expect(filterOf('*.MD')).toEqual({ under: null, ext: 'md', name: null, contains: null });
  });

  it(
    'a path with a slash at its end is a folder: a file that is put there keeps its name, ' +
      'and nothing else is written there',
    () => {
      const goalOf = (said: string): unknown => parseGoal(said);
      expect(goalOf('copy docs/a.txt to backup/')).toEqual(goalOf('copy docs/a.txt to backup/a.txt'));
      expect(goalOf('move a.txt into "old stuff/"')).toEqual(goalOf('move a.txt to "old stuff/a.txt"'));
      expect(goalOf('copy docs/a.txt to docs/')).toEqual({ _tag: 'Left', left: { code: 'same_file' } });
      for (const said of [
        'write "x" to out/',
        'count all files and write the number to out/',
        'concatenate all txt files into out/',
        'sum the numbers in a.txt and write the sum to out/',
      ])
        expect(goalOf(said)).toEqual({ _tag: 'Left', left: { code: 'outside_workspace' } });
    },
  );

  it(
    'a word is not a text that may stand inside of another word: what cannot be searched for ' +
      'is not understood',
    () => {
      for (const said of [
        'list files containing the word "cat" into l.txt',
        'how many files contain the word cat? write the number to n.txt',
        'search for the word cat in all files and write the names to l.txt',
      ])
        expect(parseGoal(said)).toEqual({ _tag: 'Left', left: { code: 'not_understood' } });
      expect(parseGoal('list files containing the text "cat" into l.txt')._tag).toBe('Right');
    },
  );

  it('takes every code point above U+007F for a letter of a name, and none for a large one', () => {
    for (const ext of ['é', '😀'])
      expect(
        parseGoal(`count all files with the extension ${ext} and write the number to n.txt`),
      ).toMatchObject({
        right: { filter: { ext } },
      });
    expect(parseGoal('list all files containing UEBER into l.txt')._tag).toBe('Right');
    expect(parseGoal('list all files containing ÜBER into l.txt')._tag).toBe('Left');
  });

  it('drops what is only polite, and no word that means something', () => {
    const goal = parseGoal('delete a.txt');
    for (const said of [
      'Please delete a.txt',
      'could you please delete a.txt, thanks!',
      'Hello, can you delete "a.txt" for me please?',
      '  DELETE   the file a.txt.  ',
    ])
      expect(parseGoal(said)).toEqual(goal);
    for (const said of [
      'do not delete a.txt',
      'delete a.txt tomorrow',
      'maybe delete a.txt',
      'delete a.txt b.txt',
      "don't delete a.txt",
    ])
      expect(parseGoal(said)).toEqual({ _tag: 'Left', left: { code: 'not_understood' } });
  });
});
