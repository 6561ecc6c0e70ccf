/**
 * Budgets: what a call holds when it is decided, and what it is charged once it is settled. Source: gate/G7.
 *
 * A window rolls by the times of the calls, in 60 parts: an amount leaves it at most one part late, never early.
 *
 * @module
 */
import type { PersistentMap, Spent } from '@assay/kernel';
import { isLike } from '../policy/conditions.js';
import { findBound, type Called } from '../policy/judge.js';
import type { Budget, Policy } from '../policy/policy.js';
import type { Book, Cost } from './events.js';

/** Parts of a window. */
const PARTS = 60;

/** Of one budget: what is charged, what is held for open calls, and by part of its window both together. */
export type Use = {
  readonly used: number;
  readonly held: number;
  readonly parts: readonly (readonly [part: number, amount: number])[];
};
/** Nothing is used. */
export const NO_USE: Use = { used: 0, held: 0, parts: [] };

type Uses = PersistentMap<Use>;

/** The part of a budget's window that a time falls into, null without a window. */
function findPart({ windowUs }: Budget, now: number): number | null {
  return windowUs === null ? null : Math.floor(now / Math.ceil(windowUs / PARTS));
}

/** What of a budget is used or held: all of it, or what stands in the window that ends now. */
export function computeUse(budget: Budget, use: Use | undefined, now: number): number {
  if (use === undefined) return 0;
  const part = findPart(budget, now);
  if (part === null) return add(use.used, use.held);
  return use.parts.reduce((sum, [at, amount]) => (at >= part - PARTS ? add(sum, amount) : sum), 0);
}

/** When a window has let go of an amount, microseconds; null where it holds less. */
export function findRoom(budget: Budget, use: Use | undefined, amount: number, now: number): number | null {
  const current = findPart(budget, now);
  if (budget.windowUs === null || current === null) return null;
  let rest = amount;
  for (const [part, held] of (use?.parts ?? []).toSorted(([a], [b]) => a - b)) {
    if (part >= current - PARTS) rest -= held;
    if (rest <= 0) return (part + PARTS + 1) * Math.ceil(budget.windowUs / PARTS);
  }
  return null;
}

/**
 * The budgets that speak of a call, each with the key that its use is kept under: of a principal's own one, the
 * principal stands behind a line end.
 */
export function listBudgets(
  { budgets }: Policy,
  { tool, principal }: Pick<Called, 'tool' | 'principal'>,
): readonly (readonly [Budget, string])[] {
  return budgets
    .filter(({ tools }) => isLike(tools, tool))
    .map((budget) => [budget, budget.per === 'principal' ? `${budget.id}\n${principal}` : budget.id]);
}

/**
 * What a call holds of each budget, the first that is too small, and by how much. Without a bound nothing is held,
 * and the call is refused once the limit is reached.
 */
export function book(
  policy: Policy,
  uses: Uses,
  call: Called,
  now: number,
): { readonly books: readonly Book[]; readonly shortage: Budget | null; readonly by: number } {
  const books: Book[] = [];
  let shortage: Budget | null = null;
  let by = 0;
  for (const [budget, key] of listBudgets(policy, call)) {
    const bound = findBound(policy, call, budget.unit);
    const over = computeUse(budget, uses.get(key), now) + (bound ?? 1) - budget.max;
    if (over > 0 && shortage === null) [shortage, by] = [budget, over];
    if (bound !== null && bound > 0) books.push([key, bound, findPart(budget, now)]);
  }
  return { books, shortage, by };
}

/**
 * What a settled call costs each budget. `isFree`: it never began. What is held for a budget that a continuation no
 * longer has is given back.
 */
export function computeCosts(
  policy: Policy,
  call: Pick<Called, 'tool' | 'principal'>,
  books: readonly Book[],
  spent: Spent,
  isFree: boolean,
  now: number,
): readonly Cost[] {
  const told = listBudgets(policy, call).flatMap(([budget, key]): readonly Cost[] => {
    const [, held, part] = books.find(([own]) => own === key) ?? [key, 0, findPart(budget, now)];
    const bound = isFree ? 0 : held;
    const charged = budget.unit === 'calls' ? bound : (spent[budget.unit] ?? bound);
    return held === 0 && charged === 0 ? [] : [[key, held, charged, part]];
  });
  const rest = books.filter(([key]) => !told.some(([own]) => own === key));
  return [...told, ...rest.map(([key, held, part]): Cost => [key, held, 0, part])];
}

/** Holds what a call books (1), or gives it back (-1). */
export function holdBooks(uses: Uses, books: readonly Book[], sign: 1 | -1): Uses {
  return books.reduce((table, [key, amount, part]) => {
    const use = table.get(key) ?? NO_USE;
    const change = sign * amount;
    return part === null
      ? table.set(key, { ...use, held: add(use.held, change) })
      : table.set(key, { ...use, parts: addPart(use.parts, change, part) });
  }, uses);
}

/** Charges a settled call. */
export function settle(use: Use, [, held, charged, part]: Cost): Use {
  const used = add(use.used, charged);
  return part === null
    ? { ...use, used, held: add(use.held, -held) }
    : { ...use, used, parts: addPart(use.parts, charged - held, part) };
}

function addPart(parts: Use['parts'], amount: number, part: number): Use['parts'] {
  const latest = Math.max(part, ...parts.map(([at]) => at));
  const kept = parts.filter(([at]) => at >= latest - PARTS);
  const own = kept.find(([at]) => at === part);
  if (own === undefined) return amount <= 0 || part < latest - PARTS ? kept : [...kept, [part, amount]];
  return kept.map((each) => (each === own ? [part, add(own[1], amount)] : each));
}

/** A sum that stays a count: whoever says that a call cost 2^53 ends no run. */
function add(amount: number, change: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, amount + change));
}
