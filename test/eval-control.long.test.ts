/** `npm run eval:control`: sixty tasks for models, judged by the files, as examples/tasks tells. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { outcomeOf, makeWorkspace, tasksIn } from '../scripts/control/tasks.mjs';

const base = mkdtempSync(join(tmpdir(), 'assay-eval-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const folder = fileURLToPath(new URL('../examples/tasks/', import.meta.url));
const tasks = ['tasks', 'held-back'].flatMap((name) => tasksIn(join(folder, `${name}.jsonl`)));

test('a workspace that is left as it is fits no task that wants something', () => {
  for (const task of tasks) {
    const root = join(base, `idle-${String(task.name)}`);
    makeWorkspace(root, task);
    const ended = { accepted: true, output: '', asked: false };
    expect([task.name, outcomeOf(root, task, ended)]).toEqual([task.name, 'wrong']);
  }
});
