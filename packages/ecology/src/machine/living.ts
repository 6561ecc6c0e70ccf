/**
 * What follows for agents' lives from what happened: who freezes, is blocked, wakes. It is looked at after each action,
 * so that a turn is what its entries are one by one. Source: specs/ecology.md B5, B6, B12.
 */
import { readField } from '@assay/kernel/shape';
import { findFirst } from '../mechanisms/timers.js';
import { askFor } from '../protocol/requests.js';
import { giveBack } from '../services/escrow.js';
import { HALF, type Draft } from '../world/draft.js';
import type { EcologyEvent } from '../world/events.js';
import { retryAfter } from '../world/holding.js';
import { findWatchers, isMeant, isReached, listWatches, type Life } from '../world/life.js';
import { entriesSince } from '../world/log.js';
import { isInvited } from '../world/run-state.js';
import { findLive, getAccount } from '../world/state.js';

/** Fires timers that are due, the earliest first: as many as fit half a record, the others with the next answer. */
export function fireTimers(draft: Draft): void {
  for (;;) {
    const timer = findFirst(draft.state.timers);
    if (timer === null || timer.at_us > draft.state.now_us || !draft.hasRoom(HALF)) return;
    const [kind, id] = [timer.id.slice(0, 1), timer.id.slice(2)];
    const offer = draft.state.offers.get(id);
    if (kind === 's') rouse(draft, id, 'time');
    else if (kind === 'b') unblock(draft, id);
    else if (offer !== undefined) giveBack(draft, offer);
    // Before the log forgets what somebody waits for.
    if (draft.state.log.next - draft.looked >= draft.state.log.kept / 2) settleLives(draft);
  }
}

/** What follows from the events since it was asked last, and from what follows. */
export function settleLives(draft: Draft): void {
  for (let events = draft.takeNew(); events.length > 0; events = draft.takeNew()) {
    for (const event of events) settleOne(draft, event, events);
    wakeByEvents(draft);
  }
}

function settleOne(draft: Draft, event: EcologyEvent, events: readonly EcologyEvent[]): void {
  switch (event.t) {
    case 'mv':
      for (const id of [event.f, event.o]) {
        if (event.r === 'llm_budget') turnBudget(draft, id, event);
        wakeByBalance(draft, id);
      }
      return;
    case 'minted':
      return wakeByBalance(draft, event.o);
    case 'slept':
      draft.meet(event.a);
      return wakeByBalance(draft, event.a);
    case 'no': {
      const { a, c, w, d } = event;
      const resource = readField(d ?? null, 'resource');
      if (c !== 'INSUFFICIENT_COMPUTE' || w === undefined || typeof resource !== 'string') return;
      return block(draft, a, resource, w);
    }
    case 'did': {
      const blocked = draft.state.timers === null ? null : findLife(draft, event.a)?.blocked;
      if (blocked && events.some((one) => isNeeded(one, event.a, blocked.resource))) unblock(draft, event.a);
      return;
    }
    case 'made':
    case 'woke':
    case 'waits':
    case 'roused':
    case 'blocked':
    case 'unblocked':
    case 'froze':
    case 'thawed':
      return draft.meet('a' in event ? event.a : event.i);
    default:
  }
}

/** True for the use of a resource. */
function isNeeded(event: EcologyEvent, agent: string, resource: string): boolean {
  if (event.t === 'use') return event.a === agent && event.r === resource;
  return event.t === 'verdict' && resource === 'checks' && event.p === agent;
}

function findLife({ state }: Draft, id: string): Life | null {
  return getAccount(state, id).life;
}

/** The edges of a budget: at or below the threshold an agent is frozen, above it no longer. */
function turnBudget(draft: Draft, id: string, { f, x }: Extract<EcologyEvent, { t: 'mv' }>): void {
  const { life, amounts } = getAccount(draft.state, id);
  if (life === null) return;
  const isPoor = amounts.llm_budget <= draft.config.agents.freeze_threshold_uusd;
  if (isPoor && life.frozen === '') draft.emit({ t: 'froze', a: id, y: 'budget' });
  if (!isPoor && life.frozen === 'budget')
    draft.emit({ t: 'thawed', a: id, by: nameGiver(f), r: 'llm_budget', x });
}

/** Who gave something, as agents know it: what holds it for others is none of them. */
function nameGiver(from: string): string {
  if (!from.includes(':')) return from;
  return from.startsWith('sys:') ? 'operator' : 'genesis_escrow_api';
}

/** An agent has to wait for a resource; one at a time is told. */
function block(draft: Draft, id: string, resource: string, after_us: number): void {
  const life = findLife(draft, id);
  if (life === null || life.blocked !== null || after_us <= 0) return;
  const us = Math.min(draft.state.now_us + after_us, Number.MAX_SAFE_INTEGER);
  draft.emit({ t: 'blocked', a: id, r: resource, us });
}

function unblock(draft: Draft, id: string): void {
  const blocked = findLife(draft, id)?.blocked;
  if (blocked) draft.emit({ t: 'unblocked', a: id, r: blocked.resource });
}

/** Blocks an agent whose window is full after it has thought. */
export function blockThinker(draft: Draft, id: string): void {
  block(draft, id, 'llm_rate', retryAfter(draft, id, 'llm_rate', 1) ?? 0);
}

/** Ends a sleep. */
export function rouse(
  draft: Draft,
  id: string,
  why: Extract<EcologyEvent, { t: 'roused' }>['y'],
  sub?: string,
): void {
  draft.emit({ t: 'roused', a: id, y: why, ...(sub === undefined ? {} : { s: sub }) });
}

function wakeByBalance(draft: Draft, id: string): void {
  if (draft.state.timers === null) return;
  const { life, amounts } = getAccount(draft.state, id);
  if (life?.sleep?.balances.some((watch) => isReached(watch, amounts[watch.resource])) !== true) return;
  if (draft.hasRoom(HALF)) rouse(draft, id, 'balance');
  else draft.emit({ t: 'due', a: id });
}

/** Wakes who waits for what the log says since it was looked at last, event by event, each by name. */
function wakeByEvents(draft: Draft): void {
  const from = draft.looked;
  const { log } = draft.state;
  draft.looked = log.next;
  if (draft.state.watchers.size === 0) return;
  for (const { type, data, to } of [...entriesSince(log, from)].reverse())
    for (const agent of to === null ? findWatchers(draft.state.watchers, type, data) : [to]) {
      const life = findLife(draft, agent);
      if (life === null || life.sleep === null) continue;
      if (!listWatches(life).some((watch) => isMeant(watch, type, data))) continue;
      const sub = life.subscriptions.find((watch) => isMeant(watch, type, data));
      if (!draft.hasRoom(HALF)) draft.emit({ t: 'due', a: agent });
      else rouse(draft, agent, 'event', sub?.id);
    }
}

/** The mind of an agent failed: it waits longer each time, and is frozen in the end. */
export function crash(draft: Draft, id: string, code: string): void {
  const life = findLife(draft, id);
  if (life === null) return;
  const { max, base_us, cap_us, freeze } = draft.config.agents.crash;
  const n = life.crashes + 1;
  draft.emit({ t: 'failed', a: id, n, y: code });
  if (n >= max && freeze) {
    if (life.frozen === '') draft.emit({ t: 'froze', a: id, y: 'crash_loop' });
    return;
  }
  let wait = base_us;
  for (let failure = 1; failure < n && wait < cap_us; failure += 1) wait *= 2;
  const us = Math.min(draft.state.now_us + Math.min(wait, cap_us), Number.MAX_SAFE_INTEGER);
  draft.emit({ t: 'slept', a: id, y: 'crash', us, v: { events: [], balances: [] } });
}

/** An operator ends a crash loop: failures are forgotten, and a wait after one ends. False where nothing changed. */
export function unfreeze(draft: Draft, id: string): boolean {
  const { life, amounts } = getAccount(draft.state, id);
  if (life === null || (life.crashes === 0 && (life.frozen === '' || life.frozen === 'budget'))) return false;
  if (life.crashes > 0) draft.emit({ t: 'failed', a: id, n: 0, y: 'operator' });
  if (life.sleep?.why === 'crash') rouse(draft, id, 'operator');
  if (life.frozen === '' || life.frozen === 'budget') return true;
  draft.emit({ t: 'thawed', a: id, by: 'operator', r: 'llm_budget', x: 0 });
  if (
    amounts.llm_budget <= draft.config.agents.freeze_threshold_uusd &&
    draft.config.resources.llm_budget_uusd > 0
  )
    draft.emit({ t: 'froze', a: id, y: 'budget' });
  return true;
}

/** Opens the invitation of an agent that may act, and closes that of one that may not. */
export function invite(draft: Draft, agent: string, answered: string): void {
  const name = `act ${agent}`;
  const open = draft.state.open.get(name);
  const isOpen = open !== undefined && open !== answered;
  if (isInvited(draft.state, agent)) {
    const config_hash = findLive(draft.state, agent)?.config_hash ?? '';
    if (!isOpen) draft.ask(name, askFor('act', { agent, config_hash }));
  } else if (open !== undefined) draft.close(name, answered);
}
