/**
 * Declared checks, and a plan whose tasks an agent does. Source: dec-K82.
 *
 * @module
 */
import { isName, type JsonObject } from '@assay/kernel';
import type { ConstraintDraft, Policy } from '@assay/planner';
import { misuse } from '../../problems/problem.js';
import { commandLine } from '../../terminal/quote.js';
import { show } from '../../terminal/shown.js';

/** The options of carrying out. */
export type ExecuteOptions = {
  readonly execute?: boolean;
  readonly workspace?: string;
  readonly check: readonly string[];
};

/** Names and commands, as a policy records them. */
export type Checks = Policy['checks'];

/** Reads `--check NAME=COMMAND`: words apart by spaces, no quotes, no shell. Raises `Stop`: `bad_value`, `option_needed`. */
export function readChecks({ execute, workspace, check }: ExecuteOptions): Checks {
  if (execute !== true && (workspace !== undefined || check.length > 0))
    throw misuse('option_needed', 'only a plan that is carried out has these', '--execute', 'give --execute');
  if (execute === true && workspace === undefined)
    throw misuse('option_needed', 'carrying out needs a folder', '--workspace', 'name one: --workspace work');
  const names = check.map((given) => given.slice(0, given.indexOf('=')));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined)
    throw misuse(
      'bad_value',
      'a check is declared twice',
      `--check ${twice}`,
      'give each check a name of its own',
    );
  return check.map((given) => {
    const [, name = '', words = ''] = /^([^=]*)=(.*)$/s.exec(given) ?? [];
    if (/['"\\]/.test(words))
      throw misuse(
        'bad_value',
        'no shell reads this command, so quotes and backslashes in it mean nothing; spaces part its words',
        `--check ${given}`,
        'leave them out, or put the command into a script and name that',
      );
    const command = words.split(' ').filter((word) => word !== '');
    if (isName(name) && command.length > 0) return { name, command };
    throw misuse(
      'bad_value',
      'a check needs a name and a command',
      `--check ${given}`,
      'write it like --check unit="node --test"',
    );
  });
}

/**
 * Holds the checks of a call to those that its run records. They are given again each time: a ledger may be a
 * stranger's, so none of its commands runs unasked. Raises `Stop`: `option_needed`, `bad_value`.
 */
export function requireSameChecks(given: Checks, recorded: Checks): void {
  const commandOf = (checks: Checks, wanted: string): readonly string[] | undefined =>
    checks.find(({ name }) => name === wanted)?.command;
  for (const { name } of [...recorded, ...given]) {
    const [theirs, ours] = [commandOf(recorded, name), commandOf(given, name)];
    if (JSON.stringify(theirs) === JSON.stringify(ours)) continue;
    if (theirs === undefined)
      throw misuse('bad_value', `this run has no check ${name}`, `--check ${name}`, 'leave it out');
    const again = commandLine(['--check', `${name}=${theirs.join(' ')}`]);
    if (ours === undefined)
      throw misuse(
        'option_needed',
        `this run has the check ${name}; its command is never taken from a ledger`,
        '--check',
        show`give it again, if you trust it: ${again}`,
      );
    throw misuse(
      'bad_value',
      `this run has another command for the check ${name}`,
      `--check ${name}=${ours.join(' ')}`,
      show`give the same, if you trust it: ${again}`,
    );
  }
}

/** A declared check as a constraint of the goal. */
export function checkDraft(name: string): ConstraintDraft {
  return {
    id: `check-${name}`,
    type: 'logic',
    domain: 'software',
    title: `the check ${name} ends with exit 0`,
    scope: 'local',
    hard: true,
    removal: null,
    payload: { t: 'check', name },
  };
}

/** Tasks of a plan that is carried out: the last ones carry the checks. */
export function forAgent(split: JsonObject, checks: readonly string[]): JsonObject {
  const tasks = (split['tasks'] as readonly JsonObject[]).map(({ id, after }) => ({
    id: id as string,
    after: (after ?? []) as readonly string[],
  }));
  const waited = new Set(tasks.flatMap(({ after }) => after));
  const carried = checks.map((name) => checkDraft(name).id);
  return {
    ...split,
    carries: carried.length === 0 ? [] : tasks.flatMap(({ id }) => (waited.has(id) ? [] : [[id, carried]])),
  };
}
