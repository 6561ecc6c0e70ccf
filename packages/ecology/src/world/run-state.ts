/** Who may act now, and when time alone changes something. Source: specs/ecology.md B5. */
import type { JsonObject } from '@assay/kernel';
import { findFirst } from '../mechanisms/timers.js';
import { getAccount, type EcologyState } from './state.js';

/** Whether an agent may act: frozen goes before asleep, asleep before blocked. Who is no agent is active. */
export type RunState = 'active' | 'sleeping' | 'blocked' | 'frozen';

/** The run state of an agent. A blocked one may act in what it is not blocked for; others that are not active may not. */
export function getRunState(state: EcologyState, id: string): RunState {
  const { life } = getAccount(state, id);
  if (life === null) return 'active';
  if (life.frozen !== '') return 'frozen';
  if (life.sleep !== null) return 'sleeping';
  return life.blocked === null ? 'active' : 'blocked';
}

/** The run state with its reason: {state, reason?, until_us?, resource?}. */
export function describeRunState(state: EcologyState, id: string): JsonObject {
  const { life } = getAccount(state, id);
  switch (getRunState(state, id)) {
    case 'frozen':
      return { state: 'frozen', reason: life?.frozen ?? '' };
    case 'sleeping':
      return { state: 'sleeping', reason: life?.sleep?.why ?? '', until_us: life?.sleep?.until_us ?? 0 };
    case 'blocked':
      return { state: 'blocked', ...life?.blocked };
    case 'active':
      return { state: 'active' };
  }
}

/** True for an agent that has not acted for as long as the config says, or since the world began. */
export function isDormant(state: EcologyState, id: string): boolean {
  const { last_action_us, life } = getAccount(state, id);
  const thing = state.things.get(id);
  const since = Math.max(last_action_us, state.begun_us, thing?.created_us ?? 0);
  return life !== null && state.now_us - since >= state.config.agents.dormant_after_us;
}

/** True for an agent whose invitation is open, or opens with the end of the decision. */
export function isInvited(state: EcologyState, id: string): boolean {
  const isAsked = getAccount(state, id).life?.asked === true;
  return isAsked && getRunState(state, id) === 'active' && !state.waiting.has(id);
}

/**
 * The earliest time at which the clock alone changes something: a sleep, a block or an offer ends, an auction is
 * resolved. At or before now where a record had no room for all that was due.
 */
export function nextDueUs({ timers, next_mint_us }: EcologyState): number {
  return Math.min(findFirst(timers)?.at_us ?? next_mint_us, next_mint_us);
}
