/**
 * A library as the ports of what a planner asks it: what it knows of a goal, and what became of a request
 * that another run has made. A library as it is stored, and what a run has for it. Done twice, after a crash
 * or later from the ledger, nothing is written twice. Source: dec-K28; dec-K81; machine interface; "Other
 * ledgers".
 */
import { type EvidenceRecord, type Head, type Json, type Result, ok, type Run } from '@assay/kernel';
import type { Bodies } from '../index.js';
import {
  answerFromLibrary,
  library,
  listLibraryRows,
  type LibraryAnswer,
  type LibraryAsk,
  type LibraryEvent,
  type LibraryState,
} from '../library/index.js';
import { findSettled } from '../library/reading.js';
import {
  Later,
  soundRecord,
  StoreReadError,
  type Port,
  type PortAnswer,
  readSequence,
  type Store,
  type LoadError,
  type StoreError,
} from '@assay/host';
import { citedKey } from '../library/machine.js';
import { createShared, handOnWrites, readShared, type Shared } from '@assay/host/shared-run';

/** A library, and the run that asks it. */
export type LibraryPlace = {
  readonly library: Store;
  readonly libraryId: string;
  readonly run: Pick<Store, 'read'>;
  readonly runId: string;
};

const PROPOSER = 'library';

/**
 * The port for requests `library`. What the run has written is handed on first, so that it reads its own
 * writes; the answer cites the head that was read. A library that cannot be read, or is none, is the final
 * failure `denied` with its code.
 */
export function libraryPort(place: LibraryPlace): Port {
  return {
    source: 'run',
    proposer: PROPOSER,
    perform: async ({ body }) => {
      const handed = await makeHandOn(place);
      if (handed._tag === 'Left') return refused(handed.left.code);
      return reading(place, ({ state }) => answerFromLibrary(state, 'library', body));
    },
  };
}

/**
 * The port for requests `capability`: not answered before somebody has delivered or declined ({@link Later});
 * one that was withdrawn is the final failure `cancelled`.
 */
export function capabilityPort(place: LibraryPlace): Port {
  return {
    source: 'run',
    proposer: PROPOSER,
    perform: async ({ body }) => {
      const { fingerprint } = body as unknown as Bodies['capability'];
      return reading(place, ({ state }) => {
        if (findSettled(state, fingerprint)?.status === 'requested') throw new Later();
        return answerFromLibrary(state, 'capability', body);
      });
    },
  };
}

/** Hands on what a run has written so far, and what is left of it at its end. Codes: `TellError`. */
export async function makeHandOn({
  library: store,
  libraryId,
  run,
  runId,
}: LibraryPlace): ReturnType<typeof handOnWrites> {
  const writes = (await readRecords(run, runId)).flatMap((record) => {
    const rows = listLibraryRows(record);
    const head: Head = { run_id: runId, count: (readSequence(record.ts) ?? 0) + 1, hash: record.record_hash };
    return rows.length === 0 ? [] : [{ head, value: { rows } }];
  });
  if (writes.length === 0) return ok({ taken: 0, known: 0, rejected: [] });
  return handOnWrites(library, { store, runId: libraryId }, writes, citedKey, (value) => ({
    kind: 'write',
    source: 'run',
    proposer: 'planner',
    value,
  }));
}

async function readRecords(store: Pick<Store, 'read'>, runId: string): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  try {
    for await (const line of store.read(runId)) {
      const record = soundRecord(line);
      if (record === null) break;
      records.push(record);
    }
  } catch (error) {
    if (error instanceof StoreReadError && error.error.code === 'not_found') return [];
    throw error;
  }
  return records;
}

async function reading(
  { library, libraryId }: LibraryPlace,
  say: (run: LibraryRun) => Json,
): Promise<PortAnswer> {
  const read: Result<{ readonly code: string }, { readonly run: LibraryRun; readonly head: Head }> =
    await readLibrary(library, libraryId);
  if (read._tag === 'Left') return refused(read.left.code);
  const value = say(read.right.run);
  return value === null
    ? { failure: { code: 'cancelled', final: true, detail: null } }
    : { value, cites: [{ ...read.right.head }] };
}

function refused(code: string): PortAnswer {
  return { failure: { code: 'denied', final: true, detail: { code } } };
}

/** The run of a library. */
export type LibraryRun = Run<LibraryState, LibraryAnswer, LibraryEvent, LibraryAsk>;
/** The name of a library's run if none is given. */
export const LIBRARY_RUN = 'library';
/** Reads a library from an open store, or from whatever gives its lines. Codes: {@link LoadError}. */
export function readLibrary(
  store: Pick<Store, 'read'>,
  runId: string,
): Promise<Result<LoadError, Shared<LibraryRun>>> {
  return readShared(library, store, runId);
}

/** Makes a library if there is none yet. False if there is one. Codes: those of the store. */
export function createLibrary(store: Store, runId: string): Promise<Result<StoreError, boolean>> {
  return createShared(library, store, runId, {});
}
