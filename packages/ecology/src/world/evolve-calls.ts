/** The fold of what is outside: capabilities, and calls that hold what they may cost. */
import { withAccounts } from './copies.js';
import type { EcologyEvent } from './events.js';
import { getAccount, type Account, type EcologyState } from './state.js';
import { CALLS_KEPT, type Capability } from './calls.js';

type Of<T extends EcologyEvent['t']> = Extract<EcologyEvent, { readonly t: T }>;

/** What became of a capability, and whose secret it is. */
export function evolveCapability(state: EcologyState, event: Of<'wants' | 'capability'>): EcologyState {
  const key = `${event.a} ${event.c}`;
  const before = state.capabilities.get(key);
  const row: Capability =
    event.t === 'wants'
      ? { state: 'open', reason: event.m, usage: event.u, artifact_id: '', asked_us: state.now_us }
      : { ...(before ?? NO_CAPABILITY), state: event.y, artifact_id: event.i ?? '' };
  const capabilities = state.capabilities.set(key, row);
  if (event.t === 'wants' || event.s === undefined || event.h === undefined)
    return { ...state, capabilities };
  return { ...state, capabilities, secrets: state.secrets.set(`${event.a} ${event.s}`, event.h) };
}

const NO_CAPABILITY: Capability = { state: 'open', reason: '', usage: '', artifact_id: '', asked_us: 0 };

/** A call under way holds its bounds; ended, it stays until so many of its agent ended after it. */
export function evolveCall(state: EcologyState, event: Of<'called' | 'came'>): EcologyState {
  if (event.t === 'called') {
    const { agent } = event.v;
    const counted = changed(state, agent, (account) => ({
      ...account,
      calls: account.calls + 1,
      calling: account.calling + 1,
    }));
    const old = `${agent}.${getAccount(state, agent).calls - CALLS_KEPT}`;
    const calls = (state.calls.get(old)?.ended ?? null) === null ? state.calls : state.calls.delete(old);
    return reserve({ ...counted, calls: calls.set(event.i, event.v) }, agent, event.v);
  }
  const call = state.calls.get(event.i);
  if (call === undefined) return state;
  const { agent, tokens, uusd } = call;
  const counted = changed(state, agent, (account) => ({ ...account, calling: account.calling - 1 }));
  const isOld = Number(event.i.slice(agent.length + 1)) + CALLS_KEPT < getAccount(state, agent).calls;
  const calls = isOld ? state.calls.delete(event.i) : state.calls.set(event.i, { ...call, ended: event.v });
  const accounts = counted.accounts.delete(`call:${event.i}`);
  return reserve({ ...counted, accounts, calls }, agent, { tokens: -tokens, uusd: -uusd });
}

/** The state with another account of a name. */
export function changed(
  state: EcologyState,
  id: string,
  change: (account: Account) => Account,
): EcologyState {
  return withAccounts(state, state.accounts.set(id, change(getAccount(state, id))));
}

/** Holds tokens and money of a name, or lets them go where they are negative. */
export function reserve(
  state: EcologyState,
  id: string,
  { tokens, uusd }: { readonly tokens: number; readonly uusd: number },
): EcologyState {
  const held = changed(state, id, (account) => ({
    ...account,
    reserved_tokens: account.reserved_tokens + tokens,
    reserved_uusd: account.reserved_uusd + uusd,
  }));
  return { ...held, reserved_tokens: state.reserved_tokens + tokens };
}
