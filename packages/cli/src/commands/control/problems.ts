/**
 * What a task lacks, in words: tools, roles, answers of recordings and of language models.
 *
 * @module
 */
import { castOf, type RolesError, type ToolsAgainError } from '@assay/agent';
import { COMMAND_NAMES, TOOL_NAMES } from '@assay/effector';
import { textIn } from '../../terminal/fields.js';
import type { Miss } from '../../options/proposers.js';
import { EXIT } from '../../problems/exit.js';
import { castProblem } from '../../problems/cast-problem.js';
import { misuse, type Problem, type Stop } from '../../problems/problem.js';
import { answersBy } from '../run/answered-by.js';
import { failuresAmong } from '../run/model-failures.js';
import type { Ended } from '../run/run-request.js';

/**
 * Every miss of a recording, and every role whose last answer is a failure of a live model. `ledger`: the
 * file that has the records.
 */
export function lacking(
  { records }: Pick<Ended, 'records'>,
  misses: ReadonlyMap<string, Miss>,
  ledger: string | null,
): readonly Problem[] {
  const missed = [...misses.values()].map(
    ({ file, said }): Problem => ({
      code: 'recording_miss',
      message: said,
      place: file,
      remedy: 'use the same task, policy and files; assay record --slot R3 also records the work',
      exit: EXIT.no,
    }),
  );
  const answers = answersBy(records, (request) => castOf(textIn(request, 'kind')) ?? textIn(request, 'kind'));
  return [...missed, ...failuresAmong(answers, ledger)];
}

/** Why there are no tools, in words. `workspace`: the folder that was named. */
export function toolsProblem(error: ToolsAgainError, workspace: string): Stop {
  switch (error.code) {
    case 'needed':
      return misuse(
        'option_needed',
        `the record of this task does not hold its ${WORDS[error.option]}`,
        `--${error.option}`,
        `name what it was begun with, such as ${EXAMPLES[error.option]}`,
      );
    case 'other_workspace':
      return misuse(
        error.code,
        'this task was begun in another folder',
        `--workspace ${workspace}`,
        'name the folder that it was begun in, at the path it had',
      );
    case 'tools_differ':
      return misuse(
        error.code,
        error.wasThere
          ? `this task was begun with ${error.tool}, and it is not there now`
          : `this task was begun without ${error.tool}, and it is there now`,
        error.tool === 'shell' ? '--shell' : workspace,
        'resume it where the same tools are, with the same --shell',
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
        'the shell of a run has no such command',
        `--shell ${error.name}`,
        `its commands are ${COMMAND_NAMES.join(', ')}`,
      );
    case 'allow':
      return misuse(
        'bad_value',
        'there is no such tool',
        `--allow ${error.name}`,
        `the tools are ${TOOL_NAMES.join(', ')}`,
      );
    case 'tools':
      return misuse(
        'bad_value',
        `these tools cannot be used (${error.why} at ${error.path})`,
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
          `nobody else's answers are taken`,
        `--proposer ${error.lacking[0]?.role ?? ''}=NAME`,
        `add ${error.lacking.map(({ role, bound }) => `--proposer ${role}=${optionOf(bound)}`).join(' ')}`,
      );
    case 'cast':
      return castProblem(
        { ...error, plays: error.plays === '' ? 'a recording without an answer for it' : error.plays },
        `give --proposer ${error.role}=${optionOf(error.bound)}: a task keeps the roles it was begun with`,
      );
    case 'played':
      return misuse(
        'option_needed',
        `${error.role} was played by ${error.proposer}, and its name does not say from where`,
        `--proposer ${error.role}=NAME`,
        `give --proposer ${error.role}=recorded:FILE as the task was begun, or ${error.role}=rules for the rules from now on`,
      );
  }
}

/** What names a player in a `--proposer`, as far as its name says: not at which address, or in which file. */
function optionOf(proposer: string): string {
  if (proposer === 'rules') return proposer;
  if (!proposer.startsWith('llm:')) return 'recorded:FILE';
  return proposer.startsWith('llm:compatible/') ? `${proposer}@URL` : proposer;
}
