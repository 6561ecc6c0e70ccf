/**
 * A stored line that stands by itself: what a store checks of a ledger's last line before it goes on from
 * there.
 *
 * @module
 */
import { linkFault, parseRecordLine, type EvidenceRecord } from '@assay/kernel';
import { nativeSha256 } from './native-sha256.js';

/** A record line that holds by itself: canonical, and its two hashes are right. Null otherwise. */
export function soundRecord(line: Uint8Array): EvidenceRecord | null {
  const record = parseRecordLine(line);
  if (record._tag === 'Left') return null;
  return linkFault(record.right, record.right.parent, null, nativeSha256) === null ? record.right : null;
}
