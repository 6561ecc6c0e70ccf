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

/** The state after an event, with what its log says of it. `before`: the state before the event. */
export function announce(before: EcologyState, after: EcologyState, event: EcologyEvent): EcologyState {
  const say = (type: EventType, data: JsonObject, to: string | null = null): EcologyState =>
    withAccounts(after, after.accounts, addEntry(after.log, after.now_us, type, data, to));
  switch (event.t) {
    case 'made': {
      const { i: artifact_id, by: creator_id, h: content_hash, s: has_standing, e: can_execute } = event;
      const made = say('artifact_created', {
        artifact_id,
        creator_id,
        content_hash,
        has_standing,
        can_execute,
      });
      const { size } = after.things;
      if (size !== after.config.store.soft_count + 1) return made;
      return announceMore(made, 'store_crowded', { artifacts: size });
    }
    case 'wrote': {
      const thing = before.things.get(event.i);
      if (!isLive(thing)) return after;
      const { i: artifact_id, p: by, h: content_hash } = event;
      const wrote = say('artifact_modified', {
        artifact_id,
        by,
        version: thing.version + 1,
        content_hash,
      });
      return event.k === undefined
        ? wrote
        : announceMore(wrote, 'contract_changed', {
            artifact_id,
            from: thing.access_contract_id,
            to: event.k,
          });
    }
    case 'own': {
      const thing = before.things.get(event.i);
      if (!isLive(thing)) return after;
      const [from, to] = [thing.owner, event.o];
      const isSeen = from !== to && !from.includes(':') && !to.includes(':');
      const owned = isSeen ? say('ownership_transferred', { artifact_id: event.i, from, to }) : after;
      if (event.k === thing.access_contract_id) return owned;
      const data = { artifact_id: event.i, from: thing.access_contract_id, to: event.k };
      return announceMore(owned, 'contract_changed', data);
    }
    case 'gone':
      return say('artifact_deleted', { artifact_id: event.i });
    case 'offered':
      return say('escrow_listed', describeOffer(after, event.v.id));
    case 'ended': {
      const exit = before.offers.get(event.i)?.exit;
      const isDue = exit !== undefined && exit.t !== 'on_demand' && exit.at_us <= after.now_us;
      const data = describeOffer(before, event.i);
      if (event.y === 'bought') return say('escrow_purchased', { ...data, buyer_id: event.o ?? null });
      return say(isDue ? 'escrow_expired' : 'escrow_cancelled', data);
    }
    case 'settled':
      return say('mint_resolved', describeResolution(before, event));
    case 'ran':
      return say('invoke_success', { artifact_id: event.i, invoker_id: event.by, method: event.m });
    case 'no':
      if (event.i === undefined) return after;
      return say('invoke_failure', { artifact_id: event.i, invoker_id: event.a, error_code: event.c });
    case 'lied':
      return say('interface_warning', { artifact_id: event.i, what: event.m });
    case 'over':
      return say('rate_overrun', { agent_id: event.a, resource: event.r, amount: event.x });
    case 'now':
      if (before.now_us === 0 || event.us - before.now_us <= JUMP_US) return after;
      return say('clock_jump', { from_us: before.now_us, to_us: event.us });
    case 'froze':
      return say('agent_frozen', describeFrozen(after, event.a, event.y));
    case 'thawed': {
      const { a: agent_id, by: unfrozen_by, r: resource, x: amount } = event;
      return say('agent_unfrozen', { agent_id, unfrozen_by, resource, amount });
    }
    case 'blocked': {
      const { a: agent_id, r: resource, us: until_us } = event;
      return say('agent_blocked', { agent_id, resource, retry_after_us: until_us - after.now_us });
    }
    case 'unblocked':
      return say('agent_unblocked', { agent_id: event.a, resource: event.r });
    case 'memory':
      return say('memory_artifact_set', { agent_id: event.a, artifact_id: event.i });
    case 'unsubbed':
      if (event.y !== 'evicted') return after;
      return say('subscription_evicted', { agent_id: event.a, subscription_id: event.i }, event.a);
    case 'came': {
      const call = before.calls.get(event.i);
      if (call === undefined) return after;
      const { how, why, digest, size, uusd } = event.v;
      const data = { call: event.i, agent_id: call.agent, target: call.target, how, why, digest, size, uusd };
      return say('call_settled', data, call.agent);
    }
    case 'wants':
      return say('capability_requested', { agent_id: event.a, capability: event.c, reason: event.m });
    case 'capability': {
      if (event.y === 'withdrawn') return after;
      const data = { agent_id: event.a, capability: event.c, artifact_id: event.i ?? null };
      return say(event.y === 'denied' ? 'capability_denied' : 'capability_provisioned', data);
    }
    case 'admin':
      return say('admin_action', { actor: 'operator', op: event.op, rationale: event.why });
    case 'stopped':
      return say('system_stopping', {});
    default:
      return after;
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

function announceMore(state: EcologyState, type: EventType, data: JsonObject): EcologyState {
  return { ...state, log: addEntry(state.log, state.now_us, type, data) };
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
