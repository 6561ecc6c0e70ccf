/**
 * The sealed auction with one price: the highest bids win, all winners pay the highest losing bid. One slot
 * is a Vickrey auction. The basic income is paid out of it, settled when its last score is in.
 *
 * An equal share of what winners paid rewards raising the price. `bid_independent` (Bailey, Cavallo) gives each
 * member the share of the auction that had taken place without its bid, so no bid changes its own share.
 * Truthful for principals with one owner and scores that are all valid. Source: specs/ecology.md B9, 0.3, 0.4;
 * 004 L2886–2920.
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

/** Who pays what: winners the one price, winners their own bid, or all their own bid. The last two are not truthful. */
export type AuctionRule = 'uniform' | 'first_price' | 'all_pay';

/** What a bid of some amount pays under a rule. */
export function computePayment(
  rule: AuctionRule,
  { amount }: Pick<Bid, 'amount'>,
  { isWinner, price }: { readonly isWinner: boolean; readonly price: number },
): number {
  switch (rule) {
    case 'uniform':
      return isWinner ? price : 0;
    case 'first_price':
      return isWinner ? amount : 0;
    case 'all_pay':
      return amount;
  }
}

/** Highest first, of equal ones the earlier. */
export function byRank(a: Bid, b: Bid): number {
  return b.amount - a.amount || a.seq - b.seq;
}

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
  /** What was paid in the end, where that is more than the price of each valid winner. */
  readonly pot?: number;
};

/**
 * Member i gets floor(n · p / N), with the price p and the winners n of the auction without i's bid, n at most
 * `valid`. The shares never exceed what valid winners paid. Bids are ranked once: O(n log n).
 */
export function bidIndependentIncome(settlement: Settlement): Income {
  const { bids, slots, reserve, valid, members } = settlement;
  const ranked = bids.toSorted(byRank);
  const places = new Map(ranked.map(({ principal }, place) => [principal, place]));
  const enough = ranked.filter(({ amount }) => amount >= reserve).length;
  const share = (without: number): number => {
    const next = ranked[without <= slots ? slots + 1 : slots]?.amount ?? 0;
    const winners = Math.min(slots, enough - (without < enough ? 1 : 0), valid);
    return part(winners, Math.max(next, reserve), members.length);
  };
  const shares = members.map((member) => share(places.get(member) ?? ranked.length));
  return withCarry(sumPot(settlement), shares);
}

/** The same share for each: floor(pot / N). Not truthful; kept to be compared. */
export function equalIncome(settlement: Settlement): Income {
  const { members } = settlement;
  const pot = sumPot(settlement);
  const shares = members.map(() => part(1, pot, members.length));
  return withCarry(pot, shares);
}

/** What the winners with a valid score paid. */
function sumPot({ bids, slots, reserve, valid, pot }: Settlement): number {
  return pot ?? resolveAuction(bids, slots, reserve).price * valid;
}

function withCarry(pot: number, shares: readonly number[]): Income {
  return { shares, carry: pot - shares.reduce((sum, share) => sum + share, 0) };
}

/** floor(count · amount / members), exact beyond 2^53. */
function part(count: number, amount: number, members: number): number {
  return Number((BigInt(count) * BigInt(amount)) / BigInt(members));
}
