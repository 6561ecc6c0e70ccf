/**
 * The moment a memory is looked at or told something: microseconds, given or from the clock of this machine.
 *
 * @module
 */
import { nowAfter } from '@assay/controller/memory-shell';
import { misuse } from '../problems/problem.js';

/**
 * The moment that is named: whole microseconds since 1970, or a date such as 2026-11-22 or
 * 2026-11-22T10:00:00Z. Raises `Stop`: `at`.
 */
export function momentOf(text: string): number {
  const us = /^[0-9]{1,16}$/.test(text)
    ? Number(text)
    : /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+Z)?$/.test(text)
      ? Date.parse(text) * 1_000
      : Number.NaN;
  if (Number.isSafeInteger(us) && us >= 0) return us;
  throw misuse(
    'bad_value',
    'not a valid date or time',
    text,
    'give 2026-11-22, 2026-11-22T10:00:00Z or whole microseconds since 1970',
  );
}

/**
 * Furthest that a telling may lie ahead of now, and of what is recorded: a day. A memory's clock never goes
 * back, so a slip of a year would stay.
 */
const AHEAD_US_MAX = 86_400_000_000;

/**
 * When a memory is told something: the moment that is named, else now. `clock_us`: its own clock. Raises
 * `Stop`: `bad_value`, `at_ahead`.
 */
export function tellingMoment(at: string | undefined, clock_us: number): number {
  const now_us = nowAfter(clock_us);
  if (at === undefined) return now_us;
  const at_us = momentOf(at);
  if (at_us - now_us > AHEAD_US_MAX)
    throw misuse(
      'at_ahead',
      `this is more than a day after ${dated(now_us)}, and the clock of a memory never goes back; nothing was changed`,
      at,
      'say now to use the current time',
    );
  return at_us;
}

/** A moment for a person. */
export function dated(us: number): string {
  return new Date(us / 1_000).toISOString().replace('.000Z', 'Z');
}
