/**
 * What a controller's run told a memory, in its records.
 *
 * A controller emits messages and waits for nobody (002 §R7, "fire and forget"). Each is a write that cites
 * the record it stands in, so that telling it twice remembers nothing twice.
 *
 * @module
 */
import type { EvidenceRecord, Genesis, Head } from '@assay/kernel';
import { toldMemoryIn, type ToldMemory } from '../memory/index.js';
import { sequenceOf } from '@assay/host';

/** What one decision of a controller has for its memory. `head`: up to that decision. */
export type MemoryWrite = { readonly head: Head; readonly told: ToldMemory };

/** What a controller's run has for its memory, in order. Only for records that are known to hold. */
export function writesIn(runId: string, records: Iterable<EvidenceRecord>): readonly MemoryWrite[] {
  return [...records].flatMap((record) => {
    const head: Head = { run_id: runId, count: (sequenceOf(record.ts) ?? 0) + 1, hash: record.record_hash };
    return toldMemoryIn(record).map((told) => ({ head, told }));
  });
}

/**
 * The run that a fork was fed from; null for a fresh run and for a continuation, which goes on living what
 * its base began and tells only that. What a fork repeats is known under its parent's heads already, and what
 * it adds may never have happened: its genesis alone does not say which is which.
 */
export function forkedFrom([genesis]: readonly EvidenceRecord[]): string | null {
  const base = (genesis?.payload as Genesis | undefined)?.base ?? null;
  return base === null || base.snapshot !== null ? null : base.run_id;
}
