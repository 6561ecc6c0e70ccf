/**
 * The sealed auction with one price: the highest bids win, all winners pay the highest losing bid. One slot
 * is a Vickrey auction. Source: specs/ecology.md B9; 004 L2886–2920.
 *
 * @module
 */

/** A principal's only live bid. `amount` in milli-scrip, at least 1; `seq` says which came earlier. */
export type Bid = {
  readonly principal: string;
  readonly amount: number;
  readonly seq: number;
};

/** Who won, highest bid first, and what each of them pays. Everybody else pays nothing. */
export type Resolution = {
  readonly winners: readonly Bid[];
  readonly price: number;
};

/**
 * Resolves an auction. At most `slots` bids win, and none below `reserve`; of equal bids the earlier one.
 * The price is the next bid, or the reserve where that is higher or no bid is left.
 * O(n log n). A second bid of one principal is a defect: two bids of one bring demand reduction back.
 */
export function resolveAuction(bids: readonly Bid[], slots: number, reserve: number): Resolution {
  if (new Set(bids.map(({ principal }) => principal)).size !== bids.length)
    throw new RangeError('bids: expected one of each principal');
  const ranked = bids.toSorted(byRank);
  const winners = ranked.slice(0, slots).filter(({ amount }) => amount >= reserve);
  return { winners, price: Math.max(ranked[slots]?.amount ?? 0, reserve) };
}

/** Highest first, of equal ones the earlier. */
export function byRank(a: Bid, b: Bid): number {
  return b.amount - a.amount || a.seq - b.seq;
}
