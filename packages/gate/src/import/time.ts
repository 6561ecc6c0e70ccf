/**
 * Times of traces as microseconds since 1970, without a clock.
 *
 * @module
 */
import type { Json } from '@assay/kernel';

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?$/;
const DAY_US = 86_400_000_000;
const MINUTE_US = 60_000_000;

/** Microseconds of an ISO 8601 time, UTC where it names no zone. Null for anything else, and before 1970. */
export function readIso(time: Json | undefined): number | null {
  const found = typeof time === 'string' ? ISO.exec(time) : null;
  if (found === null) return null;
  const [, year, month, day, hour, minute, second = '0', part = '', sign, zoneHour = '0', zoneMinute = '0'] =
    found;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return null;
  const minutes =
    Number(hour) * 60 +
    Number(minute) -
    (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  const micros = Number(part.slice(0, 6).padEnd(6, '0'));
  const us =
    countDays(Number(year), Number(month), Number(day)) * DAY_US +
    minutes * MINUTE_US +
    Number(second) * 1_000_000 +
    micros;
  return us >= 0 ? us : null;
}

/** Microseconds of nanoseconds, which OTLP writes as a text of digits. Null for anything else. */
export function readNanos(time: Json | undefined): number | null {
  const text = typeof time === 'number' ? String(time) : time;
  return typeof text === 'string' && /^[1-9][0-9]{3,18}$/.test(text) ? Number(text.slice(0, -3)) : null;
}

/** Microseconds of seconds since 1970. Null for anything else. */
export function readSeconds(time: Json): number | null {
  return typeof time === 'number' && time > 0 && time < 1e11 ? Math.round(time * 1_000_000) : null;
}

/** The day of a time, such as `2026-08-10`. */
export function formatDay(us: number): string {
  // Years are counted from March, so that the day that leap years add is the last one.
  const days = Math.floor(us / DAY_US) + 719_468;
  const era = Math.floor(days / 146_097);
  const inEra = days - era * 146_097;
  const year = Math.floor(
    (inEra - Math.floor(inEra / 1_460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  );
  const inYear = inEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * inYear + 2) / 153);
  const day = inYear - Math.floor((153 * month + 2) / 5) + 1;
  const isNext = month >= 10;
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${year + era * 400 + (isNext ? 1 : 0)}-${two(isNext ? month - 9 : month + 3)}-${two(day)}`;
}

/** Days since 1970-01-01 in the Gregorian calendar. */
function countDays(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const inEra = shifted - era * 400;
  const inYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + inEra * 365 + Math.floor(inEra / 4) - Math.floor(inEra / 100) + inYear - 719_468;
}
