/** Reports: a ledger in a page, and out of it again. Source: explorer/X9, explorer/X10. */
import { gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { err, ok, type Result } from '@assay/kernel';
import { extractPacked, LEDGER_BYTES_MAX, withKept, withoutPacked, withPacked } from '../data/packed.js';

const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
/** Flags of a member's header. */
const [HEADER_CRC, EXTRA, NAME, COMMENT] = [2, 4, 8, 16] as const;

/** What a ledger cites and a report keeps: lines of openings, and bytes by the digest they are cited with. */
export type Kept = {
  readonly openings: readonly string[];
  readonly blobs: ReadonlyMap<string, Uint8Array>;
};

/** A report of a ledger in a shell. Throws a RangeError for a page without an empty data element. */
export function renderReport(ledger: Uint8Array, shell: string, kept: Kept | null = null): string {
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

/** One member of gzip and nothing before or behind it, as browsers read it; null for anything else. */
function unpacked(packed: Buffer): Uint8Array | null {
  try {
    const limits = { maxOutputLength: LEDGER_BYTES_MAX };
    const ledger = gunzipSync(packed, limits);
    // Node reads on where a member is empty, and past what it takes for padding; browsers refuse both.
    const start = dataStart(packed);
    const { engine } = inflateRawSync(packed.subarray(start), { ...limits, info: true }) as unknown as {
      readonly engine: { readonly bytesWritten: number };
    };
    return start + engine.bytesWritten + TRAILER_BYTES === packed.length ? ledger : null;
  } catch {
    return null;
  }
}

/** Where the deflated data of a member starts. Source: RFC 1952, 2.3. */
function dataStart(packed: Buffer): number {
  const flags = packed[3] ?? 0;
  let at = HEADER_BYTES;
  if ((flags & EXTRA) !== 0) at += 2 + packed.readUInt16LE(at);
  for (const text of [NAME, COMMENT]) if ((flags & text) !== 0) at = packed.indexOf(0, at) + 1;
  return (flags & HEADER_CRC) === 0 ? at : at + 2;
}
