/**
 * A library as the ports of what a planner asks it: what it knows of a goal, and what became of a request that
 * another run has made. Source: dec-K28, dec-K81.
 *
 * @module
 */
import type { EvidenceRecord, Head, Json, Result } from '@assay/kernel';
import type { Bodies } from '../index.js';
import { answerFromLibrary } from '../library/index.js';
import { findSettled } from '../library/reading.js';
import { Later, soundRecord, StoreReadError, type Port, type PortAnswer, type Store } from '@assay/host';
import { handOnRows, readLibrary, rowsIn, type LibraryRun } from './stored-library.js';

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

/** Hands on what a run has written so far, and what is left of it at its end. */
export async function makeHandOn({
  library,
  libraryId,
  run,
  runId,
}: LibraryPlace): ReturnType<typeof handOnRows> {
  return handOnRows(library, libraryId, rowsIn(runId, await readRecords(run, runId)));
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
