/**
 * Driving a task to its end: what `control` and `resume` share.
 *
 * @module
 */
import { join } from 'node:path';
import type { GenesisInput, Head } from '@assay/kernel';
import {
  driveTask,
  folderOutputs,
  JUDGED_KINDS,
  memoryOutputs,
  TASK_CONCURRENCY,
  type TaskTools,
} from '@assay/controller/shell';
import { folderDoneCalls, type FolderDoneCalls, type Store } from '@assay/host';
import type { Context } from '../../commands/context.js';
import type { Miss } from '../../options/proposers.js';
import { storeProblem } from '../../files/store.js';
import type { Output } from '../../commands/output.js';
import { show, type Shown } from '../../terminal/shown.js';
import type { Kept } from '../../start/kept-run.js';
import { liveDrive, type LiveDrive, type LiveOptions } from '../../start/live-drive.js';
import { driveMachine, type Ended } from '../../start/drive-machine.js';
import { liveLines } from './lines.js';
import type { ControlMemory } from './memory.js';
import { readConfirmed, type ControlOptions } from './options.js';
import type { NamedPlayers } from './players.js';
import { resumeControl } from './resume-command.js';
import { waitingStop } from './waiting.js';

/**
 * What a run is driven with. `start`: a new run, or the id of a stored one. `options`: of the call, for
 * whoever goes on later.
 */
export type ControlDriving = {
  readonly start: GenesisInput | string;
  readonly runId: string;
  readonly kept: Kept;
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
  { start, runId, kept: { store, notes, place }, tools, memory, options, players }: ControlDriving,
): Promise<Driven> {
  const { output } = context;
  const person = (await import('../../commands/person.js')).personOf(context);
  const live = modelDrive({ units: players.units, slots: TASK_CONCURRENCY, notes, flags: options });
  const resumed = (confirm: readonly string[]): Shown | null =>
    resumeControl(runId, { ...options, confirm, workspace: tools.workspace });
  const again =
    resumed(options.confirm) ??
    show`nothing was stored; run it again with -o or --store to be able to resume`;
  const driven = await driveTask({
    start,
    runId,
    store,
    tools: tools.tools,
    portsOf: players.portsOf,
    person,
    confirmed: readConfirmed(options.confirm),
    recall: memory?.portFor(() => headIn(store, runId, place)) ?? null,
    outputs: notes === null ? memoryOutputs() : folderOutputs(join(notes, 'outputs')),
    done: notes === null ? null : doneBeside(output, notes),
    onAppend: (records, rounds) => {
      for (const line of liveLines(records, rounds)) output.progress(line);
    },
    drive: (machine, driving) =>
      context.interruption.during((signal) =>
        driveMachine(machine, start, runId, store, {
          ...driving,
          place,
          signal,
          again,
          live,
          waits: (open, records) =>
            waitingStop(open, records, (more) => {
              const line = resumed([...options.confirm, ...more]);
              return line === null ? null : show`type: ${line}`;
            }),
        }),
      ),
  });
  if (driven._tag === 'Left') throw storeProblem(driven.left, place);
  return { ...driven.right, misses: players.misses };
}

async function headIn(store: Store, runId: string, place: string): Promise<Head> {
  const head = await store.head(runId);
  if (head._tag === 'Left') throw storeProblem(head.left, place);
  if (head.right === null) throw new Error(`no records of ${runId}`);
  return head.right;
}

/** Where calls are noted, so that whoever resumes does not make them again. */
function doneBeside(output: Output, folder: string): FolderDoneCalls {
  return folderDoneCalls(folder, {
    onUnusable: (path, why) =>
      output.note(
        show`assay: the journal of tool calls in ${path} cannot be used in full (${
          why
        }); a resumed run may repeat a call`,
      ),
  });
}

/**
 * How models are asked: within the budget, with a journal of the calls begun. `--llm timeout` holds
 * for judgements, and neither for a person nor for work, which has limits of its own. Raises `Stop`: `bad_value`.
 */
function modelDrive(options: LiveOptions): LiveDrive {
  const { deadlines, ...live } = liveDrive(options);
  if (deadlines === undefined) return live;
  const call = deadlines.call ?? null;
  return { ...live, deadlines: { kinds: Object.fromEntries(JUDGED_KINDS.map((kind) => [kind, call])) } };
}
