/**
 * Who plays the roles of a task, under which policy and with which tools, and in words what is wrong with that.
 *
 * @module
 */
import { CAST } from '@assay/controller';
import {
  namedPlayer,
  playedPolicy,
  choosePlayers,
  policyOver,
  recordedPlayer,
  type Miscast,
  type Player,
  type Players,
  type PolicyError,
  type RolesError,
  type ToolsAgainError,
} from '@assay/controller/shell';
import { TOOL_NAMES } from '@assay/effector';
import type { JsonObject } from '@assay/kernel';
import { rulesPlayer } from '@assay/proposers/task-rules';
import { shownModel, type ModelOptions } from '../../options/llm.js';
import { openedUnder } from '../../options/settings.js';
import type { Miss } from '../../options/proposers.js';
import { misuse, orStop, type Stop, badValue, needsOption } from '../../problems/problem.js';
import { rejected } from '../../start/drive-machine.js';
import type { StartFlags } from '../../start/kit.js';

/** The roles of a call. `misses`: what recordings had no answer to, once the run is over. */
export type NamedPlayers = Players & { readonly misses: ReadonlyMap<string, Miss> };

type Role = Parameters<typeof choosePlayers>[0][number]['role'];

/**
 * Reads `--proposer` options: `rules`, `recorded:FILE` and `llm:PROVIDER/MODEL` for every role, `R2=NAME` for
 * one; a role that none is named for is played by the rules, and so is one of which a recording for every
 * role has no answer. Raises `Stop`: `bad_value`, and those of opening recordings and models.
 */
export async function readPlayers(given: readonly string[], models: ModelOptions): Promise<NamedPlayers> {
  const misses = new Map<string, Miss>();
  const named: { readonly role: Role; readonly player: Player }[] = [];
  for (const option of given) {
    const [role, name] = parseRole(option);
    named.push({ role, player: await playerNamed(name, misses, models) });
  }
  return { ...choosePlayers(named, rulesPlayer), misses };
}

const RECORDED = 'recorded:';

function parseRole(option: string): readonly [role: Role, name: string] {
  const found = /^(R[0-9][ab]?)=(.+)$/s.exec(option);
  if (found === null) return [null, option];
  const role = CAST.find((one) => one === found[1]);
  if (role === undefined)
    throw badValue('unknown role', `--proposer ${found[1] ?? ''}`, `the roles are ${CAST.join(', ')}`);
  return [role, found[2] ?? ''];
}

async function playerNamed(name: string, misses: Map<string, Miss>, models: ModelOptions): Promise<Player> {
  if (name === 'rules') return rulesPlayer;
  if (name.startsWith(RECORDED)) {
    const { openProposer } = await import('../../options/proposers.js');
    const { ports, kinds } = await openProposer(name, misses, { person: null, models });
    return recordedPlayer(ports, kinds ?? new Map());
  }
  if (name.startsWith('llm:')) {
    const { proposer, portOf, units } = await (await import('../../options/models.js')).modelNamed(
      name,
      models,
    );
    const { controlTasks } = await import('@assay/controller/prompts');
    return namedPlayer(proposer, (context) => portOf(controlTasks(context)), units);
  }
  throw badValue(
    'only rules, a recording or a language model can play a role',
    `--proposer ${shownModel(name, models.env)}`,
    'give rules, recorded:FILE or llm:PROVIDER/MODEL, or R2=llm:PROVIDER/MODEL for one role',
  );
}

type Tools = Parameters<typeof policyOver>[0]['tools'];

/** The policy that the machine takes, and the input. Tools are those that there are. Raises `Stop`. */
export async function readPolicy(
  { set = [], memory }: Pick<StartFlags, 'set' | 'memory'>,
  input: JsonObject,
  tools: Tools,
  { casting, units }: Pick<NamedPlayers, 'casting' | 'units'>,
): Promise<{ readonly policy: JsonObject; readonly input: JsonObject }> {
  const defaults = policyOver({ tools, memory: memory !== undefined, clock: 'asked' });
  const whole = await openedUnder({ policy: defaults, input }, set);
  const own = JSON.stringify(whole.policy['tools']);
  const fail = (error: PolicyError): Stop =>
    error.code === 'cast'
      ? castProblem(error, 'name the same in both, or remove roles from the policy')
      : rejected(error.why, error.detail, set);
  if (own !== JSON.stringify(tools)) throw rejected('other_tools', { path: '/tools' }, set);
  return { ...whole, policy: orStop(playedPolicy(whole.policy, casting, units.size > 0), fail) };
}

/** Why there are no tools, in words. `workspace`: the folder that was named. */
export function toolsProblem(error: ToolsAgainError, workspace: string): Stop {
  switch (error.code) {
    case 'needed':
      return needsOption(
        `the ledger of this task does not record its ${error.option}`,
        `--${error.option}`,
        `give it as in the first call, such as ${EXAMPLES[error.option]}`,
      );
    case 'other_workspace':
      return misuse(
        error.code,
        'this task started in another folder',
        `--workspace ${workspace}`,
        'name the folder that it started in, by the same path',
      );
    case 'tools_differ':
      return misuse(
        error.code,
        error.wasThere
          ? `this task started with ${error.tool}, which is missing now`
          : `this task started without ${error.tool}, which is there now`,
        workspace,
        'resume it with the same tools',
      );
    case 'workspace':
      return misuse(
        'workspace',
        `this folder cannot be a workspace (${error.why})`,
        error.workspace,
        'name a folder that exists, by a path without links',
      );
    case 'allow':
      return badValue('unknown tool', `--allow ${error.name}`, `the tools are ${TOOL_NAMES.join(', ')}`);
    case 'tools':
      return badValue(
        `these tools are not valid (${error.why} at ${error.path})`,
        error.workspace,
        'see docs/guides/effector.md',
      );
  }
}

const EXAMPLES = { workspace: '--workspace work', memory: '--memory file:./memory' };

/** Why a role cannot go on, in words. */
export function rolesProblem(error: RolesError): Stop {
  switch (error.code) {
    case 'bound':
      return needsOption(
        `${error.lacking.map(({ role, bound }) => `${role} is bound to ${bound}`).join(', ')}, and ` +
          'no other answers count',
        `--proposer ${error.lacking[0]?.role ?? ''}=NAME`,
        `add ${error.lacking.map(({ role, bound }) => `--proposer ${role}=${renderOption(bound)}`).join(' ')}`,
      );
    case 'cast':
      return castProblem(
        { ...error, plays: error.plays === '' ? 'a recording that has no answer for it' : error.plays },
        `give --proposer ${error.role}=${renderOption(error.bound)}: a task keeps its roles`,
      );
    case 'played':
      return needsOption(
        `${error.proposer} played ${error.role}, and its name does not say how to reach it`,
        `--proposer ${error.role}=NAME`,
        `give --proposer ${error.role}=recorded:FILE as in the first call, or ${error.role}=rules from now on`,
      );
  }
}

/** What names a player in a `--proposer`, as far as its name says: not at which address, or in which file. */
function renderOption(proposer: string): string {
  if (proposer === 'rules') return proposer;
  if (!proposer.startsWith('llm:')) return 'recorded:FILE';
  return proposer.startsWith('llm:compatible/') ? `${proposer}@URL` : proposer;
}

/** What stops the command where a role is miscast. */
export function castProblem({ role, bound, plays }: Omit<Miscast, 'code'>, remedy: string): Stop {
  return misuse(
    'cast',
    `the policy binds ${role} to ${JSON.stringify(bound)}, but ${plays} plays it`,
    `--proposer ${role}=…`,
    remedy,
  );
}
