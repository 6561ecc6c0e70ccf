/** One stored run in a few facts, its integrity judged on the way, in bounded memory. */
import {
  formatHeadLine,
  ledgerRecord,
  RunIntegrity,
  type EvidenceRecord,
  type IntegrityFault,
} from '@assay/kernel';
import type { ListedRun } from '@assay/kernel/schemas';
import { StoreReadError, type Store, type StoreError, nativeSha256 } from './store.js';

/** The facts, and what the store itself said where it could not be read. */
type Listing = { readonly listed: ListedRun; readonly refused: StoreError | null };

/**
 * Reads a stored run through. What breaks it is its fault, and raised is nothing but defects. Linear in the
 * ledger.
 */
export async function listRun(store: Store, runId: string): Promise<Listing> {
  const integrity = new RunIntegrity({ sha256: nativeSha256 });
  let machine: string | null = null;
  let found: IntegrityFault | null = null;
  const broken = (fault: ListedRun['fault'], refused: StoreError | null = null): Listing => ({
    listed: { ...BROKEN, run_id: runId, machine, records: integrity.records, fault },
    refused,
  });
  const refusedBy = (error: StoreError): Listing =>
    broken({ code: `store_${error.code}`, record: null }, error);
  try {
    for await (const line of store.read(runId)) {
      const isFirst = integrity.records === 0;
      const record = integrity.feed(line);
      if (record._tag === 'Left') {
        found = record.left;
        break;
      }
      if (isFirst) machine = readMachine(record.right);
    }
  } catch (error) {
    if (!(error instanceof StoreReadError)) throw error;
    return refusedBy(error.error);
  }
  const end = integrity.finish();
  if (end._tag === 'Left') {
    const { code, record } = found ?? end.left;
    return broken({ code, record });
  }
  const { run_id, records, outcome, count, hash } = end.right;
  // A sound ledger under the name of another run is that run's, and no evidence of this one.
  if (run_id !== runId) return broken({ code: 'other_run', record: 0 });
  // What stands after the last whole line is not read, and may be more than a cut write leaves: the store says.
  const stored = await store.head(runId);
  if (stored._tag === 'Left') return refusedBy(stored.left);
  const head = { run_id, count, hash };
  return {
    listed: { run_id: runId, machine, records, outcome, head, head_line: formatHeadLine(head), fault: null },
    refused: null,
  };
}

const BROKEN = { outcome: null, head: null, head_line: null } as const;

function readMachine(record: EvidenceRecord): string | null {
  const first = ledgerRecord(record);
  const machine = first?.kind === 'genesis' ? first.payload?.machine : undefined;
  return machine === undefined ? null : `${machine.name}@${machine.version}`;
}
