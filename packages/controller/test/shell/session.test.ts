import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { perceiveByRules } from '@assay/rules/tasks';
import { contents, makeWorld, run } from './tools/world.ts';

const turn = (input: string, summary = 'done'): { readonly input: string; readonly summary: string } => ({
  input,
  summary,
});
const LARGEST = turn('find the largest file and write its name to report.md');
const COUNT = turn('count the txt files and write the number to "n of files.txt"');

const perceived = (text: string, session: readonly ReturnType<typeof turn>[]): unknown => {
  const task = perceiveByRules({ text, session });
  return task._tag === 'Left'
    ? task.left.code
    : { intent: task.right.intent, refers_to: task.right.refers_to };
};

describe('words that refer to an earlier turn (003 §R1)', () => {
  it('"do it again" is the last turn that is understood, restated', () => {
    for (const text of ['do it again', 'Again!', 'please do that again', 'once more', 'repeat that.']) {
      expect(perceived(text, [LARGEST, COUNT])).toEqual({
        intent: 'count all files with the extension "txt" and write the number to "n of files.txt"',
        refers_to: 1,
      });
      expect(perceived(text, [LARGEST, turn('how are you?')])).toEqual({
        intent: 'find the largest file and write its name to "report.md"',
        refers_to: 0,
      });
    }
  });

  it('"that file" is the one file that the last turn left, in the place of a path', () => {
    expect(perceived('delete that file', [LARGEST, COUNT])).toEqual({
      intent: 'delete the file "n of files.txt"',
      refers_to: 1,
    });
    expect(perceived('copy that file to b.md', [LARGEST, COUNT])).toEqual({
      intent: 'copy "n of files.txt" to "b.md"',
      refers_to: 1,
    });
    expect(
      perceived('count the words of that file and write the number to w.txt', [
        turn('move a.txt to report.md'),
      ]),
    ).toEqual({ intent: 'count the words of "report.md" and write the number to "w.txt"', refers_to: 0 });
    // Two files are left of a copy, none of a removal: which is meant is not guessed.
    expect(perceived('delete that file', [turn('copy a.txt to b.txt')])).toBe('ambiguous');
    expect(perceived('delete that file', [turn('delete a.txt')])).toBe('no_such_turn');
  });

  it(
    '"that file" behind a goal that found or read one file and wrote another is either: both ' +
      'are named, and "the file that was written" is one of them',
    () => {
      const either = (text: string, before: ReturnType<typeof turn>): unknown => {
        const task = perceiveByRules({ text, session: [before] });
        return task._tag === 'Left' ? task.left : task.right.intent;
      };
      const FOUND = {
        code: 'ambiguous',
        either: ['docs/b.txt, which was found', '"report.md", which was written'],
      };
      for (const text of [
        'delete that file',
        'copy it to b.md',
        'please delete this file',
        'rename that one to b.md',
      ])
        expect({
          text,
          is: either(
            text,
            turn(LARGEST.input, 'the largest file is docs/b.txt; its name stands in "report.md"'),
          ),
        }).toEqual({ text, is: FOUND });
      // What a turn said in other words is no name: it is not taken apart.
      for (const summary of [
        'done',
        '',
        'the largest file is ; its name stands in "report.md"',
        'the smallest file is a; its name stands in "report.md"',
        'the largest file is a; its name stands in "r.md"',
      ])
        expect(either('delete that file', turn(LARGEST.input, summary))).toEqual({
          code: 'ambiguous',
          either: ['the largest file, which was found', '"report.md", which was written'],
        });
      for (const [input, of, to] of [
        ['count the lines of a.txt and write the number to n.txt', 'a.txt', 'n.txt'],
        ['sum the numbers in a.csv and write the sum to s.txt', 'a.csv', 's.txt'],
        ['copy a.txt to b.txt', 'a.txt', 'b.txt'],
      ] as const) {
        expect(either('delete that file', turn(input))).toEqual({
          code: 'ambiguous',
          either: [`"${of}", which was read`, `"${to}", which was written`],
        });
        expect(either('delete the file that was written', turn(input))).toBe(`delete the file "${to}"`);
      }
      for (const text of [
        'delete the file that was written',
        'delete the written file',
        'delete the file you wrote',
        'delete the file that you wrote',
      ])
        expect(either(text, LARGEST)).toBe('delete the file "report.md"');
      expect(either('delete the file that was written', turn('delete a.txt'))).toEqual({
        code: 'no_such_turn',
      });
      expect(perceived('delete that file', [LARGEST, turn('do it again')])).toBe('ambiguous');
    },
  );

  it('"wrong" is the last turn once more, changed by the word behind it', () => {
    expect(perceived('wrong', [LARGEST])).toEqual({
      intent: 'find the largest file and write its name to "report.md"',
      refers_to: 0,
    });
    expect(perceived("No, that's wrong: the smallest", [LARGEST])).toEqual({
      intent: 'find the smallest file and write its name to "report.md"',
      refers_to: 0,
    });
    expect(perceived('wrong, I meant to other.md', [LARGEST])).toEqual({
      intent: 'find the largest file and write its name to "other.md"',
      refers_to: 0,
    });
    expect(perceived('that is wrong, count the md files and write the number to n.txt', [LARGEST])).toEqual({
      intent: 'count all files with the extension "md" and write the number to "n.txt"',
      refers_to: 0,
    });
    expect(perceived('wrong, I meant the purple one', [LARGEST])).toBe('not_understood');
    expect(perceived('wrong', [])).toBe('no_such_turn');
  });

  const changes = (text: string, input: string): unknown => {
    const found = perceived(text, [turn(input)]);
    return typeof found === 'string' ? found : (found as { intent: string }).intent;
  };
  const SMALLEST = 'find the smallest file and write its name to report.md';
  const HULLO = 'create a file called a.txt with the text "hullo"';
  const TODO = 'list all files containing "TODO" into l.txt';
  const SUM = 'sum column 2 of a.csv and write the sum to s.txt';

  it(
    'what is not meant does not say what is: "not X" is no correction, "not X but Y" is one ' +
      'where X is what was understood',
    () => {
      for (const text of [
        'wrong, not the smallest',
        'wrong, not the largest',
        'wrong, not report.md',
        'that is wrong, not smallest',
        'wrong, not words',
        'wrong, not the largest but the newest',
        'wrong, not a.md but b.md',
        'wrong, not the smallest but b.md',
      ])
        expect({ text, is: changes(text, SMALLEST) }).toEqual({ text, is: 'not_understood' });
      expect(
        changes('that is wrong, not words', 'count the lines of a.txt and write the number to n.txt'),
      ).toBe('not_understood');
      expect(changes('wrong, not the smallest but the largest', SMALLEST)).toBe(
        'find the largest file and write its name to "report.md"',
      );
      expect(changes('wrong, not report.md but other.md', SMALLEST)).toBe(
        'find the smallest file and write its name to "other.md"',
      );
      expect(changes('wrong, not "hullo" but "hello"', HULLO)).toBe(
        'create the file "a.txt" with the text "hello"',
      );
      expect(
        changes('wrong, not lines but words', 'count the lines of a.txt and write the number to n.txt'),
      ).toBe('count the words of "a.txt" and write the number to "n.txt"');
    },
  );

  it('a quoted text takes the place of the quoted text, and of no path', () => {
    expect(changes('wrong, I meant "hello"', HULLO)).toBe('create the file "a.txt" with the text "hello"');
    expect(changes('wrong, I meant the text "b.txt"', HULLO)).toBe(
      'create the file "a.txt" with the text "b.txt"',
    );
    expect(changes('wrong, I meant "FIXME"', TODO)).toBe(
      'list all files containing the text "FIXME" sorted into "l.txt"',
    );
    expect(
      changes('wrong, I wanted "amount"', 'sum the column "price" of a.csv and write the sum to s.txt'),
    ).toBe('sum the column "amount" in "a.csv" and write the sum to "s.txt"');
    expect(changes('wrong, column "amount"', SUM)).toBe(
      'sum the column "amount" in "a.csv" and write the sum to "s.txt"',
    );
    expect(changes('wrong, I meant column 3', SUM)).toBe(
      'sum the column 3 in "a.csv" and write the sum to "s.txt"',
    );
    for (const [text, input] of [
      ['wrong, I wanted "amount"', SUM],
      ['wrong, I meant "hello"', SMALLEST],
      ['wrong, I meant "hello"', 'copy a.txt to b.txt'],
      ['wrong, the text "x"', SMALLEST],
      ['wrong, I meant ""', TODO],
      ['wrong, use *.md', TODO],
      ['wrong, use .md', TODO],
      ['wrong, use .md', 'list all files into l.txt'],
      ['wrong, 2.5', SUM],
      ['wrong, 2.5', SMALLEST],
      ['wrong, I meant FIXME', TODO],
    ] as const) {
      expect({ text, is: changes(text, input) }).toEqual({ text, is: 'not_understood' });
    }
    expect(changes('wrong, I meant "b.txt"', HULLO)).toBe('ambiguous');
    expect(changes('wrong, I meant "b.txt"', TODO)).toBe('ambiguous');
    expect(changes('wrong, I meant b.txt', TODO)).toBe('ambiguous');
  });

  it('a path takes the place of the one path there is, or of the one that is written where words say so', () => {
    for (const text of ['wrong, I meant other.md', 'wrong, use "other.md"'])
      expect(changes(text, 'list all md files into l.txt')).toBe(
        'list all files with the extension "md" sorted into "other.md"',
      );
    expect(changes('wrong, into b.csv', SUM)).toBe(
      'sum the column 2 in "a.csv" and write the sum to "b.csv"',
    );
    expect(changes('wrong, write it in b.csv', SUM)).toBe(
      'sum the column 2 in "a.csv" and write the sum to "b.csv"',
    );
    expect(changes('wrong, I meant to docs/', 'copy a.txt to old/')).toBe('copy "a.txt" to "docs/a.txt"');
    expect(changes('wrong, I meant to "l 2"', TODO)).toBe(
      'list all files containing the text "TODO" sorted into "l 2"',
    );
    for (const input of [
      SUM,
      'copy a.txt to b.txt',
      'rename a.txt to b.txt',
      'count the words of a.txt and write the number to n.txt',
      'count all files in docs/ and write the number to n.txt',
      'list all files matching "a*" into l.txt',
    ])
      expect({ input, is: changes('wrong, I meant b.csv', input) }).toEqual({ input, is: 'ambiguous' });
    for (const text of [
      'wrong, into c.txt',
      'wrong, I meant docs/',
      'wrong, in docs/',
      'wrong, in b.csv',
      'wrong, docs/old',
    ])
      expect({ text, is: changes(text, 'copy a.txt to b.txt') }).toEqual({ text, is: 'ambiguous' });
    for (const text of [
      'wrong, I meant docs/',
      'wrong, I meant docs/old',
      'wrong, in docs/old',
      'wrong, write it in docs/old',
    ])
      expect({ text, is: changes(text, SMALLEST) }).toEqual({ text, is: 'ambiguous' });
    // A bare name: in the folder of before, or in none?
    expect(changes('wrong, I meant to c.txt', 'rename docs/a.txt to b.txt')).toBe('ambiguous');
    expect(changes('wrong, I meant other.md', 'list all files into out/l.md')).toBe('ambiguous');
    expect(changes('wrong, I meant ./other.md', 'list all files into out/l.md')).toBe(
      'list all files sorted into "other.md"',
    );
  });

  it('a correction is held to what a request is: no file read and written at once, no path that leaves', () => {
    expect(changes('wrong, to a.txt', 'copy a.txt to b.txt')).toBe('same_file');
    expect(changes('wrong, into a.csv', SUM)).toBe('same_file');
    expect(changes('wrong, to ../x.txt', SMALLEST)).toBe('outside_workspace');
    expect(changes('wrong, to out/', SMALLEST)).toBe('outside_workspace');
    expect(changes('wrong, I meant delete a.txt', SMALLEST)).toBe('delete the file "a.txt"');
    expect(changes('wrong, list all files in docs/old', SMALLEST)).toBe('ambiguous');
  });

  it('a correction that changes nothing is none', () => {
    for (const text of [
      'wrong, the smallest',
      'wrong, to report.md',
      'wrong, I meant the purple one',
      'wrong, b.md c.md',
      'wrong, file deleted',
    ])
      expect({ text, is: changes(text, SMALLEST) }).toEqual({ text, is: 'not_understood' });
  });

  it('a reference to a turn that refers itself goes back to what that one meant', () => {
    expect(perceived('do it again', [LARGEST, turn('wrong, the oldest')])).toEqual({
      intent: 'find the oldest file and write its name to "report.md"',
      refers_to: 1,
    });
  });

  it('words that are no request with any file in the place of "it" refer to no turn: they are not understood', () => {
    expect(perceived('add up the column totals in data.csv and write it to total.txt', [])).toBe(
      'not_understood',
    );
    expect(perceived('delete it', [])).toBe('no_such_turn');
  });

  it('"it" that says what is written refers to nothing', () => {
    expect(perceived('sum the numbers in a.csv and write it to s.txt', [LARGEST])).toMatchObject({
      refers_to: null,
    });
  });
});

describe('a session over a workspace', () => {
  it(
    'the same task again writes nothing new; another answer is asked about, then replaces ' +
      'what stands there',
    async () => {
      const world = await makeWorld([
        { path: 'small.txt', content: 'x' },
        { path: 'big.txt', content: 'xxxx' },
      ]);
      expect((await run(world, LARGEST.input)).result.directive).toBe('accept');
      const before = contents(world.root);
      const again = await run(world, 'do it again', { session: [LARGEST] });
      expect(again.result.directive).toBe('accept');
      expect(again.asked).toEqual([]);
      expect(contents(world.root)).toEqual(before);
      world.put({ path: 'bigger.txt', content: 'xxxxxxxx' });
      const kept = await run(world, 'do it again', { session: [LARGEST], approves: false });
      expect(kept.result.directive).toBe('abandon');
      expect(readFileSync(join(world.root, 'report.md'), 'utf8')).toBe('big.txt\n');
      const replaced = await run(world, 'do it again', { session: [LARGEST], approves: true });
      expect(replaced.result.directive).toBe('accept');
      expect(replaced.asked).toHaveLength(1);
      expect(readFileSync(join(world.root, 'report.md'), 'utf8')).toBe('bigger.txt\n');
      world.remove();
    },
  );
});
