/**
 * What is left of a world when it stops: who holds what, and what happened in numbers.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import { isLive, type EcologyState } from '../world/state.js';

/** What each holder has, by name: artifacts with standing, offers, and what nobody holds. */
export function balancesOf({ accounts }: EcologyState): Json {
  return accounts
    .sorted()
    .filter(([id]) => id !== 'genesis')
    .map(([id, { amounts, disk_used }]) => [id, { ...amounts, disk_used }]);
}

/** Counts and sums of a world. `supply`: all scrip there is; of it `minted` since genesis, by minter. */
export function reportOf(state: EcologyState): Json {
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
