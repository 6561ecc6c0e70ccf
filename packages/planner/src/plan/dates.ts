/** Dates of the calendar as numbers of days, by integers alone. */

/** Days of 400 years, after which the calendar repeats, and those from 1 March 0000 to 1 January 1970. */
const ERA = 146_097;
const EPOCH = 719_468;

/** The number of a day such as `2027-01-04`, that of 1 January 1970 being 0; null for what is no date. */
export function countDays(date: string): number | null {
  const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  const [written = 0, month = 0, day = 0] = parts.map(Number);
  // A year begins in March, so that the day that some lack is its last.
  const year = written - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const ofEra = year - era * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const days = era * ERA + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - EPOCH;
  return parts.length === 3 && renderDay(days) === date ? days : null;
}

/** The date of a number of a day. */
export function renderDay(days: number): string {
  const from = days + EPOCH;
  const era = Math.floor(from / ERA);
  const day = from - era * ERA;
  const ofEra = Math.floor(
    (day - Math.floor(day / 1_460) + Math.floor(day / 36_524) - Math.floor(day / (ERA - 1))) / 365,
  );
  const ofYear = day - (ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100));
  const march = Math.floor((5 * ofYear + 2) / 153);
  const month = march < 10 ? march + 3 : march - 9;
  const parts = [
    era * 400 + ofEra + (month <= 2 ? 1 : 0),
    month,
    ofYear - Math.floor((153 * march + 2) / 5) + 1,
  ];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}
