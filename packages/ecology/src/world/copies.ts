/**
 * Copies that each action makes, written out: a spread of so many fields takes some twenty times as long, and these
 * are most of what a fold does.
 */
import type { Account, EcologyState } from './state.js';

/** A state with other accounts and another log. */
export function withAccounts(
  state: EcologyState,
  accounts: EcologyState['accounts'],
  log: EcologyState['log'] = state.log,
  things: EcologyState['things'] = state.things,
): EcologyState {
  return {
    config: state.config,
    now_us: state.now_us,
    begun_us: state.begun_us,
    serial: state.serial,
    things,
    accounts,
    supply: state.supply,
    minted: state.minted,
    llm_window: state.llm_window,
    cpu_window: state.cpu_window,
    reserved_tokens: state.reserved_tokens,
    bids: state.bids,
    bidders: state.bidders,
    owned: state.owned,
    next_mint_us: state.next_mint_us,
    resolutions: state.resolutions,
    starved: state.starved,
    resolving: state.resolving,
    scored: state.scored,
    thought: state.thought,
    offers: state.offers,
    mandates: state.mandates,
    minters: state.minters,
    waiting: state.waiting,
    calls: state.calls,
    capabilities: state.capabilities,
    secrets: state.secrets,
    open: state.open,
    log,
    timers: state.timers,
    watchers: state.watchers,
    subscribed: state.subscribed,
    stopped: state.stopped,
  };
}

/** An account with other amounts and another time of its last action. */
export function withAmounts(
  account: Account,
  amounts: Account['amounts'],
  last_action_us: number = account.last_action_us,
): Account {
  return {
    amounts,
    disk_used: account.disk_used,
    stored: account.stored,
    llm_window: account.llm_window,
    cpu_window: account.cpu_window,
    check_window: account.check_window,
    reserved_tokens: account.reserved_tokens,
    reserved_uusd: account.reserved_uusd,
    last_action_us,
    calls: account.calls,
    calling: account.calling,
    life: account.life,
  };
}
