/**
 * What a stored task was begun with and its first record does not hold: asked for, never guessed.
 *
 * @module
 */
import { realpathSync } from 'node:fs';
import type { Json } from '@assay/kernel';
import { CAST, type CastRole, type ConfirmBody, type Policy } from '@assay/controller';
import { derivedIdentity } from '@assay/host';
import type { Begun } from '../run/stored-run.js';
import { misuse } from '../../problems/problem.js';
import type { TaskTools } from '@assay/agent';
import { castProblem } from '../../problems/cast-problem.js';
import type { ControlOptions, TaskOptions } from './options.js';
import type { Players } from './players.js';
import { openTools, requireWorkspace } from './workspace.js';

/**
 * The tools of a stored task in the folder that is named: those of its policy. Raises `Stop`: `no_workspace`,
 * `other_workspace`, `shell_needed`, `memory_needed`, `tools_differ`, and those of {@link openTools}.
 */
export async function toolsAgain(begun: Begun, options: TaskOptions): Promise<TaskTools> {
  const policy = begun.policy as unknown as Policy;
  if (options.workspace === undefined)
    throw misuse(
      'no_workspace',
      'a task is done in a folder, and the first record of this run does not say which',
      '--workspace',
      'name the folder that it was begun in',
    );
  if (policy.memory && options.memory === undefined)
    throw misuse(
      'memory_needed',
      'this task asks a memory, and the first record of its run does not say where it lies',
      '--memory',
      'name the memory that it was begun with, such as --memory file:./memory',
    );
  const available = policy.tools.filter((tool) => tool.available).map(({ name }) => name);
  if (available.includes(SHELL) && options.shell.length === 0)
    throw misuse(
      'shell_needed',
      'this task may use a shell, and the first record of its run does not say which commands',
      '--shell',
      'name those that it was begun with, such as --shell cat --shell sort',
    );
  // No tool at all is said as a shell without commands: an empty list would stand for every tool.
  const tools = await openTools({
    workspace: options.workspace,
    allow: available.length === 0 ? [SHELL] : available,
    shell: options.shell,
  });
  await requireFolder(begun, tools.workspace);
  const other = tools.listed.find(({ name, available: isHere }) => isHere !== available.includes(name));
  if (other !== undefined)
    throw misuse(
      'tools_differ',
      `${other.name} was ${other.available ? 'not ' : ''}there when this task was begun, and ` +
        `is ${other.available ? '' : 'not '}now`,
      other.name === SHELL ? '--shell' : tools.workspace,
      'go on where the same tools are, with the same --shell',
    );
  return tools;
}

const SHELL = 'shell';

/**
 * A name that was derived says of which folder the task is: the same words elsewhere are another run. Raises
 * `Stop`: `workspace`, `other_workspace`.
 */
export async function requireFolder({ identity, input, policy }: Begun, workspace: string): Promise<void> {
  await requireWorkspace(workspace);
  const asked: Json = input;
  const names = [
    derivedIdentity({ ...input, workspace: realpathSync(workspace) }, policy),
    derivedIdentity(asked, policy),
  ];
  const isDerived = /^input-[0-9a-f]{12}$/.test(identity.ts_base);
  if (isDerived && !names.some(({ ts_base }) => ts_base === identity.ts_base))
    throw misuse(
      'other_workspace',
      'this task was begun in another folder',
      `--workspace ${workspace}`,
      'name the folder that it was begun in, at the path it had',
    );
}

/**
 * That every role of a stored task goes on with whom it needs. A role that its policy binds needs exactly
 * that player: the machine rejects everybody else's answers until the run ends for good. One that is not
 * bound needs somebody named where neither rules nor tools played it so far. Raises `Stop`: `cast` where
 * somebody else is named for a bound role, `proposer_needed` where nobody is named and the rules would go on
 * in their place.
 */
export function requirePlayers(
  { roles }: Pick<Policy, 'roles'>,
  played: ReadonlyMap<CastRole, string>,
  { namesOf, unnamed }: Pick<Players, 'namesOf' | 'unnamed'>,
): void {
  const isUnfit = (role: CastRole): boolean => roles[role] !== null && !namesOf(role).has(roles[role]);
  const lacking = CAST.flatMap((role) =>
    unnamed.has(role) && isUnfit(role) ? [{ role, bound: roles[role] ?? '' }] : [],
  );
  const [first] = lacking;
  if (first !== undefined)
    throw misuse(
      'proposer_needed',
      `${lacking.map(({ role, bound }) => `${role} is bound to ${bound}`).join(', ')}, and ` +
        `nobody else's answers are taken`,
      `--proposer ${first.role}=NAME`,
      `add ${lacking.map(({ role, bound }) => `--proposer ${role}=${optionOf(bound)}`).join(' ')}`,
    );
  for (const role of CAST)
    if (isUnfit(role))
      throw castProblem(
        {
          role,
          bound: roles[role],
          plays: [...namesOf(role)].join(', ') || 'a recording without an answer for it',
        },
        `give --proposer ${role}=${optionOf(roles[role] ?? '')}: a task that was begun keeps its players`,
      );
  for (const [role, proposer] of played) {
    if (roles[role] === null && unnamed.has(role))
      throw misuse(
        'proposer_needed',
        `${role} was played by ${proposer}, and its name does not say from where`,
        `--proposer ${role}=NAME`,
        `give --proposer ${role}=recorded:FILE as the task was begun, or ${role}=rules for the rules from now on`,
      );
  }
}

/**
 * What names a player in a `--proposer`, as far as its name says: not at which address it is, or in which
 * file.
 */
function optionOf(proposer: string): string {
  if (proposer === 'rules') return proposer;
  if (!proposer.startsWith('llm:')) return 'recorded:FILE';
  return proposer.startsWith('llm:compatible/') ? `${proposer}@URL` : proposer;
}

/**
 * Raises `Stop`, `confirm_needed`, where the run waits for a person and none is there: nobody would be asked,
 * and that is a no.
 */
export function requirePerson(
  waiting: readonly ConfirmBody[],
  isThere: boolean,
  { confirm }: Pick<ControlOptions, 'confirm'>,
): void {
  const [first] = waiting;
  if (first === undefined || isThere || confirm.length > 0) return;
  const [action] = first.actions;
  const named = action === undefined ? 'TOOL:INPUT' : `${action.tool}:${action.target}`;
  throw misuse(
    'confirm_needed',
    'the run waits for a person to allow what cannot be undone, and nobody is at a terminal',
    `--confirm ${named}`,
    'resume it at a terminal, name the very action with --confirm, or call assay control as ' +
      'it was begun, which takes silence for a no',
  );
}
