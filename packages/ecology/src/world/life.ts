/**
 * How an agent lives: whether it is invited, sleeps, is blocked or frozen, and what wakes it. An index says who waits
 * for an event, so that nobody looks at those who sleep. Source: specs/ecology.md B5, B6.
 */
import { PersistentMap, type JsonObject } from '@assay/kernel';
import {
  closed,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  table,
  text,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';
import { isId, RESOURCES } from '../config/config.js';
import { EVENT_FIELDS, EVENT_TYPES, type EventType } from './log.js';

const count = integer(0);
const ID: Shape<string> = text(isId);

/** Comparisons of a balance with a value. */
export const COMPARISONS = ['<', '<=', '=', '>=', '>'] as const;

const WATCH = { event: oneOf(EVENT_TYPES), where: table(() => true, text()) };
const WATCHED = closed(WATCH);
const BALANCE = closed({ resource: oneOf(RESOURCES), op: oneOf(COMPARISONS), value: count });
const SLEEP = closed({
  since_us: count,
  why: oneOf(['own', 'crash']),
  until_us: count,
  events: list(WATCHED),
  balances: list(BALANCE),
});
const SUBSCRIPTION = closed({ ...WATCH, id: text(), used: count });

/** An event of some type whose fields are those of `where`. */
export type Watch = TypeOf<typeof WATCHED>;
/** A balance of one's own. */
export type BalanceWatch = TypeOf<typeof BALANCE>;
/** Until a time, or earlier by an event or a balance. */
export type Sleep = TypeOf<typeof SLEEP>;
/** A watch that lasts: it wakes its agent from each sleep. `used`: the world's serial number when it last did. */
export type Subscription = TypeOf<typeof SUBSCRIPTION>;

/** Why an agent is frozen; "" where it is not. */
export const FROZEN = ['', 'budget', 'crash_loop', 'operator'] as const;

/** The shape of a {@link Life}. */
export const LIFE = closed({
  /** Whether it thinks: it has an `act` invitation of its own. Others act in turns. */
  asked: flag,
  frozen: oneOf(FROZEN),
  sleep: nullable(SLEEP),
  blocked: nullable(closed({ resource: text(), until_us: count })),
  /** Failures of its mind in a row. */
  crashes: count,
  memory_artifact_id: nullable(ID),
  subscriptions: list(SUBSCRIPTION),
});

/** What an agent has besides an account. */
export type Life = TypeOf<typeof LIFE>;

/** The life of an agent that begins. */
export function startLife(asked: boolean, frozen: Life['frozen']): Life {
  return {
    asked,
    frozen,
    sleep: null,
    blocked: null,
    crashes: 0,
    memory_artifact_id: null,
    subscriptions: [],
  };
}

/** Agents by what wakes them: by type, then by the values of its fields. */
export type Watchers = PersistentMap<PersistentMap<PersistentMap<true>>>;

/** Fields of a type in their order, `*` where a condition names none. No name of a thing has a blank. */
export function makeWatchKey(type: EventType, where: { readonly [field: string]: unknown }): string {
  return EVENT_FIELDS[type].map((field) => (Object.hasOwn(where, field) ? where[field] : '*')).join(' ');
}

/** The index with an agent's watches, or without them. */
export function indexWatches(
  watchers: Watchers,
  agent: string,
  watches: readonly Watch[],
  isThere: boolean,
): Watchers {
  let all = watchers;
  for (const { event, where } of watches) {
    const key = makeWatchKey(event, where);
    const keys = all.get(event) ?? PersistentMap.empty<PersistentMap<true>>();
    const agents = keys.get(key) ?? PersistentMap.empty<true>();
    const after = isThere ? agents.set(agent, true) : agents.delete(agent);
    const rest = after.size === 0 ? keys.delete(key) : keys.set(key, after);
    all = rest.size === 0 ? all.delete(event) : all.set(event, rest);
  }
  return all;
}

/** Whom an event wakes, by name. As many look-ups as conditions can differ in fields: at most 16. */
export function findWatchers(watchers: Watchers, type: EventType, data: JsonObject): readonly string[] {
  const keys = watchers.get(type);
  if (keys === undefined) return [];
  const fields: readonly string[] = EVENT_FIELDS[type];
  let found = PersistentMap.empty<true>();
  for (let mask = 0; mask < 1 << fields.length; mask += 1) {
    const where = Object.fromEntries(
      fields.flatMap((field, at) => ((mask >> at) & 1 ? [[field, data[field]]] : [])),
    );
    for (const [agent] of keys.get(makeWatchKey(type, where)) ?? []) found = found.set(agent, true); // any order
  }
  return found.sorted().map(([agent]) => agent);
}

/** What wakes a sleeper by events; nothing while it waits after a crash. */
export function listWatches({ sleep, subscriptions }: Life): readonly Watch[] {
  return sleep === null || sleep.why === 'crash' ? [] : [...sleep.events, ...subscriptions];
}

/** True where an event is one that a condition means. */
export function isMeant({ event, where }: Watch, type: EventType, data: JsonObject): boolean {
  return event === type && Object.entries(where).every(([field, value]) => data[field] === value);
}

/** True where an amount compares so. */
export function isReached({ op, value }: BalanceWatch, amount: number): boolean {
  if (amount === value) return op.endsWith('=');
  return op.startsWith(amount < value ? '<' : '>');
}
