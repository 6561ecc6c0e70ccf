/**
 * Driving a task to its end: what `control` and `resume` share.
 *
 * @module
 */
import type { GenesisInput } from '@assay/kernel';
import { driveTask, JUDGED_KINDS, TASK_CONCURRENCY, type TaskTools } from '@assay/agent';
import { folderDoneCalls, maskedAddress, type FolderDoneCalls, type Store } from '@assay/host';
import type { Context } from '../context.js';
import type { Miss } from '../../options/proposers.js';
import { storeProblem } from '../../files/store.js';
import type { Output } from '../output.js';
import { show } from '../../terminal/shown.js';
import { liveDrive, type LiveDrive, type LiveOptions } from '../run/live-drive.js';
import { driveMachine, type Ended } from '../run/run-request.js';
import { notesFolder } from '../../files/notes-folder.js';
import { liveLines } from './lines.js';
import type { ControlMemory } from './memory.js';
import { readConfirmed, type ControlOptions } from './options.js';
import type { NamedPlayers } from './players.js';
import { resumeControl } from './resume-command.js';

/**
 * What a run is driven with. `start`: a new run, or the id of a stored one. `options`: of the call, for
 * whoever goes on later.
 */
export type ControlDriving = {
  readonly start: GenesisInput | string;
  readonly runId: string;
  readonly store: Store;
  readonly tools: TaskTools;
  readonly memory: ControlMemory | null;
  readonly options: ControlOptions;
  readonly players: NamedPlayers;
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
  { start, runId, store, tools, memory, options, players }: ControlDriving,
): Promise<Driven> {
  const { output } = context;
  const person = (await import('../person.js')).personOf(context);
  const place = maskedAddress(options.store ?? '');
  const live = await modelDrive({
    units: players.units,
    slots: TASK_CONCURRENCY,
    store: options.store,
    flags: options,
  });
  const again =
    options.store === undefined
      ? show`nothing was stored; run it again with --store file:./runs to be able to resume`
      : resumeControl(runId, { ...options, store: options.store, workspace: tools.workspace });
  const driven = await driveTask({
    start,
    runId,
    store,
    tools: tools.tools,
    portsOf: players.portsOf,
    person,
    confirmed: readConfirmed(options.confirm),
    recall: memory?.port ?? null,
    done: await doneBeside(output, options.store),
    onAppend: (records, rounds) => {
      for (const line of liveLines(records, rounds)) output.progress(line);
    },
    drive: (machine, driving) =>
      context.interruption.during((signal) =>
        driveMachine(machine, start, runId, store, { ...driving, place, signal, again, live }),
      ),
  });
  if (driven._tag === 'Left') throw storeProblem(driven.left, place);
  return { ...driven.right, misses: players.misses };
}

/**
 * Where calls that went well are noted, so that whoever resumes does not make them again; null where there is
 * nothing to resume, or the store is a server.
 */
async function doneBeside(output: Output, url: string | undefined): Promise<FolderDoneCalls | null> {
  const folder = url === undefined ? null : await notesFolder(url);
  const onUnusable = (path: string, why: string): void =>
    output.note(
      show`assay: the journal of tool calls in ${path} cannot be used in full (${
        why
      }); a resumed run may repeat a call`,
    );
  return folder === null ? null : folderDoneCalls(folder, { onUnusable });
}

/**
 * How models are asked: within the budget, with a journal of the calls begun. `--llm timeout` holds
 * for judgements, and neither for a person nor for work, which has limits of its own. Raises `Stop`: `bad_value`.
 */
async function modelDrive(options: LiveOptions): Promise<LiveDrive> {
  const { deadlines, ...live } = await liveDrive(options);
  if (deadlines === undefined) return live;
  const call = deadlines.call ?? null;
  return { ...live, deadlines: { kinds: Object.fromEntries(JUDGED_KINDS.map((kind) => [kind, call])) } };
}
