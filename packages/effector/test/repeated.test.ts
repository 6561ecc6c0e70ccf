/**
 * A call made a second time, as a run does that was killed after the call and before its record: what each
 * tool then says is what it found.
 */
import { createHash } from 'node:crypto';
import { linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolCall } from '../src/index.ts';
import { makeWorld, type CallOptions, type World } from './tools/world.ts';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
  world.put('a.txt', 'old\n');
});
afterEach(() => world.remove());

const confirmed = { confirmed: true } as const;

describe('a call made twice', () => {
  const old = createHash('sha256').update('old\n').digest('hex') as ToolCall['digest'];
  it.each<[string, unknown, CallOptions]>([
    ['find_files', {}, {}],
    ['glob', '*', {}],
    ['read_file', 'a.txt', {}],
    ['write_file', { path: 'a.txt', content: 'new\n' }, { confirmed: { loses: old, target: 'a.txt' } }],
    ['append_file', { path: 'a.txt', content: 'new\n' }, { confirmed: { loses: old, target: 'a.txt' } }],
    ['make_dir', 'deep', {}],
    ['move_file', { from: 'a.txt', to: 'c.txt' }, {}],
    ['remove_file', 'a.txt', { confirmed: { loses: old, target: 'a.txt' } }],
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
    const call = (): Promise<ToolCall> => world.call('append_file', input, confirmed);
    expect((await call()).output).toBe('appended 5 bytes to a.txt, which had 4\n');
    expect((await call()).output).toBe('appended 5 bytes to a.txt, which had 9\n');
    expect(world.read('a.txt')).toBe('old\nmore\nmore\n');
  });
});

it("two names of one file both stay: they may be somebody's own", async () => {
  linkSync(join(world.root, 'a.txt'), join(world.root, 'c.txt'));
  for (const options of [{}, confirmed])
    expect(await world.call('move_file', { from: 'a.txt', to: 'c.txt' }, options)).toMatchObject({
      status: 'error',
      code: 'exists',
    });
  expect(readdirSync(world.root).sort()).toEqual(['a.txt', 'c.txt']);
});
