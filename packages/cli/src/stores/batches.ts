/**
 * The records of a stored run in pieces that end where a group ends.
 *
 * @module
 */
import type { EvidenceRecord } from '@assay/kernel';
import { soundRecord, type Store } from '@assay/host';
import { unreachable } from '../problem.js';

/**
 * Bytes of lines after which a piece ends with its group. One append for each group would take a sync of the
 * medium each.
 */
export const BATCH_BYTES = 1_048_576;

/**
 * `count` records of a run from a sequence on, as whole groups: at least one, of at least {@link BATCH_BYTES}
 * but at the end. Memory: one piece. Raises `Stop`, `source_changed`, where a line is not a sound record any
 * more, and `StoreReadError`.
 */
export async function* batchesOf(
  store: Store,
  runId: string,
  from: number,
  count: number,
  place: string,
): AsyncGenerator<readonly EvidenceRecord[]> {
  let batch: EvidenceRecord[] = [];
  let bytes = 0;
  let left = count;
  for await (const line of store.read(runId, from)) {
    if (left === 0) break;
    const record = soundRecord(line);
    if (record === null) throw changed(runId, place);
    if (bytes >= BATCH_BYTES && record.kind === 'proposal') {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += line.length;
    left -= 1;
  }
  if (left > 0) throw changed(runId, place);
  if (batch.length > 0) yield batch;
}

function changed(runId: string, place: string): Error {
  return unreachable(
    'source_changed',
    `what is stored of ${runId} was changed while it was copied`,
    place,
    'copy it again',
  );
}
