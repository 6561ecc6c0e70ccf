/**
 * What a stored task was begun with and its first record does not hold: asked for, never guessed. The tools
 * of a workspace, as a task may use them.
 */
import { realpathSync } from 'node:fs';
import { err, ok, runView, type EvidenceRecord, type JsonObject, type Result } from '@assay/kernel';
import { CAST, type CastRole, type Policy, type Tool } from '../index.js';
import { derivedIdentity } from '@assay/host';
import {
  isToolName,
  openWorkspace,
  TOOL_NAMES,
  toolset,
  type Toolset,
  type Workspace,
} from '@assay/effector';
import { type TaskTool, effectorTools, declared } from './executor/mcp-tools.js';
import { type Players, playedBy } from './roles/players.js';

/** A task as its first record has it. */
type BegunTask = {
  readonly ts_base: string;
  readonly input: JsonObject;
  readonly policy: JsonObject;
};

/**
 * Why a task has not the tools that it was begun with. `needed`: an option that the record does not hold.
 * `tools_differ`: `tool` was there when it was begun and is not now, or the other way round (`wasThere`).
 */
export type ToolsAgainError =
  | { readonly code: 'needed'; readonly option: 'workspace' | 'memory' }
  | { readonly code: 'other_workspace' }
  | { readonly code: 'tools_differ'; readonly tool: string; readonly wasThere: boolean }
  | TaskToolsError;

/** The tools of a stored task in the folder that is named: those of its policy. Codes: {@link ToolsAgainError}. */
export async function toolsAgain(
  begun: BegunTask,
  { workspace, hasMemory }: { readonly workspace: string | undefined; readonly hasMemory: boolean },
  added: readonly TaskTool[] = [],
): Promise<Result<ToolsAgainError, TaskTools>> {
  const policy = begun.policy as unknown as Policy;
  if (workspace === undefined) return err({ code: 'needed', option: 'workspace' });
  if (policy.memory && !hasMemory) return err({ code: 'needed', option: 'memory' });
  const listed = policy.tools.map(({ name }) => name);
  const tools = await openTaskTools(workspace, { allow: listed.filter(isToolName) }, added);
  if (tools._tag === 'Left') return tools;
  const here = await sameFolder(begun, workspace);
  if (here._tag === 'Left') return here;
  const now = tools.right.listed.map(({ name }) => name);
  const [gone, more] = [
    listed.find((name) => !now.includes(name)),
    now.find((name) => !listed.includes(name)),
  ];
  const tool = gone ?? more;
  return tool === undefined ? tools : err({ code: 'tools_differ', tool, wasThere: gone !== undefined });
}

/** A name that was derived says of which folder the task is: the same words elsewhere are another run. */
export async function sameFolder(
  { input, policy, ts_base }: BegunTask,
  workspace: string,
): Promise<Result<ToolsAgainError, void>> {
  const opened = await openTaskFolder(workspace);
  if (opened._tag === 'Left') return opened;
  const names = [
    derivedIdentity({ ...input, workspace: realpathSync(workspace) }, policy),
    derivedIdentity(input, policy),
  ];
  const isDerived = /^input-[0-9a-f]{12}$/.test(ts_base);
  return isDerived && !names.some((name) => name.ts_base === ts_base)
    ? err({ code: 'other_workspace' })
    : ok(undefined);
}

/**
 * Why a role cannot go on. `bound`: the policy binds these, and nobody is named. `cast`: another than the one
 * bound is named. `played`: neither rules nor tools played this one so far, and nobody is named.
 */
export type RolesError =
  | {
      readonly code: 'bound';
      readonly lacking: readonly { readonly role: CastRole; readonly bound: string }[];
    }
  | { readonly code: 'cast'; readonly role: CastRole; readonly bound: string; readonly plays: string }
  | { readonly code: 'played'; readonly role: CastRole; readonly proposer: string };

/**
 * That every role of a stored task goes on with whom it needs: one that its policy binds with exactly that
 * player, since the machine rejects everybody else's answers; another with somebody named, if neither rules
 * nor tools played it so far. Right: how many answers there are. Codes: {@link RolesError}.
 */
export function rolesAgain(
  { policy }: Pick<BegunTask, 'policy'>,
  records: readonly EvidenceRecord[],
  { namesOf, unnamed }: Pick<Players, 'namesOf' | 'unnamed'>,
): Result<RolesError, number> {
  const { roles } = policy as unknown as Policy;
  const unfit = CAST.flatMap((role) => {
    const bound = roles[role];
    return bound !== null && !namesOf(role).has(bound) ? [{ role, bound }] : [];
  });
  const lacking = unfit.filter(({ role }) => unnamed.has(role));
  if (lacking.length > 0) return err({ code: 'bound', lacking });
  const [other] = unfit;
  if (other !== undefined) return err({ code: 'cast', ...other, plays: [...namesOf(other.role)].join(', ') });
  const view = runView(records);
  if (view._tag === 'Left') return ok(0);
  const { requests, answers } = view.right;
  const proposals = [...answers.values()].flatMap((given) => given.map(({ proposal }) => proposal));
  const played = playedBy(proposals, (id) => requests.get(id)?.value.kind ?? '');
  for (const [role, proposer] of played)
    if (roles[role] === null && unnamed.has(role)) return err({ code: 'played', role, proposer });
  return ok(proposals.length);
}

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
