/**
 * Who confirms what cannot be undone: a person who is asked, or one who named the very action beforehand; else
 * it waits. Source: 003 §9, Law 1; dec-B9; calls/C8, calls/C10.
 */
import type { EvidenceRecord, Json } from '@assay/kernel';
import { readField, readText, listObjects } from '@assay/kernel/shape';
import { readBody, type ConfirmBody, type Target } from '../../index.js';
import { isAmong } from '../../protocol/tools.js';
import { Later, type Dialogue, type Port } from '@assay/host';
import { inputTarget } from '../executor/call-port.js';

/**
 * What became of confirmations in a run. `lacking`: actions that were asked about and not allowed. `idle`:
 * actions allowed beforehand that nobody asked about.
 */
export type Confirmations = { readonly lacking: readonly Target[]; readonly idle: readonly Target[] };

/** What a person is asked about, as the tool said it. */
export type Held = Pick<ConfirmBody, 'tool' | 'target' | 'loses'>;

/** Reads the confirmations of a run from its records. `named`: what was allowed beforehand. */
export function confirmationsIn(records: readonly EvidenceRecord[], named: readonly Target[]): Confirmations {
  const asked = new Map<string, Target>();
  const allowed: Target[] = [];
  for (const { kind, payload } of records) {
    for (const request of kind === 'decision' ? listObjects(readField(payload, 'requests')) : []) {
      const body = readBody('confirm', readField(request, 'body'));
      if (body !== null) asked.set(readText(request, 'id'), readTarget(body));
    }
    const action = kind === 'proposal' ? asked.get(readText(payload, 'request_id')) : undefined;
    if (action !== undefined && readField(readField(payload, 'value'), 'approved') === true)
      allowed.push(action);
  }
  const actions = [...asked.values()];
  return {
    lacking: actions.filter(
      (action, index) => !isAmong(action, allowed) && !isAmong(action, actions.slice(0, index)),
    ),
    idle: named.filter((action) => !isAmong(action, actions)),
  };
}

/** What a person is asked about, by the words with which it can be named beforehand: what the tool says. */
export function readTarget({ tool, target, input }: Pick<ConfirmBody, 'tool' | 'target' | 'input'>): Target {
  return { tool, target: target ?? inputTarget(input) };
}

/**
 * The port of confirmations. Where nobody can be asked and the action was not named beforehand (`named`), it
 * raises `Later`. A name allows one loss: the first, or of a run that goes on what waits under that name since
 * before it was typed. `held`: what a call said that would lose this; `waits`: if this request does.
 */
export function confirmPort(
  person: Dialogue | null,
  named: readonly Target[],
  held: (asked: Held) => string | null,
  waits: (request: string) => boolean,
): Port {
  const used: Target[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  return {
    source: 'human',
    proposer: person === null ? 'command-line' : 'human',
    perform: async ({ id, body }) => {
      const asked = readBody('confirm', body);
      if (asked === null)
        return { failure: { code: 'denied', final: true, detail: { code: 'not_confirm' } } };
      const action = readTarget(asked);
      if (isAmong(action, named) && !isAmong(action, used) && waits(id)) {
        used.push(action);
        return { value: said(true, 'named on the command line') };
      }
      if (person === null) throw new Later();
      const loss = held(asked) ?? '';
      const shown = loss.startsWith(HELD) ? loss.slice(HELD.length) : action.target;
      // One question at a time: an answer is to what was asked last.
      const answer = turn.then(async () => {
        person.say(WHY[asked.why]);
        person.say(`  ${action.tool}  ${shown}`);
        return person.ask('allow it? yes or no');
      });
      turn = answer.catch(() => null);
      const typed = await answer;
      return { value: said(typed !== null && /^\s*y(?:es)?\s*$/i.test(typed), null) };
    },
  };
}

/** How a call begins that was held back. */
const HELD = 'needs_confirmation: ';
const WHY: Readonly<Record<ConfirmBody['why'], string>> = {
  irreversible: 'This cannot be undone:',
  caution: 'This went wrong before:',
  needs_confirmation: 'This needs your permission:',
};

function said(approved: boolean, note: string | null): Json {
  return { approved, note };
}
