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
export function parseMoment(text: string): number {
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
  const at_us = parseMoment(at);
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

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const DAY_MS = 86_400_000;

/**
 * Reads `deadline=`: `10m` from now (s, m, h), or `17:00`, local time (tomorrow's where it is past), as microseconds
 * since 1970; null without one. Raises `Stop`: `bad_value`.
 */
export function parseDeadline(given: string | undefined, now: number = Date.now()): number | null {
  if (given === undefined) return null;
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(given) ?? [];
  if (count !== '') return (now + Number(count) * (UNITS[unit] ?? 1) * 1_000) * 1_000;
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(given) ?? [];
  if (hours === '')
    throw misuse(
      'bad_value',
      'not a length of time, and not a time of day',
      `--set deadline=${given}`,
      'write it like --set deadline=10m or --set deadline=17:00',
    );
  const at = new Date(now).setHours(Number(hours), Number(minutes), 0, 0);
  return (at > now ? at : at + DAY_MS) * 1_000;
}
