/**
 * Doing a task to its end, begun now or before: who answers what, on which clock, and what is noted for
 * whoever goes on with it.
 *
 * @module
 */
import {
  err,
  ok,
  openRun,
  type Digest,
  type EvidenceRecord,
  type GenesisInput,
  type Result,
} from '@assay/kernel';
import {
  ACCEPTS,
  ASK_KINDS,
  controller,
  roundsIn,
  type CastRole,
  type RoundSeen,
  type Target,
} from '@assay/controller';
import {
  lastClockReading,
  nativeSha256,
  StoreReadError,
  type DriveOptions,
  type FolderDoneCalls,
  type Port,
  type Ports,
  type Store,
  type StoreError,
} from '@assay/host';
import type { Dialogue } from '@assay/proposers';
import { confirmPort } from './roles/confirming.js';
import type { StepTools } from './executor/step-tools.js';
import { executorPort } from './executor/executor.js';
import { controlPorts } from './roles/ports.js';

/**
 * Sub-tasks of one group that work at once; they are recorded in the order in which they were asked, so that
 * who is faster does not show.
 */
export const TASK_CONCURRENCY = 4;

/** Kinds of requests that a model may answer by judging: a time limit holds for these, and not for work. */
export const JUDGED_KINDS: readonly string[] = ASK_KINDS.filter(
  (kind) => kind !== 'execute' && ACCEPTS[kind].includes('live_model'),
);

/** What the driver of a task is given. */
export type TaskDrive = Required<Pick<DriveOptions, 'ports' | 'concurrency' | 'order' | 'onEvent'>>;

/**
 * A task. `start`: a new run, or the id of a stored one. `portsOf`: who answers for a role; null for R3 where
 * its work is done by `tools`. `recall`: a memory. `confirmed`: actions allowed beforehand. `done`: where
 * calls that went well are noted; null where nothing can be resumed.
 * `drive`: drives the controller to its end.
 */
export type Task<T> = {
  readonly start: GenesisInput | string;
  readonly runId: string;
  readonly store: Store;
  readonly tools: StepTools;
  readonly portsOf: (role: CastRole) => Ports | null;
  readonly person: Dialogue | null;
  readonly confirmed: readonly Target[];
  readonly recall: Port | null;
  readonly done: FolderDoneCalls | null;
  readonly onAppend: (records: readonly EvidenceRecord[], rounds: readonly RoundSeen[]) => void;
  readonly drive: (machine: typeof controller, driving: TaskDrive) => Promise<T>;
};

/**
 * Does a task. `found`: records that were stored before. Leaves the store open. A store that cannot be read
 * is an error; what `drive` throws is passed on.
 */
export async function driveTask<T>({
  start,
  runId,
  store,
  tools,
  portsOf,
  person,
  confirmed,
  recall,
  done,
  onAppend,
  drive,
}: Task<T>): Promise<Result<StoreError, { readonly ended: T; readonly found: number }>> {
  const last = await lastReading(store, runId);
  if (last._tag === 'Left') return last;
  // A clock that was set back meanwhile does not go back in the run.
  const now = (): number => Math.max(last.right, Math.floor(Date.now() * 1_000));
  const genesis = typeof start === 'string' ? null : genesisHash(start);
  // Before the store is asked: what is noted from now on may be of another process that begins this run.
  const beginAnew = genesis === null ? undefined : await done?.anew(genesis);
  const before = await store.head(runId);
  if (before._tag === 'Left') return before;
  if (before.right === null) await beginAnew?.();
  const ended = await drive(controller, {
    ports: controlPorts(portsOf, {
      execute: executorPort(tools, done),
      confirm: confirmPort(person, confirmed),
      recall,
      now,
    }),
    concurrency: TASK_CONCURRENCY,
    order: 'turn',
    onEvent: (event) => {
      if (event.type === 'append') onAppend(event.records, roundsIn(event.records));
    },
  });
  return ok({ ended, found: before.right?.count ?? 0 });
}

/** The hash of the first record that a task will have; null if the machine refuses it, as driving it reports. */
function genesisHash(start: GenesisInput): Digest | null {
  const opened = openRun(controller, start, { sha256: nativeSha256 });
  return opened._tag === 'Left' ? null : opened.right.run.genesisRecord.record_hash;
}

async function lastReading(store: Store, runId: string): Promise<Result<StoreError, number>> {
  try {
    return ok(await lastClockReading(store, runId));
  } catch (error) {
    if (error instanceof StoreReadError) return err(error.error);
    throw error;
  }
}
