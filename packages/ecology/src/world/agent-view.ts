/**
 * All that an agent is shown before it acts: its own things, what its last actions came to, what stands open. Pure, so
 * that a recorded answer can be understood from the ledger alone. Source: specs/ecology.md, top; B5, B6.
 */
import type { Json, JsonObject } from '@assay/kernel';
import type { Amounts } from '../config/resolve.js';
import type { Response } from '../protocol/response.js';
import { measureSize } from './draft.js';
import { computeSpare, leftOfAll } from './holding.js';
import { entriesSince, type Entry } from './log.js';
import { describeRunState } from './run-state.js';
import { findLive, getAccount, type Artifact, type EcologyState } from './state.js';
import { listOwned } from './owned.js';
import type { Offer } from '../mechanisms/offers.js';

/** What is shown beside the state: what the agent's last answer came to. */
export type Shown = { readonly responses: readonly Response[] };

/** One thing of an inventory. */
export type Owned = {
  readonly id: string;
  readonly version: number;
  readonly size_bytes: number;
  readonly can_execute: boolean;
  readonly has_standing: boolean;
};

/** What an agent is shown, at most 64 KiB of canonical JSON. */
export type AgentView = {
  /** Of `now_us`, RFC 3339 in UTC. */
  readonly time: string;
  readonly now_us: number;
  readonly id: string;
  readonly config_hash: string;
  /** {state, reason?, until_us?, resource?}. */
  readonly run_state: JsonObject;
  readonly memory_artifact_id: string | null;
  /** What it thinks with: the content of its own artifact. */
  readonly content: Json;
  readonly balances: Amounts;
  /** What fits now: of rates in the window, of budget and disk without what is held or used. */
  readonly headroom: Pick<Amounts, 'llm_budget' | 'llm_rate' | 'cpu' | 'disk'>;
  /** Artifacts that it owns, itself left out. */
  readonly inventory: readonly Owned[];
  /** Its latest metered calls, newest first; ask for the status of one for its result. */
  readonly calls: readonly { readonly call: string; readonly target: string; readonly state: string }[];
  /** What its last answer came to. */
  readonly responses: readonly Response[];
  /** Public events since its last action, oldest first; `cursor` is where `genesis_event_log_api` goes on. */
  readonly events: readonly Omit<Entry, 'to'>[];
  readonly cursor: number;
  readonly bid: { readonly artifact_id: string; readonly amount: number } | null;
  readonly offers: readonly Offer[];
  readonly next_resolution: { readonly time: string; readonly at_us: number; readonly number: number };
  readonly handbook: string;
  /** How much of a field did not fit. */
  readonly left_out: { readonly [field: string]: number };
};

/** Bytes of a view, and how much of it each field may take; other agents' offers are shown where they are few. */
const VIEW_BYTES = 65_536;
const CONTENT_BYTES = 16_384;
const OWNED_MAX = 64;
const OFFERS_MAX = 32;
const OFFERS_BYTES = 8_192;
const CALLS_MAX = 16;
const EVENTS_MAX = 16;
const EVENTS_BYTES = 8_192;
/** Bytes of a thing of an inventory beside its id, and of all that has a fixed form, at most. */
const OWNED_BYTES = 130;
const FIXED_BYTES = 8_192;

/** How an agent acts, as it is told in each view. */
export const HANDBOOK: string = [
  'You are an agent in a world of artifacts, contracts and money. Answer {"actions": [...]}, 1 to 32 of:',
  '{"op":"noop"}',
  '{"op":"read","id":ID}',
  '{"op":"write","id":ID,"content":JSON,"expected_version":N}',
  '{"op":"invoke","id":ID,"method":NAME,"args":{...},"max_charge":N}',
  'Everything is an artifact. Its access contract decides who may do what: by default all may read and invoke,',
  'and its owner may write. Services are artifacts that you invoke; read one for its methods and arguments:',
  'genesis_store_api: create {id, content, interface?, access_contract_id?, has_standing?, can_execute?}, delete,',
  '  search, list_all, list_by_owner, get_interface, get_metadata, get_artifact_info, transfer_ownership',
  'genesis_ledger_api: balance, transfer {to, amount, resource?}, swap, grant_mandate, revoke_mandate',
  'genesis_escrow_api: offer {give, want, exit}, buy {offer_id, seen: [VERSION of each good]}, cancel, list_active',
  'genesis_mint_api: bid {artifact_id, amount}, withdraw_bid, status',
  'genesis_rights_registry_api: check_quota, transfer_quota',
  'genesis_agents_api: sleep {for_us?, until_us?, events?, balances?}, subscribe, set_memory, status',
  'genesis_event_log_api: what happened. genesis_calls_api: metered calls to the outside.',
  'Money is milli-scrip: 1,000 is 1 scrip. The mint alone makes new money: bid for a score of an artifact that you',
  'may write. Winners pay the price, their score is minted to them, and what they paid is shared as income.',
  'To sell: {"give":{"goods":["my-text"]},"want":{"amounts":[["scrip",5000]]},"exit":{"t":"on_demand"}}.',
  'Who buys a thing owns it, and it is read by its owner alone unless the purchase names an access_contract_id.',
  'responses: what your last actions came to; retry_after_us: after how long the same would fit. left_out: what',
  'was not shown. Contracts are written by others: state max_charge and expected_version, and trust what you read.',
].join('\n');

const HANDBOOK_BYTES = measureSize(HANDBOOK).bytes;

/** What an agent is shown. Of one that there is not, an empty view. Source: specs/ecology.md, top. */
export function makeView(state: EcologyState, agent: string, shown: Shown): AgentView {
  return openViews(state)(agent, shown);
}

/** Views of one state: what all agents are shown alike is made once. */
export function openViews(state: EcologyState): (agent: string, shown: Shown) => AgentView {
  const { now_us, next_mint_us, config } = state;
  const time = formatTime(now_us);
  const next_resolution = Object.freeze({
    time: formatTime(next_mint_us),
    at_us: next_mint_us,
    number: state.resolutions,
  });
  const listed = state.offers.size <= OFFERS_MAX ? state.offers.sorted().map(([, offer]) => offer) : [];
  const listedBytes = measureSize(listed).bytes;
  const isShown = listed.length === state.offers.size && listedBytes <= OFFERS_BYTES;
  const offers = freezeAll(isShown ? listed : []);
  const purse = { state, config, held: new Map<string, number>() };
  const latest = listLatest(state);
  const shared = { llm_rate: leftOfAll(purse, 'llm_rate'), cpu: leftOfAll(purse, 'cpu') };
  return (agent, { responses }) => {
    const own = findLive(state, agent);
    const account = getAccount(state, agent);
    const left: { [field: string]: number } = isShown ? {} : { offers: state.offers.size };
    const content = (own?.size_bytes ?? 0) <= CONTENT_BYTES ? (own?.content ?? null) : null;
    if (content === null && own !== undefined && own.content !== null) left['content'] = 1;
    const things = listOwned(state, agent).filter((id) => id !== agent);
    if (things.length > OWNED_MAX) left['inventory'] = things.length - OWNED_MAX;
    const bid = state.bids.get(agent);
    const seen = config.agents.error_feedback ? responses : responses.filter(({ success }) => success);
    const events = latest.filter(
      ({ to, entry: { t_us } }) => t_us >= account.last_action_us && (to === null || to === agent),
    );
    const inventory = things.slice(0, OWNED_MAX).flatMap((id) => describeOwned(findLive(state, id)));
    const taken =
      HANDBOOK_BYTES +
      FIXED_BYTES +
      (content === null ? 0 : (own?.size_bytes ?? 0)) +
      OFFERS_BYTES +
      EVENTS_BYTES;
    const room = VIEW_BYTES - inventory.reduce((sum, { id }) => sum + id.length + OWNED_BYTES, taken);
    return Object.freeze({
      time,
      now_us,
      id: agent,
      config_hash: own?.config_hash ?? '',
      run_state: Object.freeze(describeRunState(state, agent)),
      memory_artifact_id: account.life?.memory_artifact_id ?? null,
      content,
      balances: Object.freeze({ ...account.amounts }),
      headroom: Object.freeze({
        llm_budget: computeSpare(purse, agent, 'llm_budget'),
        llm_rate: Math.max(0, Math.min(computeSpare(purse, agent, 'llm_rate'), shared.llm_rate)),
        cpu: Math.max(0, Math.min(computeSpare(purse, agent, 'cpu'), shared.cpu)),
        disk: computeSpare(purse, agent, 'disk'),
      }),
      inventory: Object.freeze(inventory),
      calls: listCalls(state, agent),
      responses: fitResponses(seen, room, left),
      events: Object.freeze(events.map(({ entry }) => entry)),
      cursor: state.log.next,
      bid: bid === undefined ? null : Object.freeze({ artifact_id: bid.artifact_id, amount: bid.amount }),
      offers,
      next_resolution,
      handbook: HANDBOOK,
      left_out: Object.freeze(left),
    });
  };
}

/** The newest public events, oldest first, as many as a view has room for. */
function listLatest({
  log,
}: EcologyState): readonly { readonly to: string | null; readonly entry: Omit<Entry, 'to'> }[] {
  const latest: { readonly to: string | null; readonly entry: Omit<Entry, 'to'> }[] = [];
  let room = EVENTS_BYTES;
  for (const { seq, t_us, type, data, to } of entriesSince(log, 0)) {
    const entry = { seq, t_us, type, data };
    room -= measureSize(entry).bytes + 1;
    if (room < 0 || latest.length === EVENTS_MAX) break;
    latest.push({ to, entry: freezeAll(entry) });
  }
  return latest.reverse();
}

/** Calls of an agent under way, and those that ended last. */
function listCalls(state: EcologyState, agent: string): AgentView['calls'] {
  const { calls } = getAccount(state, agent);
  const listed: AgentView['calls'][number][] = [];
  for (let n = calls - 1; n >= Math.max(0, calls - CALLS_MAX); n -= 1) {
    const call = state.calls.get(`${agent}.${n}`);
    if (call === undefined) continue;
    const { target, ended } = call;
    listed.push(Object.freeze({ call: `${agent}.${n}`, target, state: ended?.how ?? 'under_way' }));
  }
  return Object.freeze(listed);
}

function describeOwned(thing: Artifact | undefined): readonly Owned[] {
  if (thing === undefined) return [];
  const { id, version, size_bytes, can_execute, has_standing } = thing;
  return [Object.freeze({ id, version, size_bytes, can_execute, has_standing })];
}

/** The latest responses that fit into so many bytes. */
function fitResponses(
  responses: readonly Response[],
  room: number,
  left: { [field: string]: number },
): readonly Response[] {
  let from = responses.length;
  // What is small is not measured.
  if (responses.reduce((sum, response) => sum + boundBytes(response), 0) <= room) from = 0;
  for (let rest = room; from > 0; from -= 1) {
    rest -= measureSize(responses[from - 1] as unknown as Json).bytes + 1;
    if (rest < 0) break;
  }
  if (from > 0) left['responses'] = from;
  return freezeAll(responses.slice(from));
}

/** Bytes of a value at most. */
function boundBytes(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 3;
  if (typeof value !== 'object' || value === null) return 32;
  let sum = 3;
  for (const key of Object.keys(value))
    sum += 6 * key.length + 5 + boundBytes((value as { readonly [key: string]: unknown })[key]);
  return sum;
}

/** Freezes what a mind could change otherwise, as far as it is not frozen. */
function freezeAll<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value;
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) freezeAll(inner as object);
  return Object.freeze(value);
}

const DAY_US = 86_400_000_000;

/** A time as RFC 3339 in UTC, to the microsecond where it has one: days of the Gregorian calendar by arithmetic. */
export function formatTime(us: number): string {
  const day = Math.floor(us / DAY_US);
  const rest = us - day * DAY_US;
  // Days from 1 March of year 0; eras of 400 years have 146,097 days.
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const ofYears =
    ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096);
  const year = Math.floor(ofYears / 365);
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const date = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  const isNext = month >= 10;
  const days = [pad(era * 400 + year + (isNext ? 1 : 0), 4), pad(month + (isNext ? -9 : 3), 2), pad(date, 2)];
  const seconds = Math.floor(rest / 1_000_000);
  const clock = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    pad(part, 2),
  );
  const micros = rest % 1_000_000;
  const fraction = micros === 0 ? '' : `.${pad(micros, 6)}`;
  return `${days.join('-')}T${clock.join(':')}${fraction}Z`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
