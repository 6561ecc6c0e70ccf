/**
 * Offers: what is given is held, what is wanted is named, and the exit says who may end it and when. An offer
 * is settled whole, returned whole, or open. Each party ends with at least what it wants or its whole give.
 *
 * The functions change nothing: they answer with the moves to make, all of them or none.
 * Source: specs/ecology.md B10; 004 L4488–4513.
 */
import { err, ok, type Result } from '@assay/kernel';

/** An artifact, and the version that is meant; null for whichever it has. */
export type Good = {
  readonly id: string;
  readonly version: number | null;
};

/** One side: amounts of resources in their smallest units, at least 1, and the ownership of artifacts. */
export type Legs = {
  readonly amounts: readonly (readonly [resource: string, amount: number])[];
  readonly goods: readonly Good[];
};

/**
 * - `on_demand`: the maker may end it at any time, time alone never does.
 * - `deadline`: the maker may end it, and time does at `at_us`.
 * - `waived`: time ends it at `at_us`, and the maker cannot before.
 */
export type Exit =
  | { readonly t: 'on_demand' }
  | { readonly t: 'deadline' | 'waived'; readonly at_us: number };

/** An open offer. */
export type Offer = {
  readonly id: string;
  readonly maker: string;
  readonly give: Legs;
  readonly want: Legs;
  readonly exit: Exit;
};

/** What somebody can give away now. */
export type Holdings = {
  /** Of a rate only the part that nobody used in the window. */
  amountOf(party: string, resource: string): number;
  /** Owner and version of an artifact; null where there is none. */
  good(id: string): { readonly owner: string; readonly version: number } | null;
};

/** One thing from one to another. */
export type Move = {
  readonly from: string;
  readonly to: string;
  readonly leg:
    | { readonly t: 'amount'; readonly resource: string; readonly amount: number }
    | { readonly t: 'good'; readonly id: string };
};

/**
 * Why there is nothing to move, in the order of the checks: `legs` (an amount that is no positive integer, a
 * thing named twice, nothing given, more than 32 legs), `deadline` (an exit that has passed), `maker` (the maker
 * buys, or somebody else ends it), `waived`, `version` (other goods than were seen), `goods`, `amount` (somebody
 * does not have them).
 */
export type OfferFault = {
  readonly code: 'legs' | 'deadline' | 'maker' | 'waived' | 'version' | 'goods' | 'amount';
  /** Of whom, what; null where the code says it. */
  readonly party: string | null;
  readonly what: string | null;
};

/** Amounts and goods of both sides together, at most. */
export const LEGS_MAX = 32;

/** Who holds what an offer gives. No artifact has such an id. */
export function makeHoldId(id: string): string {
  return `offer:${id}`;
}

/**
 * Opens an offer: its give goes to {@link makeHoldId} its id. Refused: `legs`, `deadline`, `version`, `goods`,
 * `amount`.
 */
export function openOffer(
  offer: Offer,
  holdings: Holdings,
  now_us: number,
): Result<OfferFault, readonly Move[]> {
  const bad = faultOfLegs(offer);
  if (bad !== null) return fault('legs', null, bad);
  if (isDue(offer, now_us)) return fault('deadline');
  return moves(offer.give, offer.maker, makeHoldId(offer.id), holdings);
}

/**
 * Settles an offer: the want goes from buyer to maker, the give to the buyer. `seen` are the versions of the goods
 * given, in their order, as the buyer saw them. Refused: `deadline`, `maker`, `version`, `goods`, `amount`.
 */
export function buyOffer(
  offer: Offer,
  { buyer, seen }: { readonly buyer: string; readonly seen: readonly number[] },
  holdings: Holdings,
  now_us: number,
): Result<OfferFault, readonly Move[]> {
  if (isDue(offer, now_us)) return fault('deadline');
  if (buyer === offer.maker) return fault('maker', buyer);
  const { goods } = offer.give;
  const changed = goods.find(({ id }, index) => holdings.good(id)?.version !== seen[index]);
  if (changed !== undefined || seen.length !== goods.length)
    return fault('version', null, changed?.id ?? null);
  const paid = moves(offer.want, buyer, offer.maker, holdings);
  if (paid._tag === 'Left') return paid;
  return ok([...paid.right, ...given(offer, buyer)]);
}

/** Ends an offer on its maker's word: the give goes back. Refused: `maker`, `waived`. */
export function cancelOffer(offer: Offer, by: string, now_us: number): Result<OfferFault, readonly Move[]> {
  if (by !== offer.maker) return fault('maker', by);
  if (offer.exit.t === 'waived' && !isDue(offer, now_us)) return fault('waived');
  return ok(given(offer, offer.maker));
}

/** True where time has ended an offer: its give is due back. */
export function isDue({ exit }: Offer, now_us: number): boolean {
  return exit.t !== 'on_demand' && now_us >= exit.at_us;
}

/** What is held goes to somebody: to the buyer, or back to the maker of an offer that is due. */
export function given({ id, give }: Offer, to: string): readonly Move[] {
  return listMoves(give, makeHoldId(id), to);
}

function moves(
  legs: Legs,
  from: string,
  to: string,
  holdings: Holdings,
): Result<OfferFault, readonly Move[]> {
  for (const { id, version } of legs.goods) {
    const good = holdings.good(id);
    if (good === null || good.owner !== from) return fault('goods', from, id);
    if (version !== null && version !== good.version) return fault('version', from, id);
  }
  for (const [resource, amount] of legs.amounts)
    if (holdings.amountOf(from, resource) < amount) return fault('amount', from, resource);
  return ok(listMoves(legs, from, to));
}

function listMoves({ amounts, goods }: Legs, from: string, to: string): readonly Move[] {
  return [
    ...amounts.map(([resource, amount]): Move => ({ from, to, leg: { t: 'amount', resource, amount } })),
    ...goods.map(({ id }): Move => ({ from, to, leg: { t: 'good', id } })),
  ];
}

/** What is wrong with the two sides; null where nothing is. A thing on both sides would be none of either. */
function faultOfLegs({ give, want }: Offer): string | null {
  const amounts = [...give.amounts, ...want.amounts];
  const things = [
    ...amounts.map(([resource]) => `of ${resource}`),
    ...[...give.goods, ...want.goods].map(({ id }) => id),
  ];
  const [twice] = things.filter((thing, index) => things.indexOf(thing) !== index);
  const [broken] = amounts.filter(([, amount]) => !Number.isSafeInteger(amount) || amount < 1);
  if (give.amounts.length + give.goods.length === 0) return 'give';
  if (things.length > LEGS_MAX) return 'count';
  return broken?.[0] ?? twice ?? null;
}

function fault(
  code: OfferFault['code'],
  party: string | null = null,
  what: string | null = null,
): Result<OfferFault, never> {
  return err({ code, party, what });
}
