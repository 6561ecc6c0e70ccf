/**
 * Declared checks, and a plan whose tasks an agent does. Source: dec-K82.
 *
 * @module
 */
import { isName, type JsonObject } from '@assay/kernel';
import type { ConstraintDraft } from '@assay/planner';
import { misuse } from '../../problems/problem.js';

/** The options of carrying out. */
export type ExecuteOptions = {
  readonly execute?: boolean;
  readonly workspace?: string;
  readonly check: readonly string[];
};

/** Commands by the name of their check. */
export type Checks = Readonly<Record<string, readonly string[]>>;

/** Reads `--check NAME=COMMAND`: words apart by spaces, no shell. Raises `Stop`: `bad_value`, `option_needed`. */
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
  return Object.fromEntries(
    check.map((given) => {
      const [, name = '', command = ''] = /^([^=]*)=(.*)$/s.exec(given) ?? [];
      const words = command.split(' ').filter((word) => word !== '');
      if (isName(name) && words.length > 0) return [name, words];
      throw misuse(
        'bad_value',
        'a check needs a name and a command',
        `--check ${given}`,
        'write it like --check unit="node --test"',
      );
    }),
  );
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
