/**
 * The records of a stored run.
 *
 * @module
 */
import { parseRecordLine, type EvidenceRecord } from '@assay/kernel';
import { StoreReadError, type Store } from '@assay/host';
import { storeProblem } from '../files/store.js';

/** Reads a run back from its store. Raises `Stop`. */
export async function recordsIn(
  store: Store,
  runId: string,
  place: string,
): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  try {
    for await (const line of store.read(runId)) {
      const record = parseRecordLine(line);
      if (record._tag === 'Left')
        throw storeProblem(
          { code: 'torn', run_id: runId, detail: `record ${records.length} is none` },
          place,
        );
      records.push(record.right);
    }
  } catch (error) {
    throw error instanceof StoreReadError ? storeProblem(error.error, place) : error;
  }
  return records;
}
