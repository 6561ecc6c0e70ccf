/**
 * Record v1: seven keys, two hashes, one line. Source: 001 §2.2; ledger format, "File and records".
 *
 * ```text
 * payload_hash = H(payload)
 * record_hash  = H({v, ts, kind, parent, payload_hash})
 * line         = C({kind, parent, payload, payload_hash, record_hash, ts, v}) + 0A
 * ```
 */
import { encodeJson, encodeScalar } from '../canonical/encode.js';
import { LINE_LIMITS } from '../canonical/limits.js';
import { utf8Length } from '../text.js';
import type { Admitted } from '../canonical/admit.js';
import { hashText, type Digest, type Sha256 } from '../hash/sha256.js';
import type { Json } from '../json.js';

/** One link of a ledger. A record without `payload` is erased: its hashes still link. */
export type EvidenceRecord = {
  readonly v: 1;
  readonly ts: string;
  readonly kind: string;
  readonly parent: Digest | null;
  readonly payload?: Json;
  readonly payload_hash: Digest;
  readonly record_hash: Digest;
};

/** Place of a record in its ledger: everything but what it says. */
export type Place = { readonly ts: string; readonly kind: string; readonly parent: Digest | null };

/** A record that was derived and comes next, and its line without the line end. */
export type Due = { readonly record: EvidenceRecord; readonly line: string };

/** Makes the record of an admitted payload. Two digests; no copy is made. */
export function makeRecord(place: Place, payload: Admitted, sha256: Sha256): EvidenceRecord {
  const payload_hash = hashText(payload.text, sha256);
  const { ts, kind, parent } = place;
  const record: EvidenceRecord = Object.freeze({
    v: 1,
    ts,
    kind,
    parent,
    payload: payload.value,
    payload_hash,
    record_hash: recordHash(place, payload_hash, sha256),
  });
  LATEST.keep(record, payload);
  return record;
}

/**
 * The payload texts of the records made last: what is derived is written next, and what is frozen all through
 * is written the same way each time. So few and so short that hardly anything is kept by it.
 */
class Latest {
  private readonly kept: (readonly [EvidenceRecord, string])[] = [];
  private turn = 0;

  keep(record: EvidenceRecord, { bytes, text }: Admitted): void {
    if (bytes <= LATEST_BYTES) this.kept[this.turn++ % LATEST_RECORDS] = [record, text];
  }

  textOf(record: EvidenceRecord): string | undefined {
    return this.kept.find(([known]) => known === record)?.[1];
  }
}

const LATEST = new Latest();
const LATEST_RECORDS = 8;
const LATEST_BYTES = 65_536;

/** H({v, ts, kind, parent, payload_hash}), with v = 1. */
export function recordHash(place: Place, payloadHash: Digest, sha256: Sha256): Digest {
  return hashText(
    `${beforePayload(place)}"payload_hash":"${payloadHash}","ts":${encodeScalar(place.ts)},"v":1}`,
    sha256,
  );
}

/** Text of a line before its payload; with {@link afterPayload} it is the whole line. */
export function beforePayload(place: Place): string {
  const parent = place.parent === null ? 'null' : `"${place.parent}"`;
  return `{"kind":${encodeScalar(place.kind)},"parent":${parent},`;
}

/** Text of a line after its payload. */
export function afterPayload({ payload_hash, record_hash, ts }: EvidenceRecord): string {
  return `"payload_hash":"${payload_hash}","record_hash":"${record_hash}","ts":${encodeScalar(ts)},"v":1}`;
}

/** The canonical line of a record, without its line end. */
export function encodeLine(record: EvidenceRecord): string {
  if (record.payload === undefined) return beforePayload(record) + afterPayload(record);
  const payload = LATEST.textOf(record) ?? encodeJson(record.payload);
  return `${beforePayload(record)}"payload":${payload},${afterPayload(record)}`;
}

/**
 * True when a payload fits a record line: at most 16 MiB, depth 256 (the record is 1), 262,144 marks `[ { ,`.
 */
export function fitsLine(place: Place, payload: Admitted): boolean {
  // A unit is at most six bytes, escaped: nearly every record is known to fit without encoding its envelope.
  const isShort =
    payload.bytes + ENVELOPE_BYTES + DIGEST_BYTES + 6 * (place.ts.length + place.kind.length) + 4 <=
    LINE_LIMITS.bytes;
  return (
    (isShort || payload.bytes + envelopeBytes(place) <= LINE_LIMITS.bytes) &&
    payload.depth + 1 <= LINE_LIMITS.depth &&
    payload.structure + ENVELOPE_STRUCTURE <= LINE_LIMITS.structure
  );
}

/** Bytes of a line, without its line end, that are not its payload's. */
export function envelopeBytes({ ts, kind, parent }: Place): number {
  return (
    ENVELOPE_BYTES +
    utf8Length(encodeScalar(kind)) +
    (parent === null ? 'null'.length : DIGEST_BYTES) +
    utf8Length(encodeScalar(ts))
  );
}

/** A quoted digest. */
const DIGEST_BYTES = 66;
/** A line without kind, parent, payload and ts. */
const ENVELOPE_BYTES: number =
  '{"kind":,"parent":,"payload":,"payload_hash":,"record_hash":,"ts":,"v":1}'.length + 2 * DIGEST_BYTES;
/** One `{` and the six commas between seven keys. */
export const ENVELOPE_STRUCTURE = 7;
