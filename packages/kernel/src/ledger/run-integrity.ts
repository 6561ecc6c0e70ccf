/**
 * The integrity of one run's ledger, record by record, in bounded memory. The latest hash of each artifact
 * name. Source: ledger format; "Verdicts" (integrity); "Payloads" (artifact; close).
 */
import { admit } from '../canonical/admit.js';
import { LINE_LIMITS } from '../canonical/limits.js';
import { readCanonical, readPlainly } from '../canonical/read.js';
import { isTextOf, utf8Bytes } from '../text.js';
import { nobleSha256, type Sha256, type Digest } from '../hash/sha256.js';
import type { Json } from '../json.js';
import { err, ok, type Result } from '../result.js';
import { parseEnvelope } from './chain.js';
import { expectedRecord } from './expected.js';
import { finding, type FaultDetail, type Finding, type IntegrityFault } from './faults.js';
import { Frame, payloadBytes } from './frame.js';
import { GraphRules } from './graph-rules.js';
import { judgeArtifactHash, judgePayload, judgeProposalHash, type TypedPayload } from './integrity.js';
import type { RecordKind } from './names.js';
import { OpenTable } from './open-table.js';
import { ENVELOPE_STRUCTURE, type Due, type EvidenceRecord } from './record.js';
import { summarize, type Closed, type RunSummary } from './run-summary.js';

/**
 * A second canonical encoder: the text of a value. `referenceEncode` of the entry `@assay/kernel/reference`
 * is one.
 */
export type ReferenceEncoder = (value: Json) => Result<unknown, string>;

/**
 * Judges what a payload's tokens name against what is kept outside: null, or what is wrong, as the detail of
 * `token`.
 */
export type OutsideJudge = (payload: Json) => FaultDetail | null;

/**
 * How a run is judged. `sha256`: the digest, noble's by default. `reference`: a second canonical encoder
 * every line must agree with. `outside`: openings and blobs at hand, asked of payloads that are sound up to
 * their tokens.
 */
export type IntegrityOptions = {
  readonly sha256?: Sha256;
  readonly reference?: ReferenceEncoder;
  readonly outside?: OutsideJudge;
};

/**
 * Judges a ledger line by line. Kept between lines: the open-request table (at most 65,536 ids), the ids
 * of the graph, one hash for each artifact name and a few words; no payload.
 *
 * The first fault ends it: every later call returns that fault.
 * Source: ledger format, "Verdicts".
 *
 * @example
 * ```ts
 * const integrity = new RunIntegrity();
 * for (const line of lines) integrity.feed(line.bytes, line.isEnded);
 * const summary = integrity.finish(); // Left: the first fault; Right: what the ledger is
 * ```
 */
export class RunIntegrity {
  private readonly frame: Frame;
  private readonly sha256: Sha256;
  private readonly reference: ReferenceEncoder | null;
  private readonly outside: OutsideJudge | null;
  private open: OpenTable = new OpenTable();
  private artifacts: ArtifactTable = new ArtifactTable({});
  private graph: GraphRules;
  private runId: string | null = null;
  /** Request id of the proposal being answered; null if there is none or it is erased. */
  private answering: string | null = null;
  private closed: Closed | null = null;
  private fault: IntegrityFault | null = null;

  constructor(options: IntegrityOptions = {}) {
    this.sha256 = options.sha256 ?? nobleSha256;
    this.reference = options.reference ?? null;
    this.outside = options.outside ?? null;
    this.frame = new Frame(this.sha256);
    this.graph = new GraphRules('', this.sha256);
  }

  /** Number of records found sound so far. */
  get records(): number {
    return this.frame.position;
  }

  /**
   * Judges the next line, given without its 0A; `isEnded` false for bytes after the last 0A. Errors: every
   * {@link IntegrityCode} but `empty`, first fault by precedence. The record's payload is not frozen.
   *
   * `due`: the record that a {@link Follower} derives here (`next`). A line that is its text, byte for byte,
   * needs no reading and no hashing: its encoding and its two hashes are the derived record's. Everything
   * else is judged as ever.
   */
  feed(
    line: Uint8Array,
    isEnded: boolean = true,
    due: Due | null = null,
  ): Result<IntegrityFault, EvidenceRecord> {
    if (this.fault !== null) return err(this.fault);
    const quick =
      isEnded && this.reference === null && !this.frame.isForeign ? this.feedQuickly(line, due) : null;
    if (quick !== null) return quick;
    const read = readCanonical(line);
    if (read._tag === 'Left') return this.fail(finding(read.left));
    if (this.reference !== null) {
      const text = this.reference(read.right.value);
      if (text._tag === 'Left' || text.right !== read.right.text)
        return this.fail(finding('encoding', { expected: 'the bytes of the reference encoder' }));
    }
    return isEnded ? this.judge(read.right.value, line) : this.fail(finding('final_newline'));
  }

  /**
   * Judges the next record given as a value: what cannot be a canonical line is `size`, `depth` or
   * `encoding`.
   */
  feedRecord(record: unknown): Result<IntegrityFault, EvidenceRecord> {
    if (this.fault !== null) return err(this.fault);
    const admitted = admit(record);
    if (admitted._tag === 'Left') {
      const { code, path } = admitted.left;
      const own = code === 'size' || code === 'values' ? 'size' : code === 'depth' ? 'depth' : 'encoding';
      return this.fail(finding(own, { path, got: code }));
    }
    const { value, text, bytes, depth, structure } = admitted.right;
    if (bytes > LINE_LIMITS.bytes || structure > LINE_LIMITS.structure) return this.fail(finding('size'));
    return depth > LINE_LIMITS.depth ? this.fail(finding('depth')) : this.judge(value, utf8Bytes(text));
  }

  /** The end of the ledger: what it is, or its first fault (`empty` where no record came). */
  finish(): Result<IntegrityFault, RunSummary> {
    if (this.fault === null && this.frame.position === 0) this.fail(finding('empty'));
    return this.fault === null
      ? ok(summarize(this.frame, this.runId, this.closed, this.sha256))
      : err(this.fault);
  }

  /** Null if the line is neither the record due nor, around its payload, the one that must come next. */
  private feedQuickly(line: Uint8Array, due: Due | null): Result<IntegrityFault, EvidenceRecord> | null {
    if (due !== null && this.frame.position > 0 && isTextOf(line, due.line))
      return this.accept(due.record, payloadBytes(line, due.record), this.frame.judgePlace(due.record));
    const expected = expectedRecord(this.frame, line, this.sha256);
    if (expected === null) return null;
    const payload = readPlainly(expected.payload, {
      depth: 1,
      structure: ENVELOPE_STRUCTURE,
      bytes: line.length - expected.payload.length,
    });
    return payload === undefined
      ? null
      : this.accept({ ...expected.record, payload }, expected.payload, null);
  }

  private judge(value: Json, line: Uint8Array): Result<IntegrityFault, EvidenceRecord> {
    const envelope = parseEnvelope(value);
    if (envelope._tag === 'Left') return this.fail(finding(envelope.left));
    const record = envelope.right;
    const payload = payloadBytes(line, record);
    return this.accept(record, payload, this.frame.judge(record, payload));
  }

  /** `found`: what is wrong with the record around its payload. */
  private accept(
    record: EvidenceRecord,
    payload: Uint8Array | null,
    found: Finding | null,
  ): Result<IntegrityFault, EvidenceRecord> {
    const fault = found ?? (this.frame.isForeign ? null : this.judgeContent(record, payload));
    if (fault !== null) return this.fail(fault);
    this.frame.accept(record);
    return ok(record);
  }

  private judgeContent(record: EvidenceRecord, bytes: Uint8Array | null): Finding | null {
    if (record.payload === undefined || bytes === null) return this.judgeErased(record.kind as RecordKind);
    const kind = record.kind as RecordKind;
    const fault =
      judgePayload(kind, record.payload, this.frame.position === 1, bytes) ??
      this.judgeOutside(record.payload);
    return (
      fault ?? this.judgeTyped({ kind, payload: record.payload } as unknown as TypedPayload, bytes, record)
    );
  }

  private judgeOutside(payload: Json): Finding | null {
    const wrong = this.outside?.(payload) ?? null;
    return wrong === null ? null : finding('token', wrong);
  }

  private judgeTyped(typed: TypedPayload, bytes: Uint8Array, record: EvidenceRecord): Finding | null {
    switch (typed.kind) {
      case 'genesis': {
        const { run_id, base } = typed.payload;
        this.runId = run_id;
        this.graph = new GraphRules(run_id, this.sha256);
        this.open = new OpenTable(Object.keys(base?.snapshot?.open ?? {}));
        this.artifacts = new ArtifactTable(base?.snapshot?.artifacts ?? {});
        return null;
      }
      case 'proposal':
        this.answering = typed.payload.request_id;
        return judgeProposalHash(typed.payload, bytes, this.sha256);
      case 'rejection':
        return this.answering === null ? null : this.open.rejected(this.answering, typed.payload.code);
      case 'decision': {
        const { graph } = typed.payload;
        const fault = this.closeAnswered() ?? this.open.decided(typed.payload, this.frame.sequence);
        return fault ?? (graph === null ? null : this.graph.decided(graph));
      }
      case 'artifact': {
        const { name, artifact_hash } = typed.payload;
        this.artifacts.recorded(name, artifact_hash);
        return judgeArtifactHash(typed.payload, bytes, this.sha256);
      }
      case 'close': {
        const close = typed.payload;
        this.closed = { payload: close, hash: record.record_hash };
        const count = this.frame.sequence + 1;
        return (
          this.graph.closed(close.dag_root_hash) ??
          this.artifacts.closed(close.artifact_hashes) ??
          (close.record_count === count
            ? null
            : finding('close', {
                path: '/payload/record_count',
                expected: count,
                got: close.record_count,
              })) ??
          this.open.closed(close.open_requests)
        );
      }
    }
  }

  /**
   * An absent payload turns off what would read it, and what depends on it. Source: ledger format, "File and
   * records".
   */
  private judgeErased(kind: RecordKind): Finding | null {
    switch (kind) {
      case 'genesis':
      case 'close':
        return finding('payload_shape', { path: '/payload', expected: `a ${kind} payload` });
      case 'proposal':
        this.answering = null;
        this.open.forget();
        return null;
      case 'decision': {
        const fault = this.closeAnswered();
        this.open.forget();
        this.graph.forgetEnds();
        return fault;
      }
      case 'artifact':
        this.artifacts.forget();
        return null;
      case 'rejection':
        return null;
    }
  }

  private closeAnswered(): Finding | null {
    const id = this.answering;
    this.answering = null;
    return id === null ? null : this.open.answered(id);
  }

  private fail({ code, detail }: Finding): Result<IntegrityFault, never> {
    this.fault = { check: 'integrity', code, record: this.frame.position, detail };
    return err(this.fault);
  }
}

/** Artifact hashes by name at a point of a ledger. */
export class ArtifactTable {
  private readonly hashes: Map<string, Digest>;
  private isKnown = true;

  /** A table with the artifacts of a base snapshot, or none. */
  constructor(carried: { readonly [name: string]: Digest }) {
    this.hashes = new Map(Object.entries(carried));
  }

  /** From here on it is unknown what the latest hashes are: an erased artifact. */
  forget(): void {
    this.isKnown = false;
    this.hashes.clear();
  }

  /** The latest artifact of a name counts. */
  recorded(name: string, hash: Digest): void {
    if (this.isKnown) this.hashes.set(name, hash);
  }

  /** `artifact_hashes` of a close: exactly this table. */
  closed(hashes: { readonly [name: string]: Digest }): Finding | null {
    if (!this.isKnown) return null;
    const given = Object.entries(hashes);
    if (given.length === this.hashes.size && given.every(([name, hash]) => this.hashes.get(name) === hash))
      return null;
    return finding('close', {
      path: '/payload/artifact_hashes',
      expected: Object.fromEntries(this.hashes),
      got: hashes,
    });
  }
}
