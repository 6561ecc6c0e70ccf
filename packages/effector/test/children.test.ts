/**
 * What a child of the shell is given, seen by the child itself: its own files in the kernel are printed by a
 * command that no call could give these paths.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { openWorkspace } from '../src/index.ts';
import { DEFAULT_LIMITS } from '../src/limits.js';
import { aboutText, makeAim } from '../src/calls/aim.ts';
import type { CallContext } from '../src/calls/call.ts';
import { findMeans } from '../src/shell/means.ts';
import { runStages, type Stage } from '../src/shell/pipeline.ts';
import { watchFor } from '../src/limits.ts';
import { nothingMade } from '../src/workspace/path.js';
import { makeWorld, type World } from './tools/world.ts';

let world: World;
let context: CallContext;
beforeAll(async () => {
  world = await makeWorld();
  const workspace = orThrow(await openWorkspace(world.root));
  context = {
    workspace,
    limits: DEFAULT_LIMITS,
    aim: makeAim(aboutText(''), []),
    confirmed: null,
    made: nothingMade(),
    watch: watchFor(60_000, null),
    shell: await findMeans(workspace, ['cat', 'ls', 'sort']),
  };
});
afterAll(() => world.remove());

async function seen(name: 'cat' | 'ls' | 'sort', ...words: readonly string[]): Promise<string> {
  const stage: Stage = {
    name,
    file: context.shell.commands.get(name) ?? '',
    words,
    input: { sources: [null], end: 10 },
    answers: [0],
  };
  const { output, stop, faults } = await runStages(context, world.root, [stage]);
  expect({ stop, faults }).toEqual({ stop: null, faults: [] });
  return Buffer.from(output).toString('utf8');
}

const CLOSE_ON_EXEC = 0o2_000_000;

function flagsOf(fd: string): number {
  return Number.parseInt(
    /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0',
    8,
  );
}

describe.runIf(process.platform === 'linux')('a child', () => {
  it('has an environment of five words, none of ours', async () => {
    process.env['ASSAY_SECRET_OF_TEST'] = 'secret';
    expect(
      (await seen('cat', '/proc/self/environ'))
        .split('\0')
        .filter((word) => word !== '')
        .sort(),
    ).toEqual(['LANG=C', 'LC_ALL=C', 'PATH=/usr/bin:/bin', 'TMPDIR=/dev/null', 'TZ=UTC0']);
    delete process.env['ASSAY_SECRET_OF_TEST'];
  });

  it('has its three pipes open and nothing that this process opened', async () => {
    // What this process was given by its own parent without the mark that closes it goes on to every child.
    const given = readdirSync('/proc/self/fdinfo').filter(
      (fd) => Number(fd) > 2 && existsSync(`/proc/self/fdinfo/${fd}`) && (flagsOf(fd) & CLOSE_ON_EXEC) === 0,
    );
    expect(
      (await seen('ls', '-1', '/proc/self/fd'))
        .trim()
        .split('\n')
        .filter((fd) => !given.includes(fd)),
    ).toEqual(['0', '1', '2', '3']);
  });

  it('leads a process group and a session of its own', async () => {
    const [pid, , , group, session] = (await seen('cat', '/proc/self/stat'))
      .replace(/\(.*\) /, '')
      .split(' ');
    expect([group, session]).toEqual([pid, pid]);
  });

  it('may write no file, leave no core, and has the memory and time it was given', async () => {
    const limits = new Map(
      (await seen('cat', '/proc/self/limits'))
        .split('\n')
        .map((line) => [line.slice(0, 25).trim(), line.slice(26).trim().split(/\s+/)[0]]),
    );
    expect(
      context.shell.bounding === null
        ? null
        : [
            limits.get('Max file size'),
            limits.get('Max core file size'),
            limits.get('Max address space'),
            limits.get('Max cpu time'),
            limits.get('Max processes'),
          ],
    ).toEqual(['0', '0', String(DEFAULT_LIMITS.memoryBytes), String(DEFAULT_LIMITS.cpuSeconds), '1']);
    const stage: Stage = {
      name: 'sort',
      file: context.shell.commands.get('sort') ?? '',
      words: ['-o', 'written', '/proc/self/status'],
      input: { sources: [null], end: 10 },
      answers: [0],
    };
    expect((await runStages(context, world.root, [stage])).faults).toMatchObject([{ name: 'sort' }]);
    expect(readdirSync(world.root).flatMap((name) => world.read(name))).toEqual(['']);
  });

  it('has no network but its own, which has no way out, where the catalogue says so', async () => {
    const devices = (await seen('cat', '/proc/self/net/dev'))
      .split('\n')
      .slice(2)
      .map((line) => line.split(':')[0]?.trim())
      .filter((name) => name !== '');
    const routes = await seen('cat', '/proc/self/net/route');
    const said = world.tools.catalogue.find(({ name }) => name === 'shell')?.network;
    expect(said).toBe(context.shell.isolation.length === 0 ? 'not_isolated' : 'isolated');
    if (said === 'isolated')
      expect([
        devices.filter((name) => !/^(?:lo|tunl|sit|gre|erspan|ip6|ip_vti|gretap)/.test(name ?? '')),
        routes.trim().split('\n').length,
      ]).toEqual([[], 1]);
    else console.warn('effector: the kernel gives no network of their own to children here: not tested');
  });
});
