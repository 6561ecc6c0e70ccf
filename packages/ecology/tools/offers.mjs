/**
 * Every sequence of a few acts in a world of three parties, two goods and four of scrip: offers of each shape and
 * exit, purchases, withdrawals, payments, rewriting of goods, time. `offers` are the functions of the mechanism, or
 * ones with a fault put into them.
 *
 * @module
 */

const PARTIES = ['a', 'b', 'c'];
const GOODS = ['g', 'h'];
const SCRIP = 4;

const legs = (scrip, ...goods) => ({
  amounts: scrip === 0 ? [] : [['scrip', scrip]],
  goods: goods.map((id) => ({ id, version: null })),
});
const LEGS = [legs(0, 'g'), legs(1), legs(1, 'g'), legs(0, 'h'), legs(0, 'g', 'h')];

/** Who holds what at the start. */
const START = {
  now: 0,
  scrip: { a: 2, b: 2, c: 0 },
  goods: { g: { owner: 'a', version: 1 }, h: { owner: 'b', version: 1 } },
  open: [],
  made: 0,
};

/** The world to a depth: how many states, and the violations that were found, by law. */
export function exploreOffers(offers, depth) {
  let level = new Map([[JSON.stringify(START), START]]);
  let [states, transitions] = [1, 0];
  const violations = new Map();
  for (let left = depth; left > 0; left -= 1) {
    const next = new Map();
    for (const world of level.values())
      for (const act of actsIn(world)) {
        const after = apply(offers, world, act);
        if (after === world) continue;
        transitions += 1;
        for (const law of brokenLaws(world, act, after)) violations.set(law, (violations.get(law) ?? 0) + 1);
        next.set(JSON.stringify(after), after);
      }
    level = next;
    states += next.size;
  }
  return { states, transitions, violations: Object.fromEntries(violations) };
}

function actsIn({ now, open, made }) {
  const offered = PARTIES.flatMap((maker) =>
    LEGS.flatMap((give) =>
      LEGS.flatMap((want) =>
        [{ t: 'on_demand' }, { t: 'deadline', at_us: now + 1 }, { t: 'waived', at_us: now + 1 }].map(
          (exit) => ({
            t: 'open',
            offer: { id: `o${made}`, maker, give, want, exit },
          }),
        ),
      ),
    ),
  );
  const dealt = open.flatMap((offer) =>
    PARTIES.flatMap((by) => [
      { t: 'cancel', offer, by },
      { t: 'buy', offer, by },
    ]),
  );
  return [
    ...(made < 2 ? offered : []),
    ...dealt,
    ...PARTIES.flatMap((from) => PARTIES.filter((to) => to !== from).map((to) => ({ t: 'pay', from, to }))),
    ...GOODS.map((id) => ({ t: 'rewrite', id })),
    { t: 'tick' },
  ];
}

/** The world behind one act; a refused one changes nothing. */
function apply(offers, world, act) {
  const holdings = {
    amountOf: (party) => world.scrip[party] ?? 0,
    good: (id) => world.goods[id] ?? null,
  };
  const without = (offer) => world.open.filter((one) => one !== offer);
  switch (act.t) {
    case 'open': {
      const moves = offers.openOffer(act.offer, holdings, world.now);
      if (moves._tag === 'Left') return world;
      return moved({ ...world, open: [...world.open, act.offer], made: world.made + 1 }, moves.right);
    }
    case 'buy': {
      const seen = act.offer.give.goods.map(({ id }) => world.goods[id].version);
      const moves = offers.buyOffer(act.offer, { buyer: act.by, seen }, holdings, world.now);
      return moves._tag === 'Left' ? world : moved({ ...world, open: without(act.offer) }, moves.right);
    }
    case 'cancel': {
      const moves = offers.cancelOffer(act.offer, act.by, world.now);
      return moves._tag === 'Left' ? world : moved({ ...world, open: without(act.offer) }, moves.right);
    }
    case 'pay':
      if (world.scrip[act.from] < 1) return world;
      return moved(world, [{ ...act, leg: { t: 'amount', resource: 'scrip', amount: 1 } }]);
    case 'rewrite': {
      // What is held cannot be written: no party owns it.
      const good = world.goods[act.id];
      if (!PARTIES.includes(good.owner) || good.version > 1) return world;
      return { ...world, goods: { ...world.goods, [act.id]: { ...good, version: 2 } } };
    }
    default: {
      const now = world.now + 1;
      const due = world.open.filter((offer) => offers.isDue(offer, now));
      const open = world.open.filter((offer) => !due.includes(offer));
      return moved(
        { ...world, now, open },
        due.flatMap((offer) => offers.given(offer, offer.maker)),
      );
    }
  }
}

function moved(world, moves) {
  return moves.reduce((before, { from, to, leg }) => {
    if (leg.t === 'good')
      return { ...before, goods: { ...before.goods, [leg.id]: { ...before.goods[leg.id], owner: to } } };
    const left = { ...before.scrip, [from]: (before.scrip[from] ?? 0) - leg.amount };
    const scrip = { ...left, [to]: (left[to] ?? 0) + leg.amount };
    return {
      ...before,
      scrip: Object.fromEntries(Object.entries(scrip).filter(([id, n]) => n !== 0 || PARTIES.includes(id))),
    };
  }, world);
}

/** The laws of one state, and of what an act did to each party. */
function brokenLaws(before, act, after) {
  const broken = [];
  const amounts = Object.values(after.scrip);
  if (amounts.reduce((sum, amount) => sum + amount, 0) !== SCRIP) broken.push('scrip-conservation');
  if (amounts.some((amount) => amount < 0)) broken.push('non-negative');
  for (const { id, give, exit } of after.open) {
    const hold = `offer:${id}`;
    const isHeld =
      (after.scrip[hold] ?? 0) === (give.amounts[0]?.[1] ?? 0) &&
      give.goods.every((good) => after.goods[good.id].owner === hold);
    if (!isHeld) broken.push('escrow-atomic');
    if (exit.t !== 'on_demand' && after.now >= exit.at_us) broken.push('payout-liveness');
  }
  for (const offer of before.open)
    if (!after.open.includes(offer) && !isSafe(before, act, after, offer)) broken.push('offer-safety');
  return broken;
}

/** An offer that closed: the maker has its want and the buyer the give, or the maker has its give again. */
function isSafe(before, act, after, { maker, give, want, exit }) {
  const gained = (party, { amounts, goods }) =>
    after.scrip[party] - before.scrip[party] >= (amounts[0]?.[1] ?? 0) &&
    goods.every(({ id }) => after.goods[id].owner === party);
  if (act.t !== 'buy') {
    const isAllowed = act.t === 'tick' || (act.by === maker && exit.t !== 'waived');
    return isAllowed && gained(maker, give);
  }
  const net = (give.amounts[0]?.[1] ?? 0) - (want.amounts[0]?.[1] ?? 0);
  const isPaid = after.scrip[act.by] - before.scrip[act.by] === net;
  return (
    act.by !== maker &&
    isPaid &&
    gained(maker, want) &&
    give.goods.every(({ id }) => after.goods[id].owner === act.by)
  );
}
