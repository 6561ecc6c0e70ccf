/**
 * What a task lacks, in words: tools and roles.
 *
 * @module
 */
import type { RolesError, ToolsAgainError } from '@assay/agent';
import { COMMAND_NAMES, TOOL_NAMES } from '@assay/effector';
import { castProblem } from '../../problems/cast-problem.js';
import { misuse, type Stop } from '../../problems/problem.js';

/** Why there are no tools, in words. `workspace`: the folder that was named. */
export function toolsProblem(error: ToolsAgainError, workspace: string): Stop {
  switch (error.code) {
    case 'needed':
      return misuse(
        'option_needed',
        `the ledger of this task does not record its ${WORDS[error.option]}`,
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
        error.tool === 'shell' ? '--shell' : workspace,
        'resume it with the same tools and the same --shell',
      );
    case 'workspace':
      return misuse(
        'workspace',
        `this folder cannot be a workspace (${error.why})`,
        error.workspace,
        'name a folder that exists, by a path without links',
      );
    case 'shell':
      return misuse(
        'bad_value',
        'unknown shell command',
        `--shell ${error.name}`,
        `its commands are ${COMMAND_NAMES.join(', ')}`,
      );
    case 'allow':
      return misuse(
        'bad_value',
        'unknown tool',
        `--allow ${error.name}`,
        `the tools are ${TOOL_NAMES.join(', ')}`,
      );
    case 'tools':
      return misuse(
        'bad_value',
        `these tools are not valid (${error.why} at ${error.path})`,
        error.workspace,
        'see docs/guides/effector.md',
      );
  }
}

const WORDS = { workspace: 'workspace', memory: 'memory', shell: 'shell commands' };
const EXAMPLES = {
  workspace: '--workspace work',
  memory: '--memory file:./memory',
  shell: '--shell cat --shell sort',
};

/** Why a role cannot go on, in words. */
export function rolesProblem(error: RolesError): Stop {
  switch (error.code) {
    case 'bound':
      return misuse(
        'option_needed',
        `${error.lacking.map(({ role, bound }) => `${role} is bound to ${bound}`).join(', ')}, and ` +
          'no other answers count',
        `--proposer ${error.lacking[0]?.role ?? ''}=NAME`,
        `add ${error.lacking.map(({ role, bound }) => `--proposer ${role}=${optionOf(bound)}`).join(' ')}`,
      );
    case 'cast':
      return castProblem(
        { ...error, plays: error.plays === '' ? 'a recording that has no answer for it' : error.plays },
        `give --proposer ${error.role}=${optionOf(error.bound)}: a task keeps its roles`,
      );
    case 'played':
      return misuse(
        'option_needed',
        `${error.proposer} played ${error.role}, and its name does not say how to reach it`,
        `--proposer ${error.role}=NAME`,
        `give --proposer ${error.role}=recorded:FILE as in the first call, or ${error.role}=rules from now on`,
      );
  }
}

/** What names a player in a `--proposer`, as far as its name says: not at which address, or in which file. */
function optionOf(proposer: string): string {
  if (proposer === 'rules') return proposer;
  if (!proposer.startsWith('llm:')) return 'recorded:FILE';
  return proposer.startsWith('llm:compatible/') ? `${proposer}@URL` : proposer;
}
