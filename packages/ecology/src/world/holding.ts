/** What somebody can spend or give away now, and what waiting would bring. Source: specs/ecology.md B4. */
import { perWindow, findLimit } from '../config/resolve.js';
import type { Resource } from '../config/config.js';
import { expire, fitsAt, type Window } from '../mechanisms/window.js';
import type { Draft } from './draft.js';
import { getAccount, type EcologyState } from './state.js';

/** What holdings are computed from: a draft, or a state with nothing held. */
type Purse = Pick<Draft, 'state' | 'config' | 'held'>;

/** A renewable resource. */
type Rate = 'llm_rate' | 'cpu';

/** What was used of a rate in the window that ends now. */
export function sumUsed(state: EcologyState, id: string, rate: Rate): number {
  return current(state, cutWindow(state, id, rate)).used;
}

/** What somebody can give away: of quotas and rates only what is not used, of money what is not held back. */
export function computeSpare(draft: Purse, id: string, resource: Resource): number {
  const { state } = draft;
  const { amounts, disk_used, reserved_tokens, reserved_uusd } = getAccount(state, id);
  switch (resource) {
    case 'scrip':
    case 'memory':
      return amounts[resource];
    case 'llm_budget':
      return amounts.llm_budget - reserved_uusd;
    case 'disk':
      return amounts.disk - disk_used;
    case 'llm_rate':
      return amounts.llm_rate - sumUsed(state, id, 'llm_rate') - reserved_tokens;
    case 'cpu':
      return amounts.cpu - sumUsed(state, id, 'cpu') - (draft.held.get(id) ?? 0);
  }
}

/** What fits of a rate now: in the window of somebody and in that of all. */
export function headroom(draft: Purse, id: string, rate: Rate): number {
  return Math.max(0, Math.min(computeSpare(draft, id, rate), leftOfAll(draft, rate)));
}

/** What fits of a rate now in the window of all. */
export function leftOfAll({ state, config, held: own }: Purse, rate: Rate): number {
  const all = current(state, rate === 'cpu' ? state.cpu_window : state.llm_window).used;
  const held = rate === 'cpu' ? [...own.values()].reduce((sum, one) => sum + one, 0) : state.reserved_tokens;
  return Math.max(0, Number(findLimit(config, rate) ?? 0n) - all - held);
}

/** After how many microseconds an amount fits; null where it never does under the allocations of now. */
export function retryAfter(draft: Draft, id: string, rate: Rate, amount: number): number | null {
  const { state, config } = draft;
  const { amounts, reserved_tokens } = getAccount(state, id);
  const { now_us: now } = state;
  const width = config.machine.window_us;
  const ownHeld = rate === 'cpu' ? (draft.held.get(id) ?? 0) : reserved_tokens;
  const allHeld = rate === 'cpu' ? ownHeld : state.reserved_tokens;
  const own = fitsAt(current(state, cutWindow(state, id, rate)), amount + ownHeld, {
    limit: amounts[rate],
    now,
    width,
  });
  const all = fitsAt(current(state, rate === 'cpu' ? state.cpu_window : state.llm_window), amount + allHeld, {
    limit: Number(findLimit(config, rate) ?? 0n),
    now,
    width,
  });
  return own === null || all === null ? null : Math.max(own, all) - now;
}

/** After how many microseconds a requester has a free check again. */
export function nextCheckAfter({ state, config }: Draft, id: string): number | null {
  const { now_us: now } = state;
  const width = config.machine.window_us;
  const limit = perWindow(config.contracts.checks_per_min, width);
  const at = fitsAt(current(state, getAccount(state, id).check_window), 1, { limit, now, width });
  return at === null ? null : at - now;
}

function cutWindow(state: EcologyState, id: string, rate: Rate): Window {
  const { cpu_window, llm_window } = getAccount(state, id);
  return rate === 'cpu' ? cpu_window : llm_window;
}

function current({ now_us, config }: EcologyState, window: Window): Window {
  return expire(window, now_us, config.machine.window_us);
}
