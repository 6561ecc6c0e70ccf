/**
 * Running the machine again beside the integrity check, within the verifier's own limits.
 * Source: ledger format, "Verdicts" (rederivation); machine interface, `begin`.
 *
 * @module
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
} from '@assay/kernel';
import { failed, held, notChecked, type Verdict } from './document.js';
import type { VerifyLimits } from './options.js';

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
   * The record derived here, where the next one is derived; null where it is an answer or nothing is
   * followed.
   */
  get next(): Due | null {
    return this.end === null ? (this.follower?.next ?? null) : null;
  }

  /** What is derived so far; null where re-derivation ended before the last record fed. */
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
   * The verdict. `summary`: null where integrity failed; what lies before that fault was still derived again.
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

  /** Records derived and not in the file; null where that is not known. */
  due(summary: RunSummary | null): number | null {
    if (summary === null) return null;
    if (this.end === null) return this.follower?.due.length ?? null;
    // Nothing is due after a close, a rejection, or an erased proposal, which stops re-derivation for good.
    return summary.outcome !== 'open' || (this.end !== 'limit' && this.end.code === 'payload_erased')
      ? 0
      : null;
  }
}
