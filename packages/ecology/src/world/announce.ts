/**
 * What of the internal events all agents may see, as entries of the public log. What is sealed never appears: bids,
 * moves to and from holders that are no artifacts, contents. Source: specs/ecology.md B6.
 */
import type { Json, JsonObject } from '@assay/kernel';
import { withAccounts } from './copies.js';
import type { EcologyEvent } from './events.js';
import { addEntry, entriesSince, type Entry, type EventType } from './log.js';
import { getAccount, isLive, type EcologyState } from './state.js';
import { listOwned } from './owned.js';

/** A jump of the clock that agents are told of. */
const JUMP_US = 3_600_000_000;
/** Names in an entry at most. */
const NAMES_MAX = 100;

/** An entry as it is said: for all where nobody is named. */
type Said = readonly [type: EventType, data: JsonObject, to?: string];

/** The state after an event, with what its log says of it. `before`: the state before the event. */
export function announce(before: EcologyState, after: EcologyState, event: EcologyEvent): EcologyState {
  const said = listSaid(before, after, event);
  if (said.length === 0) return after;
  const log = said.reduce((all, [type, data, to]) => addEntry(all, after.now_us, type, data, to), after.log);
  return withAccounts(after, after.accounts, log);
}

const NOTHING: readonly Said[] = [];

function listSaid(before: EcologyState, after: EcologyState, event: EcologyEvent): readonly Said[] {
  switch (event.t) {
    case 'made': {
      const { i: artifact_id, by: creator_id, h: content_hash, s: has_standing, e: can_execute } = event;
      const data = { artifact_id, creator_id, content_hash, has_standing, can_execute };
      const { size } = after.things;
      const made: Said = ['artifact_created', data];
      if (size !== after.config.store.soft_count + 1) return [made];
      return [made, ['store_crowded', { artifacts: size }]];
    }
    case 'wrote':
    case 'own': {
      const thing = before.things.get(event.i);
      if (!isLive(thing)) return NOTHING;
      const { i: artifact_id, k = thing.access_contract_id } = event;
      const change = { artifact_id, from: thing.access_contract_id, to: k };
      const rebound: readonly Said[] = k === change.from ? NOTHING : [['contract_changed', change]];
      if (event.t === 'wrote') {
        const { p: by, h: content_hash } = event;
        const data = { artifact_id, by, version: thing.version + 1, content_hash };
        return [['artifact_modified', data], ...rebound];
      }
      const [from, to] = [thing.owner, event.o];
      const isSeen = from !== to && !from.includes(':') && !to.includes(':');
      return isSeen ? [['ownership_transferred', { artifact_id, from, to }], ...rebound] : rebound;
    }
    case 'gone':
      return [['artifact_deleted', { artifact_id: event.i }]];
    case 'offered':
      return [['escrow_listed', describeOffer(after, event.v.id)]];
    case 'ended': {
      const exit = before.offers.get(event.i)?.exit;
      const isDue = exit !== undefined && exit.t !== 'on_demand' && exit.at_us <= after.now_us;
      const data = describeOffer(before, event.i);
      if (event.y === 'bought') return [['escrow_purchased', { ...data, buyer_id: event.o ?? null }]];
      return [[isDue ? 'escrow_expired' : 'escrow_cancelled', data]];
    }
    case 'settled':
      return [['mint_resolved', describeResolution(before, event)]];
    case 'ran':
      return [['invoke_success', { artifact_id: event.i, invoker_id: event.by, method: event.m }]];
    case 'no':
      if (event.i === undefined) return NOTHING;
      return [['invoke_failure', { artifact_id: event.i, invoker_id: event.a, error_code: event.c }]];
    case 'lied':
      return [['interface_warning', { artifact_id: event.i, what: event.m }]];
    case 'over':
      return [['rate_overrun', { agent_id: event.a, resource: event.r, amount: event.x }]];
    case 'now':
      if (before.now_us === 0 || event.us - before.now_us <= JUMP_US) return NOTHING;
      return [['clock_jump', { from_us: before.now_us, to_us: event.us }]];
    case 'froze':
      return [['agent_frozen', describeFrozen(after, event.a, event.y)]];
    case 'thawed': {
      const { a: agent_id, by: unfrozen_by, r: resource, x: amount } = event;
      return [['agent_unfrozen', { agent_id, unfrozen_by, resource, amount }]];
    }
    case 'blocked': {
      const { a: agent_id, r: resource, us: until_us } = event;
      return [['agent_blocked', { agent_id, resource, retry_after_us: until_us - after.now_us }]];
    }
    case 'unblocked':
      return [['agent_unblocked', { agent_id: event.a, resource: event.r }]];
    case 'memory':
      return [['memory_artifact_set', { agent_id: event.a, artifact_id: event.i }]];
    case 'unsubbed':
      if (event.y !== 'evicted') return NOTHING;
      return [['subscription_evicted', { agent_id: event.a, subscription_id: event.i }, event.a]];
    case 'came': {
      const call = before.calls.get(event.i);
      if (call === undefined) return NOTHING;
      const { how, why, digest, size, uusd } = event.v;
      const data = { call: event.i, agent_id: call.agent, target: call.target, how, why, digest, size, uusd };
      return [['call_settled', data, call.agent]];
    }
    case 'wants':
      return [['capability_requested', { agent_id: event.a, capability: event.c, reason: event.m }]];
    case 'capability': {
      if (event.y === 'withdrawn') return NOTHING;
      const data = { agent_id: event.a, capability: event.c, artifact_id: event.i ?? null };
      return [[event.y === 'denied' ? 'capability_denied' : 'capability_provisioned', data]];
    }
    case 'admin':
      return [['admin_action', { actor: 'operator', op: event.op, rationale: event.why }]];
    case 'stopped':
      return [['system_stopping', {}]];
    default:
      return NOTHING;
  }
}

/** The log after an amount moved. In one with the move, since most events are of this kind. */
export function announceMove(
  { log, now_us }: EcologyState,
  { f, o, x, r }: Extract<EcologyEvent, { t: 'mv' }>,
): EcologyState['log'] {
  if (f.includes(':') || o.includes(':')) return log;
  return addEntry(log, now_us, 'transfer_completed', { from: f, to: o, amount: x, resource: r ?? 'scrip' });
}

function describeOffer({ offers }: EcologyState, offer_id: string): JsonObject {
  const open = offers.get(offer_id);
  const price = open?.want.amounts.find(([resource]) => resource === 'scrip')?.[1] ?? null;
  const artifact_id = open?.give.goods[0]?.id ?? null;
  return { offer_id, artifact_id, price, seller_id: open?.maker ?? null };
}

function describeResolution(
  { resolving, config }: EcologyState,
  { n, u, c }: Extract<EcologyEvent, { t: 'settled' }>,
): JsonObject {
  const { winners = [], price = 0, missed = 0 } = resolving.get(String(n)) ?? {};
  const shown = winners.slice(0, NAMES_MAX).map(({ principal, artifact_id, score }): Json => {
    const minted = Math.floor(((score ?? 0) * 1000) / config.mint.mint_ratio);
    return { principal, artifact_id, score, minted };
  });
  return { resolution: n, winners: shown, price, ubi_total: u, carry: c, missed };
}

function describeFrozen(state: EcologyState, agent_id: string, reason: string): JsonObject {
  const { amounts } = getAccount(state, agent_id);
  const owned = listOwned(state, agent_id);
  return {
    agent_id,
    reason,
    balances: amounts,
    scrip_balance: amounts.scrip,
    owned_artifacts: owned.slice(0, NAMES_MAX),
    owned_count: owned.length,
  };
}

/** A page of the log. `next` is the cursor of the page after it; `missed` events are no longer kept. */
export type LogPage = {
  readonly events: readonly Omit<Entry, 'to'>[];
  readonly next: number;
  readonly missed: number;
};

/**
 * What an agent sees of the log from a cursor on, the oldest first: at most `limit` events and what the config calls a
 * page. A cursor is the number of an event, 0 at the beginning. O(events since the cursor), at most those kept.
 */
export function readLog(
  state: EcologyState,
  agent: string,
  cursor: number,
  limit: number,
  types: readonly EventType[] | null = null,
): LogPage {
  const { retention_us, page } = state.config.events;
  const found: Omit<Entry, 'to'>[] = [];
  let first = Math.max(cursor, state.log.next);
  for (const { seq, t_us, type, data, to } of entriesSince(state.log, cursor)) {
    if (t_us + retention_us < state.now_us) break;
    first = seq;
    if ((to === null || to === agent) && (types === null || types.includes(type)))
      found.push({ seq, t_us, type, data });
  }
  const events = found.reverse().slice(0, Math.min(limit, page));
  const next = events.length < found.length ? (events.at(-1)?.seq ?? first - 1) + 1 : state.log.next;
  return { events, next, missed: Math.max(0, Math.min(first, state.log.next) - cursor) };
}
