/**
 * The file that is written does not count, by whatever links its folder is reached: answers compared with the
 * disk.
 */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { byBytes, chosen, extreme, shown, sizeLines, twinLines } from './tools/oracle.ts';
import { makeWorld, run, type Ran, type World } from './tools/world.ts';

let world: World;
afterEach(() => world.remove());

const FILE = 'd/in/n.md';
/** `k` leads to `d`, `j` to `k`, `d/up` to the folder above it, `r` to `d/in`. */
const LINKS = [
  ['d', 'k'],
  ['k', 'j'],
  ['..', 'd/up'],
  ['d/in', 'r'],
] as const;
/** Names of one file. */
const SPELLED = [FILE, 'k/in/n.md', 'j/in/n.md', 'd/up/d/in/n.md', 'r/n.md', 'k/up/r/n.md'] as const;
const TASKS: readonly (readonly [
  text: string,
  answer: (root: string, paths: readonly string[]) => string,
])[] = [
  ['count all files and write the number to', (_, paths) => `${paths.length}\n`],
  [
    'count all files in the folder k and write the number to',
    (_, paths) => `${paths.filter((path) => path.startsWith('d/')).length}\n`,
  ],
  ['find the smallest file and write its name to', (root, paths) => `${extreme(root, paths, 'smallest')}\n`],
  ['find the newest file and write its name to', (root, paths) => `${extreme(root, paths, 'newest')}\n`],
  [
    'list all files into',
    (_, paths) =>
      byBytes(paths)
        .map((path) => `${shown(path)}\n`)
        .join(''),
  ],
  ['report the total size per extension into', (root, paths) => sizeLines(root, paths)],
  ['find duplicate files and write their names to', (root, paths) => twinLines(root, paths)],
  [
    'concatenate all files into',
    (root, paths) =>
      byBytes(paths)
        .map((path) => readFileSync(join(root, path), 'utf8'))
        .join(''),
  ],
];
const FILES = [
  { path: 'd/a.txt', content: 'a\n', minute: 1 },
  { path: 'd/in/b.txt', content: 'bb\n', minute: 2 },
  { path: 'c.txt', content: 'bb\n', minute: 3 },
];

async function linked(
  stands: string | null,
  tools?: NonNullable<Parameters<typeof makeWorld>[1]>['tools'],
): Promise<void> {
  world = await makeWorld(
    stands === null ? FILES : [...FILES, { path: FILE, content: stands }],
    tools === undefined ? {} : { tools },
  );
  for (const [target, path] of LINKS) symlinkSync(target, join(world.root, path));
}

const directivesBefore = (records: Ran['records']): readonly string[] => [
  ...new Set(
    [...JSON.stringify(records).matchAll(/"prev_directive":"([a-z_]+)"/g)].map(([, found]) => found ?? ''),
  ),
];

describe.each([
  ['nothing stands there', null],
  ['something stands there', ''],
  ['a second file like it stands there', 'bb\n'],
])('%s', (_, stands) => {
  it.each(SPELLED.flatMap((to) => TASKS.map(([text, answer]) => [`${text} "${to}"`, to, answer] as const)))(
    '%s',
    async (text, to, answer) => {
      await linked(stands);
      const expected = answer(world.root, chosen(world.root, { but: FILE }));
      const { result, records } = await run(world, text, { approves: true });
      expect([result.directive, result.unmet, readFileSync(join(world.root, to), 'utf8')]).toEqual([
        'accept',
        [],
        expected,
      ]);
      // In one round: nothing was judged by a path that the tools say otherwise.
      expect(directivesBefore(records)).toEqual(['init', 'accept']);
    },
  );
});

describe('by commands alone, which do not say where a path leads', () => {
  it.each(
    SPELLED.flatMap((to) =>
      TASKS.filter(([text]) => !text.startsWith('concat')).map(
        ([text, answer]) => [`${text} "${to}"`, to, answer] as const,
      ),
    ),
  )('%s: the right answer, or none', async (text, to, answer) => {
    await linked('', ['read_file', 'write_file', 'shell']);
    const expected = answer(world.root, chosen(world.root, { but: FILE }));
    const { result, records } = await run(world, text, { approves: true });
    const isPlain = to === FILE && !text.includes('folder k');
    expect([result.directive, readFileSync(join(world.root, to), 'utf8')]).toEqual(
      isPlain ? ['accept', expected] : ['abandon', ''],
    );
    if (!isPlain) expect(JSON.stringify(records)).toContain('linked_folder: ');
  });
});

it.each(SPELLED)('a text is written to %s in one round', async (to) => {
  await linked(null);
  const { result } = await run(world, `write "x" to ${to}`);
  expect([result.directive, existsSync(join(world.root, FILE)), result.costs.calls]).toEqual([
    'accept',
    true,
    6,
  ]);
});
