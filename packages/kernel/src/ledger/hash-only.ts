/**
 * The quick judge: hashes, links, logical time and order; the inside of payloads is hashed and not read.
 * Source: issue 2, "Verifier"; ledger format, "File and records".
 *
 * @module
 */
import { measure, readCanonical } from '../canonical/read.js';
import { nobleSha256, type Sha256 } from '../hash/sha256.js';
import { err, ok, type Result } from '../result.js';
import { parseEnvelope } from './chain.js';
import { finding, type Finding, type IntegrityFault } from './faults.js';
import { Frame, payloadBytes } from './frame.js';
import { judgePayload } from './integrity.js';
import type { RecordKind } from './names.js';
import type { ClosePayload, Genesis } from './payloads.js';
import { afterPayload, recordHash, type EvidenceRecord } from './record.js';
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

  /** Judges the next line, as `RunIntegrity.feed`. The record given back has the payload null where it was not read. */
  feed(line: Uint8Array, isEnded: boolean = true): Result<IntegrityFault, EvidenceRecord> {
    if (this.fault !== null) return err(this.fault);
    const quick = isEnded ? this.expected(line) : null;
    if (quick === null) return this.feedSlowly(line, isEnded);
    this.frame.accept(quick);
    return ok(quick);
  }

  /** The end of the ledger, as `RunIntegrity.finish`. */
  finish(): Result<IntegrityFault, RunSummary> {
    if (this.fault === null && this.frame.position === 0) this.fail(finding('empty'));
    return this.fault === null ? ok(summarize(this.frame, this.runId, this.closed, this.sha256)) : err(this.fault);
  }

  /**
   * The record of a line that is, byte for byte, the one that hashes, link, logical time and order ask for around its
   * payload; null for all others, which are read in full to say what is wrong. Both hashes are taken, none is read.
   */
  private expected(line: Uint8Array): EvidenceRecord | null {
    const kind = QUICK_KINDS.get(line[INITIAL_AT] ?? 0);
    const ts = this.frame.expectedTs();
    const parent = this.frame.hash;
    if (kind === undefined || ts === null || parent === null || !this.frame.mayFollow(kind)) return null;
    const before = `{"kind":"${kind}","parent":"${parent}","payload":`;
    const end = line.length - AFTER_LENGTH - ts.length;
    if (end <= before.length || !startsWith(line, before, 0) || measure(line) !== null) return null;
    const payload_hash = this.sha256(line.subarray(before.length, end));
    const record_hash = recordHash({ ts, kind, parent }, payload_hash, this.sha256);
    const record: EvidenceRecord = { v: 1, ts, kind, parent, payload: null, payload_hash, record_hash };
    return startsWith(line, `,${afterPayload(record)}`, end) ? record : null;
  }

  private feedSlowly(line: Uint8Array, isEnded: boolean): Result<IntegrityFault, EvidenceRecord> {
    const read = readCanonical(line);
    if (read._tag === 'Left') return this.fail(finding(read.left));
    if (!isEnded) return this.fail(finding('final_newline'));
    const envelope = parseEnvelope(read.right.value);
    if (envelope._tag === 'Left') return this.fail(finding(envelope.left));
    const record = envelope.right;
    const fault = this.frame.judge(record, payloadBytes(line, record)) ?? (this.frame.isForeign ? null : this.judgeContent(record));
    if (fault !== null) return this.fail(fault);
    this.frame.accept(record);
    return ok(record);
  }

  private judgeContent({ kind, payload, record_hash }: EvidenceRecord): Finding | null {
    if (payload === undefined) return kind === 'close' ? finding('payload_shape', { path: '/payload', expected: 'a close payload' }) : null;
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

/** Kinds whose payloads are not read, by the first byte of their name. */
const QUICK_KINDS: ReadonlyMap<number, RecordKind> = new Map(
  (['decision', 'proposal', 'rejection'] as const).map((kind): [number, RecordKind] => [kind.charCodeAt(0), kind]),
);
const INITIAL_AT = '{"kind":"'.length;
/** What stands behind a payload, without the ts. A ts with a character that is escaped is read in full. */
const AFTER_LENGTH = ',"payload_hash":"","record_hash":"","ts":"","v":1}'.length + 2 * 64;

function startsWith(bytes: Uint8Array, text: string, from: number): boolean {
  for (let index = 0; index < text.length; index += 1) if (bytes[from + index] !== text.charCodeAt(index)) return false;
  return true;
}
