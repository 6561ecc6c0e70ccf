/**
 * Until when a task must be done. Source: calls/C13.
 *
 * @module
 */
import { misuse } from '../problems/problem.js';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const DAY_MS = 86_400_000;

/**
 * Reads `--deadline`: `10m` from now (s, m, h), or `17:00`, local time (tomorrow's where it is past), as microseconds
 * since 1970; null without one. Raises `Stop`: `bad_value`.
 */
export function deadlineOf(given: string | undefined, now: number = Date.now()): number | null {
  if (given === undefined) return null;
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(given) ?? [];
  if (count !== '') return (now + Number(count) * (UNITS[unit] ?? 1) * 1_000) * 1_000;
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(given) ?? [];
  if (hours === '')
    throw misuse(
      'bad_value',
      'not a length of time, and not a time of day',
      `--deadline ${given}`,
      'write it like --deadline 10m or --deadline 17:00',
    );
  const at = new Date(now).setHours(Number(hours), Number(minutes), 0, 0);
  return (at > now ? at : at + DAY_MS) * 1_000;
}
