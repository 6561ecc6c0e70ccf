/**
 * Files whose names mean something to a command, to a terminal or to whoever splits an output: whatever tools
 * do the work, the answer is what walking the files finds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOL_NAMES } from '@assay/effector';
import { byBytes, chosen, extreme, shown, sizeLines, twinLines } from './tools/oracle.ts';
import { makeWorld, run, type FileSpec, type World } from './tools/world.ts';

const WAYS = [
  ['the search tool', TOOL_NAMES.filter((name) => name !== 'shell')],
  ['the shell', ['read_file', 'write_file', 'shell']],
  ['the shell alone reads', ['write_file', 'shell']],
] as const;

const FOLDERS: readonly (readonly [what: string, files: readonly FileSpec[]])[] = [
  [
    'a name that is the input of commands',
    [
      { path: '-', content: 'long long content\n' },
      { path: 'b.txt', content: 'b\n' },
      { path: 'c.txt', content: 'long long content\n' },
      { path: 'd/-', content: 'b\n' },
    ],
  ],
  [
    'a folder of that name',
    [
      { path: '-/x.txt', content: 'TODO\n' },
      { path: 'y.txt', content: 'TODO\n' },
      { path: '-n/-', content: '' },
    ],
  ],
  [
    'the least file is called so',
    [
      { path: '-', content: 'a' },
      { path: 'b', content: 'bb' },
    ],
  ],
  [
    'a line end and another name in a name',
    [
      { path: 'a.txt', content: 'clean\n' },
      { path: 'b.txt', content: 'clean\n' },
      { path: 'a.txt\nb.txt', content: 'TODO\n' },
    ],
  ],
  [
    'what looks like a count and a line',
    [
      { path: 'a', content: 'x\n' },
      { path: 'b.txt', content: 'yy\n' },
      { path: 'a:5\n./b.txt', content: 'TODO TODO\n' },
    ],
  ],
  [
    'what looks like a line of sizes',
    [
      { path: 'a', content: 'x\n' },
      { path: 'a\n999 1700000000.000000000 c', content: 'TODO' },
      { path: 'a\n999 1700000000.000000000 ./b', content: 'zz' },
    ],
  ],
  [
    'signs that steer a terminal',
    [
      { path: '\x7f.txt', content: 'TODO' },
      { path: 'x\u0085y.txt', content: 'TODO' },
      { path: '\u009b2J.md', content: 'a' },
      { path: '\x1b[2J\r', content: 'a' },
    ],
  ],
  [
    'the home folder',
    [
      { path: '~', content: 'TODO\n' },
      { path: 'a.txt', content: 'TODO\n' },
      { path: 'd/~', content: 'a\n' },
    ],
  ],
  [
    'a folder named as the home folder',
    [
      { path: '~/a.txt', content: 'TODO\n' },
      { path: '~/~', content: '' },
      { path: '~x', content: 'TODO\n' },
    ],
  ],
];

const lines = (paths: readonly string[]): string =>
  byBytes(paths)
    .map((path) => `${shown(path)}\n`)
    .join('');
const ANSWERS: readonly (readonly [request: string, answer: (root: string) => string])[] = [
  ['count all files and write the number to out.x', (root) => `${chosen(root).length}\n`],
  ['list all files into out.x', (root) => lines(chosen(root))],
  ['list all files containing "TODO" into out.x', (root) => lines(chosen(root, { contains: 'TODO' }))],
  [
    'find the largest file and write its name to out.x',
    (root) => `${shown(extreme(root, chosen(root), 'largest') ?? '')}\n`,
  ],
  [
    'find the smallest file and write its name to out.x',
    (root) => `${shown(extreme(root, chosen(root), 'smallest') ?? '')}\n`,
  ],
  ['find duplicate files and write their names to out.x', (root) => twinLines(root, chosen(root))],
  ['report the total size per extension into out.x', (root) => sizeLines(root, chosen(root))],
  [
    'concatenate all files into out.x',
    (root) =>
      byBytes(chosen(root))
        .map((path) => readFileSync(join(root, path), 'utf8'))
        .join(''),
  ],
];

async function inWorld(
  files: readonly FileSpec[],
  tools: readonly (typeof TOOL_NAMES)[number][],
  act: (world: World) => Promise<void>,
): Promise<void> {
  const world = await makeWorld(
    files.map((file) => ({ minute: 1, ...file })),
    { tools },
  );
  try {
    await act(world);
  } finally {
    world.remove();
  }
}

describe.each(WAYS)('by %s', (_, tools) => {
  describe.each(FOLDERS)('%s', (_what, files) => {
    it.each(ANSWERS)('%s', async (request, answer) => {
      await inWorld(files, tools, async (world) => {
        const expected = answer(world.root);
        const { result } = await run(world, request);
        expect({ directive: result.directive, unmet: result.unmet }).toEqual({
          directive: 'accept',
          unmet: [],
        });
        expect(readFileSync(join(world.root, 'out.x'), 'utf8')).toBe(expected);
      });
    });
  });

  it.each([
    ['-', '-'],
    ['d/-', 'd/-'],
    ['-n', '-n'],
    ['./~', '~'],
    ['./~d/x', '~d/x'],
  ])('the file %j alone', async (said, path) => {
    const content = 'one two\nthree\n';
    await inWorld([{ path, content }], tools, async (world) => {
      for (const [request, answer] of [
        [`count the lines of "${said}" and write the number to n.md`, '2\n'],
        [`count the bytes of "${said}" and write the number to m.md`, `${content.length}\n`],
        [`copy "${said}" to c.md`, content],
      ] as const) {
        const { result } = await run(world, request);
        expect({ request, directive: result.directive }).toEqual({ request, directive: 'accept' });
        expect(readFileSync(join(world.root, /(\w\.md)$/.exec(request)?.[1] ?? ''), 'utf8')).toBe(answer);
      }
    });
  });
});
