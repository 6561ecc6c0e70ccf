/**
 * The quick judge: hashes, links, logical time and order; the inside of payloads is hashed and not read.
 * Source: issue 2, "Verifier"; ledger format, "File and records".
 *
 * @module
 */
import { measure, readCanonical } from '../canonical/read.js';
import { isTextOf } from '../text.js';
import { nobleSha256, type Sha256 } from '../hash/sha256.js';
import { err, ok, type Result } from '../result.js';
import { parseEnvelope } from './chain.js';
import { expectedRecord } from './expected.js';
import { finding, type Finding, type IntegrityFault } from './faults.js';
import { Frame, payloadBytes } from './frame.js';
import { judgePayload } from './integrity.js';
import type { RecordKind } from './names.js';
import type { ClosePayload, Genesis } from './payloads.js';
import type { Due, EvidenceRecord } from './record.js';
import { summarize, type Closed, type RunSummary } from './run-summary.js';

/**
 * Judges a ledger by `size` to `order`, without parsing the payloads of proposals, decisions and rejections:
 * their bytes are hashed as they stand. So what stands inside them (encoding included) is not judged, and
 * whoever shows the result has to say so. Genesis, artifacts, close and every unusual line are read as
 * strictly as `RunIntegrity` reads them, up to their own payload's form.
 */
export class HashOnlyIntegrity {
  private readonly frame: Frame;
  private readonly sha256: Sha256;
  private runId: string | null = null;
  private closed: Closed | null = null;
  private fault: IntegrityFault | null = null;

  constructor(sha256: Sha256 = nobleSha256) {
    this.sha256 = sha256;
    this.frame = new Frame(sha256);
  }

  /** Number of records found sound so far. */
  get records(): number {
    return this.frame.position;
  }

  /**
   * Judges the next line, as `RunIntegrity.feed`. The record given back has the payload null if it was not
   * read.
   */
  feed(
    line: Uint8Array,
    isEnded: boolean = true,
    due: Due | null = null,
  ): Result<IntegrityFault, EvidenceRecord> {
    if (this.fault !== null) return err(this.fault);
    const quick = isEnded ? this.expected(line, due) : null;
    if (quick === null) return this.feedSlowly(line, isEnded);
    this.frame.accept(quick);
    return ok(quick);
  }

  /** The end of the ledger, as `RunIntegrity.finish`. */
  finish(): Result<IntegrityFault, RunSummary> {
    if (this.fault === null && this.frame.position === 0) this.fail(finding('empty'));
    return this.fault === null
      ? ok(summarize(this.frame, this.runId, this.closed, this.sha256))
      : err(this.fault);
  }

  /**
   * The record of a line that is the one due, or the one that must come next around its payload; null for all
   * others.
   */
  private expected(line: Uint8Array, due: Due | null): EvidenceRecord | null {
    const isDue = due !== null && due.record.kind !== 'close' && isTextOf(line, due.line);
    if (isDue) return this.frame.judgePlace(due.record) === null ? due.record : null;
    return measure(line) === null ? (expectedRecord(this.frame, line, this.sha256)?.record ?? null) : null;
  }

  private feedSlowly(line: Uint8Array, isEnded: boolean): Result<IntegrityFault, EvidenceRecord> {
    const read = readCanonical(line);
    if (read._tag === 'Left') return this.fail(finding(read.left));
    if (!isEnded) return this.fail(finding('final_newline'));
    const envelope = parseEnvelope(read.right.value);
    if (envelope._tag === 'Left') return this.fail(finding(envelope.left));
    const record = envelope.right;
    const fault =
      this.frame.judge(record, payloadBytes(line, record)) ??
      (this.frame.isForeign ? null : this.judgeContent(record));
    if (fault !== null) return this.fail(fault);
    this.frame.accept(record);
    return ok(record);
  }

  private judgeContent({ kind, payload, record_hash }: EvidenceRecord): Finding | null {
    if (payload === undefined)
      return kind === 'genesis' || kind === 'close'
        ? finding('payload_shape', { path: '/payload', expected: `a ${kind} payload` })
        : null;
    const fault = judgePayload(kind as RecordKind, payload, this.frame.position === 1);
    if (fault !== null) return fault;
    if (kind === 'genesis') this.runId = (payload as unknown as Genesis).run_id;
    if (kind === 'close') this.closed = { payload: payload as unknown as ClosePayload, hash: record_hash };
    return null;
  }

  private fail({ code, detail }: Finding): Result<IntegrityFault, never> {
    this.fault = { check: 'integrity', code, record: this.frame.position, detail };
    return err(this.fault);
  }
}
