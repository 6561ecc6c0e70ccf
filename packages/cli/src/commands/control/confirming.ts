/**
 * What a person allows on the command line, and what became of it, as lines.
 *
 * @module
 */
import type { Target } from '@assay/controller';
import type { Confirmations } from '@assay/agent';
import { isToolName, TOOL_NAMES } from '@assay/effector';
import { show, type Shown } from '../../terminal/shown.js';
import { misuse } from '../../problems/problem.js';
import { commandLine } from '../../terminal/quote.js';

/**
 * Reads `--confirm TOOL:INPUT`: an action on one input that a person allows beforehand. Raises `Stop`:
 * `confirm`.
 */
export function readConfirmed(given: readonly string[]): readonly Target[] {
  return given.map((text) => {
    const at = text.indexOf(':');
    if (at < 1 || at === text.length - 1)
      throw misuse(
        'confirm',
        'an action is a tool and its input',
        `--confirm ${text}`,
        'write it like --confirm remove_file:old.txt',
      );
    const tool = text.slice(0, at);
    if (!isToolName(tool))
      throw misuse(
        'confirm',
        'there is no such tool',
        `--confirm ${text}`,
        `the tools are ${TOOL_NAMES.join(', ')}`,
      );
    return { tool, target: text.slice(at + 1) };
  });
}

/** What could be typed to allow what was not, and what was typed in vain. */
export function confirmationLines({ lacking, idle }: Confirmations): readonly Shown[] {
  return [
    ...lacking.map(
      ({ tool, target }, index) =>
        show`${index === 0 ? 'to allow it' : '           '} ${commandLine(['--confirm', `${tool}:${target}`])}`,
    ),
    ...idle.map(
      ({ tool, target }) =>
        show`not asked   nothing was asked about ${commandLine([`${tool}:${target}`])}: an input is allowed in the words in which it is asked about`,
    ),
  ];
}
