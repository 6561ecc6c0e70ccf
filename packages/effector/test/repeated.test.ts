/**
 * A call made a second time, as a run does that was killed after the call and before its record: what each
 * tool then says is what it found.
 */
import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, promises as fs, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunOptions, ToolCall } from '../src/index.ts';
import { makeWorld, type World } from './tools/world.ts';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
  world.put('a.txt', 'old\n');
});
afterEach(() => world.remove());

const confirmed = { confirmed: true };

describe('a call made twice', () => {
  const old = createHash('sha256').update('old\n').digest('hex') as ToolCall['digest'];
  it.each<[string, unknown, RunOptions]>([
    ['find_files', {}, {}],
    ['glob', '*', {}],
    ['read_file', 'a.txt', {}],
    ['shell', 'cat a.txt', {}],
    ['write_file', { path: 'a.txt', content: 'new\n' }, { confirmed: { loses: old } }],
    ['append_file', { path: 'a.txt', content: 'new\n' }, {}],
    ['make_dir', 'deep', {}],
    ['move_file', { from: 'a.txt', to: 'c.txt' }, {}],
    ['remove_file', 'a.txt', { confirmed: { loses: old } }],
  ])('may be made again where the catalogue says so: %s %j', async (tool, input, options) => {
    const seen = async (): Promise<string> =>
      (await world.call('find_files', { digests: true })).output.replace(/"mtime_ms":[\d.]+/g, '');
    expect(await world.call(tool, input, options)).toMatchObject({ status: 'ok' });
    const once = await seen();
    const { status } = await world.call(tool, input, options);
    const isHarmless = status === 'ok' && (await seen()) === once;
    expect(world.tools.catalogue.find(({ name }) => name === tool)?.again).toBe(isHarmless);
  });

  it.each([
    [
      'write_file',
      { path: 'b.txt', content: 'new\n' },
      {},
      { status: 'ok', output: expect.stringMatching(/^unchanged b\.txt: 4 bytes/) as string },
    ],
    [
      'write_file',
      { path: 'a.txt', content: 'new\n' },
      confirmed,
      {
        status: 'ok',
        output: expect.stringMatching(/^unchanged a\.txt: 4 bytes/) as string,
        irreversible: false,
      },
    ],
    ['make_dir', 'deep', {}, { status: 'ok', output: 'deep is there already\n' }],
    ['move_file', { from: 'a.txt', to: 'c.txt' }, {}, { status: 'error', code: 'not_found' }],
    ['remove_file', 'a.txt', confirmed, { status: 'error', code: 'not_found' }],
  ])(
    '%s of %j leaves what one left, and says what it found the second time',
    async (tool, input, options, second) => {
      expect((await world.call(tool, input, options)).status).toBe('ok');
      const left = (await world.call('find_files', { contains: '\n' })).output;
      expect(await world.call(tool, input, options)).toMatchObject(second);
      expect((await world.call('find_files', { contains: '\n' })).output).toBe(left);
    },
  );

  it('append_file adds twice, and each call says how long the file was before it', async () => {
    const input = { path: 'a.txt', content: 'more\n' };
    expect((await world.call('append_file', input)).output).toBe('appended 5 bytes to a.txt, which had 4\n');
    expect((await world.call('append_file', input)).output).toBe('appended 5 bytes to a.txt, which had 9\n');
    expect(world.read('a.txt')).toBe('old\nmore\nmore\n');
  });
});

describe('a move that is cut off, of which both names are left', () => {
  const move = { from: 'a.txt', to: 'deep/c.txt' };
  /** The call that made it, and another one. */
  const [key, other] = ['genesis 5.0 0', 'genesis 9.0 0'];
  /** As a process leaves it that dies before the old name goes, or right after: with the mark of its move. */
  function cutOff(isGone: boolean): void {
    const [from, to] = [join(world.root, 'a.txt'), join(world.root, 'deep', 'c.txt')];
    mkdirSync(join(world.root, 'deep'));
    linkSync(from, join(world.root, 'deep', markOf(move)));
    linkSync(from, to);
    if (isGone) rmSync(from);
  }

  it.each([false, true])(
    'is finished by a second call, and nothing of it is left (the old name is gone: %j)',
    async (isGone) => {
      cutOff(isGone);
      expect(await world.call('move_file', move, { key })).toMatchObject({
        status: 'ok',
        output: 'moved a.txt to deep/c.txt\n',
        irreversible: false,
      });
      expect(namesIn()).toEqual(['deep', 'deep/c.txt']);
      expect(world.read('deep/c.txt')).toBe('old\n');
      expect(await world.call('move_file', move, { key })).toMatchObject({
        status: 'error',
        code: 'not_found',
      });
    },
  );

  it('begins anew where it was cut off before the new name was there', async () => {
    mkdirSync(join(world.root, 'deep'));
    linkSync(join(world.root, 'a.txt'), join(world.root, 'deep', markOf(move)));
    expect(await world.call('move_file', move, { key })).toMatchObject({ status: 'ok' });
    expect(namesIn()).toEqual(['deep', 'deep/c.txt']);
  });

  it("two names that are somebody's own both stay", async () => {
    mkdirSync(join(world.root, 'deep'));
    linkSync(join(world.root, 'a.txt'), join(world.root, 'deep', 'c.txt'));
    expect(await world.call('move_file', move, { key })).toMatchObject({ status: 'error', code: 'exists' });
    // A mark of another file says nothing of this one.
    world.put(`deep/${markOf(move)}`, 'old\n');
    expect(await world.call('move_file', move, { confirmed: true, key })).toMatchObject({
      status: 'error',
      code: 'exists',
    });
    expect(namesIn()).toEqual(['a.txt', 'deep', `deep/${markOf(move)}`, 'deep/c.txt']);
  });

  it("is made without a mark where somebody's file stands under the mark's name, and that stays", async () => {
    mkdirSync(join(world.root, 'deep'));
    world.put(`deep/${markOf(move)}`, 'mine\n');
    expect(await world.call('move_file', move, { key })).toMatchObject({ status: 'ok' });
    expect([namesIn(), world.read(`deep/${markOf(move)}`)]).toEqual([
      ['deep', `deep/${markOf(move)}`, 'deep/c.txt'],
      'mine\n',
    ]);
  });

  it('is no move of what was put at the new path since', async () => {
    cutOff(true);
    rmSync(join(world.root, 'deep', 'c.txt'));
    world.put('deep/c.txt', 'other\n');
    expect(await world.call('move_file', move, { key })).toMatchObject({
      status: 'error',
      code: 'not_found',
    });
    expect(world.read('deep/c.txt')).toBe('other\n');
  });

  it('leaves no mark where it is held back', async () => {
    world.put('deep/c.txt', 'other\n');
    expect(await world.call('move_file', move, { key })).toMatchObject({
      status: 'denied',
      code: 'needs_confirmation',
    });
    expect(await world.call('move_file', move, { ...confirmed, key })).toMatchObject({
      status: 'ok',
      irreversible: true,
    });
    expect(namesIn()).toEqual(['deep', 'deep/c.txt']);
  });

  /** A move that went well and whose mark stayed, as a process leaves it that is killed at the very end. */
  async function leavesItsMark(): Promise<string> {
    const bare = fs.unlink;
    fs.unlink = (path) =>
      String(path).endsWith('.tmp')
        ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'unlink' }))
        : bare(path);
    try {
      expect(await world.call('move_file', move, { key })).toMatchObject({ status: 'ok' });
    } finally {
      fs.unlink = bare;
    }
    const mark = namesIn().find((name) => name.endsWith('.tmp'));
    return mark ?? expect.fail('no mark was left');
  }

  it('is finished by no other call: a mark of another run does not make it done', async () => {
    const mark = await leavesItsMark();
    for (const options of [{ key: other }, {}])
      expect(await world.call('move_file', move, options)).toMatchObject({
        status: 'error',
        code: 'not_found',
      });
    expect(namesIn()).toEqual(['deep', mark, 'deep/c.txt']);
    expect(await world.call('move_file', move, { key })).toMatchObject({
      status: 'ok',
      output: 'moved a.txt to deep/c.txt\n',
    });
    expect(namesIn()).toEqual(['deep', 'deep/c.txt']);
  });

  it("takes no name away that is somebody's own, whatever mark another call left", async () => {
    const mark = await leavesItsMark();
    linkSync(join(world.root, 'deep', 'c.txt'), join(world.root, 'a.txt'));
    for (const options of [{ key: other }, {}])
      expect(await world.call('move_file', move, options)).toMatchObject({ status: 'error', code: 'exists' });
    expect(namesIn()).toEqual(['a.txt', 'deep', mark, 'deep/c.txt']);
  });

  it('is not made done by a mark that somebody else put, who knows both paths', async () => {
    mkdirSync(join(world.root, 'deep'));
    renameSync(join(world.root, 'a.txt'), join(world.root, 'deep', 'c.txt'));
    const forged = `.assay-${createHash('sha256')
      .update(JSON.stringify([move.from, move.to]))
      .digest('hex')
      .slice(0, 16)}.tmp`;
    linkSync(join(world.root, 'deep', 'c.txt'), join(world.root, 'deep', forged));
    for (const options of [{ key }, {}])
      expect(await world.call('move_file', move, options)).toMatchObject({
        status: 'error',
        code: 'not_found',
      });
    expect(namesIn()).toEqual(['deep', `deep/${forged}`, 'deep/c.txt']);
  });

  it('has no mark where nobody says which call it is', async () => {
    const link = fs.link;
    const linked: string[] = [];
    fs.link = (from, to) => (linked.push(String(to)), link(from, to));
    try {
      expect(await world.call('move_file', move)).toMatchObject({ status: 'ok' });
    } finally {
      fs.link = link;
    }
    expect(linked.map((name) => name.replace(/.*\//, ''))).toEqual(['c.txt']);
  });

  const namesIn = (): readonly string[] =>
    readdirSync(world.root, { recursive: true, encoding: 'utf8' }).sort();
  const markOf = ({ from, to }: { readonly from: string; readonly to: string }): string =>
    `.assay-${createHash('sha256')
      .update(JSON.stringify([key, from, to]))
      .digest('hex')
      .slice(0, 16)}.tmp`;
});
