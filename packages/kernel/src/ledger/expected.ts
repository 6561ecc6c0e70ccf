/**
 * The line that comes next but for its payload: what hashes, link, logical time and order ask for, compared
 * byte for byte, so that nearly every line's envelope is judged without being parsed.
 * Source: ledger format, "File and records".
 */
import type { Sha256 } from '../hash/sha256.js';
import type { Frame } from './frame.js';
import type { RecordKind } from './names.js';
import { afterPayload, beforePayload, recordHash, type EvidenceRecord } from './record.js';

/**
 * A record whose envelope is judged sound. `payload`: the bytes of its payload, which were hashed and not
 * read.
 */
export type ExpectedRecord = {
  readonly record: EvidenceRecord & { readonly payload: null };
  readonly payload: Uint8Array;
};

/**
 * The record of a line that is, around its payload, the one that must come next: `payload_hash` to `order`
 * hold. Null for all others, and for records that are rare, which are read in full to say what they are. Both
 * hashes are taken, none is read.
 */
export function expectedRecord(frame: Frame, line: Uint8Array, sha256: Sha256): ExpectedRecord | null {
  const kind = FREQUENT_KINDS.get(line[INITIAL_AT] ?? 0);
  const ts = frame.expectedTs();
  const parent = frame.hash;
  if (kind === undefined || ts === null || parent === null || !frame.mayFollow(kind)) return null;
  const place = { ts, kind, parent };
  const before = `${beforePayload(place)}"payload":`;
  const end = line.length - AFTER_LENGTH - ts.length;
  if (end <= before.length || !startsWith(line, before, 0)) return null;
  const payload = line.subarray(before.length, end);
  const payload_hash = sha256(payload);
  const record = {
    v: 1,
    ts,
    kind,
    parent,
    payload: null,
    payload_hash,
    record_hash: recordHash(place, payload_hash, sha256),
  } as const;
  return startsWith(line, `,${afterPayload(record)}`, end) ? { record, payload } : null;
}

/** By the first byte of their name. */
const FREQUENT_KINDS: ReadonlyMap<number, RecordKind> = new Map<number, RecordKind>([
  [0x64, 'decision'],
  [0x70, 'proposal'],
  [0x72, 'rejection'],
]);
const INITIAL_AT = '{"kind":"'.length;
/** What stands behind a payload, without the ts. A ts with a character that is escaped is read in full. */
const AFTER_LENGTH = ',"payload_hash":"","record_hash":"","ts":"","v":1}'.length + 2 * 64;

function startsWith(bytes: Uint8Array, text: string, from: number): boolean {
  for (let index = 0; index < text.length; index += 1)
    if (bytes[from + index] !== text.charCodeAt(index)) return false;
  return true;
}
