/** Heads as one copyable line: `assay-head:1:<count>:<hash>`. Source: ledger format, "Head". */
import { isDigest, type Digest } from '../hash/sha256.js';
import { err, ok, type Result } from '../result.js';

/** Records in a ledger at most; also the largest count of a head. Source: ledger format, "File". */
export const RECORDS_MAX = 1_000_000_000_000;

/** What a head line says: sequence of the last record + 1, and its record hash. It names no run. */
export type HeadLine = { readonly count: number; readonly hash: Digest };

const HEAD_LINE = /^assay-head:1:([1-9][0-9]{0,12}):([0-9a-f]{64})\n?$/;

/** The head line of a head, without a line end. Throws a RangeError for a count outside 1 to 10^12. */
export function formatHeadLine(head: HeadLine): string {
  if (!Number.isInteger(head.count) || head.count < 1 || head.count > RECORDS_MAX) {
    throw new RangeError(
      `formatHeadLine: count must be an integer from 1 to ${RECORDS_MAX}, got ${head.count}`,
    );
  }
  return `assay-head:1:${head.count}:${head.hash}`;
}

/**
 * Reads a head line; one final line feed is ignored. Error: `head_line`, any other text (an older or newer
 * version of the line included).
 */
export function parseHeadLine(text: string): Result<{ readonly code: 'head_line' }, HeadLine> {
  const parts = HEAD_LINE.exec(text);
  const count = Number(parts?.[1]);
  const hash = parts?.[2];
  return isDigest(hash) && count <= RECORDS_MAX ? ok({ count, hash }) : err({ code: 'head_line' });
}
