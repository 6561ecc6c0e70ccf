/**
 * The state as JSON, and back. What is read may come from somebody else's snapshot, so every field is held to
 * its shape. Source: machine interface, `encode`, `decode`.
 *
 * @module
 */
import {
  err,
  isArray,
  isRequestId,
  ok,
  parseShape,
  PersistentMap,
  type Json,
  type Rejection,
  type Result,
} from '@assay/kernel';
import {
  closed,
  digest,
  flag,
  free,
  integer,
  list,
  nullable,
  oneOf,
  text,
  type Shape,
} from '@assay/kernel/shape';
import { isId } from '../config/config.js';
import { parseConfig } from '../config/resolve.js';
import type { Window } from '../mechanisms/window.js';
import { liveOf, nextDueOf, type EcologyState } from './state.js';

type Entries<V = never> = readonly (readonly [string, V])[];
type Uses = readonly (readonly [at: number, amount: number])[];

const TABLES = [
  'things',
  'minted',
  'bids',
  'resolving',
  'scored',
  'thought',
  'offers',
  'mandates',
  'waiting',
  'open',
] as const;

/** The state as JSON: tables as arrays of pairs in the order of their keys, windows as their uses. */
export function encode(state: EcologyState): Json {
  const {
    asked: _asked,
    bidders: _bidders,
    next_due_us: _due,
    accounts,
    minters,
    llm_window,
    cpu_window,
    ...rest
  } = state;
  return {
    ...rest,
    ...Object.fromEntries(TABLES.map((table) => [table, (state[table] as PersistentMap<Json>).sorted()])),
    accounts: accounts
      .sorted()
      .map(([id, { llm_window: llm, cpu_window: cpu, check_window: check, ...account }]) => [
        id,
        { ...account, llm_window: usesOf(llm), cpu_window: usesOf(cpu), check_window: usesOf(check) },
      ]),
    minters: minters.sorted().map(([id, window]) => [id, usesOf(window)]),
    llm_window: usesOf(llm_window),
    cpu_window: usesOf(cpu_window),
  } as unknown as Json;
}

/** The uses of a window, oldest first. */
function usesOf({ front, back }: Window): Uses {
  const uses: (readonly [number, number])[] = [];
  for (let cell = front; cell !== null; cell = cell.next) uses.push([cell.at, cell.amount]);
  const newest: (readonly [number, number])[] = [];
  for (let cell = back; cell !== null; cell = cell.next) newest.push([cell.at, cell.amount]);
  return [...uses, ...newest.toReversed()];
}

function windowOf(uses: Uses): Window {
  const front = uses.reduceRight<Window['front']>((next, [at, amount]) => ({ at, amount, next }), null);
  return { front, back: null, used: uses.reduce((sum, [, amount]) => sum + amount, 0) };
}

const count = integer(0);
const anyText = text(() => true);
const pairOf = (item: Shape): Shape =>
  list((value) => {
    if (!isArray(value) || value.length !== 2 || typeof value[0] !== 'string') return '';
    const fault = item(value[1] ?? null);
    return fault === null ? null : `/1${fault}`;
  });
const USES = list(list(count, ({ length }) => length === 2));
const AMOUNTS = closed({
  scrip: count,
  llm_budget: count,
  disk: count,
  memory: count,
  llm_rate: count,
  cpu: count,
});
const ID = text(isId);
const ARTIFACT = closed({
  id: ID,
  content: free,
  interface: free,
  access_contract_id: ID,
  has_standing: flag,
  can_execute: flag,
  creator: ID,
  owner: anyText,
  created_us: count,
  updated_us: count,
  version: integer(1),
  size_bytes: count,
  content_hash: digest,
  config_hash: anyText,
  storage_payer: ID,
  invoked: count,
  succeeded: count,
});
const TOMBSTONE = closed({
  deleted_us: count,
  deleted_seq: count,
  creator: ID,
  owner: anyText,
  created_us: count,
});
const ACCOUNT = closed({
  amounts: AMOUNTS,
  disk_used: count,
  stored: count,
  llm_window: USES,
  cpu_window: USES,
  check_window: USES,
  reserved_tokens: count,
  reserved_uusd: count,
  last_action_us: count,
});
const BID = { principal: ID, amount: count, seq: count };
const RESOLVING = closed({
  bids: list(closed(BID)),
  price: count,
  winners: list(
    closed({ principal: ID, artifact_id: ID, content_hash: anyText, score: nullable(integer(-1, 100)) }),
  ),
  members: list(ID),
  missed: count,
});
const LEGS = closed({
  amounts: list((value) =>
    isArray(value) && value.length === 2 ? (anyText(value[0] ?? null) ?? count(value[1] ?? null)) : '',
  ),
  goods: list(closed({ id: ID, version: nullable(count) })),
});
const EXIT: Shape = (value) =>
  closed({ t: oneOf(['on_demand']) })(value) === null
    ? null
    : closed({ t: oneOf(['deadline', 'waived']), at_us: count })(value);
const OFFER = closed({ id: anyText, maker: ID, give: LEGS, want: LEGS, exit: EXIT });
const WAITING = closed({
  payer: ID,
  config_hash: anyText,
  need_hash: digest,
  tokens: count,
  uusd: count,
  action: free,
  rest: list(free),
  answers: pairOf(free),
});
const STATE = closed({
  config: (value) => (parseConfig(value)._tag === 'Right' ? null : ''),
  now_us: count,
  serial: count,
  things: pairOf((value) => (TOMBSTONE(value) === null ? null : ARTIFACT(value))),
  accounts: pairOf(ACCOUNT),
  supply: count,
  minted: pairOf(count),
  llm_window: USES,
  cpu_window: USES,
  reserved_tokens: count,
  bids: pairOf(closed({ ...BID, artifact_id: ID, content_hash: digest })),
  next_mint_us: count,
  resolutions: count,
  resolving: pairOf(RESOLVING),
  scored: pairOf(flag),
  thought: pairOf(flag),
  offers: pairOf(OFFER),
  mandates: pairOf(closed({ cap: count, expires_us: count })),
  minters: pairOf(USES),
  waiting: pairOf(WAITING),
  open: pairOf(text(isRequestId)),
  stopped: flag,
});

type Encoded = Omit<
  EcologyState,
  'accounts' | 'minters' | 'llm_window' | 'cpu_window' | (typeof TABLES)[number]
> & {
  readonly [table in (typeof TABLES)[number]]: Entries;
} & {
  readonly accounts: Entries<{
    readonly llm_window: Uses;
    readonly cpu_window: Uses;
    readonly check_window: Uses;
  }>;
  readonly minters: Entries<Uses>;
  readonly llm_window: Uses;
  readonly cpu_window: Uses;
};

/** Reads an encoded state. Error `bad_state` with {path}. */
export function decode(json: Json): Result<Rejection, EcologyState> {
  const shaped = parseShape<Encoded>(STATE, json);
  if (shaped._tag === 'Left') return err({ code: 'bad_state', detail: { path: shaped.left.path } });
  const read = shaped.right;
  const accounts = read.accounts.map(([id, account]) => [
    id,
    {
      ...account,
      llm_window: windowOf(account.llm_window),
      cpu_window: windowOf(account.cpu_window),
      check_window: windowOf(account.check_window),
    },
  ]) as unknown as Entries;
  const tables = Object.fromEntries(TABLES.map((table) => [table, PersistentMap.from(read[table])]));
  const state = {
    ...read,
    ...tables,
    asked: new Set(read.config.agents.asked),
    accounts: PersistentMap.from(accounts),
    minters: PersistentMap.from(read.minters.map(([id, uses]) => [id, windowOf(uses)] as const)),
    llm_window: windowOf(read.llm_window),
    cpu_window: windowOf(read.cpu_window),
  } as unknown as EcologyState;
  return isLinked(state)
    ? ok({ ...state, bidders: biddersOf(state), next_due_us: nextDueOf(state.offers) })
    : err({ code: 'bad_state', detail: { path: '/things' } });
}

function biddersOf({ bids }: EcologyState): PersistentMap<string> {
  return PersistentMap.from([...bids].map(([id, { artifact_id }]) => [artifact_id, id] as const)); // any order
}

/** What is named is there, under its own name. */
function isLinked(state: EcologyState): boolean {
  return (
    [...state.things].every(([key, thing]) => !('id' in thing) || thing.id === key) &&
    [...state.bids].every(([key, bid]) => bid.principal === key && state.accounts.has(key)) &&
    [...state.offers].every(([key, offer]) => offer.id === key && state.accounts.has(offer.maker)) &&
    [...state.waiting].every(
      ([key]) => liveOf(state, key) !== undefined && state.open.has(`effect ${key}`),
    ) &&
    [...state.asked].every((id) => liveOf(state, id) !== undefined)
  );
}
