/**
 * The tools of a workspace, as a call of `assay control` allows them.
 *
 * @module
 */
import type { Tool } from '@assay/controller';
import {
  openWorkspace,
  toolset,
  TOOL_NAMES,
  COMMAND_NAMES,
  isCommandName,
  isToolName,
  type Toolset,
  type Workspace,
} from '@assay/effector';
import { misuse } from '../problem.js';
import type { ControlOptions } from './options.js';

/** Tools of a run, and how its policy lists them. */
export type Hands = { readonly workspace: string; readonly tools: Toolset; readonly listed: readonly Tool[] };

/**
 * Opens a workspace. Without `--allow` every tool for files is allowed, and none of the shell; commands of
 * the shell are named one by one. Raises `Stop`: `no_workspace`, `workspace`, `allow`, `shell`.
 */
export async function openHands({
  workspace,
  allow,
  shell,
}: Pick<ControlOptions, 'workspace' | 'allow' | 'shell'>): Promise<Hands> {
  if (workspace === undefined)
    throw misuse(
      'no_workspace',
      'a task is done in a folder, and none is named',
      '--workspace',
      'name one, such as --workspace .',
    );
  const opened = await openFolder(workspace);
  const commands = shell.map((name) => {
    if (!isCommandName(name))
      throw misuse(
        'shell',
        'the shell of a run has no such command',
        `--shell ${name}`,
        `its commands are ${COMMAND_NAMES.join(', ')}`,
      );
    return name;
  });
  const named = allow.map((name) => {
    if (!isToolName(name))
      throw misuse(
        'allow',
        'there is no such tool',
        `--allow ${name}`,
        `the tools are ${TOOL_NAMES.join(', ')}`,
      );
    return name;
  });
  const files =
    named.length === 0
      ? TOOL_NAMES.filter((name) => name !== 'shell')
      : named.filter((name) => name !== 'shell');
  const tools = await toolset(opened, {
    allow: { tools: commands.length === 0 ? files : [...files, 'shell'], commands },
  });
  if (tools._tag === 'Left')
    throw misuse(
      'allow',
      `these tools cannot be used (${tools.left.code} at ${tools.left.path})`,
      workspace,
      'see docs/guides/effector.md',
    );
  return {
    workspace,
    tools: tools.right,
    listed: tools.right.catalogue.map(({ name, class: of, reversible, available }) => ({
      name,
      class: of,
      reversible,
      available,
    })),
  };
}

/** A folder as a workspace. Raises `Stop`, `workspace`, where it cannot be one. */
export async function openFolder(workspace: string): Promise<Workspace> {
  const opened = await openWorkspace(workspace);
  if (opened._tag === 'Left')
    throw misuse(
      'workspace',
      `this folder cannot be a workspace (${opened.left.code})`,
      workspace,
      'name a folder that exists, by a path without links',
    );
  return opened.right;
}
