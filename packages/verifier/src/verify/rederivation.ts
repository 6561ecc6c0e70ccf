/**
 * Running the machine again beside the integrity check, within the verifier's own limits. Re-derivation as a
 * stream of its own, beside a verification that another thread makes. Source: ledger format; "Verdicts"
 * (rederivation); machine interface; `begin`.
 */
import {
  begin,
  type Due,
  type EvidenceRecord,
  type Failed,
  type Follower,
  type Replayable,
  type RunSummary,
  type Sha256,
  decodeUtf8,
  LineSplitter,
  nobleSha256,
  parseRecordLine,
} from '@assay/kernel';
import { failed, held, notChecked, type Verdict } from './document.js';
import type { VerifyLimits, VerifyOptions } from './options.js';

/** Kinds that are derived. */
const DERIVED: readonly string[] = ['decision', 'rejection', 'artifact', 'close'];

/** A re-derivation under way: holds the run's state, no records. */
export class Rederivation {
  private readonly machines: readonly Replayable[];
  private readonly limits: VerifyLimits;
  private readonly sha256: Sha256;
  private follower: Follower | null = null;
  private end: Failed | 'limit' | null = null;
  private records = 0;
  private bytes = 0;
  private derived = 0;

  constructor(machines: readonly Replayable[], limits: VerifyLimits, sha256: Sha256) {
    this.machines = machines;
    this.limits = limits;
    this.sha256 = sha256;
  }

  /**
   * The record derived here, where the next one is derived; null if it is an answer or nothing is
   * followed.
   */
  get next(): Due | null {
    return this.end === null ? (this.follower?.next ?? null) : null;
  }

  /** What is derived so far; null if re-derivation ended before the last record fed. */
  get reached(): Follower | null {
    return this.end === null ? this.follower : null;
  }

  /** Follows one more record, whose integrity must hold. `size`: bytes of its line and the line end. */
  feed(record: EvidenceRecord, size: number): void {
    if (this.end !== null) return;
    const { records, bytes } = this.limits;
    if ((records !== null && this.records + 1 > records) || (bytes !== null && this.bytes + size > bytes)) {
      this.end = 'limit';
      return;
    }
    const next =
      this.follower === null
        ? begin(this.machines, record, { sha256: this.sha256, checked: true })
        : this.follower.feed(record, size - 1);
    if (next._tag === 'Left') {
      this.end = next.left;
      return;
    }
    this.follower = next.right;
    this.records += 1;
    this.bytes += size;
    if (DERIVED.includes(record.kind)) this.derived += 1;
  }

  /**
   * The verdict. `summary`: null if integrity failed; what lies before that fault was still derived again.
   */
  verdict(summary: RunSummary | null): Verdict {
    const end = this.end;
    if (end !== null && end !== 'limit' && end.code === 'differs') {
      return failed('differs', end.record, 1, { field: end.field, expected: end.expected, got: end.got });
    }
    if (summary === null) return notChecked('integrity');
    if (end === null) return held({ derived: this.derived });
    if (end === 'limit')
      return notChecked('limit', this.records, summary.records - this.records, {
        ...this.limits,
        derived: this.derived,
      });
    return notChecked(end.code, end.record, 1, { got: end.got, derived: this.derived });
  }

  /** Records derived and not in the file; null if that is not known. */
  due(summary: RunSummary | null): number | null {
    if (summary === null) return null;
    if (this.end === null) return this.follower?.due.length ?? null;
    // Nothing is due after a close, a rejection, or an erased proposal, which stops re-derivation for good.
    return summary.outcome !== 'open' || (this.end !== 'limit' && this.end.code === 'payload_erased')
      ? 0
      : null;
  }
}

/**
 * Runs the machine again over a file whose integrity is judged elsewhere: nothing is hashed here but what is
 * derived. Memory: one line and the run's state.
 */
export class RederiveStream {
  private readonly splitter: LineSplitter = new LineSplitter();
  private readonly rederivation: Rederivation;
  private records = 0;

  constructor({ machines = [], limits, sha256 = nobleSha256 }: VerifyOptions) {
    this.rederivation = new Rederivation(machines, { records: null, bytes: null, ...limits }, sha256);
  }

  /** The next bytes of the file. `sound`: how many records of it were found sound; no other is looked at. */
  push(chunk: Uint8Array, sound: number): void {
    for (const { bytes } of this.splitter.push(chunk)) {
      const record = this.records < sound ? this.recordOf(bytes) : null;
      if (record === null) return;
      this.records += 1;
      this.rederivation.feed(record, bytes.length + 1);
    }
  }

  /** What it comes to. `summary`: that of the other thread, null if integrity failed. */
  end(summary: RunSummary | null): { readonly due: number | null; readonly rederivation: Verdict } {
    return { due: this.rederivation.due(summary), rederivation: this.rederivation.verdict(summary) };
  }

  /** A line that is the one derived here is not read. */
  private recordOf(line: Uint8Array): EvidenceRecord | null {
    const { next } = this.rederivation;
    if (next !== null && isText(line, next.line)) return next.record;
    const read = parseRecordLine(line);
    return read._tag === 'Right' ? read.right : null;
  }
}

function isText(line: Uint8Array, text: string): boolean {
  const read = decodeUtf8(line);
  return read._tag === 'Right' && read.right === text;
}
