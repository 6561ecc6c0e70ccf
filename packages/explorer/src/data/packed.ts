/**
 * The one data element of a report: a ledger, gzipped, as base64. Found by its bytes, never by what a browser
 * makes of them. Source: explorer/X9, explorer/X10.
 */
import { err, ok, type Result } from '@assay/kernel';

/** The largest report: its records, and the bytes of its ledger. */
export const RECORDS_MAX = 100_000;
/** Bytes of a ledger that a page reads. */
export const LEDGER_BYTES_MAX: number = 150 * 1_048_576;

/** Id of the data element. */
export const DATA_ID = 'assay-ledger';
/** Id of the element with what is kept beside the ledger: openings and blobs. No verdict rests on it. */
export const KEPT_ID = 'assay-kept';
/** Bytes of openings and blobs that a report holds, unpacked. */
export const KEPT_BYTES_MAX: number = 32 * 1_048_576;
/** The element of what is kept, with nothing or base64 in it. */
const KEPT = /(<script type="application\/gzip" id="assay[-]kept">)([A-Za-z0-9+/]*={0,2})(?=<[/]script>)/;
/** The start tag. Written so that a page's own script, which holds this line, holds no such tag. */
const OPENING = /<script type="application\/gzip" id="assay[-]ledger">/;
const CLOSING = /<[/]script>/;
/** An element of that id in any spelling: two of them could be read differently. */
const ANY = /<[^<>]*\bid\s*=\s*["']?assay[-]ledger\b/gi;

/** True for the first characters of a page; a ledger begins with a record. */
export function isPage(start: string): boolean {
  return /^\ufeff?\s*<(?:!doctype|html)/i.test(start);
}

/** A page with data in its empty data element. Throws a RangeError for another page. */
export function withPacked(page: string, packed: string): string {
  const { start, end } = element(page);
  if (start === -1 || start !== end)
    throw new RangeError('withPacked: expected a page with one empty data element');
  return `${page.slice(0, start)}${packed}${page.slice(start)}`;
}

/** The page around the data: what it was before the data came in. */
export function withoutPacked(page: string): string {
  const { start, end } = element(page);
  return withKept(page.slice(0, start) + page.slice(end), '');
}

/** A page with something kept, or with nothing: as it is where it has no place for that. */
export function withKept(page: string, kept: string): string {
  return page.replace(KEPT, (_all, opening: string) => `${opening}${kept}`);
}

/** The base64 text of what a page keeps; empty where it keeps nothing. */
export function extractKept(page: string): string {
  return KEPT.exec(page)?.[2] ?? '';
}

/** Where the data of a page starts and ends; -1 where there is none. */
function element(page: string): { readonly start: number; readonly end: number } {
  const found = OPENING.exec(page);
  const start = found === null ? -1 : found.index + found[0].length;
  const length = start === -1 ? -1 : page.slice(start).search(CLOSING);
  return length === -1 ? { start: -1, end: -1 } : { start, end: start + length };
}

/** Why a page with two data elements is refused: others could read the other one. */
export const TWO_ELEMENTS: readonly [says: string, next: string] = [
  'This page holds more than one data element.',
  'Do not rely on it; ask for the ledger itself.',
];

/** The base64 text of a report. Errors: what is wrong, and what next. */
export function extractPacked(page: string): Result<readonly [says: string, next: string], string> {
  const found = page.match(ANY) ?? [];
  if (found.length === 0)
    return err(['This page holds no ledger.', 'Ask for the report again, or for the ledger itself.']);
  if (found.length > 1) return err(TWO_ELEMENTS);
  const { start, end } = element(page);
  const packed = start === -1 ? '' : page.slice(start, end);
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(packed))
    return err([
      'The data of this page is no base64 text.',
      'Ask for the report again, or the ledger itself.',
    ]);
  return ok(packed);
}
