/** A call that would lose something: what it says, when it acts, and what it does where that changes meanwhile. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  promises as fs,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fc, it as law } from '@fast-check/vitest';
import type { ToolCall } from '../src/index.ts';
import { makeWorld, type CallOptions } from './tools/world.ts';
import { draws } from '../../kernel/tools/laws.ts';

const world = await makeWorld();
afterAll(() => world.remove());

const OLD = 'what was there\n';
const digest = (text: string): ToolCall['digest'] =>
  createHash('sha256').update(text).digest('hex') as ToolCall['digest'];
const file = (name: string): string => join(world.root, name);
const names = (): readonly string[] => readdirSync(world.root).sort();

function plant(): void {
  for (const entry of readdirSync(world.root)) rmSync(file(entry), { recursive: true });
  world.put('a.txt', OLD);
  world.put('b.txt', 'b\n');
}
beforeEach(plant);

/** Calls that lose `a.txt`, with what stands there once they have. */
const CALLS = [
  ['remove_file', 'a.txt', null],
  ['write_file', { path: './a.txt', content: 'new\n' }, 'new\n'],
  ['move_file', { from: 'b.txt', to: 'a.txt' }, 'b\n'],
] as const;
const held = (text: string): object => ({
  status: 'denied',
  code: 'needs_confirmation',
  irreversible: true,
  loses: digest(text),
});
const agreed = (tool: string, text: string): NonNullable<CallOptions['confirmed']> => ({
  loses: digest(text),
  target: tool === 'move_file' ? '["b.txt","a.txt"]' : 'a.txt',
});
const there = (): string | null => (existsSync(file('a.txt')) ? world.read('a.txt') : null);

describe.each(CALLS)('%s %j', (tool, input, after) => {
  const call = (text?: string): Promise<ToolCall> =>
    world.call(tool, input, text === undefined ? {} : { confirmed: agreed(tool, text) });

  it('is held, says what it would lose, and loses it once that was confirmed', async () => {
    const asked = await call();
    expect(asked).toMatchObject(held(OLD));
    expect([there(), names()]).toEqual([OLD, ['a.txt', 'b.txt']]);
    expect(
      await world.call(tool, input, { confirmed: { loses: asked.loses, target: asked.target } }),
    ).toMatchObject({
      status: 'ok',
      target: asked.target,
      irreversible: true,
      loses: digest(OLD),
    });
    expect(there()).toBe(after);
    expect(names().filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is held again where something else stands there by now, and where nothing was agreed to', async () => {
    writeFileSync(file('a.txt'), 'changed\n');
    for (const text of [OLD, '']) expect(await call(text)).toMatchObject(held('changed\n'));
    expect([there(), names()]).toEqual(['changed\n', ['a.txt', 'b.txt']]);
  });

  it('is held again where it changes after the look, in place or by another file, which keeps its name', async () => {
    for (const change of [
      () => writeFileSync(file('a.txt'), 'changed\n'),
      () => (rmSync(file('a.txt')), writeFileSync(file('a.txt'), 'changed\n')),
    ]) {
      plant();
      expect(await before('rename', change, () => call(OLD))).toMatchObject(held('changed\n'));
      expect([there(), names()]).toEqual(['changed\n', ['a.txt', 'b.txt']]);
    }
  });

  it('gives a folder its name back that comes to be there after the look', async () => {
    const change = (): void => (rmSync(file('a.txt')), mkdirSync(file('a.txt')));
    expect(await before('rename', change, () => call(OLD))).toMatchObject({ code: 'not_a_file' });
    expect(names()).toEqual(['a.txt', 'b.txt']);
  });

  it('acts no more where it is gone by now, or finds nothing in its way', async () => {
    rmSync(file('a.txt'));
    const { status, code, loses } = await call(OLD);
    expect({ status, code, loses }).toEqual(
      after === null
        ? { status: 'error', code: 'not_found', loses: null }
        : { status: 'ok', code: null, loses: null },
    );
    expect(there()).toBe(after);
  });

  it('is stopped in the middle with everything in its place', async () => {
    const stop = new AbortController();
    const stopped = before(
      'rename',
      () => stop.abort(),
      () => world.call(tool, input, { confirmed: agreed(tool, OLD), signal: stop.signal }),
    );
    expect(await stopped).toMatchObject({ status: 'interrupted', code: 'aborted', loses: null });
    expect([there(), names()]).toEqual([OLD, ['a.txt', 'b.txt']]);
  });
});

describe.each(CALLS.slice(1))('%s %j, while another file takes the name', (tool, input) => {
  it('loses neither that one nor what was there', async () => {
    const called = before(
      'link',
      () => writeFileSync(file('a.txt'), 'theirs\n'),
      () => world.call(tool, input, { confirmed: agreed(tool, OLD) }),
    );
    const { status, code, output } = await called;
    expect({ status, code }).toEqual({ status: 'error', code: 'exists' });
    const [kept = ''] = names().filter((name) => output.includes(name) && name.endsWith('.old'));
    expect([there(), world.read(kept), world.read('b.txt')]).toEqual(['theirs\n', OLD, 'b\n']);
  });
});

it('what was agreed to under one path is not lost under another, however equal', async () => {
  for (const folder of ['real', 'other']) world.put(`${folder}/x.txt`, '');
  symlinkSync('real', file('d'));
  const { loses, target } = await world.call('remove_file', 'd/x.txt');
  rmSync(file('d'));
  symlinkSync('other', file('d'));
  const again = await world.call('remove_file', 'd/x.txt', { confirmed: { loses, target } });
  expect(again).toMatchObject({ ...held(''), target: 'other/x.txt' });
  expect([existsSync(file('real/x.txt')), existsSync(file('other/x.txt'))]).toEqual([true, true]);
});

/** The call as it is answered at first, and once it was confirmed as it says. */
async function twice(tool: string, input: object): Promise<readonly (string | null)[]> {
  const { code, loses, target } = await world.call(tool, input);
  const again = await world.call(tool, input, { confirmed: { loses, target } });
  return [code, again.code];
}
const ASKED = ['needs_confirmation', null];
const FREE = [null, null];

describe('what this run did not make', () => {
  const add = (path: string): object => ({ path, content: 'more\n' });

  it('is added to only once that was confirmed with its digest; what this run made is added to', async () => {
    const asked = await world.call('append_file', add('a.txt'));
    expect(asked).toMatchObject({ ...held(OLD), irreversible: false, target: 'a.txt' });
    world.put('a.txt', 'changed\n');
    const stale = { confirmed: { loses: asked.loses, target: asked.target } };
    expect(await world.call('append_file', add('a.txt'), stale)).toMatchObject({
      loses: digest('changed\n'),
    });
    expect(there()).toBe('changed\n');
    expect(await twice('append_file', add('a.txt'))).toEqual(ASKED);
    expect(await twice('append_file', add('a.txt'))).toEqual(ASKED);
    expect(await twice('append_file', add('new.txt'))).toEqual(FREE);
    await world.call('move_file', { from: 'new.txt', to: 'other.txt' });
    expect(await twice('append_file', add('other.txt'))).toEqual(FREE);
    rmSync(file('other.txt'));
    world.put('other.txt', OLD);
    expect(await twice('append_file', add('other.txt'))).toEqual(ASKED);
  });

  it('is not replaced by moving it away first', async () => {
    await world.call('move_file', { from: 'a.txt', to: 'away.txt' });
    expect(await world.call('write_file', { path: './a.txt', content: 'mine\n' })).toMatchObject({
      code: 'needs_confirmation',
    });
    expect(await twice('move_file', { from: 'b.txt', to: 'a.txt' })).toEqual(ASKED);
  });
});

describe('a file that programs start by themselves', () => {
  it.each([
    ...['.envrc', '.ENVRC', '.npmrc', 'sub/.husky/pre-commit', '.github/workflows/ci.yml', '.bashrc'],
    ...['package.json', 'Jenkinsfile', 'x/HEAD', 'bare.git/config', 'l/ci.yml'],
  ])('%s is made, added to and moved to only once that was confirmed', async (path) => {
    if (path.startsWith('l/')) {
      mkdirSync(file('.github'));
      symlinkSync('.github', file('l'));
    }
    const before = names();
    expect(await world.call('write_file', { path, content: 'x\n' })).toMatchObject({
      status: 'denied',
      code: 'needs_confirmation',
      loses: null,
    });
    expect(names()).toEqual(before);
    expect(await twice('append_file', { path, content: 'x\n' })).toEqual(ASKED);
    expect(await twice('append_file', { path, content: 'x\n' })).toEqual(ASKED);
    rmSync(file(path));
    expect(await twice('move_file', { from: 'b.txt', to: path })).toEqual(ASKED);
  });

  it.each(['Makefile', 'a.md', 'sub/run.sh', './~'])('%s is none', async (path) => {
    expect(await twice('write_file', { path, content: 'x\n' })).toEqual(FREE);
  });
});

it('.git is neither listed nor searched by any tool', async () => {
  for (const path of ['.git/config', 'sub/.git/config', 'wt/.git']) world.put(path, 'canary\n');
  for (const [tool, input] of [
    ['find_files', { contains: 'canary' }],
    ['glob', { pattern: '**/.*', folders: true }],
    ['glob', '.git/*'],
  ] as const) {
    const { status, output } = await world.call(tool, input);
    expect([status, output.includes('canary') || output.includes('.git')], String(input)).toEqual([
      'ok',
      false,
    ]);
  }
});

/** Does `act`, and `change` in the moment before it first comes to this operation of the system. */
async function before(
  operation: 'rename' | 'link',
  change: () => void,
  act: () => Promise<ToolCall>,
): Promise<ToolCall> {
  const bare = fs[operation];
  fs[operation] = (from, to) => {
    fs[operation] = bare;
    change();
    return bare(from, to);
  };
  try {
    return await act();
  } finally {
    fs[operation] = bare;
  }
}

describe('what is lost', () => {
  const content = fc.constantFrom('', 'x', 'xy', OLD, 'new\n', 'b\n');
  law.prop([fc.constantFrom(...CALLS), content, content], { seed: 5_541, numRuns: draws(1_000) })(
    'effector/loses-what-was-agreed: a call loses what stands there where just that was agreed to, else ' +
      'it does nothing and says it',
    async ([tool, input, after], present, allowed) => {
      writeFileSync(file('a.txt'), present);
      writeFileSync(file('b.txt'), 'b\n');
      const called = await world.call(tool, input, { confirmed: agreed(tool, allowed) });
      const isUnchanged = tool === 'write_file' && present === after;
      expect(called.loses).toBe(isUnchanged ? null : digest(present));
      expect(called.status).toBe(isUnchanged || present === allowed ? 'ok' : 'denied');
      expect(there()).toBe(called.status === 'ok' ? after : present);
    },
  );
});
