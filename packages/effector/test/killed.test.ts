/**
 * A process that is killed with kill -9 while a command runs for it. It runs what was built: a process of its
 * own knows no sources.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { openWorkspace } from '../src/index.ts';
import { findMeans } from '../src/shell/means.ts';
import { makeWorld, type World } from './tools/world.ts';

const CALLER =
  `
  const { openWorkspace, toolset } = await import(process.argv[1]);
  const workspace = (await openWorkspace(process.argv[2])).right;
  const tools = (await toolset(workspace, { allow: { tools: ['shell'], commands: ['sha256sum', 'cat', ` +
  `'grep'] }, limits: { wallMs: 60000, cpuSeconds: 60 } })).right;
  await tools.run({ tool: 'shell', input: process.argv[3] });`;

/** Running processes by their numbers, each with its name and its parent. */
function processes(): ReadonlyMap<number, { readonly name: string; readonly parent: number }> {
  const found = new Map<number, { readonly name: string; readonly parent: number }>();
  for (const pid of readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry))) {
    try {
      const [, name = '', state = '', parent = ''] =
        /^[0-9]+ \((.*)\) (\S) ([0-9]+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      if (state !== 'Z' && state !== 'X') found.set(Number(pid), { name, parent: Number(parent) });
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

async function until(holds: () => boolean, ms: number): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(10)) if (holds()) return true;
  return holds();
}

describe.runIf(process.platform === 'linux')('kill -9 of the caller', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
    truncateSync(world.put('long', ''), 1_000_000_000_000);
  });
  afterAll(() => world.remove());

  it.each([
    ['sha256sum long', ['sha256sum']],
    ['cat long | sha256sum', ['cat', 'sha256sum']],
    ["grep -r -c -e '' .", ['grep']],
  ])('%s: no command goes on', async (command, names) => {
    const means = await findMeans(orThrow(await openWorkspace(world.root)), ['cat']);
    if (means.tying.length === 0)
      return console.warn('effector: there is no setpriv here that ties a command to its caller: not tested');
    const caller = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        CALLER,
        new URL('../dist/index.js', import.meta.url).href,
        world.root,
        command,
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const children = (): readonly number[] =>
      [...processes()]
        .filter(([, { name, parent }]) => parent === caller.pid && names.includes(name))
        .map(([pid]) => pid);
    let left: readonly number[] = [];
    const going = (): readonly number[] =>
      left.filter((pid) => names.includes(processes().get(pid)?.name ?? ''));
    try {
      expect(await until(() => children().length === names.length, 20_000)).toBe(true);
      left = children();
      caller.kill('SIGKILL');
      expect(await until(() => going().length === 0, 2_000)).toBe(true);
    } finally {
      caller.kill('SIGKILL');
      for (const pid of going()) process.kill(pid, 'SIGKILL');
    }
  });
});
