/**
 * Hand-made ledgers for stores: linked as a run's ledger is, with whatever payloads a case needs.
 *
 * @module
 */
import {
  encodeLine,
  Ledger,
  logicalTime,
  orThrow,
  utf8Bytes,
  type EvidenceRecord,
  type Head,
  type Json,
} from '@assay/kernel';

/**
 * A ledger of `payloads.length + 1` records: a genesis that names the run, then one record for each payload.
 */
export function chainOf(runId: string, payloads: readonly Json[], first = 0): readonly EvidenceRecord[] {
  const ledger = new Ledger();
  orThrow(ledger.append(logicalTime('t0', first), 'genesis', { run_id: runId }));
  for (const [index, payload] of payloads.entries())
    orThrow(ledger.append(logicalTime('t0', first + index + 1), 'proposal', payload));
  return ledger.records;
}

/** A ledger of so many records with small payloads. */
export function smallChain(runId: string, records: number): readonly EvidenceRecord[] {
  return chainOf(
    runId,
    Array.from({ length: records - 1 }, (_, index) => ({ value: index })),
  );
}

/** The head after the last of some records. */
export function headOfChain(runId: string, records: readonly EvidenceRecord[]): Head {
  const last = records.at(-1);
  if (last === undefined) throw new RangeError('headOfChain: expected at least one record');
  return { run_id: runId, count: Number(last.ts.slice(-12)) + 1, hash: last.record_hash };
}

/** The bytes of a ledger file with these records. */
export function chainBytes(records: readonly EvidenceRecord[]): Uint8Array {
  return utf8Bytes(records.map((record) => `${encodeLine(record)}\n`).join(''));
}
