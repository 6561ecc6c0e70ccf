/** What is left of a world when it stops: who holds what, and what happened in numbers. */
import type { Json } from '@assay/kernel';
import { isLive, type EcologyState } from '../world/state.js';

/** Holders of one artifact: so many fit a record, whatever they are called. */
const ROWS_MAX = 16_000;

/**
 * What each holder has, by name: artifacts with standing, offers, and what nobody holds. An artifact `balances`;
 * what it has no room for is in `balances_2` and so on.
 */
export function listBalances({ accounts }: EcologyState): { readonly [artifact: string]: Json } {
  const rows = accounts
    .sorted()
    .filter(([id]) => id !== 'genesis')
    .map(([id, { amounts, disk_used }]): Json => [id, { ...amounts, disk_used }]);
  const count = Math.max(1, Math.ceil(rows.length / ROWS_MAX));
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      at === 0 ? 'balances' : `balances_${at + 1}`,
      rows.slice(at * ROWS_MAX, (at + 1) * ROWS_MAX),
    ]),
  );
}

/** Counts and sums of a world. `supply`: all scrip there is; of it `minted` since genesis, by minter. */
export function makeReport(state: EcologyState): Json {
  const things = [...state.things].map(([, thing]) => thing); // any order
  const live = things.filter(isLive);
  return {
    now_us: state.now_us,
    artifacts: live.length,
    deleted: things.length - live.length,
    supply: state.supply,
    minted: state.minted.sorted(),
    resolutions: state.resolutions,
    open_offers: state.offers.size,
    open_bids: state.bids.size,
    waiting: state.waiting.size,
  };
}
