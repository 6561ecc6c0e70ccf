/**
 * `assay world run`: minds live in a world: scripted ones in virtual time, models in the time of the wall.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Head, JsonObject } from '@assay/kernel';
import { formatTime, type Ecology, type EcologyState } from '@assay/ecology';
import {
  Builtins,
  makeDraw,
  playScripted,
  readMinds,
  readScore,
  ResponseLog,
  type Decided,
  type Injected,
  type Minds,
  type Scripted,
  type ScriptedEnd,
  type WorldPorts,
} from '@assay/ecology/shell';
import { shortenName } from '../../files/read.js';
import { storeProblem } from '../../files/store.js';
import type { ModelFlags } from '../../options/llm.js';
import { hashOfFiles, openedUnder } from '../../options/settings.js';
import { EXIT, makeStop, misuse, orStop, needsOption, badValue } from '../../problems/problem.js';
import type {
  RunAt,
  Call,
  Kit,
  LifeFlags,
  Opening,
  Play,
  ResumeFlags,
  Stored,
  StartFlags,
} from '../../start/kit.js';
import { describeEnd, recordsIn, resultsIn } from '../../start/results.js';
import { startWith, type Verb } from '../../start/start.js';
import { show, valueIn } from '../../terminal/shown.js';
import { driveAsked, isAsked, openAsked, type Asked, type AskedEnd } from './asked.js';
import { applyKit, chooseMachine, openWorld } from './kit.js';
import { serveWorld, type Door } from './serve.js';
import { makeReply, parseLength, readActions, readWorld, type ActionLine } from './world-file.js';

type RunFlags = StartFlags &
  LifeFlags &
  ModelFlags & { readonly seed?: string; readonly serve?: string; readonly tokens?: string };

/** Worlds in which minds live. */
export const ecologyKit: Kit<RunFlags> = {
  ...applyKit,
  resumes: ['mind', 'until', 'records', 'step', 'inject', 'budget'],
  input,
  again,
};

/** `assay world run`. */
export const runWorld: Verb = startWith(ecologyKit);

/** How long a world lasts where neither its file nor the call says. */
const USUAL_END_US = 3_600_000_000;

/** Raises `Stop`. */
async function input({ context, words: [path = ''], flags: given }: Call<RunFlags>): Promise<Opening> {
  const flags = withBudget(given);
  const world = await readWorld(path);
  const seed = readSeed(flags.seed);
  const asked = await readAsked({ context, flags });
  const door = flags.serve === undefined ? null : { serve: flags.serve, tokens: flags.tokens };
  const module = asked === null ? (flags.mind ?? world.minds) : world.minds;
  const cast = (asked ?? door) !== null && module === null ? null : await readCast(module, path);
  const bounds = readBounds(flags);
  const whole = { policy: world.policy as JsonObject, input: world.input as JsonObject };
  const opened = await openedUnder(whole, flags.set);
  const isBounded = flags.until !== undefined || flags.records !== undefined || flags.step === true;
  const end_us = world.end_us ?? (isBounded ? null : USUAL_END_US);
  const machine = await chooseMachine(world.isEngineNeeded);
  return {
    ...opened,
    isRepeatable: door === null && (asked === null || asked.mind === null),
    engine: machine.engine ?? null,
    with: {
      ...{ seed, mind: cast?.hash ?? null, files: await hashOfFiles(namedFiles(flags)) },
      ...(asked === null || asked.mind === null ? {} : { asked: flags.mind ?? null, llm: flags.llm }),
    },
    play: (at) =>
      play({ context, flags }, at, { machine, asked, door, cast, seed, file: path, ...bounds, end_us }),
  };
}

/** `--budget UNIT=N` as the option of models that it stands for. */
function withBudget<F extends ModelFlags & LifeFlags>(flags: F): F {
  const budget = (flags.budget ?? []).map((each) => `budget.${each}`);
  return budget.length === 0 ? flags : { ...flags, llm: [...flags.llm, ...budget] };
}

/** Models or a recording, where `--mind` names them. Raises `Stop`. */
async function readAsked(call: {
  readonly context: Call<unknown>['context'];
  readonly flags: ModelFlags & LifeFlags;
}): Promise<Asked | null> {
  const { mind = '', llm } = call.flags;
  if (isAsked(mind)) return openAsked(mind, call);
  if (llm.length > 0)
    throw misuse(
      'foreign_option',
      'scripted minds ask no model',
      '--budget, --llm',
      'leave it out, or give --mind llm:…',
    );
  return null;
}

function namedFiles({ mind = '', inject }: LifeFlags): readonly string[] {
  return [
    ...(mind.startsWith('recorded:') ? [mind.slice('recorded:'.length)] : []),
    ...[inject ?? []].flat(),
  ];
}

/** Goes on with a stored world: seed and end stand in its ledger, its minds are named again. Raises `Stop`. */
async function again(call: Call<ResumeFlags>, stored: Stored): Promise<Play> {
  const { kept, identity, begun } = stored;
  const { context, words } = call;
  const [file = ''] = words;
  const flags = withBudget(call.flags);
  const asked = await readAsked({ context, flags });
  const machine = await chooseMachine(begun.by.engine !== null);
  if (asked !== null) {
    const end_us = asked.recording === null ? null : USUAL_END_US;
    const living = { machine, asked, cast: null, seed: 1, file, ...readBounds(flags), end_us };
    return play({ context, flags }, stored, living);
  }
  const records = await recordsIn(kept.store, identity.run_id, kept.place);
  const lived = records.findLast(
    ({ kind, payload }) =>
      kind === 'proposal' && typeof valueIn(valueIn(payload, 'provenance'), 'seed') === 'number',
  );
  if (lived === undefined) return applyKit.again(call, stored);
  const provenance = valueIn(lived.payload, 'provenance');
  if (flags.mind === undefined)
    throw needsOption(
      'a world continues with its minds, which are code',
      '--mind',
      'name the module: --mind minds.mjs',
    );
  const cast = await readCast(flags.mind, file);
  const recorded = valueIn(provenance, 'mind');
  if (recorded !== cast.hash)
    context.output.note(
      show`assay: ${flags.mind} is another module than the one that lived in this world so far`,
    );
  const end = valueIn(provenance, 'end_us');
  const bounds = readBounds(flags);
  if (typeof end !== 'number' && Object.values(bounds).every((bound) => bound === null))
    throw needsOption('this world has no end of its own', '--until', 'say how far: --until 2h');
  return play({ context, flags }, stored, {
    machine,
    asked: null,
    cast,
    seed: Number(valueIn(provenance, 'seed')),
    file,
    ...bounds,
    end_us: typeof end === 'number' ? end : null,
  });
}

type Cast = { readonly minds: Minds; readonly hash: string; readonly path: string };
type Bounds = Pick<Scripted, 'until_us' | 'records' | 'steps'>;
type Living = Bounds & {
  readonly machine: Ecology;
  /** Who is asked; null: all are scripted. */
  readonly asked: Asked | null;
  readonly door?: Door | null;
  readonly cast: Cast | null;
  readonly seed: number;
  readonly file: string;
  readonly end_us: number | null;
};

/** Reads who lives in a world. Raises `Stop`: `no_mind`, `bad_mind`. */
export async function readCast(path: string | null, world: string): Promise<Cast> {
  const remedy = 'write minds.mjs: export function mind(view, draw) { return [{ op: "noop" }]; }';
  if (path === null)
    throw misuse(
      'no_mind',
      'this world has no minds',
      world,
      show`give --mind MODULE, or ${remedy} beside it`,
    );
  if (!existsSync(path) || !statSync(path).isFile())
    throw misuse('no_mind', 'there is no such module of minds', `--mind ${path}`, remedy);
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 32);
  const builtins = new Builtins();
  const exported = (await import(`${pathToFileURL(resolve(path)).href}?${hash}`).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw misuse('bad_mind', `the module cannot be loaded: ${why}`, shortenName(path), remedy);
  })) as { readonly [name: string]: unknown };
  builtins.restore();
  const minds = readMinds(exported);
  if (typeof minds === 'string')
    throw misuse('bad_mind', `no module of minds: ${minds}`, shortenName(path), remedy);
  return { minds, hash, path };
}

function readSeed(given: string = '1'): number {
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw badValue('a seed is an integer of at most 15 digits', `--seed ${given}`, 'give such as --seed 7');
}

function readBounds({ until, records, step = false }: LifeFlags): Bounds {
  const until_us = until === undefined ? null : parseLength(until);
  if (until !== undefined && until_us === null)
    throw badValue('not a length of time', `--until ${until}`, 'give such as 90s, 10m, 2h or 7d');
  if (records !== undefined && !/^[1-9]\d{0,8}$/.test(records))
    throw badValue('not a number of records', `--records ${records}`, 'give such as --records 500');
  return { until_us, records: records === undefined ? null : Number(records), steps: step ? 1 : null };
}

type Ending = {
  readonly end: ScriptedEnd | AskedEnd | 'served';
  readonly state: EcologyState;
  readonly head: Head;
};

async function play(
  caller: {
    readonly context: Call<unknown>['context'];
    readonly flags: LifeFlags & ModelFlags & { readonly output?: string };
  },
  at: RunAt,
  living: Living,
): Promise<Play> {
  const { context, flags } = caller;
  const { asked, cast, door = null, machine, seed, file } = living;
  const { place } = at.kept;
  const score = cast?.minds.score ?? null;
  const served: Go = ({ signal = new AbortController().signal }) =>
    serveWorld(context, at, { machine, score, door: door as Door }, signal);
  const go =
    door !== null
      ? served
      : asked === null
        ? await scripted(caller, at, living)
        : askedGo(caller, at, { ...living, asked });
  let ended: Ending | null = null;
  return {
    about: `world of ${shortenName(file)}, ${door !== null ? 'served' : asked === null ? `seed ${seed}` : asked.name}`,
    pages: ['overview'],
    again: { mind: flags.mind ?? cast?.path },
    ...(asked === null ? { onEvent: () => undefined } : {}),
    drive: async (given) => {
      if (score === null && (asked?.scorer ?? asked?.recording ?? null) === null)
        context.output.note(
          show`assay: this world has no score, so no money is made: minds.mjs may export score`,
        );
      ended = await go(given);
      const { end, head } = ended;
      if (end === 'interrupted')
        throw makeStop({
          code: 'interrupted',
          message: `interrupted; ${place === '' ? 'this run was not saved' : `${head.count} records are saved`}`,
          place,
          remedy: given.again ?? 'run it again',
          exit: EXIT.interrupted,
        });
      return describeEnd(await recordsIn(at.kept.store, at.identity.run_id, place), head, 'success');
    },
    tell: ({ records }) => {
      const { end, state } = ended ?? { end: 'interrupted', state: null };
      const time = state === null ? '' : `, at ${formatTime(state.now_us)}`;
      return Promise.resolve({
        because: `${ENDS[end]}${time}`,
        more: {
          records: records.length,
          paused: end !== 'closed',
          ...Object.fromEntries(resultsIn(records)),
        },
      });
    },
  };
}

type Go = (given: Parameters<Play['drive']>[0]) => Promise<Ending>;

async function scripted(
  { context, flags }: { readonly context: Call<unknown>['context']; readonly flags: LifeFlags },
  at: RunAt,
  { machine, cast, seed, file, until_us, records, steps, end_us }: Living,
): Promise<Go> {
  if (cast === null) throw new TypeError('a scripted world has minds');
  const shown = new ResponseLog();
  const injected = flags.inject === undefined ? NO_LINES : await readLines(flags.inject);
  const world = await openWorld(machine, at, shortenName(file), (decided) => {
    shown.hear(decided);
    injected.skipTo(decided);
  });
  for (const said of listStrangers(cast.minds, world.state)) context.output.note(show`assay: ${said}`);
  const told = new Set<string>();
  const onThrown = (agent: string, error: unknown): void => {
    const said = tellThrown(agent, error);
    if (!told.has(said)) context.output.note(show`assay: ${said}`);
    told.add(said);
  };
  const bounds = { until_us, records, steps, end_us };
  return async ({ signal = new AbortController().signal }) => {
    const given = { minds: cast.minds, seed, mind: cast.hash, shown, injected, signal, onThrown, ...bounds };
    const played = await playScripted(world, given);
    return { ...orStop(played, (error) => storeProblem(error, at.kept.place)), state: world.state };
  };
}

/** What a mind threw, and where in its module. */
function tellThrown(agent: string, error: unknown): string {
  const who = agent === 'score' ? 'score' : `the mind of ${agent}`;
  if (!(error instanceof Error)) return `${who} threw ${String(error)}`;
  if (agent === '') return error.message;
  const [, file = '', line = ''] = /(\w[\w.-]*\.m?js)(?:\?\w*)?(:\d+:\d+)/.exec(error.stack ?? '') ?? [];
  return `${who} threw: ${error.message}${file === '' ? '' : ` (${file}${line})`}`;
}

/** Agents without a mind, and minds without an agent. */
function listStrangers({ mind, minds }: Minds, { config, accounts }: EcologyState): readonly string[] {
  const { initial, asked, mind: usual } = config.agents;
  const mindless =
    usual === 'asked' || mind !== null
      ? []
      : initial.filter((id) => !Object.hasOwn(minds, id) && !asked.includes(id));
  const strange = Object.keys(minds).filter((id) => !accounts.has(id));
  return [
    ...(mindless.length === 0 ? [] : [`without a mind: ${mindless.join(', ')}`]),
    ...(strange.length === 0
      ? []
      : [`no agents of this world yet, for all that they have minds: ${strange.join(', ')}`]),
  ];
}

function askedGo(
  { context, flags }: Parameters<typeof play>[0],
  at: RunAt,
  { cast, ...living }: Living & { readonly asked: Asked },
): Go {
  const score = cast?.minds.score ?? null;
  const scorer: WorldPorts['scorer'] =
    score === null
      ? null
      : (work) => readScore(score(work as never, makeDraw(living.seed, work.artifact_id)));
  return ({ signal, onEvent }) => driveAsked({ context, flags }, at, { ...living, scorer, signal, onEvent });
}

const ENDS: { readonly [end in Ending['end']]: string } = {
  until: 'Paused: --until is reached',
  records: 'Paused: --records is reached',
  steps: 'Paused after one step',
  served: 'Paused: serving has ended',
  budget: 'Paused: the budget is spent',
  quiet: 'Paused: no agent acts any more, and nothing is due',
  closed: 'The time of this world is over',
  interrupted: 'Interrupted',
};

/** Lines that are given at their times, after those that are recorded already. */
type Lines = NonNullable<Scripted['injected']> & { readonly skipTo: (decided: Decided) => void };

/** Reads lines as of `world apply`. Raises `Stop`. */
async function readLines(path: string): Promise<Lines> {
  const read: ActionLine[] = [];
  for await (const line of readActions(path)) read.push(line);
  let at = 0;
  return {
    peek: (state): Injected | null => {
      const line = read[at];
      if (line === undefined) return null;
      const { request, answer } = makeReply(line, state);
      return { at_us: answer.at_us ?? state.now_us, name: request, answer };
    },
    take: () => void (at += 1),
    skipTo: ({ proposal }) => {
      const line = Number(valueIn(proposal.provenance, 'line'));
      // Lines before it are recorded, or nobody asked for them.
      if (line > 0) at = Math.max(at, read.filter(({ number }) => number <= line).length);
    },
  };
}

const NO_LINES: Lines = { peek: () => null, take: () => undefined, skipTo: () => undefined };
