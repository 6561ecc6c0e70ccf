/**
 * `assay resume`: a stored run taken up where it stands, and driven to its end.
 *
 * @module
 */
import { field, isArray, isObject } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { loadRun, type Store } from '@assay/host';
import type { Context } from './context.js';
import { taskOption, type TaskOptions } from '../kits/controller/options.js';
import { readClaim, type Claim } from '../files/claim.js';
import type { ExitCode } from '../problems/exit.js';
import { asksPerson, resumedProposers } from '../options/resumed-proposers.js';
import { storeProblem } from '../files/store.js';
import { realPath, requireWritable } from '../files/write.js';
import { requireVersion, storedRun, type Begun } from '../start/stored-run.js';
import { misuse } from '../problems/problem.js';
import { keepRun, type Kept } from '../start/kept-run.js';
import { requireOutsideStores } from '../start/outside-stores.js';
import { liveDrive, modelOptions } from '../start/live-drive.js';
import type { ModelFlags } from '../options/llm.js';
import { progressOf } from '../start/progress.js';
import { resumeCommand } from '../start/resume-command.js';
import { driveMachine, driveProblem } from '../start/drive-machine.js';
import { storedSoFar } from '../start/stored-so-far.js';
import { exitOf, resumedAfter, tellEnded } from '../start/tell-ended.js';

type ResumeOptions = {
  readonly store?: string;
  readonly proposer: readonly string[];
  readonly output?: string;
  readonly library?: string;
  readonly check?: readonly string[];
} & TaskOptions &
  ModelFlags;

/**
 * Goes on with a kept run and writes what `run` would have written; of one that is over, only writes. Exit
 * codes as `run` and `control`. Raises `Stop`, among them exit 3 where the kept ledger does not hold: then
 * nothing is changed.
 */
export async function resume(context: Context, given: string, flags: ResumeOptions): Promise<ExitCode> {
  const { claim, options } = runNamed(given, flags);
  const { output } = options;
  if (output !== undefined) {
    requireWritable(output);
    await requireOutsideStores(output, [options.store, options.memory]);
  }
  const workspace = flags.workspace === undefined ? null : realPath(flags.workspace);
  return keepRun(
    options,
    { run_id: claim.run_id, workspace },
    async (kept) => resumeKept(context, claim, options, kept),
    { mustExist: true },
  );
}

async function resumeKept(
  context: Context,
  { run_id: runId, workspace }: Claim,
  options: ResumeOptions,
  kept: Kept,
): Promise<ExitCode> {
  const { store, notes, place } = kept;
  const { proposer, output: folder } = options;
  const isThere = async (): Promise<boolean> => {
    const head = await store.head(runId);
    return head._tag === 'Left' || head.right !== null;
  };
  if (options.store === undefined && !(await isThere()))
    throw misuse(
      'no_run',
      `this folder belongs to run ${runId}, and holds no record of it`,
      place,
      'give --store if the run is kept in one; else give the call again that began it',
    );
  const begun = await storedRun(store, runId, place);
  const before = await store.head(runId);
  if (before._tag === 'Left') throw storeProblem(before.left, place);
  // What speaks of tasks is loaded only where one is resumed.
  if (begun.machine === CONTROLLER)
    return (await import('./control.js')).resumeTask(context, kept, begun, {
      ...options,
      models: modelOptions(context, options),
      keptWorkspace: workspace,
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
  if (ofPlan) return (await import('./plan.js')).resumePlan(context, kept, begun, options);
  const { slots, text } = askedIn(begun);
  const isTalking = asksPerson(proposer, slots);
  const person = isTalking ? (await import('./person.js')).personOf(context) : null;
  const { ports, misses, units } = await resumedProposers(proposer, {
    slots,
    asked: { person, models: modelOptions(context, options) },
    open: () => openSlots(store, runId, place),
  });
  const live = liveDrive({ units, slots: isTalking ? 1 : slots.length, notes, flags: options });
  const shown = progressOf(context.output, runId, isTalking, await storedSoFar(store, runId));
  const again = resumeCommand(runId, options);
  const ended = await context.interruption
    .during((signal) =>
      driveMachine(intent, runId, runId, store, {
        ports,
        place,
        signal,
        ...(again === null ? {} : { again }),
        live,
        onEvent: shown.show,
      }),
    )
    .finally(shown.end);
  const found = before.right?.count ?? 0;
  await tellEnded(context.output, ended, {
    identity,
    from: 'the store',
    text,
    misses,
    folder: folder ?? null,
    ...resumedAfter(found, ended),
  });
  return exitOf(ended);
}

/**
 * Which run is meant: the id of one in the store that is named, or the one that a folder belongs to. Raises `Stop`:
 * `option_needed`, `conflict`.
 */
function runNamed(
  given: string,
  options: ResumeOptions,
): { readonly claim: Claim; readonly options: ResumeOptions } {
  const { store, output } = options;
  if (store !== undefined) return { claim: { run_id: given, workspace: null }, options };
  const claim = readClaim(given);
  if (claim === null)
    throw misuse(
      'option_needed',
      'no run has claimed a folder with this name',
      given,
      'give --store for the id of a run, or the folder that an earlier call named with -o',
    );
  if (output !== undefined && realPath(output) !== realPath(given))
    throw misuse(
      'conflict',
      'the results of this run belong to its own folder',
      `-o ${output}`,
      'leave -o out',
    );
  return { claim, options: { ...options, output: given } };
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
