/**
 * `npm run eval:control`: what the rules do of the sixty tasks, judged by the files, as examples/tasks tells.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { RoleContext } from '@assay/controller/shell';
import { controlRulesPort } from '@assay/proposers/task-rules';
import type { Port } from '@assay/host';
import { runTask } from '../scripts/control/run.mjs';
import { outcomeOf, makeWorkspace, tasksIn } from '../scripts/control/tasks.mjs';

const base = mkdtempSync(join(tmpdir(), 'assay-eval-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const folder = fileURLToPath(new URL('../examples/tasks/', import.meta.url));
const tasks = ['tasks', 'held-back'].flatMap((name) => tasksIn(join(folder, `${name}.jsonl`)));

test('the rules do what the page says, and nothing wrong', async () => {
  const figures = { done: 0, wrong: 0, asked_person: 0, not_done: 0, calls: 0 };
  for (const task of tasks) {
    const rules = (context: RoleContext): (() => Port) => {
      const port = controlRulesPort(context);
      return () => port;
    };
    const { outcome, calls } = await runTask(task, join(base, task.name), rules);
    figures[outcome as keyof typeof figures] += 1;
    figures.calls += calls;
  }
  const { done, wrong, asked_person, not_done, calls } = figures;
  const row = ['`rules`', tasks.length, done, wrong, asked_person, not_done, calls, 0].join(' | ');
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(`| ${row} |`);
  expect(wrong).toBe(0);
});

test('a workspace that is left as it is fits no task that wants something', () => {
  for (const task of tasks) {
    const root = join(base, `idle-${String(task.name)}`);
    makeWorkspace(root, task);
    const ended = { accepted: true, output: '', asked: false };
    expect([task.name, outcomeOf(root, task, ended)]).toEqual([task.name, 'wrong']);
  }
});
