/**
 * The tools of a workspace, as a task may use them.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import type { Tool } from '../index.js';
import {
  isToolName,
  openWorkspace,
  TOOL_NAMES,
  toolset,
  type Toolset,
  type Workspace,
} from '@assay/effector';
import { effectorTools, declared, type TaskTool } from './executor/tool.js';

/** Tools of a run, how its policy lists them, and those of this machine as they are. */
export type TaskTools = {
  readonly workspace: string;
  readonly tools: readonly TaskTool[];
  readonly listed: readonly Tool[];
  readonly toolset: Toolset;
};

/**
 * Why there are no tools. `workspace`: the folder cannot be one. `allow`: there is no such tool. `tools`: these
 * cannot be used together.
 */
export type TaskToolsError =
  | { readonly code: 'workspace'; readonly workspace: string; readonly why: string }
  | { readonly code: 'allow'; readonly name: string }
  | { readonly code: 'tools'; readonly workspace: string; readonly why: string; readonly path: string };

/**
 * Opens a workspace. Without `allow` every tool for files is allowed. `checks`: declared checks (dec-K82).
 * `added`: a host's own tools, behind them. Codes: `workspace`, `allow`, `tools`.
 */
export async function openTaskTools(
  workspace: string,
  {
    allow = TOOL_NAMES,
    checks = {},
  }: {
    readonly allow?: readonly string[];
    readonly checks?: Readonly<Record<string, readonly string[]>>;
  },
  added: readonly TaskTool[] = [],
): Promise<Result<TaskToolsError, TaskTools>> {
  const opened = await openTaskFolder(workspace);
  if (opened._tag === 'Left') return opened;
  const unknown = allow.find((name) => !isToolName(name));
  if (unknown !== undefined) return err({ code: 'allow', name: unknown });
  const tools = await toolset(opened.right, { allow: { tools: allow.filter(isToolName), checks } });
  if (tools._tag === 'Left')
    return err({ code: 'tools', workspace, why: tools.left.code, path: tools.left.path });
  const all = [...effectorTools(tools.right), ...added];
  return ok({ workspace, tools: all, listed: all.map(declared), toolset: tools.right });
}

/** A folder as a workspace. Code `workspace`. */
export async function openTaskFolder(workspace: string): Promise<Result<TaskToolsError, Workspace>> {
  const opened = await openWorkspace(workspace);
  return opened._tag === 'Left' ? err({ code: 'workspace', workspace, why: opened.left.code }) : opened;
}
