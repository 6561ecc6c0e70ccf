/**
 * `assay control`: a task done in a workspace, round by round, with evidence; and `assay resume` of one.
 *
 * @module
 */
import { realpathSync } from 'node:fs';
import { awaitedConfirmation, openTaskTools, rolesAgain, sameFolder, toolsAgain } from '@assay/agent';
import { headOf } from '@assay/kernel';
import { controller } from '@assay/controller';
import { loadRun, maskedAddress, memoryStore } from '@assay/host';
import type { Context } from './context.js';
import { driveControl, type Driven } from './control/drive-control.js';
import type { ControlMemory } from './control/memory.js';
import type { ControlOptions, TaskOptions } from './control/options.js';
import { readPlayers } from './control/players.js';
import { policyOf } from './control/policy.js';
import { rolesProblem, toolsProblem } from './control/problems.js';
import { tellControl } from './control/tell-ended.js';
import type { ExitCode } from '../problems/exit.js';
import { identityOf } from '../options/identity.js';
import { fileOfProposer, llmFiles, type ModelFlags, type ModelOptions } from '../options/llm.js';
import { openStore, type NamedStore } from '../files/store.js';
import { orStop } from '../problems/or-stop.js';
import { misuse } from '../problems/problem.js';
import { show } from '../terminal/shown.js';
import { isTaken, requireOutputs, requireUnchanged } from './run/outputs.js';
import { requireOutsideStores } from './run/outside-stores.js';
import { modelOptions } from './run/live-drive.js';
import { recordsIn } from './run/records-in.js';
import { requireRoom } from './run/require-room.js';
import { driveMachine, driveProblem } from './run/run-request.js';
import { requireVersion, type Begun } from './run/stored-run.js';

/**
 * Drives a task to its end: exit 0 where it is accepted or close enough, 1 where it is abandoned, which is an
 * answer too, 5 where that is because a model was not reached. With `--store`, the same call, or `resume`,
 * goes on with a run that was cut off. The memory is told last, when
 * everything is written; where it could not be told, the exit is at least that of its store (5, or 3 where it
 * does not hold). Raises `Stop`.
 */
export async function control(context: Context, text: string, options: ControlOptions): Promise<ExitCode> {
  if (options.output !== undefined) {
    requireOutputs(options.output, inputsOf(options));
    await requireOutsideStores(options.output, [options.store, options.memory]);
  }
  const { workspace: folder } = options;
  if (folder === undefined)
    throw misuse('option_needed', 'a task needs a folder', '--workspace', 'name one: --workspace .');
  const tools = orStop(await openTaskTools(folder, options), (error) => toolsProblem(error, folder));
  const session =
    options.after.length === 0 ? [] : await (await import('./control/after.js')).readAfter(options.after);
  const players = await readPlayers(options.proposer, modelOptions(context, options));
  const hasModels = players.units.size > 0;
  const policy = await policyOf(options, tools.listed, players.casting, hasModels);
  // In a store a task is one of its folder: the same words elsewhere are another run.
  const workspace = options.store === undefined ? {} : { workspace: realpathSync(tools.workspace) };
  const input = { text, session };
  const identity = identityOf(options, { ...input, ...workspace }, policy);
  const memory = await memoryNamed(context, options.memory);
  const store = options.store === undefined ? memoryStore() : await openStore(options.store);
  const target = options.force === true ? undefined : options.output;
  let driven: Driven;
  try {
    // Answers of models are never the same twice: what is there already is not compared with them, and
    // nothing is spent to find out.
    if (target !== undefined && (options.store === undefined || hasModels) && isTaken(target))
      throw misuse(
        'exists',
        'this folder has another run; nothing was done or written',
        target,
        'name another folder with -o, or replace the run with --force',
      );
    driven = await driveControl(context, {
      start: { ...identity, policy, input },
      runId: identity.run_id,
      store,
      tools,
      memory,
      options,
      players,
    });
  } finally {
    await store.close();
  }
  if (target !== undefined) await requireUnchanged(target, driven.ended);
  return tellControl(context, { ...driven, memory, options, workspace: tools.workspace, identity });
}

/** Every file that a call names to read from. */
function inputsOf({ policy, llm, proposer, after }: ControlOptions): readonly string[] {
  return [policy, ...llmFiles({ llm }), ...after]
    .filter((path) => path !== undefined)
    .concat(proposer.flatMap((name) => fileOfProposer(name.replace(/^R\d[ab]?=/, '')) ?? []));
}

/** Options of `resume`, as a task takes them. */
export type ResumeTask = TaskOptions & {
  readonly store: string;
  readonly proposer: readonly string[];
  readonly output?: string;
  readonly force?: boolean;
} & ModelFlags;

/**
 * Goes on with a stored task and writes what `control` would have written; of one that is over, only writes,
 * and where a folder is named it is the one of the task. Machine, policy and words are those of its first
 * record. Leaves the store open. Exit codes as `control`. Raises `Stop`: `option_needed`, `tools_differ`,
 * `other_workspace`, `cast`, `confirm_needed`.
 */
export async function resumeTask(
  context: Context,
  store: NamedStore,
  begun: Begun,
  { models, ...given }: ResumeTask & { readonly models: ModelOptions },
): Promise<ExitCode> {
  const { run_id } = begun.identity;
  const place = maskedAddress(given.store);
  requireVersion(begun, controller.version);
  const task = { ...begun.identity, input: begun.input, policy: begun.policy };
  const target = given.force === true ? undefined : given.output;
  if (target !== undefined) await requireRoom(controller, target, run_id, store, place);
  const options: ControlOptions = { ...given, allow: [], set: [], after: [], clock: false };
  const loaded = await loadRun(controller, run_id, store);
  if (loaded._tag === 'Left') throw driveProblem(loaded.left, run_id, place);
  const { run } = loaded.right;
  const memory = await memoryNamed(context, options.memory);
  const due = loaded.right.due.length;
  let driven: Driven;
  if (run.outcome === null) {
    const { workspace, shell, memory: url } = options;
    const again = await toolsAgain(task, { workspace, shell, hasMemory: url !== undefined });
    const tools = orStop(again, (error) => toolsProblem(error, workspace ?? ''));
    const players = await readPlayers(options.proposer, models);
    const answers = orStop(rolesAgain(task, await recordsIn(store, run_id, place), players), rolesProblem);
    const person = (await import('./person.js')).personOf(context);
    const awaited = awaitedConfirmation([...run.open].map(([, { request }]) => request));
    if (awaited !== null && person === null && options.confirm.length === 0)
      throw misuse(
        'confirm_needed',
        'the run waits for a person to allow an action that cannot be undone, and there is no terminal',
        `--confirm ${awaited === 'unnamed' ? 'TOOL:INPUT' : `${awaited.tool}:${awaited.target}`}`,
        'resume it in a terminal, allow the action with --confirm, or repeat the assay control call, ' +
          'which then refuses the action',
      );
    if (options.proposer.length === 0 && answers === 0)
      context.output.note(show`assay: no role has answered yet and none is named; the rules play all roles`);
    driven = await driveControl(context, {
      start: run_id,
      runId: run_id,
      store,
      tools,
      memory,
      options,
      players,
    });
  } else {
    const { workspace } = options;
    if (workspace !== undefined)
      orStop(await sameFolder(task, workspace), (error) => toolsProblem(error, workspace));
    driven = {
      ended: await driveMachine(controller, run_id, run_id, store, {
        ports: () => null,
        place,
      }),
      misses: new Map(),
      found: headOf(run).count - due,
    };
  }
  if (target !== undefined) await requireUnchanged(target, driven.ended);
  return await tellControl(context, {
    ...driven,
    memory,
    options,
    workspace: options.workspace ?? '(not needed: the run was finished)',
    identity: begun.identity,
  });
}

/** The memory that is named, null for none: what speaks of memories is loaded only then. */
async function memoryNamed(context: Context, given: string | undefined): Promise<ControlMemory | null> {
  return given === undefined ? null : (await import('./control/memory.js')).memoryOf(given, context.output);
}
