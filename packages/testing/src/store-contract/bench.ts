/** What the cases of the suite share: a place, stores at it, and plain ways to look at them. */
import assert from 'node:assert/strict';
import { type Store, type StoreError, StoreReadError } from '@assay/host';
import {
  encodeLine,
  type EvidenceRecord,
  type Head,
  type Json,
  Ledger,
  logicalTime,
  orThrow,
  type Result,
  utf8Bytes,
} from '@assay/kernel';

/** A place where a store keeps its runs, made anew for each case. */
export type StorePlace = {
  /** Another writer at this place, as another process would be. */
  readonly open: () => Promise<Store>;
  /** Removes the place; its stores are closed by then. */
  readonly remove: () => Promise<void>;
  /**
   * A writer appends `group` after `expected` and dies when its first `after` records (0 to all of them) have
   * reached the medium. A store whose groups are atomic leaves what such a death leaves: nothing of the
   * group, or, where `after` is all of them, perhaps the whole. Called with no store open that has written.
   */
  readonly die?: (expected: Head, group: readonly EvidenceRecord[], after: number) => Promise<void>;
  /**
   * The last write of a stored run is torn on the medium, in the middle of its last record. Called with no
   * store open.
   */
  readonly tear?: (runId: string) => Promise<void>;
  /**
   * Changes what is stored of a record, behind the store's back, so that its hashes no longer hold. Called
   * with no store open.
   */
  readonly spoil?: (runId: string, sequence: number) => Promise<void>;
};

/** A case's store, and further ones at the same place; all are closed when the case ends. */
export type Bench = {
  readonly store: Store;
  readonly another: () => Promise<Store>;
  readonly place: StorePlace;
};
/** One case of the suite. */
export type Case = (bench: Bench) => Promise<void>;
/** Declares a case under a title. */
export type Declare = (title: string, body: Case) => unknown;

/** The run of most cases. */
export const RUN = 'run-1';

/** Runs a case at a new place, and leaves nothing behind. */
export async function atPlace(makePlace: () => Promise<StorePlace>, body: Case): Promise<void> {
  const place = await makePlace();
  const opened: Store[] = [];
  const another = async (): Promise<Store> => {
    const store = await place.open();
    opened.push(store);
    return store;
  };
  try {
    await body({ store: await another(), another, place });
  } finally {
    for (const store of opened) await store.close();
    await place.remove();
  }
}

/** The lines of records. */
export function texts(records: readonly EvidenceRecord[]): readonly string[] {
  return records.map(encodeLine);
}

/** The lines a store gives back, as text. */
export async function lines(store: Store, runId: string, from?: number): Promise<readonly string[]> {
  const read: Uint8Array[] = [];
  // Decoded only at the end: a store that hands out one buffer again and again would show here.
  for await (const line of store.read(runId, from)) read.push(line);
  return read.map((line) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line));
}

/** Why a store can not read a run. */
export async function readError(store: Store, runId: string): Promise<StoreError> {
  try {
    await lines(store, runId);
  } catch (error) {
    if (error instanceof StoreReadError) return error.error;
    throw error;
  }
  assert.fail(`reading ${runId} should have failed`);
}

/** The value of a result that must be one. */
export function right<A>(result: Result<StoreError, A>): A {
  if (result._tag === 'Right') return result.right;
  assert.fail(`expected a Right, got ${JSON.stringify(result.left)}`);
}

/** The error of a result that must be one. */
export function left<A>(result: Result<StoreError, A>): StoreError {
  if (result._tag === 'Left') return result.left;
  assert.fail(`expected a Left, got ${JSON.stringify(result.right)}`);
}

/**
 * A ledger of `payloads.length + 1` records: a genesis that names the run, then one record for each payload.
 */
export function makeChain(runId: string, payloads: readonly Json[], first = 0): readonly EvidenceRecord[] {
  const ledger = new Ledger();
  orThrow(ledger.append(logicalTime('t0', first), 'genesis', { run_id: runId }));
  for (const [index, payload] of payloads.entries())
    orThrow(ledger.append(logicalTime('t0', first + index + 1), 'proposal', payload));
  return ledger.records;
}

/** A ledger of so many records with small payloads. */
export function smallChain(runId: string, records: number): readonly EvidenceRecord[] {
  return makeChain(
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
