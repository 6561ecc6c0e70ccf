/**
 * The options of `assay control`, and of `assay resume` for a task.
 *
 * @module
 */
import type { Task } from '@assay/controller/shell';
import { isToolName, TOOL_NAMES } from '@assay/effector';
import { misuse } from '../../problems/problem.js';
import type { Named } from '../../options/identity.js';
import type { ModelFlags } from '../../options/llm.js';

/** What a call of `assay control` is given beside the task. */
export type ControlOptions = ModelFlags &
  Named & {
    readonly workspace?: string;
    readonly proposer: readonly string[];
    readonly allow: readonly string[];
    readonly shell: readonly string[];
    readonly confirm: readonly string[];
    readonly set: readonly string[];
    readonly policy?: string;
    readonly after: readonly string[];
    readonly memory?: string;
    readonly clock: boolean;
    readonly within?: string;
    readonly by?: string;
    readonly dream: string;
  };

/** The options of `resume` that a task may need. */
export type TaskOptions = {
  readonly workspace?: string;
  readonly shell: readonly string[];
  readonly confirm: readonly string[];
  readonly memory?: string;
  readonly dream?: string;
};

/** The first of these options that is given; null where none is. */
export function taskOption({ workspace, shell, confirm, memory }: TaskOptions): string | null {
  const given = { workspace, shell: shell[0], confirm: confirm[0], memory };
  const found = Object.entries(given).find(([, value]) => value !== undefined);
  return found === undefined ? null : `--${found[0]} ${String(found[1])}`;
}

/**
 * Reads `--confirm TOOL:TARGET`: an action that a person allows beforehand, by what the tool says it is about.
 * Raises `Stop`: `bad_value`.
 */
export function readConfirmed(given: readonly string[]): Task<unknown>['confirmed'] {
  return given.map((text) => {
    const at = text.indexOf(':');
    if (at < 1 || at === text.length - 1)
      throw misuse(
        'bad_value',
        'an action needs a tool and what it acts on',
        `--confirm ${text}`,
        'write it like --confirm remove_file:old.txt',
      );
    const tool = text.slice(0, at);
    if (!isToolName(tool))
      throw misuse(
        'bad_value',
        'unknown tool',
        `--confirm ${text}`,
        `the tools are ${TOOL_NAMES.join(', ')}`,
      );
    return { tool, target: text.slice(at + 1) };
  });
}
