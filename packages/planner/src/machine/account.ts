/**
 * Accounts: integer amounts by unit, conserved over the tree. Source: dec-K34, dec-K38, law-B1.
 *
 * @module
 */
import { closed, integer, list, type TypeOf } from '@assay/kernel/shape';

export const AMOUNTS = list(integer(-Number.MAX_SAFE_INTEGER));
/** Integer amounts, by place of the unit in the state's `units`. */
export type Amounts = TypeOf<typeof AMOUNTS>;

export const ACCOUNT = closed({ granted: AMOUNTS, spent: AMOUNTS, given: AMOUNTS, reserved: AMOUNTS });
/** What a node has been given, has spent, has given on and holds for open requests. Source: dec-K34. */
export type Account = TypeOf<typeof ACCOUNT>;

/** Nothing, for so many units. */
export function zeros(count: number): Amounts {
  return Array.from({ length: count }, () => 0);
}

/** An account without anything. */
export function emptyAccount(count: number): Account {
  const none = zeros(count);
  return { granted: none, spent: none, given: none, reserved: none };
}

/** Sums by place. */
export function plus(a: Amounts, b: Amounts): Amounts {
  return a.map((amount, unit) => amount + (b[unit] ?? 0));
}

/** Differences by place. */
export function minus(a: Amounts, b: Amounts): Amounts {
  return a.map((amount, unit) => amount - (b[unit] ?? 0));
}

/** What is left: below zero where a call has cost more than was reserved for it. */
export function remaining({ granted, spent, given, reserved }: Account): Amounts {
  return granted.map(
    (amount, unit) => amount - (spent[unit] ?? 0) - (given[unit] ?? 0) - (reserved[unit] ?? 0),
  );
}

/** What can be given back: what is overdrawn returns nothing. */
export function returnable(account: Account): Amounts {
  return remaining(account).map((amount) => Math.max(0, amount));
}

/** True where all are zero. */
export function isNothing(amounts: Amounts): boolean {
  return amounts.every((amount) => amount === 0);
}
