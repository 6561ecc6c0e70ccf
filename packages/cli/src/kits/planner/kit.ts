/**
 * `assay plan`: what a goal can cost, whether it fits, and the least that makes it fit, with evidence.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import type { Ports } from '@assay/host';
import { eventsIn } from '@assay/host/shared-run';
import { field, isArray, isObject, type Json, type JsonObject, type Request } from '@assay/kernel';
import { ASK_KINDS, parsePolicy, planner } from '@assay/planner';
import { openPerson } from '../../call/person.js';
import { realPath } from '../../files/write.js';
import { fileOfProposer, readBudget, withoutBudget } from '../../options/llm.js';
import { answeringWith, openedUnder } from '../../options/settings.js';
import { misuse, needsOption } from '../../problems/problem.js';
import { driveMachine } from '../../start/drive-machine.js';
import type {
  RunAt,
  Call,
  Kit,
  Opening,
  Play,
  ResumeFlags,
  AskFlags,
  Stored,
  Waiting,
} from '../../start/kit.js';
import { liveDrive, modelOptions } from '../../start/model-failures.js';
import { requireApart } from '../../start/places.js';
import { startWith, type Verb } from '../../start/start.js';
import { recordsIn } from '../../start/results.js';
import { show } from '../../terminal/shown.js';
import type { Carried } from './execute.js';
import { readGoal, type GoalOptions } from './goal.js';
import { doneLine, fieldText, hireText, PLAN_ANSWERS } from './person.js';
import { readPlanPlayers, type PlanPlayers } from './players.js';
import {
  callBound,
  checkDraft,
  forAgent,
  planPolicy,
  readChecks,
  readCommands,
  requireCarried,
  requireChecks,
  type Checks,
} from './policy.js';

/** What a call is given. */
type PlanFlags = AskFlags &
  GoalOptions & {
    readonly check?: readonly string[];
    readonly track?: boolean;
  };

/** Goals planned, and plans carried out. */
export const plannerKit: Kit<PlanFlags> = {
  machine: planner,
  settings: ['check'],
  paths: async (...given) => (await import('./paths.js')).planPaths(...given),
  recorded: {
    what: 'kind',
    slots: () => ASK_KINDS,
    slotOf: ({ kind }) => kind,
    again: ['assay', 'plan', 'GOAL'],
  },
  worksIn: ({ policy }) => field(policy, 'mode') === 'solve',
  resumes: ['workspace', 'library', 'check'],
  answers: PLAN_ANSWERS,
  input,
  again,
};

/** `assay plan`. */
export const plan: Verb = startWith(plannerKit);

/** Raises `Stop`. */
async function input({ context, words: [given], flags }: Call<PlanFlags>): Promise<Opening> {
  const { proposer } = flags;
  const checks = readChecks(flags.check);
  if (flags.workspace === undefined) requireCarried(flags.workspace, checks);
  const execute = flags.workspace !== undefined;
  if (execute && flags.track === true)
    throw misuse(
      'conflict',
      'an agent or people carry a plan out',
      '--track',
      'leave one of --workspace, --track out',
    );
  const named = checks.map(({ name }) => name);
  const { goal, from, ...read } = await readGoal(given, flags);
  const split = execute && read.split !== null ? forAgent(read.split, named) : read.split;
  const players = await readPlanPlayers({
    names: proposer,
    models: modelOptions(context, flags),
    split,
    person: openPerson(context),
  });
  if (split === null && !proposer.some((name) => name.startsWith('llm:') || fileOfProposer(name) !== null))
    throw needsOption(
      'no rule turns a goal in words into tasks',
      '--proposer',
      'name a template such as cli, a plan file, or a model with --proposer llm:PROVIDER/MODEL',
    );
  const defaults = await planPolicy({
    mode: execute ? 'solve' : flags.track === true ? 'track' : 'plan',
    checks,
    extract: players.hasJudge,
    survey: players.hasJudge,
    solver: players.hasSolver,
    library: flags.library !== undefined,
    budget: readBudget(flags.llm, players.units),
    hasPlan: split !== null,
    canBuild: proposer.some((name) => fileOfProposer(name) !== null),
    hasModel: proposer.some((name) => name.startsWith('llm:')),
  });
  const constraints = [...read.constraints, ...named.map(checkDraft)] as unknown as Json;
  const whole = {
    policy: defaults,
    input: { goal, modality: 'text', constraints, suggestions: [], strikes: [] },
  };
  const opened = await openedUnder(whole, flags.set);
  const workspace = flags.workspace === undefined ? null : realPath(flags.workspace);
  return {
    ...opened,
    with: { split, workspace, library: flags.library ?? null, ...(await answeringWith(flags)) },
    workspace,
    play: (at) =>
      played({ context, flags }, at, {
        policy: opened.policy,
        checks,
        players,
        from,
        goal,
      }),
  };
}

/** What its tasks were is recorded, so the rules need no file again; everybody else is named again. Raises `Stop`. */
async function again({ context, flags }: Call<ResumeFlags>, stored: Stored): Promise<Play> {
  const { begun, kept } = stored;
  const records = await recordsIn(kept.store, stored.identity.run_id, kept.place);
  const split = records
    .map(({ payload }) => (isObject(payload ?? null) ? field(payload as JsonObject, 'value') : undefined))
    .find((value) => isObject(value ?? null) && isArray((value as JsonObject)['tasks']));
  const players = await readPlanPlayers({
    names: flags.proposer,
    models: modelOptions(context, flags),
    split: split === undefined ? null : (split as JsonObject),
    person: openPerson(context),
  });
  const goal = field(begun.input, 'goal');
  return played({ context, flags }, stored, {
    policy: begun.policy,
    checks: readChecks(flags.check),
    players,
    from: 'the store',
    goal: typeof goal === 'string' ? goal : '',
  });
}

/** A plan, and who answers. */
type Playing = {
  readonly policy: JsonObject;
  /** Checks, as they were typed. */
  readonly checks: Checks;
  readonly players: PlanPlayers;
  readonly from: string;
  readonly goal: string;
};

type Caller = { readonly context: Call<unknown>['context']; readonly flags: AskFlags };

async function played(caller: Caller, at: RunAt, playing: Playing): Promise<Play> {
  const { context, flags } = caller;
  const { policy, players, from, goal } = playing;
  const carried = await carriedBy(caller, at, playing);
  // The machine keeps its own budget, so the host holds none. Source: dec-K75.
  const bare = { ...flags, llm: withoutBudget(flags.llm) };
  const live = liveDrive({ units: players.units, slots: 1, journal: at.kept.journal, flags: bare });
  const { library } = flags;
  const shared =
    library === undefined
      ? null
      : await (await import('./execute.js')).openLibrary(library, at.kept.store, at.identity.run_id);
  const own = players.portsOf(callBound(policy));
  const whole = carried?.portsOf(own) ?? own;
  const ports: Ports = shared === null ? whole : (request) => shared.ports(request) ?? whole(request);
  return {
    about: `request from ${from}, ${[...goal].length} characters`,
    drive: (given) => driveMachine(planner, at, { ...given, ports, live }),
    isTalking: context.readLine !== null,
    misses: players.misses,
    again: {
      llm: bare.llm,
      proposer: flags.proposer.filter((name) => name !== 'rules'),
    },
    waits: waitingFor,
    pages: carried === null ? ['decision', 'result'] : ['decision', 'course', 'result'],
    tell: async ({ artifacts }) => {
      const paths = (await carried?.end(artifacts.get('assembly') ?? null)) ?? [];
      const lines = paths.map((path, index) => show`${index === 0 ? 'carried out' : '           '} ${path}`);
      return { lines, more: { artifacts: Object.fromEntries(artifacts), carried: paths } };
    },
    ...(shared === null ? {} : { end: async () => ({ problem: await shared.close() }) }),
  };
}

/** How a plan is carried out; null where it is only planned. What acts is loaded only then. */
async function carriedBy(
  { context, flags }: Caller,
  at: RunAt,
  { policy: given, checks, players }: Playing,
): Promise<Carried | null> {
  const {
    kept,
    identity: { run_id: runId },
  } = at;
  const { workspace, proposer: names, output } = flags;
  if (field(given, 'mode') !== 'solve') {
    requireCarried(workspace, checks);
    return null;
  }
  const policy = parsePolicy(given);
  // What is wrong with it, the machine says.
  if (policy._tag === 'Left') return null;
  const head = await kept.store.head(runId);
  const isStored = head._tag === 'Right' && head.right !== null;
  const named = isStored ? readCommands(eventsIn(await recordsIn(kept.store, runId, kept.place))) : [];
  requireChecks(checks, [...policy.right.checks, ...named]);
  for (const { name, command } of named) players.commands.set(name, command);
  if (workspace === undefined)
    throw needsOption('carrying out needs a folder', '--workspace', 'name one: --workspace work');
  if (existsSync(workspace)) requireApart(workspace, flags);
  const { carrying } = await import('./execute.js');
  const models = modelOptions(context, flags);
  return carrying({ runId, kept, policy: policy.right, players, workspace, names, models, output });
}

/** Who must answer, and to what. */
function waitingFor(open: readonly Request[]): Waiting {
  const done = open.flatMap(({ kind, body }) => (kind === 'done' && isObject(body) ? [body] : []));
  const said = open.map(({ kind, body }) => {
    if (kind === 'hire' && isObject(body)) return `a person: ${hireText(body)}`;
    if (kind === 'done' && isObject(body)) return `a person: ${fieldText(body, 'task')} is to be done`;
    return kind === 'extract' && isObject(body) && (body['conflicts'] as readonly unknown[]).length > 0
      ? 'a person: constraints contradict each other'
      : `an answer to ${kind}`;
  });
  // Tasks that were not recorded yet, or a model: resume has neither unless it is named.
  const isUnnamed = said.some((each, at) => !each.startsWith('a person') && open[at]?.kind !== 'capability');
  const asks = [...(open.some(({ kind }) => kind === 'hire') ? [['hire']] : []), ...done.map(doneLine)];
  return { said: said.join('; '), place: '', again: isUnnamed ? null : {}, asks, isShown: done.length > 0 };
}
