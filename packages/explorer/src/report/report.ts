/**
 * Reports: a ledger in a page, and out of it again. Source: explorer/X9, explorer/X10.
 *
 * @module
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { err, ok, type Result } from '@assay/kernel';
import { extractPacked, LEDGER_BYTES_MAX, withKept, withoutPacked, withPacked } from '../data/packed.js';

/** What a ledger cites and a report keeps: lines of openings, and bytes by the digest they are cited with. */
export type Kept = {
  readonly openings: readonly string[];
  readonly blobs: ReadonlyMap<string, Uint8Array>;
};

/** A report of a ledger in a shell. Throws a RangeError for a page without an empty data element. */
export function reportOf(ledger: Uint8Array, shell: string, kept: Kept | null = null): string {
  const page = withPacked(shell, packed(ledger));
  if (kept === null) return page;
  const lines = [
    ...kept.openings.map((line) => `{"opening":${line}}`),
    ...[...kept.blobs].map(([sha256, bytes]) =>
      JSON.stringify({ blob: Buffer.from(bytes).toString('base64'), sha256 }),
    ),
  ];
  return withKept(page, packed(Buffer.from(lines.map((line) => `${line}\n`).join(''))));
}

function packed(bytes: Uint8Array): string {
  return gzipSync(bytes, { level: 9 }).toString('base64');
}

/**
 * The page around the data. `same`: byte for byte a shell of this version; `unknown`: anything else, another
 * version's too. Believe nothing that an unknown page draws.
 */
export type PageVerdict = 'same' | 'unknown';

/** What is in a report: its ledger, and what is around it. */
export type ReportRead = { readonly ledger: Uint8Array; readonly page: PageVerdict };

/**
 * Reads a report. Error `report_ledger`: no data, two data elements, or data that cannot be unpacked, with what
 * is wrong and what next in words.
 */
export function readReport(
  page: string,
  shells: readonly string[],
): Result<{ readonly code: 'report_ledger'; readonly says: string; readonly next: string }, ReportRead> {
  const packed = extractPacked(page);
  if (packed._tag === 'Left') {
    const [says, next] = packed.left;
    return err({ code: 'report_ledger', says, next });
  }
  const ledger = unpacked(Buffer.from(packed.right, 'base64'));
  if (ledger === null)
    return err({
      code: 'report_ledger',
      says: `The data of this page cannot be unpacked, or is larger than ${LEDGER_BYTES_MAX} bytes.`,
      next: 'Ask for the report again, or for the ledger itself.',
    });
  return ok({ ledger, page: shells.includes(withoutPacked(page)) ? 'same' : 'unknown' });
}

/** One member of gzip and nothing behind it, as browsers read it; null for anything else. */
function unpacked(packed: Buffer): Uint8Array | null {
  try {
    const ledger = gunzipSync(packed, { maxOutputLength: LEDGER_BYTES_MAX });
    // A second member, or bytes behind the first, would end with another size: browsers refuse both.
    return packed.readUInt32LE(packed.length - 4) === ledger.length ? ledger : null;
  } catch {
    return null;
  }
}
