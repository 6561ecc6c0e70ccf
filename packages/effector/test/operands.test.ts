/**
 * A command that could write to what it is told to read is never given a path: it reads what it is fed.
 */
import { linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { openWorkspace } from '../src/index.ts';
import { DEFAULT_LIMITS } from '../src/limits.js';
import { NO_SHELL } from '../src/catalogue.ts';
import { makeAim } from '../src/calls/aim.ts';
import { SHELL } from '../src/tools/shell.ts';
import { watchFor } from '../src/limits.ts';
import { nothingMade } from '../src/workspace/path.js';
import { makeWorld, type World } from './tools/world.ts';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
  world.put('a.txt', 'b\nb\na\n');
  world.put('b.txt', 'c\nc');
});
afterEach(() => world.remove());

describe('uniq, which writes its second operand', () => {
  it.each([
    'uniq *.txt',
    'uniq -c [ab].txt',
    'uniq a.txt b*',
    'uniq -- *.txt',
    'cat a.txt | uniq - b*',
    { pipeline: [['uniq', { glob: '*.txt' }]] },
    {
      pipeline: [
        ['cat', 'a.txt'],
        ['uniq', { glob: '[ab].*' }],
        ['wc', '-l'],
      ],
    },
  ])('%j is refused, and both files are what they were', async (input) => {
    const { status, code } = await world.call('shell', input);
    expect([world.read('a.txt'), world.read('b.txt')]).toEqual(['b\nb\na\n', 'c\nc']);
    expect([status, code]).toEqual(['denied', 'too_many_operands']);
  });

  it('does not write a file outside by its second name inside', async () => {
    linkSync(world.canary, join(world.root, 'c.txt'));
    await world.call('shell', 'uniq [ac].txt');
    expect(world.isUntouched()).toBe(true);
  });
});

describe('a command that is fed', () => {
  it.each([
    'uniq a.txt',
    'uniq -c a*',
    'cat a.txt | uniq - ',
    'sort *.txt',
    'sort -u -- a.txt b.txt',
    'cat a.txt | sort - b.txt',
  ])('%s: is told no path', async (line) => {
    const workspace = orThrow(await openWorkspace(world.root));
    // Each says what it was told; the last one is what is seen.
    const shell = {
      ...NO_SHELL,
      commands: new Map(['cat', 'uniq', 'sort'].map((name) => [name, '/bin/echo'] as [never, string])),
    };
    const understood = orThrow(SHELL.understand(line));
    const { output } = await understood.act({
      aim: makeAim(understood.about, []),
      workspace,
      made: nothingMade(),
      limits: DEFAULT_LIMITS,
      confirmed: null,
      watch: watchFor(5_000, null),
      shell,
    });
    expect(String(output)).toMatch(/^(?:-[cu] )?(?:--buffer-size=100% )?--\n$/);
  });

  it.each([
    ['uniq -c a*', '      2 b\n      1 a\n'],
    ['sort [ba].txt', 'a\nb\nb\nc\nc\n'],
    ['sort -u b.txt a.txt', 'a\nb\nc\n'],
    ['sort -z ?.txt', 'b\nb\na\n\0c\nc\0'],
    ['cat b.txt | sort - a.txt', 'a\nb\nb\nc\nc\n'],
    ['cat b.txt | sort a.txt - -', 'a\nb\nb\nc\nc\n'],
    ['cat b.txt | sort a.txt', 'a\nb\nb\n'],
  ])('%s: reads files one behind the other, a last line without its end too', async (line, expected) => {
    expect(await world.call('shell', line)).toMatchObject({ status: 'ok', output: expected });
  });

  it('sorts as many short lines as it has memory for', async () => {
    world.put('long', 'x\n'.repeat(1_200_000));
    expect(await world.call('shell', 'cat long | sort a.txt - | wc -l')).toMatchObject({
      status: 'ok',
      output: '1200003\n',
    });
  });

  it('ends with the refusal of a file that cannot be read', async () => {
    mkdirSync(join(world.root, 'c.txt'));
    expect(await world.call('shell', 'sort a.txt c.txt')).toMatchObject({
      status: 'denied',
      code: 'not_a_file',
    });
    expect(await world.call('shell', 'sort -m a.txt b.txt')).toMatchObject({
      status: 'denied',
      code: 'option_not_allowed',
    });
  });
});
