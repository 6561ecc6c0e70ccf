/** Exhaustive small worlds: 4 principals, values 0 to 5, every deviation of one. Source: specs/ecology.md C4. */
import { describe, expect, it } from 'vitest';
import * as mechanisms from '../src/mechanisms/index.js';
import {
  bidIndependentIncome,
  equalIncome,
  resolveAuction,
  type Bid,
  type Income,
  type Settlement,
} from '../src/mechanisms/index.js';
import { bidsOf, everyDeviation, MEMBERS, PROFILES, rulesOf, UNIT } from '../tools/auctions.mjs';

const RULES = rulesOf(mechanisms);

function settle(
  mode: (settlement: Settlement) => Income,
  bids: readonly Bid[],
  slots: number,
  valid?: number,
): Income {
  const { winners } = resolveAuction(bids, slots, 0);
  return mode({ bids, slots, reserve: 0, valid: valid ?? winners.length, members: MEMBERS });
}

describe('the auction', () => {
  it('of 100, 80, 60, 40, 20 for three slots costs 40', () => {
    const bids = [100, 80, 60, 40, 20].map((amount, seq) => ({ principal: `p${seq}`, amount, seq }));
    expect(resolveAuction(bids, 3, 0)).toMatchObject({
      price: 40,
      winners: [{ seq: 0 }, { seq: 1 }, { seq: 2 }],
    });
  });
  it('ecology/uniform-price, ecology/auction-IR: the price lies between winners and losers, ties by seq', () => {
    const faults: unknown[] = [];
    for (const slots of [1, 2, 3])
      for (const reserve of [0, 2 * UNIT])
        for (const profile of PROFILES) {
          const bids: readonly Bid[] = bidsOf(profile, MEMBERS);
          const { winners, price } = resolveAuction(bids, slots, reserve);
          const losers = bids.filter((bid) => !winners.includes(bid));
          const holds =
            winners.every(({ amount }) => amount >= price) &&
            price === Math.max(reserve, ...losers.map(({ amount }) => amount)) &&
            winners.length === Math.min(slots, bids.filter(({ amount }) => amount >= reserve).length) &&
            winners.every(({ amount, seq }) =>
              losers.every((loser) => amount > loser.amount || (amount === loser.amount && seq < loser.seq)),
            );
          if (!holds) faults.push([slots, reserve, profile]);
        }
    expect(faults).toEqual([]);
  });
  it('takes one bid of each principal', () => {
    const bid = { principal: 'a', amount: 1, seq: 0 };
    expect(() => resolveAuction([bid, { ...bid, seq: 1 }], 1, 0)).toThrow(RangeError);
  });
});

describe('the basic income', () => {
  it.each([1, 2, 3])('ecology/truthful: %i slots, no deviation pays', (slots) => {
    expect(everyDeviation(RULES.bid_independent, slots)).toEqual({ profitable: 0, all: 31_104 });
  });
  it.each(['equal', 'losers forfeit', 'first price', 'all pay'] as const)('%s: deviations pay', (name) => {
    expect(everyDeviation(RULES[name], 2).profitable).toBeGreaterThan(500);
  });
  it('of two members with one owner: a joint deviation pays', () => {
    expect(everyDeviation(RULES.bid_independent, 2, true).profitable).toBeGreaterThan(500);
  });
  it('ecology/ubi-budget: shares and carry are what valid winners paid, whichever scores are void', () => {
    const faults: unknown[] = [];
    for (const slots of [1, 2, 3])
      for (const profile of PROFILES) {
        const bids: readonly Bid[] = bidsOf(profile, MEMBERS);
        const { winners, price } = resolveAuction(bids, slots, 0);
        for (let valid = 0; valid <= winners.length; valid += 1)
          for (const mode of [bidIndependentIncome, equalIncome]) {
            const { shares, carry } = settle(mode, bids, slots, valid);
            const sum = shares.reduce((total, share) => total + share, carry);
            if (carry < 0 || sum !== price * valid) faults.push([slots, profile, valid]);
          }
      }
    expect(faults).toEqual([]);
  });
  it('settled before the last score it would be a deficit', () => {
    let deficits = 0;
    for (const profile of PROFILES) {
      const bids: readonly Bid[] = bidsOf(profile, MEMBERS);
      const { price } = resolveAuction(bids, 2, 0);
      const early = settle(bidIndependentIncome, bids, 2).shares.reduce((sum, share) => sum + share, 0);
      if (early > price) deficits += 1;
    }
    expect(deficits).toBeGreaterThan(100);
  });
  it('a share is that of the auction without the member', () => {
    const faults: unknown[] = [];
    for (const slots of [1, 2, 3])
      for (const reserve of [0, UNIT, 3 * UNIT])
        for (const profile of PROFILES) {
          const bids: readonly Bid[] = bidsOf(profile, MEMBERS);
          const { winners } = resolveAuction(bids, slots, reserve);
          const { shares } = bidIndependentIncome({
            bids,
            slots,
            reserve,
            valid: winners.length,
            members: MEMBERS,
          });
          const wanted = MEMBERS.map((member) => {
            const without = resolveAuction(
              bids.filter(({ principal }) => principal !== member),
              slots,
              reserve,
            );
            const count = Math.min(without.winners.length, winners.length);
            return Math.floor((count * without.price) / MEMBERS.length);
          });
          if (shares.join() !== wanted.join()) faults.push([slots, reserve, profile, shares, wanted]);
        }
    expect(faults).toEqual([]);
  });
});
