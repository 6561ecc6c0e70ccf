/**
 * `assay control`: a task done in a workspace, round by round, with evidence; and `assay resume` of one.
 *
 * @module
 */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { openTaskTools, rolesAgain, sameFolder, toolsAgain } from '@assay/agent';
import { headOf } from '@assay/kernel';
import { controller } from '@assay/controller';
import { loadRun, maskedAddress, memoryStore, type Store } from '@assay/host';
import type { Context } from './context.js';
import { driveControl, type Driven } from './control/drive-control.js';
import type { ControlMemory } from './control/memory.js';
import { keptAt, keptUnder, type ControlOptions, type TaskOptions } from './control/options.js';
import { readPlayers } from './control/players.js';
import { policyOf } from './control/policy.js';
import { rolesProblem, toolsProblem } from './control/problems.js';
import { tellControl } from './control/tell-ended.js';
import type { ExitCode } from '../problems/exit.js';
import { deadlineOf } from '../options/deadline.js';
import { identityOf } from '../options/identity.js';
import { writeAll } from '@assay/host/files';
import { fileOfProposer, llmFiles, type ModelFlags, type ModelOptions } from '../options/llm.js';
import { openStore, type NamedStore } from '../files/store.js';
import { orStop } from '../problems/or-stop.js';
import { misuse } from '../problems/problem.js';
import { commandLine } from '../terminal/quote.js';
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
 * answer too, 5 where that is because a model was not reached, 6 where it waits for a person. With `--store`
 * or `-o`, the same call, or `resume`, goes on with a run that was cut off or waits. The memory is told last, when
 * everything is written; where it could not be told, the exit is at least that of its store (5, or 3 where it
 * does not hold). Raises `Stop`.
 */
export async function control(context: Context, text: string, options: ControlOptions): Promise<ExitCode> {
  if (options.output !== undefined) {
    requireOutputs(options.output, inputsOf(options));
    await requireOutsideStores(options.output, [options.store, options.memory]);
  }
  const { workspace: folder } = options;
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
    options.after.length === 0 ? [] : await (await import('./control/after.js')).readAfter(options.after);
  const players = await readPlayers(options.proposer, modelOptions(context, options));
  const hasModels = players.units.size > 0;
  const policy = await policyOf(options, tools.listed, players.casting, hasModels);
  // In a store a task is one of its folder: the same words elsewhere are another run.
  const workspace = options.store === undefined ? {} : { workspace: realpathSync(tools.workspace) };
  const input = { text, session, deadline_us: deadlineOf(options) };
  const identity = identityOf(options, { ...input, ...workspace }, policy);
  const memory = await memoryNamed(context, options.memory);
  const url = keptAt(options);
  requireOutside(folder, options.output, [options.store, options.memory]);
  if (options.store === undefined && options.force === true) dropKept(options);
  const store = url === null ? memoryStore() : await openStore(url);
  const target = options.force === true ? undefined : options.output;
  let driven: Driven;
  try {
    if (options.store === undefined && options.output !== undefined) {
      await requireOnly(store, identity.run_id, options.output);
      await writeAll([{ path: workspaceOf(options.output), bytes: Buffer.from(realpathSync(folder)) }]);
    }
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
  const exit = await tellControl(context, {
    ...driven,
    memory,
    options,
    workspace: tools.workspace,
    identity,
  });
  dropKept(options);
  return exit;
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

/** Where a folder of results says which workspace its run is of. */
function workspaceOf(output: string): string {
  return join(keptUnder(output), 'workspace');
}

/** The workspace of a run that a folder keeps; another that is named is refused: `other_workspace`. */
function keptWorkspace({ store, output, workspace }: ResumeTask): string | undefined {
  if (store !== undefined || output === undefined || !existsSync(workspaceOf(output))) return workspace;
  const kept = readFileSync(workspaceOf(output), 'utf8');
  if (workspace !== undefined && (!existsSync(workspace) || realpathSync(workspace) !== kept))
    throw toolsProblem({ code: 'other_workspace' }, workspace);
  return kept;
}

/** What was kept beside the results, once these are written. */
function dropKept({ store, output }: Pick<ControlOptions, 'store' | 'output'>): void {
  if (store === undefined && output !== undefined)
    rmSync(keptUnder(output), { recursive: true, force: true });
}

/** Raises `Stop`, `exists`, where another run is kept in a folder and is not over. */
async function requireOnly(store: Store, runId: string, folder: string): Promise<void> {
  const listed = await store.list();
  if (listed._tag === 'Right' && listed.right.some((other) => other !== runId))
    throw misuse(
      'exists',
      'another run waits in this folder; nothing was done or written',
      folder,
      show`type: ${commandLine(['assay', 'resume', folder])}, or replace it with --force`,
    );
}

/** Every file that a call names to read from. */
function inputsOf({ policy, llm, proposer, after }: ControlOptions): readonly string[] {
  return [policy, ...llmFiles({ llm }), ...after]
    .filter((path) => path !== undefined)
    .concat(proposer.flatMap((name) => fileOfProposer(name.replace(/^R\d[ab]?=/, '')) ?? []));
}

/** Options of `resume`, as a task takes them. */
export type ResumeTask = TaskOptions & {
  readonly store?: string;
  readonly proposer: readonly string[];
  readonly output?: string;
  readonly force?: boolean;
} & ModelFlags;

/**
 * Goes on with a stored task and writes what `control` would have written; of one that is over, only writes,
 * and where a folder is named it is the one of the task. Machine, policy and words are those of its first
 * record. Leaves the store open. Exit codes as `control`. Raises `Stop`: `option_needed`, `tools_differ`,
 * `other_workspace`, `cast`.
 */
export async function resumeTask(
  context: Context,
  store: NamedStore,
  begun: Begun,
  { models, ...given }: ResumeTask & { readonly models: ModelOptions },
): Promise<ExitCode> {
  const { run_id } = begun.identity;
  const place = maskedAddress(keptAt(given) ?? '');
  requireVersion(begun, controller.version);
  const task = { ...begun.identity, input: begun.input, policy: begun.policy };
  const target = given.force === true ? undefined : given.output;
  if (target !== undefined) await requireRoom(controller, target, run_id, store, place);
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
  let folder = options.workspace ?? '(not needed: the run was finished)';
  if (run.outcome === null) {
    const { shell, memory: url } = options;
    const workspace = keptWorkspace(given);
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
  const exit = await tellControl(context, {
    ...driven,
    memory,
    options,
    workspace: folder,
    identity: begun.identity,
  });
  dropKept(given);
  return exit;
}

/** The memory that is named, null for none: what speaks of memories is loaded only then. */
async function memoryNamed(context: Context, given: string | undefined): Promise<ControlMemory | null> {
  return given === undefined ? null : (await import('./control/memory.js')).memoryOf(given, context.output);
}
