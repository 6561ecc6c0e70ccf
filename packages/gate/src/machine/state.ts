/**
 * What a gate knows: what is used and held of its budgets, the calls that are open, and the labels of principals.
 * Bounded: nothing of a call stays once it is settled. Source: gate/G10.
 *
 * @module
 */
import { orThrow, PersistentMap, type Json, type JsonObject } from '@assay/kernel';
import {
  closed,
  flag,
  freeObject,
  integer,
  list,
  mapOf,
  nullable,
  record,
  refined,
  text,
  tuple,
  type Coded,
  type TypeOf,
  type ValueOf,
} from '@assay/kernel/shape';
import { readPolicy, type Policy } from '../policy/policy.js';
import { holdBooks, NO_USE, settle, type Use } from './budgets.js';
import type { Book, DecidedEvent, GateEvent } from './events.js';

const anyText = text();
const count = integer(0);
const whole = integer(Number.MIN_SAFE_INTEGER);

const POLICY: Coded<Policy> = {
  shape: refined(freeObject, (json) => (readPolicy(json)._tag === 'Left' ? '' : null)),
  to: ({ given }) => given,
  from: (json) => orThrow(readPolicy(json)),
};
const USE = closed({ used: count, held: count, parts: list(tuple(count, whole)) });
const BOOK = tuple(anyText, count, nullable(count));
const OPEN_CALL = closed({ books: list(BOOK), approve: nullable(anyText) });
const COUNTS = closed({
  allowed: count,
  asked: count,
  denied: count,
  done: count,
  failed: count,
  declined: count,
});
const NUMBER = text((key) => /^[1-9][0-9]{0,15}$/.test(key));

/** A call that is decided and not settled. `approve`: the request to a person, while one is asked. */
export type OpenCall = TypeOf<typeof OPEN_CALL>;
/** How many calls came to what. */
export type Counts = TypeOf<typeof COUNTS>;

/** The state, declared once. `n`: calls so far; `now`: the latest time, microseconds; `open`: by number of the call. */
export const STATE = record({
  policy: POLICY,
  n: count,
  now: count,
  used: mapOf<Use>(USE),
  open: mapOf<OpenCall>(OPEN_CALL, NUMBER),
  principals: mapOf<readonly string[]>(list(anyText)),
  counts: COUNTS,
  closing: flag,
});
/** State of a gate. */
export type GateState = ValueOf<typeof STATE>;

/** Before the first call. */
export function startState(policy: Policy): GateState {
  return {
    policy,
    n: 0,
    now: 0,
    used: PersistentMap.empty(),
    open: PersistentMap.empty(),
    principals: PersistentMap.empty(),
    counts: { allowed: 0, asked: 0, denied: 0, done: 0, failed: 0, declined: 0 },
    closing: false,
  };
}

/** The labels of a principal. */
export function listLabels({ principals }: GateState, principal: string): readonly string[] {
  return principals.get(principal) ?? [];
}

/** The amounts held for an open call. */
export function listBooks({ open }: GateState, n: number): readonly Book[] {
  return open.get(String(n))?.books ?? [];
}

/** Folds one event. */
export function evolve(state: GateState, event: GateEvent): GateState {
  switch (event.t) {
    case 'opened':
    case 'unread':
      return state;
    case 'denied':
      return decided(state, event, 'denied');
    case 'allowed':
    case 'asked':
      return opened(decided(state, event, event.t), event);
    case 'watched':
      return opened(decided(state, event, event.would), event);
    case 'approved': {
      const call = state.open.get(String(event.n));
      return call === undefined
        ? state
        : { ...state, open: state.open.set(String(event.n), { ...call, approve: null }) };
    }
    case 'declined': {
      const used = holdBooks(state.used, listBooks(state, event.n), -1);
      return ended({ ...state, used }, event.n, 'declined');
    }
    case 'settled': {
      const used = event.costs.reduce(
        (table, cost) => table.set(cost[0], settle(table.get(cost[0]) ?? NO_USE, cost)),
        state.used,
      );
      // The tool's own side declined: of an import, its person or its policy.
      const end = event.ok ? 'done' : event.why === 'denied' ? 'declined' : 'failed';
      return ended({ ...state, used }, event.n, end);
    }
    case 'closing':
      return { ...state, closing: true };
  }
}

function decided(state: GateState, { n, at, who }: DecidedEvent, verdict: keyof Counts): GateState {
  const principals =
    who === undefined
      ? state.principals
      : state.principals.set(who[0], [...listLabels(state, who[0]), ...who[1]]);
  return { ...state, n, now: at, principals, counts: raise(state.counts, verdict) };
}

function opened(state: GateState, event: Exclude<DecidedEvent, { readonly t: 'denied' }>): GateState {
  const { n, books } = event;
  const used = holdBooks(state.used, books, 1);
  const approve = event.t === 'asked' ? event.approve : null;
  return { ...state, used, open: state.open.set(String(n), { books, approve }) };
}

function ended(state: GateState, n: number, end: keyof Counts): GateState {
  return { ...state, open: state.open.delete(String(n)), counts: raise(state.counts, end) };
}

function raise(counts: Counts, name: keyof Counts): Counts {
  return { ...counts, [name]: counts[name] + 1 };
}

/** The counts and what is used of each budget: the artifact at the end. */
export function summarize({ n, counts, used }: GateState): JsonObject {
  const spent: Json = used.sorted().map(([key, use]) => [key, use.used]);
  return { calls: n, ...counts, spent };
}
