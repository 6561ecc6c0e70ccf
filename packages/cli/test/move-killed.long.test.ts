/**
 * A move whose process is killed with kill -9 at each step of it: what came of it is not known, so that it is
 * lost, and not made again (calls/C15).
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { BIN, ROOT, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();
const TASK = 'move a.txt to n/z.txt';
/**
 * A module that kills the process before the call with this number of a function of the file system that
 * names the file.
 */
const killer = join(folder, 'killer.mjs');
writeFileSync(
  killer,
  `import { promises as fs } from 'node:fs';
const [name, at] = process.env.KILL_AT.split(' ');
const real = fs[name];
let calls = 0;
fs[name] = (...args) => {
  if (args.some((arg) => /\\/a\\.txt$/.test(arg)) && (calls += 1) === ` +
    `Number(at)) process.kill(process.pid, 'SIGKILL');
  return real(...args);
};
`,
);

function assay(args: readonly string[], killAt: string | null): ReturnType<typeof spawnSync> {
  const { CI: _ci, NODE_OPTIONS: _node, ...env } = process.env;
  return spawnSync(process.execPath, [...(killAt === null ? [] : ['--import', killer]), BIN, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: killAt === null ? env : { ...env, KILL_AT: killAt },
  });
}

test.each([
  ['link 1', 'before anything', ['a.txt', 'n']],
  ['unlink 1', 'before the old name goes', ['a.txt', 'n', 'n/z.txt']],
])('kill -9 at %s, %s', (killAt, _, left) => {
  const workspace = join(folder, killAt);
  const url = `file:${join(folder, `store ${killAt}`)}`;
  const names = (): readonly string[] => readdirSync(workspace, { recursive: true, encoding: 'utf8' }).sort();
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'a.txt'), 'one\n');
  expect(
    assay(['task', TASK, '--workspace', workspace, '--set', 'run_id=moved', '--store', url], killAt).signal,
  ).toBe('SIGKILL');
  expect(names()).toEqual(left);
  const resumed = assay(['resume', `${url}#moved`, '--workspace', workspace], null);
  expect([resumed.stdout], String(resumed.stderr)).toEqual([expect.stringContaining('Abandoned')]);
  expect([names(), readFileSync(join(workspace, 'a.txt'), 'utf8')]).toEqual([left, 'one\n']);
});
