/**
 * The open-request table: what a run has asked and not yet settled.
 * Source: machine interface, "Order of checks"; ledger format, "State hash".
 */
import { PersistentMap } from '../collections/persistent-map.js';
import { compareText } from '../json.js';
import type { OpenRequest, Request, Spent, State } from '../ledger/payloads.js';

/** Open requests by id. */
export type OpenTable = PersistentMap<OpenRequest>;

/** The table of a base snapshot, or an empty one. */
export function makeTable(state: State | null): OpenTable {
  return PersistentMap.from(state === null ? [] : Object.entries(state.open));
}

/** A request just opened: no attempt used, nothing spent. */
export function opened(request: Request): OpenRequest {
  return Object.freeze({ rejections: 0, request, spent: Object.freeze({}) });
}

/** The row after a recorded proposal: its spend added, an attempt counted where one was used. */
export function charged(row: OpenRequest, spent: Spent, usesAttempt: boolean): OpenRequest {
  return Object.freeze({
    rejections: row.rejections + (usesAttempt ? 1 : 0),
    request: row.request,
    spent: addSpent(row.spent, spent),
  });
}

/**
 * The sum of two spends, unit by unit, units in canonical order (a resumed run must show machines the same
 * order); zeros are kept.
 */
export function addSpent(a: Spent, b: Spent): Spent {
  // Both are frozen and in canonical order as they come, and one of them is empty nearly always.
  if (isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const sum = new Map(Object.entries(a));
  for (const [unit, amount] of Object.entries(b)) sum.set(unit, (sum.get(unit) ?? 0) + amount);
  return Object.freeze(Object.fromEntries([...sum].sort(([one], [other]) => compareText(one, other))));
}

/** The first unit (in the proposal's order) whose sum would leave the safe integers, or null. */
export function overspentUnit(row: OpenRequest | undefined, spent: Spent): string | null {
  if (row === undefined || isEmpty(row.spent)) return null;
  const before = new Map(Object.entries(row.spent));
  for (const [unit, amount] of Object.entries(spent))
    if ((before.get(unit) ?? 0) > Number.MAX_SAFE_INTEGER - amount) return unit;
  return null;
}

function isEmpty(spent: Spent): boolean {
  return Object.keys(spent).length === 0;
}

/** True when the next attempt on this request is the last one. */
export function isLastAttempt(row: OpenRequest): boolean {
  return row.request.attempts !== 0 && row.rejections + 1 >= row.request.attempts;
}
