/**
 * Standing invitations: whoever may act now has one open, and nobody else. Source: specs/ecology.md, top; B5.
 *
 * @module
 */
import { askFor, STANDING } from '../protocol/requests.js';
import type { Draft, Savepoint } from '../world/draft.js';
import { accountOf, liveOf } from '../world/state.js';

const STANDING_KINDS = ['turn', 'clock', 'operator'] as const;

/** The invitations of a world that begins. */
export function inviteAll(draft: Draft): void {
  for (const kind of STANDING_KINDS) draft.ask(kind, askFor(kind, STANDING[kind]));
  for (const agent of draft.config.agents.asked) invite(draft, agent, '');
}

/** After an answer: its invitation anew, and those of agents that may act now, or no longer. */
export function inviteAgain(
  draft: Draft,
  begun: Savepoint,
  answered: { readonly name: string; readonly id: string },
): void {
  const standing = STANDING_KINDS.find((kind) => kind === answered.name);
  if (standing !== undefined) draft.ask(standing, askFor(standing, STANDING[standing]));
  const { asked } = draft.state;
  if (asked.size === 0) return;
  const touched = new Set<string>();
  if (answered.name.startsWith('act ')) touched.add(answered.name.slice(4));
  for (const event of draft.since(begun)) {
    if (event.t === 'waits' || event.t === 'woke') touched.add(event.a);
    if (event.t === 'mv' && event.r === 'llm_budget') touched.add(event.f).add(event.o);
  }
  for (const agent of touched) if (asked.has(agent)) invite(draft, agent, answered.id);
}

/** True for an agent that is not frozen: its budget is above the threshold. */
export function isAwake({ state, config }: Pick<Draft, 'state' | 'config'>, agent: string): boolean {
  return accountOf(state, agent).amounts.llm_budget > config.agents.freeze_threshold_uusd;
}

function invite(draft: Draft, agent: string, answered: string): void {
  const name = `act ${agent}`;
  const open = draft.state.open.get(name);
  const mayAct = isAwake(draft, agent) && !draft.state.waiting.has(agent);
  if (mayAct && (open === undefined || open === answered)) {
    const config_hash = liveOf(draft.state, agent)?.config_hash ?? '';
    draft.ask(name, askFor('act', { agent, config_hash }));
  }
  if (!mayAct && open !== undefined) draft.close(name, answered);
}
