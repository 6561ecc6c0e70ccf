/**
 * The records of a stored run in pieces that end where a group ends.
 *
 * @module
 */
import type { EvidenceRecord } from '@assay/kernel';
import { soundRecord } from '../sound-record.js';
import type { Store } from '../store.js';

/**
 * Bytes of lines after which a piece ends with its group. One append for each group would take a sync of the
 * medium each.
 */
export const BATCH_BYTES = 1_048_576;

/**
 * `count` records of a run from a sequence on, as whole groups: at least one, of at least {@link BATCH_BYTES}
 * but at the end. Memory: one piece. Raises {@link SourceChangedError} where a line is not a sound record any
 * more, and `StoreReadError`.
 */
export async function* batchesOf(
  store: Store,
  runId: string,
  from: number,
  count: number,
): AsyncGenerator<readonly EvidenceRecord[]> {
  let batch: EvidenceRecord[] = [];
  let bytes = 0;
  let left = count;
  for await (const line of store.read(runId, from)) {
    if (left === 0) break;
    const record = soundRecord(line);
    if (record === null) throw new SourceChangedError();
    if (bytes >= BATCH_BYTES && record.kind === 'proposal') {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += line.length;
    left -= 1;
  }
  if (left > 0) throw new SourceChangedError();
  if (batch.length > 0) yield batch;
}

/** What is stored of a run was changed while it was read. */
export class SourceChangedError extends Error {
  override readonly name = 'SourceChangedError';
}
