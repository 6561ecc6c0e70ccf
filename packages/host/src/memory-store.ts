/**
 * A store in memory, for tests and for runs whose ledger is written elsewhere at the end.
 *
 * @module
 */
import {
  compareText,
  encodeLine,
  err,
  isRunId,
  ok,
  utf8Bytes,
  type EvidenceRecord,
  type Head,
  type Result,
} from '@assay/kernel';
import { headAfter, sequenceOf, StoreReadError, type Store, type StoreError } from './store.js';

/** What memory stores share: give two of them one of these and they are two writers of the same runs. */
export type MemoryRuns = Map<string, { readonly lines: Uint8Array[]; first: number; head: Head }>;

/**
 * A store that lives and ends with this process. Nothing is durable, every other promise of {@link Store}
 * is kept.
 */
export function memoryStore(runs: MemoryRuns = new Map()): Store {
  let isClosed = false;

  function refuse(runId: string): StoreError | null {
    if (isClosed) return { code: 'closed' };
    return isRunId(runId) ? null : { code: 'run_id', run_id: runId, detail: 'name' };
  }

  function append(
    runId: string,
    expected: Head | null,
    records: readonly EvidenceRecord[],
  ): Result<StoreError, Head> {
    const refusal = refuse(runId);
    if (refusal !== null) return err(refusal);
    const next = headAfter(runId, expected, records);
    const actual = runs.get(runId)?.head ?? null;
    if (actual?.hash !== expected?.hash || actual?.count !== expected?.count)
      return err({ code: 'stale_head', run_id: runId, expected, actual });
    const stored = runs.get(runId) ?? { lines: [], first: sequenceOf(records[0]?.ts ?? '') ?? 0, head: next };
    for (const record of records) stored.lines.push(utf8Bytes(encodeLine(record)));
    stored.head = next;
    runs.set(runId, stored);
    return ok(next);
  }

  async function* read(runId: string, from = 0): AsyncGenerator<Uint8Array> {
    const refusal = refuse(runId);
    if (refusal !== null) throw new StoreReadError(refusal);
    const stored = runs.get(runId);
    if (stored === undefined) throw new StoreReadError({ code: 'not_found', run_id: runId });
    for (const line of stored.lines.slice(Math.max(0, from - stored.first))) yield line.slice();
  }

  return {
    append: async (runId, expected, records) => append(runId, expected, records),
    read,
    head: async (runId) => {
      const refusal = refuse(runId);
      return refusal === null ? ok(runs.get(runId)?.head ?? null) : err(refusal);
    },
    list: async () => (isClosed ? err({ code: 'closed' }) : ok([...runs.keys()].sort(compareText))),
    close: async () => {
      isClosed = true;
    },
  };
}
