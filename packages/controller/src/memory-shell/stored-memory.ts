/**
 * A memory as it is stored: read back whole and derived again, and given something to remember.
 *
 * @module
 */
import type { Result, Run } from '@assay/kernel';
import {
  defaultMemoryPolicy,
  memory,
  type InvitationKind,
  type MemoryAnswer,
  type MemoryBody,
  type MemoryEvent,
  type MemoryPolicy,
  type MemoryState,
} from '../memory/index.js';
import type { LoadError, Store, StoreError } from '@assay/host';
import {
  createShared,
  readShared,
  tellShared,
  type Shared,
  type TellError,
  type TellingOf,
  type ToldTo,
} from '@assay/host/shared-run';

/** The run of a memory. */
export type MemoryRun = Run<MemoryState, MemoryAnswer, MemoryEvent, MemoryBody>;
/** A memory read back: the run, and where its ledger ends. */
export type ReadMemory = Shared<MemoryRun>;
/** The name of a memory's run if none is given. */
export const MEMORY_RUN = 'memory';
/** What came of one answer to a memory. */
export type Told = ToldTo<MemoryRun, MemoryEvent>;
/** What a memory is given. `kind`: of an invitation, or `distil`. */
export type Telling = TellingOf<InvitationKind | 'distil'>;

/** Reads a memory from an open store, or from whatever gives its lines. Codes: {@link LoadError}. */
export function readMemory(
  store: Pick<Store, 'read'>,
  runId: string,
): Promise<Result<LoadError, ReadMemory>> {
  return readShared(memory, store, runId);
}

/** Makes a memory; false if there is one. Codes: those of the store, `run_id` among them. */
export function createMemory(
  store: Store,
  runId: string,
  policy: MemoryPolicy = defaultMemoryPolicy,
): Promise<Result<StoreError, boolean>> {
  return createShared(memory, store, runId, policy);
}

/** Gives a stored memory something; a rejection is recorded, and no error. Codes: {@link TellError}. */
export function tell(
  store: Store,
  runId: string,
  telling: (run: MemoryRun) => Telling,
): Promise<Result<TellError, Told>> {
  return tellShared(memory, store, runId, telling);
}
