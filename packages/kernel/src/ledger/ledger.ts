/** The in-memory evidence ledger of the contract. Source: 001 §2.2. */
import { admit, type AdmissionError } from '../canonical/admit.js';
import { LINE_LIMITS, type Limits } from '../canonical/limits.js';
import { nobleSha256, type Digest, type Sha256 } from '../hash/sha256.js';
import { err, ok, type Result } from '../result.js';
import { fitsLine, makeRecord, type EvidenceRecord, type Place } from './record.js';

/**
 * What can fit a line at all: the record itself is one level, and each value but one has a mark `[ { ,`
 * before it.
 */
const PAYLOAD_LIMITS: Limits = Object.freeze({
  depth: LINE_LIMITS.depth - 1,
  bytes: LINE_LIMITS.bytes,
  values: LINE_LIMITS.structure,
  keyBytes: LINE_LIMITS.bytes,
});

/**
 * An append-only chain of records of any kind and ts. A run's ledger is written by `openRun` and
 * `advance`; this class is the contract's own building block.
 *
 * @example
 * ```ts
 * const ledger = new Ledger();
 * const record = orThrow(ledger.append('2026-01-01T00:00:00Z', 'note', { text: 'hello' }));
 * ```
 * Source: 001 §2.2.
 */
export class Ledger {
  private readonly written: EvidenceRecord[] = [];
  private readonly sha256: Sha256;

  /** An empty ledger. `sha256`: the digest, noble's by default. */
  constructor(sha256: Sha256 = nobleSha256) {
    this.sha256 = sha256;
  }

  /** Number of records. */
  get count(): number {
    return this.written.length;
  }

  /** Hash of the last record, null while there is none. */
  get hash(): Digest | null {
    return this.written.at(-1)?.record_hash ?? null;
  }

  /** The records so far, a copy of the list; the records themselves are frozen. */
  get records(): readonly EvidenceRecord[] {
    return [...this.written];
  }

  /**
   * Appends one record with an owned, frozen copy of the payload. O(1) in the ledger, linear in the
   * payload. Errors: every admission code, `depth`, `values` and `size` among them where the record would not
   * fit a line; `lone_surrogate` at `/ts` or `/kind` for ill-formed text. On a Left nothing is appended.
   */
  append(ts: string, kind: string, payload: unknown): Result<AdmissionError, EvidenceRecord> {
    if (typeof ts !== 'string' || typeof kind !== 'string')
      throw new TypeError(`Ledger.append: ts and kind must be strings, got ${typeof ts} and ${typeof kind}`);
    if (!ts.isWellFormed()) return err({ code: 'lone_surrogate', path: '/ts' });
    if (!kind.isWellFormed()) return err({ code: 'lone_surrogate', path: '/kind' });
    const admitted = admit(payload, PAYLOAD_LIMITS);
    if (admitted._tag === 'Left') return admitted;
    const place: Place = { ts, kind, parent: this.hash };
    if (!fitsLine(place, admitted.right)) return err({ code: 'size', path: '' });
    const record = makeRecord(place, admitted.right, this.sha256);
    this.written.push(record);
    return ok(record);
  }
}
