/** A call made a second time, as a run does that was killed after the call and before its record: what each tool then says is what it found. */
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
