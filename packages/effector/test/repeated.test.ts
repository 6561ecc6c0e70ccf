/** A call made a second time, as a run does that was killed after the call and before its record: what each tool then says is what it found. */
import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWorld, type World } from './tools/world.ts';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
  world.put('a.txt', 'old\n');
});
afterEach(() => world.remove());

const confirmed = { confirmed: true };

describe('a call made twice', () => {
  it.each([
    ['write_file', { path: 'b.txt', content: 'new\n' }, {}, { status: 'ok', output: expect.stringMatching(/^unchanged b\.txt: 4 bytes/) as string }],
    ['write_file', { path: 'a.txt', content: 'new\n' }, confirmed, { status: 'ok', output: expect.stringMatching(/^unchanged a\.txt: 4 bytes/) as string, irreversible: false }],
    ['make_dir', 'deep', {}, { status: 'ok', output: 'deep is there already\n' }],
    ['move_file', { from: 'a.txt', to: 'c.txt' }, {}, { status: 'error', code: 'not_found' }],
    ['remove_file', 'a.txt', confirmed, { status: 'error', code: 'not_found' }],
  ])('%s of %j leaves what one left, and says what it found the second time', async (tool, input, options, second) => {
    expect((await world.call(tool, input, options)).status).toBe('ok');
    const left = (await world.call('find_files', { contains: '\n' })).output;
    expect(await world.call(tool, input, options)).toMatchObject(second);
    expect((await world.call('find_files', { contains: '\n' })).output).toBe(left);
  });

  it('append_file adds twice, and each call says how long the file was before it', async () => {
    const input = { path: 'a.txt', content: 'more\n' };
    expect((await world.call('append_file', input)).output).toBe('appended 5 bytes to a.txt, which had 4\n');
    expect((await world.call('append_file', input)).output).toBe('appended 5 bytes to a.txt, which had 9\n');
    expect(world.read('a.txt')).toBe('old\nmore\nmore\n');
  });
});

describe('a move that is cut off, of which both names are left', () => {
  const move = { from: 'a.txt', to: 'deep/c.txt' };
  /** As a process leaves it that dies before the old name goes, or right after: with the mark of its move. */
  function cutOff(isGone: boolean): void {
    const [from, to] = [join(world.root, 'a.txt'), join(world.root, 'deep', 'c.txt')];
    mkdirSync(join(world.root, 'deep'));
    linkSync(from, join(world.root, 'deep', markOf(move)));
    linkSync(from, to);
    if (isGone) rmSync(from);
  }

  it.each([false, true])('is finished by a second call, and nothing of it is left (the old name is gone: %j)', async (isGone) => {
    cutOff(isGone);
    expect(await world.call('move_file', move)).toMatchObject({ status: 'ok', output: 'moved a.txt to deep/c.txt\n', irreversible: false });
    expect(namesIn()).toEqual(['deep', 'deep/c.txt']);
    expect(world.read('deep/c.txt')).toBe('old\n');
    expect(await world.call('move_file', move)).toMatchObject({ status: 'error', code: 'not_found' });
  });

  it('begins anew where it was cut off before the new name was there', async () => {
    mkdirSync(join(world.root, 'deep'));
    linkSync(join(world.root, 'a.txt'), join(world.root, 'deep', markOf(move)));
    expect(await world.call('move_file', move)).toMatchObject({ status: 'ok' });
    expect(namesIn()).toEqual(['deep', 'deep/c.txt']);
  });

  it("two names that are somebody's own both stay", async () => {
    mkdirSync(join(world.root, 'deep'));
    linkSync(join(world.root, 'a.txt'), join(world.root, 'deep', 'c.txt'));
    expect(await world.call('move_file', move)).toMatchObject({ status: 'error', code: 'exists' });
    // A mark of another file says nothing of this one.
    world.put(`deep/${markOf(move)}`, 'old\n');
    expect(await world.call('move_file', move, { confirmed: true })).toMatchObject({ status: 'error', code: 'exists' });
    expect(namesIn()).toEqual(['a.txt', 'deep', `deep/${markOf(move)}`, 'deep/c.txt']);
  });

  it('is no move of what was put at the new path since', async () => {
    cutOff(true);
    rmSync(join(world.root, 'deep', 'c.txt'));
    world.put('deep/c.txt', 'other\n');
    expect(await world.call('move_file', move)).toMatchObject({ status: 'error', code: 'not_found' });
    expect(world.read('deep/c.txt')).toBe('other\n');
  });

  it('leaves no mark where it is held back', async () => {
    world.put('deep/c.txt', 'other\n');
    expect(await world.call('move_file', move)).toMatchObject({ status: 'denied', code: 'needs_confirmation' });
    expect(await world.call('move_file', move, confirmed)).toMatchObject({ status: 'ok', irreversible: true });
    expect(namesIn()).toEqual(['deep', 'deep/c.txt']);
  });

  const namesIn = (): readonly string[] => readdirSync(world.root, { recursive: true, encoding: 'utf8' }).sort();
  const markOf = ({ from, to }: { readonly from: string; readonly to: string }): string => `.assay-${createHash('sha256').update(JSON.stringify([from, to])).digest('hex').slice(0, 16)}.tmp`;
});
