import { describe, expect, it } from 'vitest';
import { perceiveByRules } from '@assay/rules/tasks';

const changed = (text: string, input: string): string => {
  const task = perceiveByRules({ text, session: [{ input, summary: 'done' }] });
  return task._tag === 'Left' ? task.left.code : task.right.intent;
};
const each = (is: string, cases: readonly (readonly [text: string, input: string])[]): void => {
  for (const [text, input] of cases)
    expect({ text, input, is: changed(text, input) }).toEqual({ text, input, is });
};

const LARGEST = 'find the largest file and write its name to report.md';
const COUNT = 'count all files and write the number to n.txt';
const LIST = 'list all files into l.txt';
const TODO = 'list all files containing "TODO" into l.txt';
const MD_X = 'list all md files containing "x" into l.txt';
const LINES = 'count the lines of a.txt and write the number to n.txt';
const COLLECT = 'concatenate all files into all.md';
const COPY = 'copy a.txt to b.txt';
const HULLO = 'create a file called a.txt with the text "hullo"';
const BY_HEADING = 'sum the column "price" of a.csv and write the sum to s.txt';
const DUPLICATES = 'find all duplicate files and write their names to d.txt';
const SIZES = 'report the total size per extension into s.txt';

describe('words behind "wrong" that say what kind of thing they name (003 §R1)', () => {
  it('what is said to be a file takes the place of no text and of no column', () => {
    each('ambiguous', [
      ['wrong, the file "hello"', HULLO],
      ['wrong, I meant the file "hello"', HULLO],
      ['wrong, the file "amount"', BY_HEADING],
      ['wrong, file "FIXME"', TODO],
      ['wrong, the file "FIXME"', TODO],
      ['wrong, the file b.txt', TODO],
    ]);
    expect(changed('wrong, not "hullo" but the file "hello"', HULLO)).toBe('not_understood');
    expect(changed('wrong, the file "b.txt"', HULLO)).toBe('create the file "b.txt" with the text "hullo"');
    expect(changed('wrong, the file b.txt', HULLO)).toBe('create the file "b.txt" with the text "hullo"');
    expect(changed('wrong, "hello"', HULLO)).toBe('create the file "a.txt" with the text "hello"');
  });

  it('what is said to be written is what the task of before writes', () => {
    for (const input of [LIST, TODO, DUPLICATES, COLLECT, LARGEST, COPY, HULLO, SIZES])
      each('not_understood', [
        ['wrong, write the number to n.csv', input],
        ['wrong, write the sum to n.csv', input],
        ['wrong, write the number in n.csv', input],
      ]);
    for (const input of [COUNT, LIST, COLLECT, COPY, HULLO, LINES, BY_HEADING, DUPLICATES, SIZES])
      each('not_understood', [
        ['wrong, write its name to l.md', input],
        ['wrong, save its name in l.md', input],
      ]);
    for (const input of [COUNT, LARGEST, COLLECT, COPY, HULLO, LINES, BY_HEADING, SIZES])
      each('not_understood', [['wrong, write the list to names.md', input]]);
    for (const input of [COUNT, LARGEST, COPY, HULLO, LINES, BY_HEADING])
      each('not_understood', [['wrong, write them to names.md', input]]);
    each('not_understood', [
      ['wrong, write the sum to n.csv', COUNT],
      ['wrong, write it to c.txt', COPY],
      ['wrong, write it to c.txt', 'move a.txt to b.txt'],
    ]);
    expect(changed('wrong, write the number to m.txt', COUNT)).toBe(
      'count all files and write the number to "m.txt"',
    );
    expect(changed('wrong, write the number to m.txt', LINES)).toBe(
      'count the lines of "a.txt" and write the number to "m.txt"',
    );
    expect(changed('wrong, write the sum to t.txt', BY_HEADING)).toBe(
      'sum the column "price" in "a.csv" and write the sum to "t.txt"',
    );
    expect(changed('wrong, write its name to o.md', LARGEST)).toBe(
      'find the largest file and write its name to "o.md"',
    );
    expect(changed('wrong, write the list in o.md', LIST)).toBe('list all files sorted into "o.md"');
    expect(changed('wrong, write them to o.md', DUPLICATES)).toBe(
      'find all duplicate files and write their names to "o.md"',
    );
    expect(changed('wrong, save it to o.md', COLLECT)).toBe('concatenate all files into "o.md"');
    expect(changed('wrong, write to o.md', LIST)).toBe('list all files sorted into "o.md"');
  });

  it('"into F" behind "save" may be a folder for a copy, as it may without', () => {
    each('ambiguous', [
      ['wrong, save into c.txt', COPY],
      ['wrong, into c.txt', COPY],
    ]);
    expect(changed('wrong, save to c.txt', COPY)).toBe('copy "a.txt" to "c.txt"');
  });

  it('a folder alone takes the place of a folder, and drops no name that was given', () => {
    each('ambiguous', [
      ['wrong, to old/', 'move a.txt to b.txt'],
      ['wrong, to old/', 'rename docs/a.txt to b.txt'],
      ['wrong, into old/', 'move a.txt to b.txt'],
      ['wrong, I meant to old/', COPY],
      ['wrong, to old/', 'copy docs/a.txt to new/b.txt'],
    ]);
    expect(changed('wrong, to old/', 'move a.txt to docs/')).toBe('move "a.txt" to "old/a.txt"');
    expect(changed('wrong, into old/', 'copy docs/a.txt to new/')).toBe('copy "docs/a.txt" to "old/a.txt"');
    expect(changed('wrong, to ../old/', 'move a.txt to b.txt')).toBe('outside_workspace');
  });

  it(
    'a quoted word may be an extension or a pattern where the task has one, and a pattern is ' +
      'no text and no file',
    () => {
      each('ambiguous', [
        ['wrong, "txt"', MD_X],
        ['wrong, I meant "txt"', MD_X],
        ['wrong, use "*.txt"', MD_X],
        ['wrong, "txt"', 'list all files matching "a*" containing "x" into l.txt'],
        ['wrong, use "*.txt"', TODO],
        ['wrong, use ".md"', TODO],
        ['wrong, "a?.md"', TODO],
      ]);
      each('not_understood', [
        ['wrong, use "*.txt"', 'list all md files into l.txt'],
        ['wrong, use "*.txt"', LIST],
      ]);
      expect(changed('wrong, the text "txt"', MD_X)).toBe(
        'list all files with the extension "md" containing the text "txt" sorted into "l.txt"',
      );
      expect(changed('wrong, "FIXME"', TODO)).toBe(
        'list all files containing the text "FIXME" sorted into "l.txt"',
      );
    },
  );

  it('what is no path in a request is none in a correction', () => {
    each('ambiguous', [
      ['wrong, write it to a.txt,b.txt', COUNT],
      ['wrong, into 10.30', COUNT],
      ['wrong, to .md', COUNT],
      ['wrong, to a.zip', COPY],
      ['wrong, ".env"', HULLO],
      ['wrong, "Makefile"', TODO],
      ['wrong, I meant "src/main"', HULLO],
    ]);
    each('outside_workspace', [
      ['wrong, write it to http://example.com/n.txt', COUNT],
      ['wrong, to me@host:/n.txt', COUNT],
      ['wrong, to C:\\n.txt', COPY],
    ]);
  });

  it('a file that is to be taken may be one that is read: it is not written', () => {
    each('ambiguous', [
      ['wrong, take readme.md', LARGEST],
      ['wrong, take "readme.md"', LARGEST],
      ['wrong, take the file readme.md', LARGEST],
      ['wrong, the file readme.md', LARGEST],
      ['wrong, I wanted readme.md', LARGEST],
      ['wrong, it should be readme.md', LARGEST],
      ['wrong, take readme.md', COUNT],
      ['wrong, take readme.md', LINES],
    ]);
    expect(changed('wrong, take the newest', LARGEST)).toBe(
      'find the newest file and write its name to "report.md"',
    );
    expect(changed('wrong, take "amount"', BY_HEADING)).toBe(
      'sum the column "amount" in "a.csv" and write the sum to "s.txt"',
    );
    expect(changed('wrong, use other.md', LIST)).toBe('list all files sorted into "other.md"');
  });

  it(
    'a file alone behind the largest, the newest … may be the answer or where it is written: ' +
      'it is asked, and never one of them in silence',
    () => {
      const heads = [
        '',
        'take',
        'use',
        'I meant',
        'I mean',
        'I want',
        'I wanted',
        'it should be',
        'make it',
        'choose',
        'pick',
        'it is',
        'go with',
        'switch to',
        'please use',
        'you should use',
        'the right one is',
        'take the file',
        'use the file',
        'the file',
        'file',
        'use the name',
      ];
      const tails = [
        '',
        ' instead',
        ' please',
        ' instead of that',
        ' instead of report.md',
        ' for it',
        ' as the answer',
      ];
      const extremes = [
        LARGEST,
        'find the smallest txt file and write its name to report.md',
        'find the newest file in docs/ and write its name to report.md',
        'find the oldest file containing "x" and write its name to out/report.md',
      ];
      for (const input of extremes)
        for (const file of ['big.txt', '"big.txt"', 'docs/big.txt', 'README'])
          for (const head of heads)
            for (const tail of tails) {
              const text = `wrong, ${head} ${file}${tail}`;
              expect({ text, input, is: changed(text, input) }).toEqual({
                text,
                input,
                is: expect.stringMatching(/^(?:ambiguous|not_understood|outside_workspace)$/),
              });
            }
      each('ambiguous', [
        ['wrong, take big.txt', LARGEST],
        ['wrong, use big.txt', LARGEST],
        ['wrong, big.txt', LARGEST],
        ['wrong, I meant "big.txt"', LARGEST],
        ['wrong, make it big.txt please', LARGEST],
      ]);
      each('not_understood', [
        ['wrong, use big.txt instead', LARGEST],
        ['wrong, take big.txt instead', LARGEST],
      ]);
      each('find the largest file and write its name to "other.md"', [
        ['wrong, to other.md', LARGEST],
        ['wrong, I meant to other.md', LARGEST],
        ['wrong, write it to other.md', LARGEST],
        ['wrong, write its name into other.md', LARGEST],
        ['wrong, not report.md but other.md', LARGEST],
      ]);
    },
  );
});
