/**
 * Taking a recorded proposal as it stands. Where integrity was established already, its hashes, shape and
 * tokens need not be established again; what is left is to measure it as it was measured when it was given.
 * Source: ledger format, "Limits shrink inwards"; machine interface, "Order of checks".
 *
 * @module
 */
import { OUTSIDE_LIMITS } from '../canonical/limits.js';
import { utf8Length } from '../text.js';
import { isArray, type Json } from '../json.js';
import type { Proposal, RecordedProposal } from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';

/** `"proposal_hash":"…",` as the record adds it to what was given. */
const HASH_BYTES = '"proposal_hash":"",'.length + 64;
/** No key of so few UTF-16 units is too long. */
const SHORT_KEY = OUTSIDE_LIMITS.keyBytes / 3;

/**
 * The proposal of a record whose integrity holds, frozen in place; null where it exceeds what may be given,
 * so that reading it like any other says how. `payloadBytes`: size of the payload's canonical text.
 */
export function takeProposal(record: EvidenceRecord, payloadBytes: number): Proposal | null {
  if (record.payload === undefined || payloadBytes - HASH_BYTES > OUTSIDE_LIMITS.bytes) return null;
  const { proposal_hash: _, ...given } = record.payload as unknown as RecordedProposal;
  return new Measure().take(given, 0) ? given : null;
}

/** One measurement under way: counts values, and freezes what it has seen. */
class Measure {
  private values = 0;

  take(value: Json, depth: number): boolean {
    this.values += 1;
    if (this.values > OUTSIDE_LIMITS.values) return false;
    if (typeof value !== 'object' || value === null) return true;
    if (depth >= OUTSIDE_LIMITS.depth) return false;
    if (isArray(value)) {
      for (const item of value) if (!this.take(item, depth + 1)) return false;
    } else {
      for (const key of Object.keys(value)) {
        if (key.length > SHORT_KEY && utf8Length(key) > OUTSIDE_LIMITS.keyBytes) return false;
        if (!this.take(value[key] ?? null, depth + 1)) return false;
      }
    }
    Object.freeze(value);
    return true;
  }
}
