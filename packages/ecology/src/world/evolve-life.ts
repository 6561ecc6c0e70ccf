/** The fold of agents' lives, and what follows from them: timers, who waits for which event, which watch is oldest. */
import { PersistentMap } from '@assay/kernel';
import { addTimer, dropTimer, type Timers } from '../mechanisms/timers.js';
import type { EcologyEvent } from './events.js';
import { indexWatches, listWatches, startLife, type Life, type Watchers } from './life.js';
import type { Account, Artifact, EcologyState } from './state.js';

/** What follows from accounts and offers, and is not written. */
export type Derived = {
  /** Ends of sleeps (`s:`), of blocks (`b:`) and of offers (`o:`), each once. */
  readonly timers: Timers | null;
  /** Sleepers by what wakes them. */
  readonly watchers: Watchers;
  /** Subscriptions, the one that woke nobody for the longest time first: `agent id`. */
  readonly subscribed: Timers | null;
};

/** Nothing follows from no life. */
export const NO_LIVES: Derived = { timers: null, watchers: PersistentMap.empty(), subscribed: null };

/** What follows, after an agent's life has changed; null for none. */
export function reindexLife<D extends Derived>(
  derived: D,
  id: string,
  before: Life | null,
  after: Life | null,
): D {
  let { timers, watchers, subscribed } = derived;
  if (before?.blocked !== after?.blocked) {
    if (before?.blocked) timers = dropTimer(timers, before.blocked.until_us, `b:${id}`);
    if (after?.blocked) timers = addTimer(timers, after.blocked.until_us, `b:${id}`);
  }
  const isResubscribed = before?.subscriptions !== after?.subscriptions;
  if (before?.sleep !== after?.sleep) {
    if (before?.sleep) timers = dropTimer(timers, before.sleep.until_us, `s:${id}`);
    if (after?.sleep) timers = addTimer(timers, after.sleep.until_us, `s:${id}`);
  }
  if (before?.sleep !== after?.sleep || isResubscribed) {
    if (before) watchers = indexWatches(watchers, id, listWatches(before), false);
    if (after) watchers = indexWatches(watchers, id, listWatches(after), true);
  }
  if (isResubscribed) {
    for (const { id: own, used } of before?.subscriptions ?? [])
      subscribed = dropTimer(subscribed, used, `${id} ${own}`);
    for (const { id: own, used } of after?.subscriptions ?? [])
      subscribed = addTimer(subscribed, used, `${id} ${own}`);
  }
  return { ...derived, timers, watchers, subscribed };
}

/** The account that an artifact begins with: an agent's has a life, of the mind of who pays for it. */
export function giveLife(
  state: EcologyState,
  { can_execute, storage_payer }: Artifact,
  empty: Account,
): Account {
  if (!can_execute) return empty;
  const { agents, resources } = state.config;
  const mind = state.accounts.get(storage_payer)?.life?.asked ?? agents.mind === 'asked';
  const isFrozen = resources.llm_budget_uusd > 0;
  return { ...empty, life: startLife(mind, isFrozen ? 'budget' : '') };
}

type LifeEvent = Extract<
  EcologyEvent,
  {
    readonly t:
      | 'slept'
      | 'due'
      | 'roused'
      | 'blocked'
      | 'unblocked'
      | 'froze'
      | 'thawed'
      | 'failed'
      | 'memory'
      | 'subbed'
      | 'unsubbed';
  }
>;

/** One event more of a life. */
export function evolveLife(state: EcologyState, event: LifeEvent): EcologyState {
  const account = state.accounts.get(event.a);
  const before = account?.life ?? null;
  if (account === undefined || before === null) return state;
  const life = changeLife(state, before, event);
  const after = { ...state, accounts: state.accounts.set(event.a, { ...account, life }) };
  return reindexLife(
    event.t === 'subbed' ? { ...after, serial: state.serial + 1 } : after,
    event.a,
    before,
    life,
  );
}

function changeLife({ now_us, serial }: EcologyState, life: Life, event: LifeEvent): Life {
  const { sleep, subscriptions } = life;
  switch (event.t) {
    case 'slept':
      return { ...life, sleep: { since_us: now_us, why: event.y, until_us: event.us, ...event.v } };
    case 'due':
      return sleep === null ? life : { ...life, sleep: { ...sleep, until_us: now_us } };
    case 'roused': {
      const woke = { ...life, sleep: null };
      if (event.s === undefined) return woke;
      return {
        ...woke,
        subscriptions: subscriptions.map((one) => (one.id === event.s ? { ...one, used: serial } : one)),
      };
    }
    case 'blocked':
      return { ...life, blocked: { resource: event.r, until_us: event.us } };
    case 'unblocked':
      return { ...life, blocked: null };
    case 'froze':
      return { ...life, frozen: event.y };
    case 'thawed':
      return { ...life, frozen: '' };
    case 'failed':
      return { ...life, crashes: event.n };
    case 'memory':
      return { ...life, memory_artifact_id: event.i };
    case 'subbed':
      return {
        ...life,
        subscriptions: [...subscriptions.filter(({ id }) => id !== event.v.id), event.v],
      };
    case 'unsubbed':
      return { ...life, subscriptions: subscriptions.filter(({ id }) => id !== event.i) };
  }
}
