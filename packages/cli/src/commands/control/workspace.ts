/**
 * The tools of a workspace, as a call of `assay control` allows them.
 *
 * @module
 */
import { openTaskFolder, openTaskTools, type TaskTools, type TaskToolsError } from '@assay/agent';
import { COMMAND_NAMES, TOOL_NAMES } from '@assay/effector';
import { misuse, type Stop } from '../../problems/problem.js';
import type { ControlOptions } from './options.js';

/**
 * Opens a workspace. Without `--allow` every tool for files is allowed, and none of the shell; commands of
 * the shell are named one by one. Raises `Stop`: `no_workspace`, `workspace`, `allow`, `shell`.
 */
export async function openTools({
  workspace,
  ...allowed
}: Pick<ControlOptions, 'workspace' | 'allow' | 'shell'>): Promise<TaskTools> {
  if (workspace === undefined)
    throw misuse(
      'no_workspace',
      'a task is done in a folder, and none is named',
      '--workspace',
      'name one, such as --workspace .',
    );
  const tools = await openTaskTools(workspace, allowed);
  if (tools._tag === 'Left') throw toolsProblem(tools.left);
  return tools.right;
}

/** That a folder can be a workspace. Raises `Stop`, `workspace`. */
export async function requireWorkspace(workspace: string): Promise<void> {
  const opened = await openTaskFolder(workspace);
  if (opened._tag === 'Left') throw toolsProblem(opened.left);
}

function toolsProblem(error: TaskToolsError): Stop {
  switch (error.code) {
    case 'workspace':
      return misuse(
        'workspace',
        `this folder cannot be a workspace (${error.why})`,
        error.workspace,
        'name a folder that exists, by a path without links',
      );
    case 'shell':
      return misuse(
        'shell',
        'the shell of a run has no such command',
        `--shell ${error.name}`,
        `its commands are ${COMMAND_NAMES.join(', ')}`,
      );
    case 'allow':
      return misuse(
        'allow',
        'there is no such tool',
        `--allow ${error.name}`,
        `the tools are ${TOOL_NAMES.join(', ')}`,
      );
    case 'tools':
      return misuse(
        'allow',
        `these tools cannot be used (${error.why} at ${error.path})`,
        error.workspace,
        'see docs/guides/effector.md',
      );
  }
}
