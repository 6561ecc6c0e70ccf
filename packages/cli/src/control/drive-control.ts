/**
 * Driving a task to its end: what `control` and `resume` share.
 *
 * @module
 */
import type { EvidenceRecord, GenesisInput } from '@assay/kernel';
import { controller } from '@assay/controller';
import { confirmPort, controlPorts, executorPort, genesisHash, noteRecordings } from '@assay/agent';
import {
  folderDoneCalls,
  lastClockReading,
  maskedAddress,
  StoreReadError,
  type FolderDoneCalls,
  type Store,
} from '@assay/host';
import type { Context } from '../context.js';
import type { Miss } from '../inputs/proposers.js';
import { storeProblem } from '../inputs/store.js';
import type { Output } from '../output/output.js';
import { show } from '../output/shown.js';
import { driveMachine, type Ended } from '../running/run-request.js';
import { notesFolder } from '../stores/notes-folder.js';
import { recordingsOf } from './begun-with.js';
import { readConfirmed } from './confirming.js';
import { liveLines } from './live.js';
import type { ControlMemory } from './memory.js';
import { modelDrive } from './model-drive.js';
import type { ControlOptions } from './options.js';
import type { Players } from './players.js';
import { resumeControl } from './resume-command.js';
import type { Hands } from './workspace.js';

/**
 * Sub-tasks of one group work at once; they are recorded in the order in which they were asked, so that who
 * is faster does not show.
 */
const CONCURRENCY = 4;

/**
 * What a run is driven with. `start`: a new run, or the id of a stored one. `options`: of the call, for
 * whoever goes on later.
 */
export type ControlDriving = {
  readonly start: GenesisInput | string;
  readonly runId: string;
  readonly store: Store;
  readonly hands: Hands;
  readonly memory: ControlMemory | null;
  readonly options: ControlOptions;
  readonly players: Players;
  /** Called when this call has written records of the run. */
  readonly onWritten: () => void;
};

/** A task that ended. `found`: records that were stored before. */
export type Driven = {
  readonly ended: Ended;
  readonly misses: ReadonlyMap<string, Miss>;
  readonly found: number;
};

/** Drives a task to its end, with live lines for `--verbose`. Leaves the store open. Raises `Stop`. */
export async function driveControl(
  context: Context,
  { start, runId, store, hands, memory, options, players, onWritten }: ControlDriving,
): Promise<Driven> {
  const { output } = context;
  const person = (await import('../inputs/terminal.js')).personOf(context);
  const place = maskedAddress(options.store ?? '');
  const last = await lastReading(store, runId, place);
  // A clock that was set back meanwhile does not go back in the run.
  const now = (): number => Math.max(last, Math.floor(Date.now() * 1_000));
  const done = await doneBeside(output, options.store);
  const genesis = typeof start === 'string' ? null : genesisHash(start);
  // Before the store is asked: what is noted from now on may be of another process that begins this run.
  const beginAnew = genesis === null ? undefined : await done?.anew(genesis);
  const before = await store.head(runId);
  if (before._tag === 'Left') throw storeProblem(before.left, place);
  if (before.right === null) await beginAnew?.();
  const noteAgain =
    genesis !== null && before.right === null
      ? await noteRecordings(done, genesis, recordingsOf(players, options.proposer))
      : null;
  let noted: Promise<void> = Promise.resolve();
  const others = {
    execute: executorPort(hands.tools, done),
    confirm: confirmPort(person, readConfirmed(options.confirm)),
    recall: memory?.port ?? null,
    now,
  };
  const live = await modelDrive({
    units: players.units,
    slots: CONCURRENCY,
    store: options.store,
    flags: options,
  });
  const again =
    options.store === undefined
      ? show`nothing was kept; do it again, with --store file:./runs to be able to go on`
      : resumeControl(runId, { ...options, store: options.store, workspace: hands.workspace });
  const onAppend = (records: readonly EvidenceRecord[]): void => {
    onWritten();
    if (records[0]?.kind === 'genesis' && noteAgain !== null) noted = noteAgain();
    for (const line of liveLines(records)) output.progress(line);
  };
  try {
    const ended = await context.interruption.during((signal) =>
      driveMachine(controller, start, runId, store, {
        ports: controlPorts(players.portsOf, others),
        place,
        signal,
        again,
        live,
        concurrency: CONCURRENCY,
        order: 'turn',
        onAppend,
      }),
    );
    return { ended, misses: players.misses, found: before.right?.count ?? 0 };
  } finally {
    await noted;
  }
}

async function lastReading(store: Store, runId: string, place: string): Promise<number> {
  try {
    return await lastClockReading(store, runId);
  } catch (error) {
    throw error instanceof StoreReadError ? storeProblem(error.error, place) : error;
  }
}

/**
 * Where calls that went well are noted, so that whoever resumes does not make them again; null where there is
 * nothing to resume, or the store is a server.
 */
async function doneBeside(output: Output, url: string | undefined): Promise<FolderDoneCalls | null> {
  const folder = url === undefined ? null : await notesFolder(url);
  const onUnusable = (path: string, why: string): void =>
    output.note(
      show`assay: what the tools have done cannot be noted in ${path}, or not all of it read there (${why}); a call that was made already may be made again`,
    );
  return folder === null ? null : folderDoneCalls(folder, { onUnusable });
}
