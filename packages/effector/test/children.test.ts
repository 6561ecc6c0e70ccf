/** What a check is given, as it sees that itself, and what is left of it when its caller is killed. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../src/limits.ts';
import { findMeans } from '../src/tools/program.ts';
import { makeWorld, type World } from './tools/world.ts';

const CHECKS = {
  open: ['ls', '-1', '/proc/self/fd'],
  group: ['cat', '/proc/self/stat'],
  limits: ['cat', '/proc/self/limits'],
  devices: ['cat', '/proc/self/net/dev'],
  routes: ['cat', '/proc/self/net/route'],
};
let world: World;
beforeAll(async () => {
  world = await makeWorld({}, CHECKS);
});
afterAll(() => world.remove());

async function seen(name: keyof typeof CHECKS): Promise<string> {
  const { status, output } = await world.call('run_check', name);
  expect(status).toBe('ok');
  return output;
}

const CLOSE_ON_EXEC = 0o2_000_000;

function flagsOf(fd: string): number {
  return Number.parseInt(
    /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0',
    8,
  );
}

describe.runIf(process.platform === 'linux')('a check', () => {
  it('has an empty input, its two pipes, and nothing that this process opened', async () => {
    // What this process was given by its own parent without the mark that closes it goes on to every child.
    const given = readdirSync('/proc/self/fdinfo').filter(
      (fd) => Number(fd) > 2 && existsSync(`/proc/self/fdinfo/${fd}`) && (flagsOf(fd) & CLOSE_ON_EXEC) === 0,
    );
    const open = (await seen('open')).trim().split('\n');
    expect(open.filter((fd) => !given.includes(fd))).toEqual(['0', '1', '2', '3']);
  });

  it('leads a process group and a session of its own', async () => {
    const [pid, , , group, session] = (await seen('group')).replace(/\(.*\) /, '').split(' ');
    expect([group, session]).toEqual([pid, pid]);
  });

  it('leaves no core, and has the memory, time and file size it was given', async () => {
    const limits = new Map(
      (await seen('limits'))
        .split('\n')
        .map((line) => [line.slice(0, 25).trim(), line.slice(26).trim().split(/\s+/)[0]]),
    );
    const { checkMemoryBytes, checkCpuSeconds, checkFileBytes } = DEFAULT_LIMITS;
    expect(
      ['Max core file size', 'Max address space', 'Max cpu time', 'Max file size'].map((name) =>
        limits.get(name),
      ),
    ).toEqual(['0', String(checkMemoryBytes), String(checkCpuSeconds), String(checkFileBytes)]);
  });

  it('has no network but its own, which has no way out, where the catalogue says so', async () => {
    const devices = (await seen('devices'))
      .split('\n')
      .slice(2)
      .map((line) => line.split(':')[0]?.trim())
      .filter((name) => name !== '');
    const routes = await seen('routes');
    if (world.tools.catalogue.find(({ name }) => name === 'run_check')?.network === 'isolated')
      expect([
        devices.filter((name) => !/^(?:lo|tunl|sit|gre|erspan|ip6|ip_vti|gretap)/.test(name ?? '')),
        routes.trim().split('\n').length,
      ]).toEqual([[], 1]);
    else console.warn('effector: the kernel gives no network of their own to children here: not tested');
  });
});

/** It runs what was built: a process of its own knows no sources. */
const CALLER = `
  const { openWorkspace, toolset } = await import(process.argv[1]);
  const workspace = (await openWorkspace(process.argv[2])).right;
  const allow = { tools: [], checks: { sleep: ['sleep', '4242'] } };
  const tools = (await toolset(workspace, { allow })).right;
  await tools.run({ tool: 'run_check', input: 'sleep' });`;

/** Numbers of running processes that sleep so long. */
function sleepers(): readonly string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').join(' ');
      return /^\S*sleep 4242 $/.test(words);
    } catch {
      // No process, or it has ended meanwhile.
      return false;
    }
  });
}

async function until(holds: () => boolean, ms: number): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(10)) if (holds()) return true;
  return holds();
}

it.runIf(process.platform === 'linux')('kill -9 of the caller ends a check', async () => {
  if ((await findMeans(world.root)).tying.length === 0)
    return console.warn('effector: there is no setpriv here that ties a check to its caller: not tested');
  const before = sleepers();
  const index = new URL('../dist/index.js', import.meta.url).href;
  const caller = spawn(process.execPath, ['--input-type=module', '-e', CALLER, index, world.root], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const going = (): readonly string[] => sleepers().filter((pid) => !before.includes(pid));
  try {
    expect(await until(() => going().length === 1, 20_000)).toBe(true);
    caller.kill('SIGKILL');
    expect(await until(() => going().length === 0, 2_000)).toBe(true);
  } finally {
    caller.kill('SIGKILL');
    for (const pid of going()) process.kill(Number(pid), 'SIGKILL');
  }
});
