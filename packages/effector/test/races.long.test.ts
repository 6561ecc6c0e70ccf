/**
 * Somebody exchanges a folder or a file of the workspace for a link out, over and over, while calls go on.
 * Where names are reached from open folders, no call may ever come out.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWorld, type World } from './tools/world.ts';

const CALLS_MS = 1_500;
const PATIENCE_MS = 20_000;
/**
 * Makes `d` by turns a folder with a file, nothing and a link to the folder of the canary, and `f` likewise.
 * What a call put there goes.
 */
const SWAPPER = `
  const fs = require('node:fs');
  const [root, beside] = process.argv.slice(1);
  process.chdir(root);
  fs.mkdirSync('gone');
  let count = 0;
  const clear = (name) => { try { fs.renameSync(name, 'gone/' + (count += 1)); } catch {} };
  const put = (name) => { for (;;) { try { return fs.renameSync('new', name); } catch { clear(name); } } };
  process.stdout.write('ready');
  for (let round = 0; ; round += 1) {
    fs.mkdirSync('new'); fs.writeFileSync('new/canary.txt', 'inside\\n'); put('d'); clear('d');
    fs.symlinkSync(beside, 'new'); put('d'); clear('d');
    fs.writeFileSync('new', 'inside\\n'); put('f'); clear('f');
    fs.symlinkSync(beside + '/canary.txt', 'new'); put('f'); clear('f');
    if (round % 50 === 0) { fs.rmSync('gone', { recursive: true }); fs.mkdirSync('gone'); }
  }`;

describe.runIf(process.platform === 'linux')(
  'effector/no-way-out-in-a-race: while somebody exchanges folders and files for links out',
  () => {
    let world: World;
    let swapper: ChildProcess;
    beforeEach(async () => {
      world = await makeWorld();
      swapper = spawn(process.execPath, ['-e', SWAPPER, world.root, world.beside], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (swapper.stdout !== null) await once(swapper.stdout, 'data');
    });
    afterEach(async () => {
      const ended = swapper.exitCode !== null;
      if (!ended) {
        swapper.kill('SIGKILL');
        await once(swapper, 'exit');
      }
      world.remove();
      expect(ended, 'the one who exchanges went on to the end').toBe(false);
    });

    it.each([
      ['read_file', { path: 'd/canary.txt' }],
      ['read_file', { path: 'f' }],
      ['find_files', { under: 'd', contains: 'canary: nobody' }],
      ['find_files', { contains: 'canary: nobody' }],
      ['write_file', { path: 'd/canary.txt', content: 'changed\n' }],
      ['write_file', { path: 'f', content: 'changed\n' }],
      ['append_file', { path: 'd/canary.txt', content: 'inside\n' }],
      ['append_file', { path: 'f', content: 'inside\n' }],
      ['remove_file', { path: 'd/canary.txt' }],
      ['make_dir', { path: 'd/made' }],
      ['move_file', { from: 'd/canary.txt', to: 'd/moved' }],
    ])('%s %j never comes out', async (tool, input) => {
      const outside = readdirSync(world.beside);
      const ends = new Map<string, number>();
      const end = performance.now() + CALLS_MS;
      let calls = 0;
      // A busy machine may need longer for as many, and until both ends were met.
      const isEnough = (): boolean => calls > 20 && (tool !== 'read_file' || ends.size > 1);
      const isOver = (): boolean => performance.now() > (isEnough() ? end : end + PATIENCE_MS);
      while (!isOver()) {
        const call = await world.call(tool, input, { confirmed: true });
        expect(call.output).not.toContain('nobody reads');
        const code = call.code ?? 'ok';
        ends.set(code, (ends.get(code) ?? 0) + 1);
        calls += 1;
      }
      expect(world.isUntouched()).toBe(true);
      expect(readdirSync(world.beside)).toEqual(outside);
      // It was a race: the same call ended in more than one way.
      expect([isEnough(), calls, ends]).toEqual([true, calls, ends]);
    });
  },
);
