/** What follows from agents' lives: timers, who waits for which event, which watch is oldest. */
import { PersistentMap } from '@assay/kernel';
import { addTimer, dropTimer, type Timers } from '../mechanisms/timers.js';
import { indexWatches, listWatches, type Life, type Watchers } from './life.js';

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
