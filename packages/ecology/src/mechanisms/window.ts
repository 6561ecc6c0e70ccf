/**
 * The strict rolling window: what was used in the last `width`, and whether more fits. No burst, no
 * borrowing. A persistent queue of two linked lists with its sum kept: amortised O(1).
 *
 * Also the grid of times at which auctions are. Source: specs/ecology.md B4, B9 "Schedule"; 004 L959–1004.
 */
import type { Json } from '@assay/kernel';
import { integer, list, tuple, type Coded } from '@assay/kernel/shape';

type Cell = { readonly at: number; readonly amount: number; readonly next: Cell | null };

/** What was used and has not expired. An immutable value; times in microseconds. */
export type Window = {
  /** Oldest first. */
  readonly front: Cell | null;
  /** Newest first. */
  readonly back: Cell | null;
  readonly used: number;
};

/** A window as its uses, oldest first. */
export const WINDOW: Coded<Window> = {
  shape: list(tuple(integer(0), integer(0))),
  to: ({ front, back }) => {
    const uses: Json[] = [];
    for (let cell = front; cell !== null; cell = cell.next) uses.push([cell.at, cell.amount]);
    for (let cell = reversed(back); cell !== null; cell = cell.next) uses.push([cell.at, cell.amount]);
    return uses;
  },
  from: (json) => {
    const uses = json as readonly (readonly [at: number, amount: number])[];
    const front = uses.reduceRight<Cell | null>((next, [at, amount]) => ({ at, amount, next }), null);
    return { front, back: null, used: uses.reduce((sum, [, amount]) => sum + amount, 0) };
  },
};

/** Nothing was used. */
export const EMPTY_WINDOW: Window = { front: null, back: null, used: 0 };

/** Records a use at a time that is not before those recorded. */
export function recordUse(window: Window, at: number, amount: number): Window {
  return { ...window, back: { at, amount, next: window.back }, used: window.used + amount };
}

/** Lets go what was used `width` ago or earlier: an entry exactly `width` old has expired. */
export function expire(window: Window, now: number, width: number): Window {
  let { front, back, used } = window;
  for (;;) {
    if (front === null) {
      front = reversed(back);
      back = null;
    }
    if (front === null || front.at > now - width)
      return used === window.used && window.front !== null ? window : { front, back, used };
    used -= front.amount;
    front = front.next;
  }
}

/**
 * The first time, not before `now`, at which `amount` fits under `limit`; null where it never does. The
 * window is the one after `expire`.
 */
export function fitsAt(
  window: Window,
  amount: number,
  { limit, now, width }: { readonly limit: number; readonly now: number; readonly width: number },
): number | null {
  if (amount > limit) return null;
  let { front, back, used } = window;
  let at = now;
  while (used + amount > limit) {
    if (front === null) {
      front = reversed(back);
      back = null;
    }
    if (front === null) return at;
    used -= front.amount;
    at = Math.max(at, front.at + width);
    front = front.next;
  }
  return at;
}

function reversed(list: Cell | null): Cell | null {
  let out: Cell | null = null;
  for (let cell = list; cell !== null; cell = cell.next) out = { ...cell, next: out };
  return out;
}

/** The first time of the grid `offset + k · interval` after a time, in microseconds; at most 2^53 − 1. */
export function boundaryAfter(
  now: number,
  { interval_us, offset_us }: { readonly interval_us: number; readonly offset_us: number },
): number {
  if (now < offset_us) return offset_us;
  const next = offset_us + (Math.floor((now - offset_us) / interval_us) + 1) * interval_us;
  return Math.min(next, Number.MAX_SAFE_INTEGER);
}
