/** The hash chain: what holds for any kind, any ts and any payload. Source: 001 §2.2, §4.2. */
import { admit } from '../canonical/admit.js';
import { readCanonical, type ReadCode } from '../canonical/read.js';
import { hashText, isDigest, nobleSha256, type Digest, type Sha256 } from '../hash/sha256.js';
import { field, isObject, type Json } from '../json.js';
import { err, ok, type Result } from '../result.js';
import { recordHash, type EvidenceRecord } from './record.js';

/**
 * What a link of the chain can get wrong. Precedence as listed; `encoding` only where the record was given as
 * a value that is no canonical JSON.
 */
export type ChainCode = 'encoding' | 'shape' | 'version' | 'payload_hash' | 'record_hash' | 'parent';

/** The first bad record of a chain (index in the given sequence) and its code. */
export type ChainError = { readonly code: ChainCode; readonly record: number };

/**
 * The end of a sound chain: `count` records, the last one's hash (null for no record), how many are erased.
 */
export type ChainEnd = { readonly count: number; readonly hash: Digest | null; readonly erased: number };

/**
 * Validates a chain of records: shape, version, payload hash, record hash, parent. Any kind and ts are
 * fine, so a chain written by another kernel with the same formulas validates. Linear, one pass; a
 * record without payload (erased) is judged by its hashes. Errors: encoding, shape, version,
 * payload_hash, record_hash, parent.
 *
 * Source: 001 §2.2, §4.2.
 */
export function validateChain(
  records: Iterable<unknown>,
  sha256: Sha256 = nobleSha256,
): Result<ChainError, ChainEnd> {
  let parent: Digest | null = null;
  let count = 0;
  let erased = 0;
  for (const given of records) {
    const admitted = admit(given);
    if (admitted._tag === 'Left') return err({ code: 'encoding', record: count });
    const record = parseEnvelope(admitted.right.value);
    if (record._tag === 'Left') return err({ code: record.left, record: count });
    const code = linkFault(record.right, parent, null, sha256);
    if (code !== null) return err({ code, record: count });
    if (record.right.payload === undefined) erased += 1;
    parent = record.right.record_hash;
    count += 1;
  }
  return ok({ count, hash: parent, erased });
}

/** Reads one line of a ledger, without its 0A: canonical, and a record's envelope. No hash is judged. */
export function parseRecordLine(line: Uint8Array): Result<ReadCode | 'shape' | 'version', EvidenceRecord> {
  const read = readCanonical(line);
  return read._tag === 'Left' ? read : parseEnvelope(read.right.value);
}

/** Reads a record's envelope: exactly the seven keys, or six where the payload is erased. */
export function parseEnvelope(value: Json): Result<'shape' | 'version', EvidenceRecord> {
  if (!isObject(value)) return err('shape');
  const payload = field(value, 'payload');
  if (Object.keys(value).length !== (payload === undefined ? 6 : 7)) return err('shape');
  const v = field(value, 'v');
  const ts = field(value, 'ts');
  const kind = field(value, 'kind');
  const parent = field(value, 'parent');
  const payload_hash = field(value, 'payload_hash');
  const record_hash = field(value, 'record_hash');
  if (typeof v !== 'number' || !Number.isInteger(v) || typeof ts !== 'string' || typeof kind !== 'string')
    return err('shape');
  if (!(parent === null || isDigest(parent)) || !isDigest(payload_hash) || !isDigest(record_hash))
    return err('shape');
  if (v !== 1) return err('version');
  return ok(
    payload === undefined
      ? { v, ts, kind, parent, payload_hash, record_hash }
      : { v, ts, kind, parent, payload, payload_hash, record_hash },
  );
}

/**
 * The first of payload_hash, record_hash, parent that does not hold, or null. `payloadText`: the payload's
 * canonical text where it is at hand.
 */
export function linkFault(
  record: EvidenceRecord,
  parent: Digest | null,
  payloadText: string | null,
  sha256: Sha256,
): ChainCode | null {
  if (
    record.payload !== undefined &&
    hashPayload(record.payload, payloadText, sha256) !== record.payload_hash
  )
    return 'payload_hash';
  if (recordHash(record, record.payload_hash, sha256) !== record.record_hash) return 'record_hash';
  return record.parent === parent ? null : 'parent';
}

function hashPayload(payload: Json, text: string | null, sha256: Sha256): Digest | null {
  if (text !== null) return hashText(text, sha256);
  const admitted = admit(payload);
  return admitted._tag === 'Left' ? null : hashText(admitted.right.text, sha256);
}
