/**
 * `assay task`: a task done in a workspace, round by round, with evidence.
 *
 * @module
 */
import { startWith, type Verb } from '../../start/start.js';
import type * as Memory from './memory.js';
import { existsSync, realpathSync } from 'node:fs';
import { CAST, findCast, controller, roundsIn, type ConfirmBody } from '@assay/controller';
import {
  JUDGED_KINDS,
  TASK_CONCURRENCY,
  driveTask,
  endedTask,
  openTaskTools,
  rolesAgain,
  sameFolder,
  toolsAgain,
  type Task,
  type TaskTools,
} from '@assay/controller/shell';
import { TOOL_NAMES, isToolName } from '@assay/effector';
import { loadRun, memoryOutputs, type Journal } from '@assay/host';
import type { Head } from '@assay/kernel';
import { openPerson } from '../../call/person.js';
import { readText } from '../../files/read.js';
import { storeProblem } from '../../files/store.js';
import { parseDeadline, answeringWith } from '../../options/settings.js';
import { orStop, needsOption, badValue } from '../../problems/problem.js';
import { driveMachine, driveProblem, type Driving } from '../../start/drive-machine.js';
import type { RunAt, Call, Kit, Opening, Play, ResumeFlags, AskFlags, Stored } from '../../start/kit.js';
import { liveDrive, modelOptions, type LiveDrive } from '../../start/model-failures.js';
import { requireApart } from '../../start/places.js';
import { recordsIn } from '../../start/results.js';
import { commandLine, show } from '../../terminal/shown.js';
import {
  answerLines,
  becauseText,
  confirmText,
  confirmationLines,
  liveLines,
  nearestLines,
  stoppedLines,
  waitingFor,
} from './lines.js';
import { readPolicy, readPlayers, rolesProblem, toolsProblem, type NamedPlayers } from './players.js';

/** What a call is given beside the task. */
export type TaskFlags = AskFlags & {
  readonly allow: readonly string[];
  readonly confirm: readonly string[];
  readonly set: readonly string[];
  readonly after: readonly string[];
  readonly deadline?: string;
  readonly dream?: string;
};

/** Tasks done by the controller. */
export const controllerKit: Kit<TaskFlags> = {
  machine: controller,
  settings: ['deadline', 'dream'],
  worksIn: () => true,
  recorded: {
    what: 'role',
    slots: () => CAST,
    slotOf: ({ kind }) => findCast(kind),
    again: ['assay', 'task', 'TASK', '--workspace', 'DIR'],
  },
  resumes: ['workspace', 'confirm', 'memory'],
  answers: {
    confirm: {
      asks: (body) => confirmText(body as unknown as ConfirmBody),
      words: [
        { usage: 'yes', form: /^y(?:es)?$/i, value: () => ({ approved: true, note: null }) },
        {
          usage: 'no: REASON',
          form: /^no?(?:: *(?<why>.+))?$/is,
          value: ({ why }) => ({ approved: false, note: why ?? null }),
        },
      ],
    },
  },
  input,
  again,
};

/** `assay task`. */
export const doTask: Verb = startWith(controllerKit);

/** Raises `Stop`. */
async function input({ context, words: [given = ''], flags }: Call<TaskFlags>): Promise<Opening> {
  const { workspace: folder, store, memory } = flags;
  if (folder === undefined)
    throw needsOption('a task needs a folder', '--workspace', 'name one: --workspace .');
  const allowed = flags.allow.length === 0 ? {} : { allow: flags.allow };
  const tools = orStop(await openTaskTools(folder, allowed), (error) => toolsProblem(error, folder));
  const session = flags.after.length === 0 ? [] : await (await import('./after.js')).readAfter(flags.after);
  const players = await readPlayers(flags.proposer, modelOptions(context, flags));
  const text = existsSync(given) ? await readText(given) : given;
  const whole = { text, session, deadline_us: parseDeadline(flags.deadline) };
  const opened = await readPolicy(flags, whole, tools.listed, players);
  const workspace = realpathSync(tools.workspace);
  return {
    ...opened,
    // In a store a task is one of its folder: the same words elsewhere are another run.
    named: store === undefined ? opened.input : { ...opened.input, workspace },
    with: { workspace, memory: memory ?? null, ...(await answeringWith(flags)) },
    workspace,
    play: (at) => played({ context, flags }, at, tools, players),
  };
}

/** Words and policy are those of the first record; folder, tools and models are named again. Raises `Stop`. */
async function again({ context, flags, words: [given] }: Call<ResumeFlags>, stored: Stored): Promise<Play> {
  const { begun, kept, workspace: claimed } = stored;
  const { run_id } = stored.identity;
  const { workspace, memory } = flags;
  const task = { ...begun.identity, input: begun.input, policy: begun.policy };
  const loaded = await loadRun(controller, run_id, kept.store);
  if (loaded._tag === 'Left') throw driveProblem(loaded.left, run_id, kept.place);
  if (loaded.right.run.outcome !== null) {
    if (workspace !== undefined)
      orStop(await sameFolder(task, workspace), (error) => toolsProblem(error, workspace));
    return over({ context, flags }, stored, await memoryNamed({ context, flags }));
  }
  if (workspace === undefined && claimed !== null)
    throw needsOption(
      'name the workspace: assay does not take it from a folder of results',
      '--workspace',
      show`if you trust it, type: ${commandLine(['assay', 'resume', given ?? '', '--workspace', claimed])}`,
    );
  const opened = await toolsAgain(task, { workspace, hasMemory: memory !== undefined });
  const tools = orStop(opened, (error) => toolsProblem(error, workspace ?? ''));
  requireApart(tools.workspace, flags);
  const players = await readPlayers(flags.proposer, modelOptions(context, flags));
  const answers = orStop(
    rolesAgain(task, await recordsIn(kept.store, run_id, kept.place), players),
    rolesProblem,
  );
  if (flags.proposer.length === 0 && answers === 0)
    context.output.note(show`assay: no role has answered yet and none is named; the rules play all roles`);
  return played({ context, flags }, stored, tools, players);
}

type Named = Awaited<ReturnType<typeof Memory.openMemory>> | null;
type Caller = {
  readonly context: Call<unknown>['context'];
  readonly flags: AskFlags & { readonly confirm: readonly string[]; readonly dream?: string };
};

async function played(
  { context, flags }: Caller,
  at: RunAt,
  tools: TaskTools,
  players: NamedPlayers,
): Promise<Play> {
  const { store, journal, place } = at.kept;
  const { run_id: runId } = at.identity;
  const memory = await memoryNamed({ context, flags });
  const person = openPerson(context);
  const live = judgedWithin(players.units, journal, flags);
  const task = (given: Omit<Driving, 'ports'>): Task<Awaited<ReturnType<Play['drive']>>> => ({
    start: at.start,
    runId,
    store,
    tools: tools.tools,
    portsOf: players.portsOf,
    person,
    confirmed: readConfirmed(flags.confirm),
    recall: memory?.portFor(() => headIn(at)) ?? null,
    outputs: journal?.outputs ?? memoryOutputs(),
    done:
      journal?.done({
        onUnusable: (path, why) =>
          context.output.note(
            show`assay: the journal of tool calls in ${path} is incomplete (${why}); a call may be repeated`,
          ),
      }) ?? null,
    onAppend: (records, rounds) => {
      for (const line of liveLines(records, rounds)) context.output.progress(line);
    },
    drive: (machine, driving) => driveMachine(machine, at, { ...given, ...driving, live }),
  });
  return {
    ...over({ context, flags }, at, memory, players.misses),
    about: `task in ${tools.workspace}`,
    again: { workspace: tools.workspace, confirm: [...new Set(flags.confirm)] },
    onEvent: () => undefined,
    waits: (open, records) => waitingFor(open, records, flags.confirm),
    drive: async (given) => orStop(await driveTask(task(given)), (error) => storeProblem(error, place)).ended,
  };
}

/** A task of which nothing is left to do but to be told. */
function over(
  { context, flags }: Caller,
  at: RunAt,
  memory: Named,
  misses: NamedPlayers['misses'] = new Map(),
): Play {
  return {
    about: 'task, done before',
    misses,
    pages: ['result'],
    onEvent: () => undefined,
    drive: (given) => driveMachine(controller, at, { ...given, ports: () => null }),
    who: ({ kind }) => findCast(kind) ?? kind,
    tell: async (ended) => {
      const task = endedTask(ended.records, ended, readConfirmed(flags.confirm));
      const { cause, confirmations, result, stopped_at } = task;
      return {
        because: becauseText(cause),
        answer: task.isUnread ? await nearestLines(task, ended.records) : answerLines(ended.records, result),
        lines: [...stoppedLines(stopped_at), ...confirmationLines(confirmations)],
        more: {
          ...{ rounds: roundsIn(ended.records), final_result: result, cause, stopped_at, confirmations },
          recording_misses: misses.size,
        },
      };
    },
    end: async (ended) => {
      if (memory === null || ended === null) return { problem: null, more: { memory_untold: null } };
      const problem = await (await import('./memory.js')).tellMemory(context, memory, ended, flags);
      const { exit: _, typed: __, ...untold } = problem ?? { exit: 0 };
      return { problem, more: { memory_untold: problem === null ? null : untold } };
    },
  };
}

/** The memory that is named, null for none: what speaks of memories is loaded only then. */
async function memoryNamed({ context, flags: { memory } }: Caller): Promise<Named> {
  return memory === undefined ? null : (await import('./memory.js')).openMemory(memory, context.output);
}

async function headIn({ kept: { store, place }, identity: { run_id } }: RunAt): Promise<Head> {
  const head = orStop(await store.head(run_id), (error) => storeProblem(error, place));
  if (head === null) throw new Error(`no records of ${run_id}`);
  return head;
}

/**
 * How models are asked: within the budget, with a journal of the calls begun. `--llm timeout` holds for judgements,
 * and neither for a person nor for work, which has limits of its own. Raises `Stop`: `bad_value`.
 */
function judgedWithin(units: ReadonlySet<string>, journal: Journal | null, flags: AskFlags): LiveDrive {
  const { deadlines, ...live } = liveDrive({ units, slots: TASK_CONCURRENCY, journal, flags });
  const call = deadlines?.call ?? null;
  if (deadlines === undefined) return live;
  return { ...live, deadlines: { kinds: Object.fromEntries(JUDGED_KINDS.map((kind) => [kind, call])) } };
}

/**
 * Reads `--confirm TOOL:TARGET`: an action that a person allows beforehand, by what the tool says it is about.
 * Raises `Stop`: `bad_value`.
 */
function readConfirmed(given: readonly string[]): Task<unknown>['confirmed'] {
  return given.map((text) => {
    const at = text.indexOf(':');
    if (at < 1 || at === text.length - 1)
      throw badValue(
        'an action needs a tool and what it acts on',
        `--confirm ${text}`,
        'write it like --confirm remove_file:old.txt',
      );
    const tool = text.slice(0, at);
    if (!isToolName(tool))
      throw badValue('unknown tool', `--confirm ${text}`, `the tools are ${TOOL_NAMES.join(', ')}`);
    return { tool, target: text.slice(at + 1) };
  });
}
