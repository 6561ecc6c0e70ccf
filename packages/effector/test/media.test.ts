import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount, mountSmall, type SmallMedium } from '@assay/testing/store-contract';
import { makeWorld, type World } from './tools/world.ts';

describe.skipIf(!canMount('effector'))('on a medium of 64 KiB', () => {
  let medium: SmallMedium;
  let world: World;
  beforeEach(async () => {
    medium = mountSmall(64);
    world = await makeWorld({}, {}, undefined, medium.path);
    world.put('a.txt', 'old\n');
  });
  afterEach(async () => {
    world.remove();
    await medium.remove();
  });

  it('that is full, nothing is written half and nothing is left behind', async () => {
    const content = 'x'.repeat(100_000);
    const full = { status: 'error', code: 'no_space' };
    expect(await world.call('write_file', { path: 'new.txt', content })).toMatchObject(full);
    expect(await world.call('write_file', { path: 'a.txt', content }, { confirmed: true })).toMatchObject(
      full,
    );
    expect(await world.call('append_file', { path: 'a.txt', content }, { confirmed: true })).toMatchObject(
      full,
    );
    expect([readdirSync(world.root), world.read('a.txt')]).toEqual([['a.txt'], 'old\n']);
    expect(await world.call('read_file', 'a.txt')).toMatchObject({ status: 'ok' });
  });

  it('that is read-only, everything that writes is an error and everything that reads goes on', async () => {
    world.put('b.txt', 'b\n');
    await medium.remount('ro');
    const closed = { status: 'error', code: 'read_only' };
    expect(await world.call('write_file', { path: 'new.txt', content: 'x' })).toMatchObject(closed);
    expect(
      await world.call('write_file', { path: 'a.txt', content: 'x' }, { confirmed: true }),
    ).toMatchObject(closed);
    expect(await world.call('append_file', { path: 'a.txt', content: 'x' })).toMatchObject(closed);
    expect(await world.call('make_dir', 'd')).toMatchObject(closed);
    expect(await world.call('move_file', { from: 'a.txt', to: 'c.txt' })).toMatchObject(closed);
    expect(await world.call('remove_file', 'a.txt', { confirmed: true })).toMatchObject(closed);
    expect(await world.call('find_files', '*.txt')).toMatchObject({ status: 'ok' });
    expect(await world.call('read_file', { paths: ['a.txt', 'b.txt'] })).toMatchObject({
      status: 'ok',
      output: 'old\nb\n',
    });
    await medium.remount('rw');
    expect(await world.call('write_file', { path: 'new.txt', content: 'x' })).toMatchObject({ status: 'ok' });
  });
});
