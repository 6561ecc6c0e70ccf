/**
 * `assay resume`: a stored run taken up where it stands, and driven to its end.
 *
 * @module
 */
import { statSync } from 'node:fs';
import { field, isArray, isObject } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { loadRun, maskedAddress, type Store } from '@assay/host';
import type { Context } from './context.js';
import { keptUnder, taskOption, type TaskOptions } from './control/options.js';
import type { ExitCode } from '../problems/exit.js';
import { asksPerson, fileOfGiven, resumedProposers } from '../options/resumed-proposers.js';
import { openStore, storeProblem } from '../files/store.js';
import { requireVersion, storedRun, type Begun } from './run/stored-run.js';
import { show } from '../terminal/shown.js';
import { misuse, type Stop } from '../problems/problem.js';
import { requireOutputs, requireUnchanged } from './run/outputs.js';
import { requireOutsideStores } from './run/outside-stores.js';
import { liveDrive, modelOptions } from './run/live-drive.js';
import { llmFiles, type ModelFlags } from '../options/llm.js';
import { progressOf } from './run/progress.js';
import { requireRoom } from './run/require-room.js';
import { resumeCommand } from './run/resume-command.js';
import { driveMachine, driveProblem } from './run/run-request.js';
import { storedSoFar } from './run/stored-so-far.js';
import { exitOf, tellEnded } from './run/tell-ended.js';

type ResumeOptions = {
  readonly store?: string;
  readonly proposer: readonly string[];
  readonly output?: string;
  readonly force?: boolean;
  readonly library?: string;
  readonly check?: readonly string[];
} & TaskOptions &
  ModelFlags;

/**
 * Goes on with a stored run and writes what `run` would have written; of one that is over, only writes. Exit
 * codes as `run` and `control`. Raises `Stop`, among them exit 3 where the stored ledger does not hold: then
 * nothing is changed.
 */
export async function resume(context: Context, given: string, flags: ResumeOptions): Promise<ExitCode> {
  const { output } = context;
  const { runId, url, options } = await keptRun(given, flags);
  const { proposer, output: folder } = options;
  if (folder !== undefined) {
    requireOutputs(folder, [
      ...proposer.flatMap((option) => fileOfGiven(option) ?? []),
      ...llmFiles(options),
    ]);
    await requireOutsideStores(folder, [url, options.memory]);
  }
  const place = maskedAddress(url);
  const store = await openStore(url, { mustExist: true });
  try {
    const begun = await storedRun(store, runId, place);
    // What speaks of tasks is loaded only where one is resumed.
    if (begun.machine === CONTROLLER)
      return await (await import('./control.js')).resumeTask(context, store, begun, {
        ...options,
        models: modelOptions(context, options),
      });
    const { identity } = begun;
    if (begun.machine !== PLANNER) askedIn(begun);
    const ofPlan = begun.machine === PLANNER;
    const foreign = taskOption(ofPlan ? { shell: [], confirm: options.confirm } : options);
    if (foreign !== null)
      throw misuse(
        'no_task',
        'this is of tasks that assay control began, and this run is none',
        foreign,
        'leave it out',
      );
    if (begun.machine === PLANNER)
      return await (await import('./plan.js')).resumePlan(context, store, begun, options);
    const { slots, text } = askedIn(begun);
    if (folder !== undefined && options.force !== true)
      await requireRoom(intent, folder, runId, store, place);
    const isTalking = asksPerson(proposer, slots);
    const person = isTalking ? (await import('./person.js')).personOf(context) : null;
    const { ports, misses, units } = await resumedProposers(proposer, {
      slots,
      asked: { person, models: modelOptions(context, options) },
      open: () => openSlots(store, runId, place),
    });
    const before = await store.head(runId);
    if (before._tag === 'Left') throw storeProblem(before.left, place);
    const live = await liveDrive({
      units,
      slots: isTalking ? 1 : slots.length,
      store: url,
      flags: options,
    });
    const shown = progressOf(output, runId, isTalking, await storedSoFar(store, runId));
    const again = resumeCommand(runId, { ...options, store: url });
    const ended = await context.interruption
      .during((signal) =>
        driveMachine(intent, runId, runId, store, {
          ports,
          place,
          signal,
          again,
          live,
          onEvent: shown.show,
        }),
      )
      .finally(shown.end);
    if (folder !== undefined && options.force !== true) await requireUnchanged(folder, ended);
    const found = before.right?.count ?? 0;
    const wasOver = found === ended.head.count;
    const note = wasOver
      ? show`resumed     nothing to do: this run was over, with ${found} records`
      : show`resumed     after ${found} records`;
    await tellEnded(output, ended, {
      identity,
      from: 'the store',
      text,
      misses,
      folder: folder ?? null,
      more: { was_over: wasOver, records_found: found },
      notes: [note],
    });
    return exitOf(ended);
  } finally {
    await store.close();
  }
}

type Kept = { readonly runId: string; readonly url: string; readonly options: ResumeOptions };

/**
 * Where a run is: in the store that is named, or in a folder that `control -o` wrote to. Raises `Stop`:
 * `option_needed`, and those of the store.
 */
async function keptRun(given: string, options: ResumeOptions): Promise<Kept> {
  if (options.store !== undefined) return { runId: given, url: options.store, options };
  const folder = keptUnder(given);
  const url = `file:${folder}`;
  const needed = (): Stop =>
    misuse(
      'option_needed',
      'no run waits in a folder of this name',
      given,
      'give --store for the id of a run, or the folder that control -o or plan -o named',
    );
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw needed();
  const store = await openStore(url, { mustExist: true });
  try {
    const listed = await store.list();
    if (listed._tag === 'Left') throw storeProblem(listed.left, url);
    const [runId] = listed.right;
    if (runId === undefined) throw needed();
    return { runId, url, options: { ...options, output: given } };
  } finally {
    await store.close();
  }
}

/** The names of the machines of `assay control` and `assay plan`. */
const CONTROLLER = 'controller';
const PLANNER = 'planner';

/** What the intent machine is asked in a run. `text`: its request, "" where an earlier run holds it. */
type AskedRun = { readonly slots: readonly string[]; readonly text: string };

/**
 * What a run of the intent machine is asked. Raises `Stop`: `other_machine`, `never_ends` for a memory,
 * `machine_version`.
 */
function askedIn(begun: Begun): AskedRun {
  const { machine, identity } = begun;
  if (machine === MEMORY)
    throw misuse(
      'never_ends',
      'this is a memory, which runs share and which never ends: there is nothing to go on with',
      identity.run_id,
      'look into it with assay memory inspect; assay control --memory goes on telling it',
    );
  if (machine !== intent.name)
    throw misuse(
      'other_machine',
      `this is a run of ${machine === '' ? 'no known machine' : machine}, and nobody here answers for it`,
      identity.run_id,
      'drive it with @assay/host, by the program that began it',
    );
  requireVersion(begun, intent.version);
  const [proposers, text] = [field(begun.policy, 'proposers'), field(begun.input, 'seed_text')];
  return {
    slots: isArray(proposers) ? proposers.filter((slot) => typeof slot === 'string') : [],
    text: typeof text === 'string' ? text : '',
  };
}

/** The name of the memory machine, which is loaded only where a memory is asked. */
const MEMORY = 'memory';

/**
 * The slots whose requests are open. Reads the whole run and derives it again. Raises `Stop` where it does
 * not hold.
 */
async function openSlots(store: Store, runId: string, place: string): Promise<ReadonlySet<string>> {
  const loaded = await loadRun(intent, runId, store);
  if (loaded._tag === 'Left') throw driveProblem(loaded.left, runId, place);
  return new Set(
    [...loaded.right.run.open].flatMap(([, { request }]) => {
      const slot = isObject(request.body) ? field(request.body, 'slot') : null;
      return typeof slot === 'string' ? [slot] : [];
    }),
  );
}
