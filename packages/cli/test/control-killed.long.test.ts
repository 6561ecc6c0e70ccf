/**
 * A task of `assay task`, one for each directive: killed in the middle with kill -9 and resumed, it ends
 * as one that was not.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { argv, BIN, ROOT, spawned, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { drawing } from './lib/killed.ts';
import { bytesIn, kindsOfStores } from './lib/places.ts';
import { begunIn, filesIn, tasks, type Task } from './lib/tasks.ts';

const folder = temporaryFolder();
/** Kills for each directive and each kind of store: as many as `ASSAY_KILLS` says, else 1. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 1);
const SEED = 20_261_122;
const TASKS = tasks();
const kinds = kindsOfStores(folder);
let made = 0;
const place = (task: Task): string => begunIn(join(folder, `workspace-${(made += 1)}`), task);
const recordsOf = (ledger: string): number => ledger.split('\n').length - 1;
const directivesOf = (ledger: string): readonly string[] =>
  [...ledger.matchAll(/"prev_directive":"([a-z_]+)"/g)].map(([, found]) => found ?? '');

/**
 * Calls `assay` and kills it some milliseconds after its store has so many records; true where it was killed
 * before it ended.
 */
async function killedAt(
  args: readonly string[],
  {
    url,
    runId,
    records,
    afterMs,
  }: { readonly url: string; readonly runId: string; readonly records: number; readonly afterMs: number },
): Promise<{ readonly isKilled: boolean; readonly code: number | null; readonly stderr: string }> {
  const { CI: _ci, NODE_OPTIONS: _node, ...env } = process.env;
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<{
    readonly isKilled: boolean;
    readonly code: number | null;
    readonly stderr: string;
  }>((resolve) => {
    child.on('close', (code, signal) => resolve({ isKilled: signal === 'SIGKILL', code, stderr }));
  });
  while (
    child.exitCode === null &&
    child.signalCode === null &&
    recordsOf((await bytesIn(url, runId).catch(() => null)) ?? '') < records
  )
    await sleep(1);
  await sleep(afterMs);
  child.kill('SIGKILL');
  return ended;
}

describe('a task killed in the middle and resumed', { timeout: 300_000 * Math.max(1, KILLS / 2) }, () => {
  test('there is one for each directive that the solver has', () => {
    expect(TASKS.map(({ directive }) => directive).sort()).toEqual([
      'abandon',
      'accept',
      'break_symmetry',
      'change_approach',
      'change_path',
      'refine',
      'success',
    ]);
    for (const { directive, ledger } of TASKS) expect(ledger).toContain(`"directive":"${directive}"`);
  });

  const whole = new Map<string, Readonly<Record<string, string>>>();
  beforeAll(async () => {
    for (const task of TASKS) {
      const workspace = place(task);
      const { code, stderr } = await called(
        ...argv`task ${task.task} --workspace ${workspace} ${task.args} ${task.roles}`,
        ...argv`--store file:${join(folder, 'whole')}`,
      );
      expect([code, await bytesIn(`file:${join(folder, 'whole')}`, task.name)], stderr).toEqual([
        task.directive === 'abandon' ? 1 : 0,
        task.ledger,
      ]);
      whole.set(task.name, filesIn(workspace));
    }
  });

  test.each(kinds.flatMap((kind) => TASKS.map((task) => ({ ...kind, task, directive: task.directive }))))(
    `$directive over $kind: ${KILLS} times kill -9, seed ${SEED}`,
    async ({ fresh, task }) => {
      const draw = drawing(SEED + TASKS.indexOf(task));
      const { name, ledger } = task;
      const count = recordsOf(ledger);
      const lengths: number[] = [];
      let repeated = 0;
      for (let trial = 0; lengths.length < KILLS && trial < 40 * KILLS; trial += 1) {
        const url = fresh();
        const workspace = place(task);
        let verb: readonly string[] = ['task', task.task, ...task.args, '--store', url];
        let ended = { isKilled: true, code: null as number | null, stderr: '' };
        for (let life = 0; ended.isKilled && life < 12; life += 1) {
          const stored = recordsOf((await bytesIn(url, name)) ?? '');
          const records = Math.min(count - 1, stored + 1 + draw(Math.max(1, count - stored - 1)));
          ended = await killedAt([...verb, '--workspace', workspace, ...task.roles], {
            url,
            runId: name,
            records: life > 3 ? Infinity : records,
            afterMs: draw(4),
          });
          if (!ended.isKilled) break;
          const left = await bytesIn(url, name);
          if (left === null) continue;
          if (recordsOf(left) < count) lengths.push(recordsOf(left));
          verb = ['resume', `${url}#${name}`];
        }
        expect(ended.code, ended.stderr).toBe(task.directive === 'abandon' ? 1 : 0);
        const bytes = (await bytesIn(url, name)) ?? '';
        // A call may be made twice, and says so: a file that is written already is `unchanged`. The decisions
        // are the same.
        if (bytes !== ledger) {
          repeated += 1;
          expect(bytes).toContain('unchanged report');
        }
        expect(directivesOf(bytes)).toEqual(directivesOf(ledger));
        expect(filesIn(workspace)).toEqual(whole.get(name));
        const again = await called('resume', `${url}#${name}`, '-o', join(workspace, '..', `out-${made}`));
        expect(again.stdout).toContain('This run had already finished');
        expect((await called('verify', join(workspace, '..', `out-${made}`, 'run.ledger.jsonl'))).code).toBe(
          0,
        );
      }
      console.log(
        `${task.directive}: killed after ${lengths.join(', ')} of ${count} records; ${repeated} ` +
          'runs with a call made twice',
      );
      expect(lengths.length).toBeGreaterThanOrEqual(KILLS);
    },
  );
});

test('of two processes at once on one folder of results one has it; the other did nothing', async () => {
  for (let round = 0; round < 5; round += 1)
    for (const [kind, one, other] of [
      ['task', 'write "a" to a.md', 'write "b" to b.md'],
      ['run', 'Logs must be deleted after 30 days.', 'Backups must be kept for 90 days.'],
    ] as const) {
      const at = (name: string): string => join(folder, `at-once-${kind}-${round}`, name);
      mkdirSync(at('work'), { recursive: true });
      const where = [...(kind === 'task' ? ['--workspace', at('work')] : []), '-o', at('out')];
      const ended = await Promise.all([one, other].map((text) => spawned([kind, text, ...where])));
      expect(ended.map(({ code }) => code).toSorted(), JSON.stringify(ended)).toEqual([0, 2]);
      expect(readdirSync(at('work'))).toHaveLength(kind === 'task' ? 1 : 0);
      expect((await called('verify', at('out/run.ledger.jsonl'))).code).toBe(0);
    }
});

test('a task killed with -o alone goes on in its folder', async () => {
  const task = TASKS[0] ?? expect.unreachable();
  const [workspace, out] = [place(task), join(folder, 'killed-out')];
  const call = ['task', task.task, '--workspace', workspace, ...task.args, ...task.roles, '-o', out];
  const { CI: _ci, NODE_OPTIONS: _node, ...env } = process.env;
  const child = spawn(process.execPath, [BIN, ...call], { cwd: ROOT, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  while (child.exitCode === null && !existsSync(join(out, 'run.ledger.jsonl'))) await sleep(1);
  child.kill('SIGKILL');
  await ended;
  expect((await called('verify', join(out, 'run.ledger.jsonl'))).code).toBe(0);
  expect((await called('run', 'Keep logs 5 days.', '-o', out)).code).toBe(2);
  const resumed = await called('resume', out, '--workspace', workspace, ...task.roles);
  expect(resumed.code, resumed.stderr).toBe(task.directive === 'abandon' ? 1 : 0);
  expect((await called('verify', join(out, 'run.ledger.jsonl'))).code).toBe(0);
});
