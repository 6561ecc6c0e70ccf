import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { fc, it as law } from '@fast-check/vitest';
import { isOk, orThrow } from '@assay/kernel';
import { renderLine, splitLine, type Word } from '../src/shell/words.ts';
import { draws } from '../../kernel/tools/laws.ts';

/** What a real shell makes of a line: the words of its commands, without filling in patterns. */
function byShell(lines: readonly string[]): readonly (readonly string[])[] {
  const script = lines.map((line) => `w ${line}\nprintf '\\036'\n`).join('');
  const { stdout, status } = spawnSync('sh', ['-f', '-c', `w() { printf '%s\\037' "$#" "$@"; }\n${script}`], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout
    .split('\x1e')
    .slice(0, -1)
    .map((words) => words.split('\x1f').slice(1, -1));
}

const SIGNS = [
  'a',
  'b',
  ' ',
  '  ',
  '\t',
  "'",
  '"',
  '\\',
  '*',
  '?',
  '[',
  ']',
  '-',
  '=',
  'é',
  '😀',
  '.',
  '/',
  '%',
  '^',
  ',',
  '+',
  '@',
  ':',
  '~',
  '#',
  ';',
  '&',
  '$',
  '`',
  '(',
  '<',
  '{',
  '!',
  '\n',
];

describe('splitting a line', () => {
  law.prop(
    [
      fc.array(fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 14 }), {
        minLength: 40,
        maxLength: 40,
      }),
    ],
    { seed: 7_331, numRuns: draws(50) },
  )(
    'effector/line-means-what-a-shell-means: whatever is accepted is the same words in a real shell',
    (lines) => {
      const accepted = lines.filter((line) => isOk(splitLine(line)));
      const ours = accepted.map((line) =>
        orThrow(splitLine(line))
          .flat()
          .map(({ text }) => text),
      );
      expect(ours).toEqual(byShell(accepted));
    },
  );

  law.prop(
    [
      fc.array(fc.string({ unit: fc.constantFrom(...SIGNS, '|', '>'), maxLength: 10 }), {
        minLength: 1,
        maxLength: 6,
      }),
    ],
    { seed: 7_332, numRuns: draws(1_000) },
  )('words in single quotes come out as they went in, and no sign in them has a meaning', (words) => {
    const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    expect(orThrow(splitLine(line))).toEqual([words.map((text) => ({ text, glob: null }))]);
  });

  law.prop([fc.string({ unit: fc.constantFrom(...SIGNS, '|', ' '), maxLength: 20 })], {
    seed: 7_333,
    numRuns: draws(2_000),
  })('effector/line-reads-back: a line that was read and written again is read as the same', (line) => {
    const words = splitLine(line);
    if (!isOk(words)) return;
    const again = orThrow(splitLine(renderLine(words.right)));
    // Of a pattern only the pattern goes on: its text is what was typed.
    const meaning = (commands: readonly (readonly Word[])[]): unknown =>
      commands.map((each) => each.map(({ text, glob }) => (glob === null ? text : { glob })));
    expect(meaning(again)).toEqual(meaning(words.right));
    expect(renderLine(again)).toBe(renderLine(words.right));
  });

  it('a pattern is one only where its signs are outside quotes, and quoted signs stand for themselves in it', () => {
    expect(orThrow(splitLine("a* 'a*' \"?\" \\[ 'x*'? [a-c]"))).toEqual([
      [
        { text: 'a*', glob: 'a*' },
        { text: 'a*', glob: null },
        { text: '?', glob: null },
        { text: '[', glob: null },
        { text: 'x*?', glob: 'x[*]?' },
        { text: '[a-c]', glob: '[a-c]' },
      ],
    ]);
  });

  it('pipes divide commands wherever they stand outside quotes', () => {
    expect(orThrow(splitLine("a|b 'c|d'| e")).map((words) => words.map(({ text }) => text))).toEqual([
      ['a'],
      ['b', 'c|d'],
      ['e'],
    ]);
  });
});
