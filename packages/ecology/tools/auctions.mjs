/**
 * What a bidder gains by another bid than its value, under several rules. `mechanisms` is the entry of that name.
 *
 * A rule takes `{ bids, slots, members }` and gives what each member has of it: whether it won, what it paid, its
 * share of the income.
 *
 * @module
 */

/** The rule of an ecology, the option of an equal share, and rules that are here to be seen failing. */
export function rulesOf({ resolveAuction, bidIndependentIncome, equalIncome }) {
  const uniform = (income) => (given) => {
    const { winners, price } = resolveAuction(given.bids, given.slots, 0);
    const { shares } = income({ ...given, reserve: 0, valid: winners.length });
    return { winners, pays: (_bid, isWinner) => (isWinner ? price : 0), shares };
  };
  const split = (pays) => (given) => {
    const { winners, price } = resolveAuction(given.bids, given.slots, 0);
    const pot = given.bids.reduce((sum, bid) => sum + pays(bid, winners.includes(bid), price), 0);
    const shares = given.members.map(() => Math.floor(pot / given.members.length));
    return { winners, pays: (bid, isWinner) => pays(bid, isWinner, price), shares };
  };
  return {
    bid_independent: uniform(bidIndependentIncome),
    equal: uniform(equalIncome),
    'losers forfeit': split((bid, isWinner, price) => (isWinner ? price : bid.amount)),
    'first price': split((bid, isWinner) => (isWinner ? bid.amount : 0)),
    'all pay': split((bid) => bid.amount),
  };
}

/** Bids of these amounts by members of the same order; zero is no bid. */
export function bidsOf(amounts, members) {
  return amounts.flatMap((amount, index) =>
    amount === 0 ? [] : [{ principal: members[index], amount, seq: index }],
  );
}

/** What an outcome is worth to some members together, each with a value for one slot. */
function utility(rule, { amounts, values, slots, members }, owned) {
  const bids = bidsOf(amounts, members);
  const { winners, pays, shares } = rule({ bids, slots, members });
  return owned.reduce((sum, index) => {
    const bid = bids.find(({ principal }) => principal === members[index]);
    const isWinner = bid !== undefined && winners.includes(bid);
    const paid = bid === undefined ? 0 : pays(bid, isWinner);
    return sum + (isWinner ? values[index] : 0) - paid + shares[index];
  }, 0);
}

/** Deviations of one member that pay, of all that there are: each bid of `bids` but its value. */
export function deviations(rule, { values, slots, members, index, bids }) {
  const world = { values, slots, members };
  const truth = utility(rule, { ...world, amounts: values }, [index]);
  const tried = bids.filter((bid) => bid !== values[index]);
  const better = tried.filter(
    (bid) => utility(rule, { ...world, amounts: values.with(index, bid) }, [index]) > truth,
  );
  return { profitable: better.length, all: tried.length };
}

/** The same for one owner who bids by two members. */
export function jointDeviations(rule, { values, slots, members, owned: [one, other], bids }) {
  const world = { values, slots, members };
  const truth = utility(rule, { ...world, amounts: values }, [one, other]);
  const tried = bids.flatMap((first) => bids.map((second) => values.with(one, first).with(other, second)));
  const better = tried.filter((amounts) => utility(rule, { ...world, amounts }, [one, other]) > truth);
  return { profitable: better.length, all: tried.length - 1 };
}

/** Members of the exhaustive world. */
export const MEMBERS = ['a', 'b', 'c', 'd'];

/** Milli-scrip, so that a share is not rounded away: a value of 1 is 1,200, which 4 divides. */
export const UNIT = 1200;

/** Every profile of values from 0 to 5 units. */
export const PROFILES = MEMBERS.reduce(
  (profiles) => profiles.flatMap((profile) => [0, 1, 2, 3, 4, 5].map((value) => [...profile, value * UNIT])),
  [[]],
);

/** Every bid that a member of that world may make: one unit above the highest value too. */
export const BIDS = [0, 1, 2, 3, 4, 5, 6].map((value) => value * UNIT);

/** Deviations of each member, or of one owner with the last two, over every profile: those that pay, and all. */
export function everyDeviation(rule, slots, isJoint = false) {
  let [profitable, all] = [0, 0];
  const world = { slots, members: MEMBERS, bids: BIDS };
  for (const values of PROFILES)
    for (const index of isJoint ? [2] : [0, 1, 2, 3]) {
      const found = isJoint
        ? jointDeviations(rule, { ...world, values, owned: [2, 3] })
        : deviations(rule, { ...world, values, index });
      profitable += found.profitable;
      all += found.all;
    }
  return { profitable, all };
}
