/** What a call says it is about, and what it does where that is blocked. Source: calls/C3. */
import { createHash } from 'node:crypto';
import { lstatSync, promises as fs, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fc, it as law } from '@fast-check/vitest';
import { TOOL_NAMES, type ToolCall } from '../src/index.ts';
import { makeWorld, type CallOptions } from './tools/world.ts';
import { draws } from '../../kernel/tools/laws.ts';

const world = await makeWorld();
afterAll(() => world.remove());

/** A folder `d` with a file, `l` a link to it, `f` a link to the file, `out` a link that leads out. */
function plant(): void {
  for (const entry of readdirSync(world.root)) rmSync(join(world.root, entry), { recursive: true });
  world.put('a.txt', 'a\n');
  world.put('d/b.txt', 'b\n');
  symlinkSync('../workspace/d', join(world.root, 'up'));
  symlinkSync('d', join(world.root, 'l'));
  symlinkSync('l/b.txt', join(world.root, 'f'));
  symlinkSync(world.beside, join(world.root, 'out'));
}
beforeEach(plant);

const targetOf = async (tool: string, input: unknown): Promise<string> =>
  (await world.call(tool, input)).target;

describe('a target', () => {
  it.each([
    ['read_file', 'f', 'd/b.txt'],
    ['read_file', { path: './l//b.txt', from_line: 1, to_line: 1 }, 'd/b.txt'],
    ['read_file', { paths: ['f', './a.txt'] }, '["d/b.txt","a.txt"]'],
    ['read_file', { paths: ['l/b.txt'] }, 'd/b.txt'],
    ['read_file', { paths: ['l/none', 'l/b.txt'] }, '["d/none","d/b.txt"]'],
    ['read_file', 'l/none/none.txt', 'd/none/none.txt'],
    ['write_file', { path: 'l/./b.txt', content: 'c' }, 'd/b.txt'],
    ['write_file', { path: 'l/x/y.txt', content: 'c' }, 'd/x/y.txt'],
    ['append_file', { path: 'l/b.txt', content: 'c' }, 'd/b.txt'],
    ['make_dir', 'l/x/y', 'd/x/y'],
    ['make_dir', './l/', 'l'],
    ['move_file', { from: 'l/b.txt', to: './l/x/c.txt' }, '["d/b.txt","d/x/c.txt"]'],
    ['move_file', { from: 'l/none', to: 'l/c.txt' }, '["d/none","d/c.txt"]'],
    ['remove_file', 'l/b.txt', 'd/b.txt'],
    ['remove_file', 'f', 'f'],
    [
      'find_files',
      { under: './l', except: 'l/b.txt', ext: '.TXT' },
      '{"except":"d/b.txt","ext":"txt","under":"d"}',
    ],
    ['find_files', {}, '{}'],
    ['glob', './d//*.txt', 'd/*.txt'],
    ['glob', { pattern: '*', folders: true }, '{"folders":true,"pattern":"*"}'],
    ['read_file', 'out/x/y.txt', 'out/x/y.txt'],
    ['read_file', '../x', '../x'],
  ])('%s %j is about %s: its real paths, found while it acts', async (tool, input, target) => {
    expect(await targetOf(tool, input)).toBe(target);
  });

  it('has no contents, and is one line whatever a name is', async () => {
    expect(await targetOf('write_file', { path: 'x', content: 'secret' })).toBe('x');
    expect(await targetOf('read_file', 'two\nlines')).toBe('"two\\nlines"');
    expect(await targetOf('read_file', '["a"]')).toBe('"[\\"a\\"]"');
  });

  it('is the head of a long one with its digest, so that different ones stay different', async () => {
    const long = (end: string): string => `d/${'x'.repeat(198)}${end}`;
    expect(await targetOf('read_file', long(''))).toBe(long(''));
    expect(await targetOf('read_file', `./${long('y')}`)).toBe(
      `${long('')}… sha256 ${createHash('sha256').update(long('y')).digest('hex')}`,
    );
  });

  it('has the spelling of the folder where that tells no case apart', async () => {
    world.put('d/Read Me.TXT', 'r\n');
    await foldingCase(async () => {
      expect(await world.call('read_file', 'L/read me.txt')).toMatchObject({
        status: 'ok',
        target: 'd/Read Me.TXT',
      });
      const write = { path: 'D/READ ME.txt', content: 'x' };
      expect(await world.call('write_file', write, { not: ['d/Read Me.TXT'] })).toMatchObject({
        code: 'blocked_target',
      });
      expect(await targetOf('remove_file', 'd/read me.txt')).toBe('d/Read Me.TXT');
      expect(await targetOf('move_file', { from: 'A.TXT', to: 'D/New' })).toBe('["a.txt","d/New"]');
    });
  });
});

/** Has the system find names as one does that tells no case apart: a stand-in for a disk that is not here. */
async function foldingCase(act: () => Promise<void>): Promise<void> {
  const { lstat, open } = fs;
  const found = (path: string): string => {
    const [folder, name] = [dirname(path), basename(path)];
    if (!/^\/proc\/self\/fd\/\d+$/.test(folder)) return path;
    const names = readdirSync(folder);
    const there = names.find((other) => other.toLowerCase() === name.toLowerCase());
    return there === undefined || names.includes(name) ? path : join(folder, there);
  };
  Object.assign(fs, {
    lstat: (path: string, options?: object) => lstat(found(path), options),
    open: (path: string, flags?: number, mode?: number) => open(found(path), flags, mode),
  });
  try {
    await act();
  } finally {
    Object.assign(fs, { lstat, open });
  }
}

const path = fc.constantFrom(
  ...['a.txt', './a.txt', 'd/b.txt', 'l/b.txt', 'up/b.txt', 'f', 'd', 'l', '.', 'none', 'l/none/x'],
  ...['up/new/x', 'out/canary.txt', 'out', 'd/b.txt/x'],
);
const asked: fc.Arbitrary<readonly [string, unknown]> = fc.oneof(
  fc.tuple(fc.constantFrom('read_file', 'make_dir', 'remove_file'), path),
  fc.tuple(fc.constant('read_file'), fc.record({ paths: fc.array(path, { minLength: 1, maxLength: 3 }) })),
  fc.tuple(
    fc.constantFrom('write_file', 'append_file'),
    fc.record({ path, content: fc.constantFrom('a\n', 'new') }),
  ),
  fc.tuple(fc.constant('move_file'), fc.record({ from: path, to: path })),
  fc.tuple(fc.constant('find_files'), fc.record({ under: path, except: path }, { requiredKeys: [] })),
  fc.tuple(fc.constant('glob'), fc.constantFrom('*', 'd/*', '**/*.txt', 'none*')),
);

/** All there is in the workspace, with what would tell a file that was opened for writing. */
function seen(): readonly string[] {
  return readdirSync(world.root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const look = lstatSync(join(world.root, name));
      return [name, look.ino, look.size, look.mtimeMs, look.ctimeMs].join(' ');
    });
}

describe('a blocked target', () => {
  law.prop([asked, fc.boolean()], { seed: 5_531, numRuns: draws(250) })(
    'effector/blocked-does-nothing: a call that is about it is denied and does nothing, however it is ' +
      'spelled and whatever it came to before',
    async ([tool, input], confirmed) => {
      plant();
      const call = (options: CallOptions): Promise<ToolCall> => world.call(tool, input, options);
      const before = await call({ confirmed, not: ['other'] });
      plant();
      const state = seen();
      // What is not understood is denied as that, whatever is blocked.
      const isHeld = before.code === 'needs_confirmation';
      const asBefore = before.status === 'denied' && !isHeld ? [before.code] : [];
      const blocked = await call({ confirmed, not: ['other', before.target] });
      expect(['blocked_target', ...asBefore]).toContain(blocked.code);
      expect(blocked).toMatchObject({
        status: 'denied',
        target: before.target,
        irreversible: false,
      });
      expect(seen()).toEqual(state);
    },
  );

  it('takes at most 64', async () => {
    const not = (count: number): CallOptions => ({ not: Array.from({ length: count }, (_, at) => `${at}`) });
    for (const tool of TOOL_NAMES)
      expect(await world.call(tool, 'a.txt', not(65))).toMatchObject({ status: 'denied' });
    expect(await world.call('read_file', 'a.txt', not(64))).toMatchObject({ status: 'ok' });
    expect(await world.call('read_file', 'a.txt', not(65))).toMatchObject({ code: 'bad_input' });
  });
});
