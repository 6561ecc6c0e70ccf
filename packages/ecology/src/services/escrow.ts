/**
 * Offers: give, want, exit. The rules are those of `mechanisms/offers`; here they meet the store and the ledger.
 *
 * Source: specs/ecology.md B10; 004 L4488–4513.
 */
import { field, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { readField } from '@assay/kernel/shape';
import { permit, find, makeRefusal } from '../contracts/permit.js';
import { isId, RESOURCES, type Resource } from '../config/config.js';
import { measureSize, type Draft } from '../world/draft.js';
import { computeSpare } from '../world/holding.js';
import { done, refused, type Outcome } from '../world/outcome.js';
import { HOLDERS, findLive } from '../world/state.js';
import {
  buyOffer,
  LEGS_MAX,
  cancelOffer,
  given,
  openOffer,
  type Exit,
  type Holdings,
  type Legs,
  type Move,
  type Offer,
  type OfferFault,
} from '../mechanisms/offers.js';
import { isAmount } from '../protocol/action.js';
import type { Code } from '../protocol/response.js';
import { handOver, isGuard } from '../store/writing.js';
import { voidBid } from './mint.js';
import {
  AMOUNT,
  closedObject,
  COUNT,
  faultOfHolder,
  ID,
  method,
  readNumber,
  refuseShape,
  RESOURCE,
  TEXT,
  readText,
  readValue,
  type Call,
  type Method,
} from './service.js';

/** What one side of an offer is. */
const LEGS: JsonObject = Object.freeze({
  ...closedObject({
    'amounts?': {
      type: 'array',
      maxItems: LEGS_MAX,
      items: { type: 'array', prefixItems: [RESOURCE, AMOUNT], minItems: 2, maxItems: 2 },
    },
    'goods?': {
      type: 'array',
      maxItems: LEGS_MAX,
      items: { anyOf: [ID, closedObject({ id: ID, 'version?': COUNT })] },
    },
  }),
  description:
    'Legs: amounts as [resource, amount], such as ["scrip", 5000], and goods, whose ownership moves, by their ids; ' +
    `at most ${LEGS_MAX} in both sides, each thing once.`,
});

const EXIT: JsonObject = Object.freeze({
  anyOf: [
    closedObject({ t: { type: 'string', enum: ['on_demand'] } }),
    closedObject({ t: { type: 'string', enum: ['deadline', 'waived'] }, at_us: COUNT }),
  ],
  description:
    'When it ends unsold: on_demand, you cancel it; deadline, you or time at at_us; waived, only time at at_us.',
});

/** Offers of anything for anything, settled whole or not at all. */
export const ESCROW: ReadonlyMap<string, Method> = new Map([
  method(
    'offer',
    'Holds what you give until somebody gives what you want, or the exit is due.',
    { give: LEGS, want: LEGS, exit: EXIT },
    offer,
  ),
  method(
    'buy',
    'Settles an offer; `seen` are the versions of its goods, `access_contract_id` guards them afterwards.',
    { offer_id: TEXT, 'seen?': { type: 'array', items: COUNT }, 'access_contract_id?': ID },
    buy,
  ),
  method('cancel', 'Ends your offer: what you gave comes back.', { offer_id: TEXT }, cancel),
  method('list_active', 'Open offers by id.', { 'limit?': COUNT, 'offset?': COUNT }, listActive),
]);

/** Open offers in a list at most. */
const LISTED_MAX = 100;

/** What guards goods that change hands, where nobody says otherwise. */
const OWNER_GUARD = 'owner_contract';

const FAULTS: { readonly [code in OfferFault['code']]: readonly [code: Code, message: string] } = {
  legs: ['INVALID_ARGS', 'an offer gives something, at most 32 things in all, each once'],
  deadline: ['CONFLICT', 'the time of the offer is over'],
  maker: ['ACCESS_DENIED', 'the maker of an offer does not buy it, and ends it alone'],
  waived: ['CONFLICT', 'the offer cannot be ended before its time'],
  version: [
    'CONFLICT',
    'the versions of the goods are others than were stated: give seen: [VERSION, …] as they are',
  ],
  goods: ['ACCESS_DENIED', 'the goods are not theirs who gives them'],
  amount: ['INSUFFICIENT_FUNDS', 'there is too little of what is given'],
};

function offer(call: Call): Outcome {
  const { physics, frame, args } = call;
  const { draft } = physics;
  const maker = frame.requester;
  const [give, want, exit] = [
    legsIn(readValue(args, 'give')),
    legsIn(readValue(args, 'want')),
    exitIn(readValue(args, 'exit')),
  ];
  if (give === null || want === null || exit === null)
    return refuseShape(give === null ? 'give' : want === null ? 'want' : 'exit');
  const refusal = faultOfHolder(physics, maker) ?? mayGive(call, give);
  if (refusal !== null) return refusal;
  const made: Offer = { id: `o${draft.state.serial}`, maker, give, want, exit };
  const moves = openOffer(made, holdingsIn(draft), draft.state.now_us);
  if (moves._tag === 'Left') return faulty(moves.left);
  const fault = apply(draft, moves.right, null);
  if (fault !== null) return fault;
  draft.emit({ t: 'offered', v: made }, measureSize(made));
  return done({ offer_id: made.id });
}

function buy(call: Call): Outcome {
  const { physics, frame, args } = call;
  const { draft } = physics;
  const open = draft.state.offers.get(readText(args, 'offer_id'));
  if (open === undefined) return refused('NOT_FOUND', 'there is no such offer');
  const refusal = faultOfHolder(physics, frame.requester) ?? mayGive(call, open.want);
  if (refusal !== null) return refusal;
  const contract = readText(args, 'access_contract_id') || OWNER_GUARD;
  if (!isGuard(draft, contract)) return refused('INVALID_CONTRACT', 'the access contract is none');
  const versions = readValue(args, 'seen');
  const seen = isArray(versions) ? versions.map((version) => (isAmount(version) ? version : -1)) : [];
  const moves = buyOffer(open, { buyer: frame.requester, seen }, holdingsIn(draft), draft.state.now_us);
  if (moves._tag === 'Left') return faulty(moves.left);
  const fault = apply(draft, moves.right, { of: frame.requester, contract });
  if (fault !== null) return fault;
  // On top of the price, so that the maker has what it wants.
  const amounts = [...open.want.amounts, ...open.give.amounts];
  const price = amounts.reduce((sum, [of, amount]) => (of === 'scrip' ? sum + amount : sum), 0);
  const fee = Number((BigInt(price) * BigInt(draft.config.escrow.fee_ppm)) / 1_000_000n);
  if (computeSpare(draft, frame.requester, 'scrip') < fee)
    return refused('INSUFFICIENT_FUNDS', 'there is too little scrip for the fee', { fee });
  if (fee > 0) draft.emit({ t: 'mv', f: frame.requester, o: HOLDERS.carry, x: fee });
  draft.emit({ t: 'ended', i: open.id, y: 'bought', o: frame.requester });
  return done({ offer_id: open.id });
}

function listActive({ physics: { draft }, args }: Call): Outcome {
  const from = readNumber(args, 'offset');
  const most = Math.min(readNumber(args, 'limit', LISTED_MAX), LISTED_MAX);
  return done(
    draft.state.offers
      .sorted()
      .slice(from, from + most)
      .map(([, open]) => open),
  );
}

function cancel({ physics: { draft }, frame, args }: Call): Outcome {
  const open = draft.state.offers.get(readText(args, 'offer_id'));
  if (open === undefined) return refused('NOT_FOUND', 'there is no such offer');
  const moves = cancelOffer(open, frame.requester, draft.state.now_us);
  if (moves._tag === 'Left') return faulty(moves.left);
  giveBack(draft, open, moves.right);
  return done(null);
}

/** Gives back what an offer holds; nothing can stop that. */
export function giveBack(draft: Draft, open: Offer, moves: readonly Move[] = given(open, open.maker)): void {
  apply(draft, moves, null);
  draft.emit({ t: 'ended', i: open.id, y: 'returned' });
}

/** Goods need their contract's word, amounts of one's own do not. */
function mayGive({ physics, frame }: Call, { goods }: Legs): Outcome | null {
  for (const { id } of goods) {
    const artifact = find(physics.draft, id);
    if (!('id' in artifact)) return artifact;
    const refusal = makeRefusal(permit(physics, frame, artifact, { action: 'transfer' }));
    if (refusal !== null) return refusal;
  }
  return null;
}

function holdingsIn(draft: Draft): Holdings {
  return {
    amountOf: (party, resource) => {
      const known = resourceIn(resource);
      return known === null ? 0 : computeSpare(draft, party, known);
    },
    good: (id) => {
      const artifact = findLive(draft.state, id);
      return artifact === undefined ? null : { owner: artifact.owner, version: artifact.version };
    },
  };
}

/**
 * Makes the moves. Of a purchase, what the buyer gets is guarded as it says, and what the maker gets by
 * `owner_contract`: nobody keeps control of what it gave. A refusal undoes the whole action.
 */
function apply(
  draft: Draft,
  moves: readonly Move[],
  bought: { readonly of: string; readonly contract: string } | null,
): Outcome | null {
  for (const { from, to, leg } of moves) {
    if (leg.t === 'amount') {
      const resource = resourceIn(leg.resource) ?? 'scrip';
      const named = resource === 'scrip' ? {} : { r: resource };
      draft.emit({ t: 'mv', f: from, o: to, x: leg.amount, ...named });
      continue;
    }
    const artifact = findLive(draft.state, leg.id);
    if (artifact === undefined) return refused('CONFLICT', 'a good is gone');
    const { access_contract_id, storage_payer } = artifact;
    const contract = to === bought?.of ? bought.contract : OWNER_GUARD;
    const fault = handOver(
      draft,
      artifact,
      bought === null
        ? { to, contract: access_contract_id, payer: storage_payer }
        : { to, contract, payer: to },
    );
    if (fault !== null) return fault;
    voidBid(draft, leg.id);
  }
  return null;
}

function faulty({ code, party, what }: OfferFault): Outcome {
  const [refusal, message] = FAULTS[code];
  return refused(refusal, message, { party, what });
}

function resourceIn(value: Json | undefined): Resource | null {
  return RESOURCES.find((resource) => resource === value) ?? null;
}

function legsIn(value: Json): Legs | null {
  if (!isObject(value)) return null;
  const [amounts, goods] = [field(value, 'amounts') ?? [], field(value, 'goods') ?? []];
  if (!isArray(amounts) || !isArray(goods) || Math.max(amounts.length, goods.length) > LEGS_MAX) return null;
  if (Object.keys(value).some((key) => key !== 'amounts' && key !== 'goods')) return null;
  const read: [string, number][] = [];
  for (const pair of amounts) {
    if (!isArray(pair) || pair.length !== 2) return null;
    const [resource, amount] = [resourceIn(pair[0]), pair[1]];
    if (resource === null || !isAmount(amount)) return null;
    read.push([resource, amount]);
  }
  const named: { id: string; version: number | null }[] = [];
  for (const good of goods) {
    const id = isObject(good) ? field(good, 'id') : good;
    const version = readField(good, 'version');
    if (!isId(id) || (version !== null && !isAmount(version))) return null;
    named.push({ id, version });
  }
  return { amounts: read, goods: named };
}

function exitIn(value: Json): Exit | null {
  if (!isObject(value)) return null;
  const [t, at_us] = [field(value, 't'), field(value, 'at_us')];
  if (t === 'on_demand') return Object.keys(value).length === 1 ? { t } : null;
  if ((t !== 'deadline' && t !== 'waived') || !isAmount(at_us) || Object.keys(value).length > 2) return null;
  return { t, at_us };
}
