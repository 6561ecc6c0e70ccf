/**
 * Who confirms what cannot be undone: a person at the terminal, or one who named the very action on the command line.
 * Source: 003 §9, Law 1; dec-B9.
 *
 * @module
 */
import type { Json, Request } from '@assay/kernel';
import { isAmong, type ConfirmBody, type Target } from '@assay/controller';
import type { Port, PortAnswer } from '@assay/host';
import type { Dialogue } from '@assay/proposers';
import { misuse } from '../problem.js';

/** Reads `--confirm TOOL:INPUT`: an action on one input that a person allows beforehand. Raises `Stop`: `confirm`. */
export function readConfirmed(given: readonly string[]): readonly Target[] {
  return given.map((text) => {
    const at = text.indexOf(':');
    if (at < 1 || at === text.length - 1) throw misuse('confirm', 'an action is a tool and its input', `--confirm ${text}`, 'write it like --confirm remove_file:old.txt');
    return { tool: text.slice(0, at), target: text.slice(at + 1) };
  });
}

/** The port of confirmations; null where nobody could say anything, so that nothing is confirmed. `named`: what was allowed beforehand. */
export function confirmPort(person: Dialogue | null, named: readonly Target[]): Port | null {
  if (person === null && named.length === 0) return null;
  return { source: 'human', proposer: person === null ? 'command-line' : 'human', perform: (request) => answer(request, person, named) };
}

async function answer({ body }: Request, person: Dialogue | null, named: readonly Target[]): Promise<PortAnswer> {
  const { intent, actions } = body as unknown as ConfirmBody;
  if (actions.every((action) => isAmong(action, named))) return { value: said(true, 'named on the command line') };
  if (person === null) return { value: said(false, 'not named on the command line') };
  person.say(`This cannot be undone, or went wrong before. For: ${intent}`);
  for (const { tool, target } of actions) person.say(`  ${tool}  ${target}`);
  const typed = await person.ask('allow it? yes or no');
  return { value: said(typed !== null && /^\s*y(?:es)?\s*$/i.test(typed), null) };
}

function said(approved: boolean, note: string | null): Json {
  return { approved, note };
}
