/**
 * The tasks behind the golden runs `controller-e2e-*`: what `assay task` is called with, in a workspace as it
 * was.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './assay.ts';

/** A task, and the ledger that it leaves. `roles`: what says who plays them. */
export type Task = {
  readonly name: string;
  readonly directive: string;
  readonly task: string;
  readonly args: readonly string[];
  readonly roles: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly modifiedS: number;
  readonly ledger: string;
};

const FOLDER = join(ROOT, 'golden-fixtures');

/** Every task that stands alone, in the order of names. */
export function tasks(): readonly Task[] {
  return named('controller-e2e-').map(taskIn);
}

function named(beginning: string): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.startsWith(beginning))
    .sort();
}

function taskIn(name: string): Task {
  const at = (file: string): string => join(FOLDER, name, file);
  const told = JSON.parse(readFileSync(at('task.json'), 'utf8')) as {
    task: string;
    directive: string;
    roles: string[];
    args: string[];
    modified_s: number;
    files: Record<string, string>;
  };
  const roles = existsSync(at('recording.json'))
    ? told.roles.flatMap((role) => ['--proposer', `${role}=recorded:${at('recording.json')}`])
    : [];
  return {
    name,
    directive: told.directive,
    task: told.task,
    args: told.args,
    roles,
    files: told.files,
    modifiedS: told.modified_s,
    ledger: readFileSync(at('ledger.jsonl'), 'utf8'),
  };
}

/** The workspace of a task as it is at the beginning, at a path where nothing is. */
export function begunIn(folder: string, { files, modifiedS }: Pick<Task, 'files' | 'modifiedS'>): string {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, modifiedS, modifiedS);
  }
  return folder;
}

/** What stands in a workspace, by path. What a killed write left beside its place is no file of the task. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter(
    (entry) => entry.isFile() && !/^\.assay-[0-9a-f]{16}\.tmp$/.test(entry.name),
  );
  return Object.fromEntries(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  );
}
