/**
 * The basic income paid out of an auction, settled when its last score is in.
 *
 * An equal share of what winners paid rewards raising the price. `bid_independent` (Bailey, Cavallo) gives each
 * member the share of the auction that had taken place without its bid, so no bid changes its own share.
 * Truthful for principals with one owner and scores that are all valid. Source: specs/ecology.md B9, 0.3, 0.4.
 *
 * @module
 */
import { byRank, resolveAuction, type Bid } from './auction.js';

/** Shares in milli-scrip, in the order of the members, and what is left for the carry. */
export type Income = {
  readonly shares: readonly number[];
  readonly carry: number;
};

/** What an income is computed from. */
export type Settlement = {
  readonly bids: readonly Bid[];
  readonly slots: number;
  readonly reserve: number;
  /** Winners whose score is valid: only they paid in the end. */
  readonly valid: number;
  /** Who shares, each once. */
  readonly members: readonly string[];
};

/**
 * Member i gets floor(n · p / N), with the price p and the winners n of the auction without i's bid, n at most
 * `valid`. The shares never exceed what valid winners paid. Bids are ranked once: O(n log n).
 */
export function bidIndependentIncome({ bids, slots, reserve, valid, members }: Settlement): Income {
  const ranked = bids.toSorted(byRank);
  const places = new Map(ranked.map(({ principal }, place) => [principal, place]));
  const enough = ranked.filter(({ amount }) => amount >= reserve).length;
  const share = (without: number): number => {
    const next = ranked[without <= slots ? slots + 1 : slots]?.amount ?? 0;
    const winners = Math.min(slots, enough - (without < enough ? 1 : 0), valid);
    return part(winners, Math.max(next, reserve), members.length);
  };
  const shares = members.map((member) => share(places.get(member) ?? ranked.length));
  return withCarry(paid(bids, slots, reserve, valid), shares);
}

/** The same share for each: floor(pot / N). Not truthful; kept to be compared. */
export function equalIncome({ bids, slots, reserve, valid, members }: Settlement): Income {
  const pot = paid(bids, slots, reserve, valid);
  const shares = members.map(() => part(1, pot, members.length));
  return withCarry(pot, shares);
}

/** What the winners with a valid score paid. */
function paid(bids: readonly Bid[], slots: number, reserve: number, valid: number): number {
  return resolveAuction(bids, slots, reserve).price * valid;
}

function withCarry(pot: number, shares: readonly number[]): Income {
  return { shares, carry: pot - shares.reduce((sum, share) => sum + share, 0) };
}

/** floor(count · amount / members), exact beyond 2^53. */
function part(count: number, amount: number, members: number): number {
  return Number((BigInt(count) * BigInt(amount)) / BigInt(members));
}
