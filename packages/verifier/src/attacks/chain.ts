/**
 * A forger's chain: records with some payloads changed, every hash computed again.
 *
 * @module
 */
import {
  encodeLine,
  hashCanonical,
  orThrow,
  recordHash,
  utf8Bytes,
  type Digest,
  type EvidenceRecord,
  type Json,
  type Sha256,
} from '@assay/kernel';

/** What a forger writes: a record before it is chained. */
export type Draft = { readonly ts: string; readonly kind: string; readonly payload: Json };

/** H of a value. */
export function hashOf(value: Json, sha256: Sha256): Digest {
  return orThrow(hashCanonical(value, sha256));
}

/**
 * Chains drafts after a record hash (null: from the start): payload hashes, parents and record hashes are
 * computed.
 */
export function chained(
  drafts: readonly Draft[],
  sha256: Sha256,
  after: Digest | null = null,
): readonly EvidenceRecord[] {
  const records: EvidenceRecord[] = [];
  for (const { ts, kind, payload } of drafts) {
    const parent = records.at(-1)?.record_hash ?? after;
    const payload_hash = hashOf(payload, sha256);
    records.push({
      v: 1,
      ts,
      kind,
      parent,
      payload,
      payload_hash,
      record_hash: recordHash({ ts, kind, parent }, payload_hash, sha256),
    });
  }
  return records;
}

/** The bytes of a ledger file. */
export function fileOf(records: readonly EvidenceRecord[]): Uint8Array {
  return utf8Bytes(records.map((record) => `${encodeLine(record)}\n`).join(''));
}
