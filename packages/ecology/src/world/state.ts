/**
 * The state of a world: an immutable value, so that keeping an earlier one is a savepoint.
 *
 * Source: specs/ecology.md B2, B4, B7, B9, B10.
 */
import { isRequestId, PersistentMap, type Json, type Rejection, type Result } from '@assay/kernel';
import {
  closed,
  decodeBy,
  digest,
  flag,
  free,
  integer,
  list,
  mapOf,
  nullable,
  oneOf,
  record,
  text,
  tuple,
  type Coded,
  type Shape,
  type TypeOf,
  type ValueOf,
} from '@assay/kernel/shape';
import { isId, type Config } from '../config/config.js';
import { NOTHING, parseConfig, type Amounts } from '../config/resolve.js';
import type { Bid } from '../mechanisms/auction.js';
import type { Legs, Offer } from '../mechanisms/offers.js';
import { moveOwned, type Owned } from './owned.js';
import { addTimer } from '../mechanisms/timers.js';
import { CAPABILITY, METERED_CALL } from './calls.js';
import { EMPTY_WINDOW, WINDOW } from '../mechanisms/window.js';
import { NO_LIVES, reindexLife, type Derived } from './life-index.js';
import { LIFE } from './life.js';
import { LOG } from './log.js';

const count = integer(0);
const anyText = text();
const ID = text(isId);
const HASH: Shape<string> = digest;

const ARTIFACT = closed({
  id: ID,
  content: free,
  interface: free,
  access_contract_id: ID,
  has_standing: flag,
  can_execute: flag,
  /** Never changes. */
  creator: ID,
  owner: anyText,
  created_us: count,
  updated_us: count,
  version: integer(1),
  size_bytes: count,
  content_hash: HASH,
  /** Hash of content, contract and owner; "" without standing. */
  config_hash: anyText,
  /** Who stores it: its disk holds `size_bytes`. */
  storage_payer: ID,
  invoked: count,
  succeeded: count,
});

/** A live artifact. Its role follows from two flags: standing and execution. */
export type Artifact = TypeOf<typeof ARTIFACT>;

const TOMBSTONE = closed({
  deleted_us: count,
  deleted_seq: count,
  creator: ID,
  owner: anyText,
  created_us: count,
});

/** What is left of a deleted artifact, for ever: its id is taken. */
export type Tombstone = TypeOf<typeof TOMBSTONE>;

const AMOUNTS: Shape<Amounts> = closed({
  scrip: count,
  llm_budget: count,
  disk: count,
  memory: count,
  llm_rate: count,
  cpu: count,
});

const ACCOUNT = record({
  amounts: AMOUNTS,
  disk_used: count,
  stored: count,
  llm_window: WINDOW,
  cpu_window: WINDOW,
  /** Runs of custom contracts as requester. */
  check_window: WINDOW,
  /** Upper bounds held back for effects under way. */
  reserved_tokens: count,
  reserved_uusd: count,
  last_action_us: count,
  /** Metered calls begun, and of them under way. */
  calls: count,
  calling: count,
  /** Null for who is no agent. */
  life: nullable(LIFE),
});

/** What somebody with standing holds and has used. */
export type Account = ValueOf<typeof ACCOUNT>;

/** An account that holds nothing. */
export const EMPTY_ACCOUNT: Account = Object.freeze({
  amounts: NOTHING,
  disk_used: 0,
  stored: 0,
  llm_window: EMPTY_WINDOW,
  cpu_window: EMPTY_WINDOW,
  check_window: EMPTY_WINDOW,
  reserved_tokens: 0,
  reserved_uusd: 0,
  last_action_us: 0,
  calls: 0,
  calling: 0,
  life: null,
});

const BID_FIELDS = { principal: ID, amount: count, seq: count };
const BID: Shape<Bid> = closed(BID_FIELDS);
const LIVE_BID = closed({ ...BID_FIELDS, artifact_id: ID, content_hash: HASH });

/** A live bid; its amount is held. */
export type LiveBid = TypeOf<typeof LIVE_BID>;

/** A score that is awaited. */
export const AWAITED = -1;

const WINNER = closed({
  principal: ID,
  artifact_id: ID,
  content_hash: anyText,
  score: nullable(integer(AWAITED, 100)),
});

const RESOLVING = closed({
  bids: list(BID),
  price: count,
  winners: list(WINNER),
  members: list(ID),
  missed: count,
});

/** A resolution whose last score is not in: winners' payments are held. */
export type Resolving = TypeOf<typeof RESOLVING>;

const LEGS: Shape<Legs> = closed({
  amounts: list(tuple(anyText, count)),
  goods: list(closed({ id: ID, version: nullable(count) })),
});
const OFFER: Shape<Offer> = closed({
  id: anyText,
  maker: ID,
  give: LEGS,
  want: LEGS,
  exit: either(
    closed({ t: oneOf(['on_demand']) }),
    closed({ t: oneOf(['deadline', 'waived']), at_us: count }),
  ),
});

/** What a payer allows a contract to charge. */
const MANDATE = closed({ cap: count, expires_us: count });

const WAITING = closed({
  /** Whose budget and window hold the upper bounds. */
  payer: ID,
  /** What the agent thought under. */
  config_hash: anyText,
  need_hash: HASH,
  tokens: count,
  uusd: count,
  action: free,
  rest: list(free),
  /** Answers so far, by the hash of the need. */
  answers: list(tuple(anyText, free)),
});

/** An action that waits for something outside, with the rest of its agent's list. */
export type Waiting = TypeOf<typeof WAITING>;

/** Holders that are no artifacts: their names hold a colon, which no id does. An offer's is `offer:` and its id, a call's `call:`. */
export const HOLDERS = {
  unallocated: 'sys:unallocated',
  spent: 'sys:spent',
  bids: 'sys:bids',
  mint: 'sys:mint',
  carry: 'sys:ubi_carry',
} as const;

const POLICY: Shape<Config> = (value) => (parseConfig(value)._tag === 'Right' ? null : '');

const WORLD = record({
  config: POLICY,
  now_us: count,
  /** The first reading of a clock; 0 before it. */
  begun_us: count,
  /** Number of the next created artifact, deletion, bid or offer. */
  serial: count,
  things: mapOf(either(TOMBSTONE, ARTIFACT)),
  accounts: mapOf(ACCOUNT),
  /** All scrip there is, milli-scrip: what the world began with, and what was minted since. */
  supply: count,
  /** Of it what each minter made. */
  minted: mapOf(count),
  /** What all used together. */
  llm_window: WINDOW,
  cpu_window: WINDOW,
  reserved_tokens: count,
  /** By principal. */
  bids: mapOf(LIVE_BID),
  next_mint_us: count,
  resolutions: count,
  /** Resolutions in a row at which nearly all agents were frozen. */
  starved: count,
  resolving: mapOf(RESOLVING),
  /** Pairs of artifact and content hash that were scored. */
  scored: mapOf(flag),
  /** Agents that paid for a think since the last resolution. */
  thought: mapOf(flag),
  offers: mapOf(OFFER),
  /** By payer and contract. */
  mandates: mapOf(MANDATE),
  minters: mapOf(WINDOW),
  waiting: mapOf(WAITING),
  /** Metered calls by agent and number: `a1.7`. */
  calls: mapOf(METERED_CALL),
  /** By agent and capability. */
  capabilities: mapOf(CAPABILITY),
  /** Commitments of the secrets whose handles agents hold, by agent and name. */
  secrets: mapOf(HASH),
  /** Open requests by what they are: `act a1`, `turn`, `score 1 x`. */
  open: mapOf(text(isRequestId)),
  log: LOG,
  stopped: flag,
});

/** The state: what is recorded of it, and what follows from that. */
export type EcologyState = ValueOf<typeof WORLD> &
  Derived & {
    /** Who bids, by artifact. */
    readonly bidders: PersistentMap<string>;
    /** Ids of the artifacts of each owner. */
    readonly owned: Owned;
  };

const STATE: Coded<EcologyState> = {
  ...WORLD,
  from: (json) => {
    const world = WORLD.from(json);
    let derived = NO_LIVES;
    for (const [id, { life }] of world.accounts) derived = reindexLife(derived, id, null, life); // any order
    let { timers } = derived;
    for (const [id, { exit }] of world.offers)
      if (exit.t !== 'on_demand') timers = addTimer(timers, exit.at_us, `o:${id}`); // any order
    const bidders = PersistentMap.from([...world.bids].map(([id, { artifact_id }]) => [artifact_id, id])); // any order
    let owned: Owned = PersistentMap.empty();
    for (const [id, thing] of world.things)
      if (isLive(thing)) owned = moveOwned(owned, id, null, thing.owner); // any order
    return { ...world, ...derived, timers, bidders, owned };
  },
};

/** The state as JSON: tables as pairs in the order of their keys, windows as their uses. */
export function encode(state: EcologyState): Json {
  return STATE.to(state);
}

/** Reads an encoded state. Error `bad_state` with {path}. */
export function decode(json: Json): Result<Rejection, EcologyState> {
  return decodeBy(STATE, json, (state) => (isLinked(state) ? null : '/things'));
}

/** What is named is there, under its own name. */
function isLinked(state: EcologyState): boolean {
  return (
    [...state.things].every(([key, thing]) => !('id' in thing) || thing.id === key) &&
    [...state.bids].every(([key, bid]) => bid.principal === key && state.accounts.has(key)) &&
    [...state.offers].every(([key, offer]) => offer.id === key && state.accounts.has(offer.maker)) &&
    [...state.waiting].every(
      ([key]) => findLive(state, key) !== undefined && state.open.has(`effect ${key}`),
    ) &&
    [...state.calls].every(
      ([key, { agent, ended }]) =>
        key.startsWith(`${agent}.`) && state.open.has(`call ${key}`) === (ended === null),
    ) &&
    [...state.accounts].every(([key, { life }]) => life === null || findLive(state, key) !== undefined)
  );
}

/** True for an artifact that is there. */
export function isLive(thing: Artifact | Tombstone | undefined): thing is Artifact {
  return thing !== undefined && 'id' in thing;
}

/** The artifact of a name, or undefined where there is none or it was deleted. */
export function findLive(state: EcologyState, id: string): Artifact | undefined {
  const thing = state.things.get(id);
  return isLive(thing) ? thing : undefined;
}

/** The account of a name; an empty one where there is none. */
export function getAccount(state: EcologyState, id: string): Account {
  return state.accounts.get(id) ?? EMPTY_ACCOUNT;
}

/** True for an artifact that answers `check_permission`. */
export function isContract({ can_execute, interface: described }: Artifact): boolean {
  return can_execute && readTools(described).some(({ name }) => name === 'check_permission');
}

/** A tool of an interface. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly input: Json;
  readonly output: Json;
};

/** The tools that an interface names, those without a name left out. */
export function readTools(described: Json): readonly Tool[] {
  if (typeof described !== 'object' || described === null || !('tools' in described)) return [];
  const { tools } = described;
  if (!Array.isArray(tools)) return [];
  return (tools as readonly Json[]).flatMap((tool) => {
    if (typeof tool !== 'object' || tool === null || !('name' in tool)) return [];
    const { name, description, inputSchema, outputSchema } = tool;
    if (typeof name !== 'string') return [];
    return [
      {
        name,
        description: typeof description === 'string' ? description : '',
        input: inputSchema ?? null,
        output: outputSchema ?? null,
      },
    ];
  });
}

/** What has one shape or the other; the fault of the other where it has neither. */
function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return (value) => (one(value) === null ? null : other(value));
}
