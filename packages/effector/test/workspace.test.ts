import { mkdirSync, renameSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace } from '../src/index.ts';
import { makeWorld, type World } from './tools/world.ts';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.remove());

describe('a workspace', () => {
  it('is refused with a code where it is a link, is reached by one, is no folder or is not there', async () => {
    symlinkSync(world.root, join(world.beside, 'link'));
    symlinkSync('/', join(world.beside, 'out'));
    mkdirSync(join(world.root, 'inner'));
    const codes = new Map<string, unknown>();
    for (const path of [
      'link',
      'link/inner',
      'out',
      'canary.txt',
      'canary.txt/x',
      'nothing',
      'workspace/nothing',
    ]) {
      const opened = await openWorkspace(join(world.beside, path));
      codes.set(path, opened._tag === 'Left' ? opened.left.code : 'opened');
    }
    expect(Object.fromEntries(codes)).toEqual({
      link: 'symlink',
      'link/inner': 'symlink',
      out: 'symlink',
      'canary.txt': 'not_a_folder',
      'canary.txt/x': 'not_a_folder',
      nothing: 'missing',
      'workspace/nothing': 'missing',
    });
  });

  it.each(['.git', '.git/hooks', '.GIT'])('is nothing of git: %s', async (name) => {
    mkdirSync(join(world.root, name), { recursive: true });
    expect(await openWorkspace(join(world.root, name))).toMatchObject({ left: { code: 'git_folder' } });
  });

  it('says where a link leads, for whoever means that', async () => {
    symlinkSync(world.root, join(world.beside, 'link'));
    expect(await openWorkspace(join(world.beside, 'link'))).toEqual({
      _tag: 'Left',
      left: { code: 'symlink', path: join(world.beside, 'link'), real: world.root },
    });
  });

  it.each([
    ['/', 'root_folder'],
    ['', 'bad_path'],
    ['a\0b', 'bad_path'],
  ])('is not %j', async (path, code) => {
    expect(await openWorkspace(path)).toMatchObject({ _tag: 'Left', left: { code } });
  });

  it.runIf(process.platform === 'linux').each(['/proc', '/proc/sys', '/sys'])(
    'is no folder in which the kernel shows itself: %s',
    async (path) => {
      expect(await openWorkspace(path)).toMatchObject({ _tag: 'Left', left: { code: 'system_folder' } });
    },
  );

  it('is named by any spelling of its path', async () => {
    expect(await openWorkspace(`${world.beside}/./nothing/..//workspace/`)).toMatchObject({
      _tag: 'Right',
      right: { root: world.root },
    });
  });

  it('is recognised at each call: another folder under its path, a link or nothing is workspace_changed', async () => {
    world.put('a.txt', 'a');
    const away = join(world.beside, 'away');
    renameSync(world.root, away);
    const changed = { status: 'denied', code: 'workspace_changed' };
    expect(await world.call('read_file', 'a.txt')).toMatchObject(changed);
    symlinkSync(away, world.root);
    expect(await world.call('find_files', {})).toMatchObject(changed);
    renameSync(world.root, join(world.beside, 'link'));
    mkdirSync(world.root);
    expect(await world.call('write_file', { path: 'b.txt', content: 'b' })).toMatchObject(changed);
    rmdirSync(world.root);
    renameSync(away, world.root);
    expect(await world.call('read_file', 'a.txt')).toMatchObject({ status: 'ok', output: 'a' });
  });
});
