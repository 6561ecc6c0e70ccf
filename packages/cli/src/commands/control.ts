/**
 * `assay control`: a task done in a workspace, round by round, with evidence; and `assay resume` of one.
 *
 * @module
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { openTaskTools, rolesAgain, sameFolder, toolsAgain } from '@assay/controller/shell';
import { headOf } from '@assay/kernel';
import { controller } from '@assay/controller';
import { loadRun } from '@assay/host';
import type { Context } from './context.js';
import { driveControl, type Driven } from '../kits/controller/drive-control.js';
import type { ControlMemory } from '../kits/controller/memory.js';
import type { ControlOptions, TaskOptions } from '../kits/controller/options.js';
import { readPlayers } from '../kits/controller/players.js';
import { policyOf } from '../kits/controller/policy.js';
import { rolesProblem, toolsProblem } from '../kits/controller/problems.js';
import { resumeControl } from '../kits/controller/resume-command.js';
import { tellControl } from '../kits/controller/tell-ended.js';
import type { ExitCode } from '../problems/exit.js';
import { requireWritable } from '../files/write.js';
import { deadlineOf } from '../options/deadline.js';
import { answeringWith, identityOf } from '../options/identity.js';
import type { ModelFlags, ModelOptions } from '../options/llm.js';
import { orStop } from '../problems/or-stop.js';
import { misuse } from '../problems/problem.js';
import { show } from '../terminal/shown.js';
import { keepRun, type Kept } from '../start/kept-run.js';
import { requireOutsideStores } from '../start/outside-stores.js';
import { modelOptions } from '../start/live-drive.js';
import { recordsIn } from '../start/records-in.js';
import { driveMachine, driveProblem } from '../start/drive-machine.js';
import { requireVersion, type Begun } from '../start/stored-run.js';

/**
 * Drives a task to its end: exit 0 where it is accepted or close enough, 1 where it is abandoned, which is an
 * answer too, 5 where that is because a model was not reached, 6 where it waits for a person. With `--store`
 * or `-o`, the same call, or `resume`, goes on with a run that was cut off or waits. The memory is told last, when
 * everything is written; where it could not be told, the exit is at least that of its store (5, or 3 where it
 * does not hold). Raises `Stop`.
 */
export async function control(context: Context, text: string, options: ControlOptions): Promise<ExitCode> {
  const { workspace: folder, output, store, memory: memoryUrl } = options;
  if (output !== undefined) {
    requireWritable(output);
    await requireOutsideStores(output, [store, memoryUrl]);
  }
  if (options.dream !== 'end' && options.dream !== 'never')
    throw misuse(
      'bad_value',
      'a memory dreams at the end or never',
      `--dream ${options.dream}`,
      'give end or never',
    );
  if (folder === undefined)
    throw misuse('option_needed', 'a task needs a folder', '--workspace', 'name one: --workspace .');
  const tools = orStop(await openTaskTools(folder, options), (error) => toolsProblem(error, folder));
  const session =
    options.after.length === 0 ? [] : await (await import('../kits/controller/after.js')).readAfter(options.after);
  const players = await readPlayers(options.proposer, modelOptions(context, options));
  const policy = await policyOf(options, tools.listed, players.casting, players.units.size > 0);
  const workspace = realpathSync(tools.workspace);
  const input = { text, session, deadline_us: deadlineOf(options) };
  const identity = identityOf(options, {
    machine: { name: controller.name, version: controller.version },
    policy,
    // In a store a task is one of its folder: the same words elsewhere are another run.
    input: store === undefined ? input : { ...input, workspace },
    with: { workspace, memory: memoryUrl ?? null, ...(await answeringWith(options)) },
  });
  const { run_id } = identity;
  const memory = await memoryNamed(context, memoryUrl);
  requireOutside(folder, output, [store, memoryUrl]);
  return keepRun(options, { run_id, workspace }, async (kept) => {
    const start = { ...identity, policy, input };
    const driven = await driveControl(context, {
      start,
      runId: run_id,
      kept,
      tools,
      memory,
      options,
      players,
    });
    return tellControl(context, { ...driven, memory, options, workspace: tools.workspace, identity });
  });
}

/** Raises `Stop`, `workspace`: the tools of a task must not reach its own records, nor what it shares with others. */
export function requireOutside(
  workspace: string,
  output: string | undefined,
  stores: readonly (string | undefined)[],
): void {
  const kept = stores.map((url) => /^(?:file|sqlite):(.*?)(?:#[^#]*)?$/s.exec(url ?? '')?.[1]);
  for (const path of [output, ...kept]) {
    const way = path === undefined ? '' : relative(realpathSync(workspace), wholePath(path));
    if (path !== undefined && !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way))
      throw misuse(
        'workspace',
        'the tools of this task could change its own records there',
        path,
        `name a folder outside ${workspace}`,
      );
  }
}

/** A path without links, as far as it is there. */
function wholePath(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) ? realpathSync(whole) : join(wholePath(dirname(whole)), basename(whole));
}

/** Options of `resume`, as a task takes them. */
export type ResumeTask = TaskOptions & {
  readonly store?: string;
  readonly proposer: readonly string[];
  readonly output?: string;
} & ModelFlags;

/**
 * Goes on with a stored task and writes what `control` would have written; of one that is over, only writes,
 * and where a folder is named it is the one of the task. Machine, policy and words are those of its first
 * record; folder, tools and models are the caller's. `keptWorkspace`: what the claim of its folder says, for the
 * line to type. Exit codes as `control`. Raises `Stop`: `option_needed`, `tools_differ`, `other_workspace`, `cast`.
 */
export async function resumeTask(
  context: Context,
  kept: Kept,
  begun: Begun,
  {
    models,
    keptWorkspace,
    ...given
  }: ResumeTask & { readonly models: ModelOptions; readonly keptWorkspace: string | null },
): Promise<ExitCode> {
  const { run_id } = begun.identity;
  const { store, place } = kept;
  requireVersion(begun, controller.version);
  const task = { ...begun.identity, input: begun.input, policy: begun.policy };
  const options: ControlOptions = {
    ...given,
    allow: [],
    set: [],
    after: [],
    clock: false,
    dream: given.dream ?? 'end',
  };
  const loaded = await loadRun(controller, run_id, store);
  if (loaded._tag === 'Left') throw driveProblem(loaded.left, run_id, place);
  const { run } = loaded.right;
  const memory = await memoryNamed(context, options.memory);
  const due = loaded.right.due.length;
  let driven: Driven;
  const { workspace } = options;
  let folder = workspace ?? '(not needed: the run was finished)';
  if (run.outcome === null) {
    const { shell, memory: url } = options;
    if (workspace === undefined && keptWorkspace !== null)
      throw misuse(
        'option_needed',
        'name the workspace: assay does not take it from a folder of results',
        '--workspace',
        show`if you trust them, type: ${
          resumeControl(run_id, { ...options, workspace: keptWorkspace }) ?? ''
        }`,
      );
    const again = await toolsAgain(task, { workspace, shell, hasMemory: url !== undefined });
    const tools = orStop(again, (error) => toolsProblem(error, workspace ?? ''));
    folder = tools.workspace;
    requireOutside(folder, given.output, [given.store, given.memory]);
    const players = await readPlayers(options.proposer, models);
    const answers = orStop(rolesAgain(task, await recordsIn(store, run_id, place), players), rolesProblem);
    if (options.proposer.length === 0 && answers === 0)
      context.output.note(show`assay: no role has answered yet and none is named; the rules play all roles`);
    driven = await driveControl(context, {
      start: run_id,
      runId: run_id,
      kept,
      tools,
      memory,
      options,
      players,
    });
  } else {
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
  return tellControl(context, {
    ...driven,
    memory,
    options,
    workspace: folder,
    identity: begun.identity,
  });
}

/** The memory that is named, null for none: what speaks of memories is loaded only then. */
async function memoryNamed(context: Context, given: string | undefined): Promise<ControlMemory | null> {
  return given === undefined ? null : (await import('../kits/controller/memory.js')).memoryOf(given, context.output);
}
