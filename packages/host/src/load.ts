/**
 * Taking up a stored run: its ledger read back, every decision derived again.
 *
 * @module
 */
import { err, follow, ok, parseEnvelope, readCanonical, type EvidenceRecord, type Failed, type Json, type KernelOptions, type Machine, type ReadCode, type Result, type RunFollower } from '@assay/kernel';
import { StoreReadError, type Store, type StoreError } from './store.js';

/**
 * Why a stored run can not be taken up. `store`: the store's own reason; `line`: a stored line is no record
 * (index, reason); `ledger`: the ledger does not hold, or this machine derives something else.
 */
export type LoadError =
  | { readonly code: 'store'; readonly error: StoreError }
  | { readonly code: 'line'; readonly record: number; readonly reason: ReadCode | 'shape' | 'version' }
  | { readonly code: 'ledger'; readonly failed: Failed };

/**
 * Reads a run back and derives it again, hashes and links checked on the way. The follower stands after the
 * last stored record; `due` are the records that the stored ledger lacks to the end of its last group.
 * Errors: {@link LoadError}. Changes nothing.
 */
export async function loadRun<S, I, E extends Json, A extends Json>(machine: Machine<S, I, E, A>, runId: string, store: Pick<Store, 'read'>, options: KernelOptions = {}): Promise<Result<LoadError, RunFollower<S, I, E, A>>> {
  let follower: RunFollower<S, I, E, A> | null = null;
  let index = 0;
  try {
    for await (const line of store.read(runId)) {
      const record = readRecord(line);
      if (record._tag === 'Left') return err({ code: 'line', record: index, reason: record.left });
      const fed: Result<Failed, RunFollower<S, I, E, A>> = follower === null ? follow(machine, record.right, options) : follower.feed(record.right);
      if (fed._tag === 'Left') return err({ code: 'ledger', failed: fed.left });
      follower = fed.right;
      index += 1;
    }
  } catch (error) {
    if (error instanceof StoreReadError) return err({ code: 'store', error: error.error });
    throw error;
  }
  return follower === null ? err({ code: 'store', error: { code: 'not_found', run_id: runId } }) : ok(follower);
}

function readRecord(line: Uint8Array): Result<ReadCode | 'shape' | 'version', EvidenceRecord> {
  const text = readCanonical(line);
  return text._tag === 'Left' ? text : parseEnvelope(text.right.value);
}
