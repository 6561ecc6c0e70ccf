/**
 * The tasks that need reading, done by a scripted model and judged by the real files.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type Json } from '@assay/kernel';
import { SCRIPTS } from '../../../../scripts/control/scripts.mjs';
import * as tasks from '../../../../scripts/control/tasks.mjs';
import { controlled, type Controlled, type Course, type Doing } from './roles.ts';

/** A task as data. `confirm`: paths of which a person lets go. */
export type ReadingTask = {
  readonly name: string;
  readonly text: string;
  readonly reads: boolean;
  readonly confirm?: readonly string[];
};

const FOLDER = new URL('../../../../examples/tasks/', import.meta.url);

/** The twenty of them. */
export const READING: readonly ReadingTask[] = ['tasks', 'held-back']
  .flatMap((name) => tasks.tasksIn(fileURLToPath(new URL(`${name}.jsonl`, FOLDER))) as ReadingTask[])
  .filter(({ reads }) => reads);

/** What a task came to. `outcome`: by the files. `decided`: every event and request that was decided on. */
export type Played = Controlled & { readonly outcome: string; readonly decided: readonly Json[] };

/** Does a task, every role played by the scripted model. */
export async function played(
  task: ReadingTask,
  course: Pick<Course, 'wire' | 'isStreamed'>,
): Promise<Played> {
  const root = mkdtempSync(join(tmpdir(), `assay-${task.name}-`));
  try {
    tasks.makeWorkspace(root, task as never);
    const doing = (SCRIPTS as unknown as { readonly [name: string]: Doing })[task.name];
    if (doing === undefined) throw new Error(`no script for ${task.name}`);
    const run = await controlled(root, {
      text: task.text,
      doing,
      confirmed: task.confirm ?? [],
      // When an answer came is told in decisions.
      now: () => 0,
      ...course,
    });
    const accepted = run.end === 'success';
    const ended = { accepted, output: run.result.output, asked: false };
    const outcome = tasks.outcomeOf(root, task as never, ended);
    return { ...run, outcome, decided: decidedIn(run) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function decidedIn({ records }: Controlled): readonly Json[] {
  return records.flatMap(({ kind, payload }) =>
    kind === 'decision' && isObject(payload)
      ? [[payload['events'] ?? null, payload['requests'] ?? null]]
      : [],
  );
}
