/**
 * Until when a task must be done. Source: calls/C13.
 *
 * @module
 */
import { misuse } from '../problems/problem.js';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const DAY_MS = 86_400_000;

/**
 * Reads `--within 10m` (s, m, h) and `--by 17:00` (local time; tomorrow's where it is past), as microseconds
 * since 1970; null for neither. Raises `Stop`: `bad_value`.
 */
export function deadlineOf(
  { within, by }: { readonly within?: string; readonly by?: string },
  now: number = Date.now(),
): number | null {
  if (within !== undefined && by !== undefined)
    throw misuse('bad_value', 'a task has one deadline', '--within --by', 'give one of the two');
  if (within !== undefined) {
    const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(within) ?? [];
    if (count === '')
      throw misuse('bad_value', 'not a length of time', `--within ${within}`, 'write it like --within 10m');
    return (now + Number(count) * (UNITS[unit] ?? 1) * 1_000) * 1_000;
  }
  if (by === undefined) return null;
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(by) ?? [];
  if (hours === '') throw misuse('bad_value', 'not a time of day', `--by ${by}`, 'write it like --by 17:00');
  const at = new Date(now).setHours(Number(hours), Number(minutes), 0, 0);
  return (at > now ? at : at + DAY_MS) * 1_000;
}
