/**
 * Who confirms what cannot be undone: a person who is asked, or one who named the very action beforehand.
 * Source: 003 §9, Law 1; dec-B9.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json, type Request } from '@assay/kernel';
import { isAmong, type ConfirmBody, type Target } from '@assay/controller';
import type { Port, PortAnswer } from '@assay/host';
import type { Dialogue } from '@assay/proposers';

/**
 * What became of confirmations in a run. `lacking`: actions that were asked about and not allowed. `idle`:
 * actions allowed beforehand that nobody asked about.
 */
export type Confirmations = { readonly lacking: readonly Target[]; readonly idle: readonly Target[] };

/** Reads the confirmations of a run from its records. `named`: what was allowed beforehand. */
export function confirmationsIn(records: readonly EvidenceRecord[], named: readonly Target[]): Confirmations {
  const asked = actionsOf(records, (message) => field(message, 'kind') === 'ConfirmationRequest');
  const allowed = actionsOf(
    records,
    (message, body) => field(message, 'kind') === 'Confirmation' && field(body, 'approved') === true,
  );
  const lacking = asked.filter(
    (action, index) => !isAmong(action, allowed) && !isAmong(action, asked.slice(0, index)),
  );
  return { lacking, idle: named.filter((action) => !isAmong(action, asked)) };
}

type Members = { readonly [key: string]: Json };

/** Actions in the messages of a run that are meant. */
function actionsOf(
  records: readonly EvidenceRecord[],
  isMeant: (message: Members, body: Members) => boolean,
): readonly Target[] {
  return records.flatMap(({ kind, payload }) => {
    const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
    return (isArray(events) ? events : []).flatMap((event) => {
      const body = isObject(event) && field(event, 't') === 'message' ? (field(event, 'body') ?? null) : null;
      if (!isObject(event) || !isObject(body) || !isMeant(event, body)) return [];
      return (field(body, 'actions') ?? []) as unknown as readonly Target[];
    });
  });
}

/**
 * The port of confirmations; null where nobody could say anything, so that nothing is confirmed. `named`:
 * what was allowed beforehand.
 */
export function confirmPort(person: Dialogue | null, named: readonly Target[]): Port | null {
  if (person === null && named.length === 0) return null;
  return {
    source: 'human',
    proposer: person === null ? 'command-line' : 'human',
    perform: (request) => answer(request, person, named),
  };
}

async function answer(
  { body }: Request,
  person: Dialogue | null,
  named: readonly Target[],
): Promise<PortAnswer> {
  const { intent, actions } = body as unknown as ConfirmBody;
  if (actions.every((action) => isAmong(action, named)))
    return { value: said(true, 'named on the command line') };
  if (person === null) return { value: said(false, 'not named on the command line') };
  person.say(`This cannot be undone, or went wrong before. For: ${intent}`);
  for (const { tool, target } of actions) person.say(`  ${tool}  ${target}`);
  const typed = await person.ask('allow it? yes or no');
  return { value: said(typed !== null && /^\s*y(?:es)?\s*$/i.test(typed), null) };
}

function said(approved: boolean, note: string | null): Json {
  return { approved, note };
}
