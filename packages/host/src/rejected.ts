/**
 * Why the last answer to a request was not accepted, as the ledger has it: for ports that can do better when
 * told.
 *
 * @module
 */
import { field, isObject, type Json, type JsonObject, type Rejection } from '@assay/kernel';
import { soundRecord } from './sound-record.js';
import { sequenceOf, type Store } from './store.js';

/** An answer that was recorded and not accepted, with the code and detail it was rejected by. */
export type RejectedAnswer = { readonly proposal: JsonObject; readonly rejection: Rejection };

/**
 * Finds the last rejected answer to a request in the stored ledger, so that it is the same after a crash. One
 * that was recorded by this drive is read from its place; an earlier one costs a reading of the ledger.
 */
export class RejectedAnswers {
  private readonly store: Pick<Store, 'read'>;
  private readonly runId: string;
  /** Sequence of the last rejected proposal of each request that this drive recorded. */
  private readonly places: Map<string, number> = new Map();

  constructor(store: Pick<Store, 'read'>, runId: string) {
    this.store = store;
    this.runId = runId;
  }

  /** Notes where a rejected answer stands. */
  note(requestId: string, ts: string): void {
    const sequence = sequenceOf(ts);
    if (sequence !== null) this.places.set(requestId, sequence);
  }

  /** Forgets a request that is closed. */
  forget(requestId: string): void {
    this.places.delete(requestId);
  }

  /** Null where none was rejected, or the record is not in this ledger. Raises `StoreReadError`. */
  async find(requestId: string): Promise<RejectedAnswer | null> {
    const from = this.places.get(requestId);
    let [asked, found]: [
      { readonly proposal: JsonObject; readonly hash: string } | null,
      RejectedAnswer | null,
    ] = [null, null];
    for await (const line of this.store.read(this.runId, from)) {
      const record = soundRecord(line);
      const payload = record?.payload;
      if (record === null || payload === undefined || !isObject(payload)) continue;
      if (record.kind === 'proposal')
        asked =
          field(payload, 'request_id') === requestId ? { proposal: payload, hash: record.record_hash } : null;
      else if (record.kind === 'rejection' && asked !== null && record.parent === asked.hash)
        found = { proposal: asked.proposal, rejection: rejectionOf(payload) };
      if (found !== null && from !== undefined) break;
    }
    return found;
  }
}

function rejectionOf(payload: JsonObject): Rejection {
  const [code, detail]: readonly (Json | undefined)[] = [field(payload, 'code'), field(payload, 'detail')];
  return { code: typeof code === 'string' ? code : '', detail: detail ?? null };
}
