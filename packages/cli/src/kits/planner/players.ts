/**
 * Who answers a planner's requests, by name: the plan of a file or template, recordings, language models, a
 * solver, and a person.
 *
 * @module
 */
import type { Dialogue, Port, Ports } from '@assay/host';
import type { JsonObject, Request, Spent } from '@assay/kernel';
import { shownModel, type ModelOptions } from '../../options/llm.js';
import type { Miss } from '../../options/proposers.js';
import { misuse, badValue } from '../../problems/problem.js';
import { laterPort } from '../../start/model-failures.js';
import { planPerson } from './person.js';

/** Who is named, and what there is to answer with. `split`: the tasks of a plan; null where there is none. */
export type PlayersGiven = {
  readonly names: readonly string[];
  readonly models: ModelOptions;
  readonly split: JsonObject | null;
  readonly person: Dialogue | null;
};

/**
 * Who answers. `misses`: what recordings had no answer to, once the run is over; `units`: in which models are
 * counted; `withinOf`: the same, where a model is asked only if one call costs at most so much.
 */
export type PlanPlayers = {
  readonly portsOf: (bound: Spent) => Ports;
  readonly misses: ReadonlyMap<string, Miss>;
  readonly units: ReadonlySet<string>;
  readonly hasSolver: boolean;
  /** Commands that the person names. */
  readonly commands: Map<string, readonly string[]>;
  /** Whether a recording answers this. */
  readonly holds: (request: Request) => boolean;
  /** Whether anybody could say more of a goal than its plan does. */
  readonly hasJudge: boolean;
};

/** One who answers some kinds. */
type Player = {
  readonly answers: (request: Request) => boolean;
  readonly ports: (bound: Spent) => Ports;
};

const RECORDED = 'recorded:';

/**
 * Reads `--proposer` options. The first that knows of a request answers it; what only a person may say is asked
 * at the terminal, and a recording may hold it too. Raises `Stop`: `bad_value`, `no_terminal`, `package`, and
 * those of opening recordings and models.
 */
export async function readPlanPlayers(given: PlayersGiven): Promise<PlanPlayers> {
  const { split, person, names } = given;
  const isHuman = names.includes('human');
  if (isHuman && person === null)
    throw misuse(
      'no_terminal',
      'the run asks a person, but this is not a terminal',
      '--proposer human',
      'run it in a terminal, without redirecting standard input or standard error, or give recorded:FILE',
    );
  const misses = new Map<string, Miss>();
  const units = new Set<string>();
  const commands = new Map<string, readonly string[]>();
  const human = person === null ? null : planPerson(person, commands);
  const players: Player[] = [];
  if (human !== null && isHuman) players.push(of(human, ['extract', 'verify']));
  for (const name of names) players.push(...(await playerNamed(name, given, misses, units)));
  // Whoever is named, a plan that is there answers what it holds.
  if (split !== null && !names.includes('rules')) players.push(await planPlayer(split));
  const last = human === null ? [] : [of(human, ['hire', 'extract'])];
  return {
    portsOf: (bound) => (request) => {
      const only = request.accepts.length === 1 && request.accepts[0] === 'human';
      const all = only ? [...players.filter((one) => recordings.has(one)), ...last] : players;
      const missed = only ? undefined : players.find((one) => recordings.has(one));
      return (all.find((one) => one.answers(request)) ?? missed)?.ports(bound)(request) ?? laterPort(request);
    },
    misses,
    units,
    commands,
    holds: (request) => players.some((one) => recordings.has(one) && one.answers(request)),
    hasSolver: names.includes('solver'),
    hasJudge: isHuman || names.some((name) => name.startsWith(RECORDED) || name.startsWith('llm:')),
  };
}

/** A recording answers loudly what it does not hold, so it comes last too. */
const recordings = new WeakSet<Player>();

function of(port: Port, kinds: readonly string[]): Player {
  return { answers: ({ kind }) => kinds.includes(kind), ports: () => () => port };
}

async function planPlayer(split: JsonObject): Promise<Player> {
  const { askedOnce, planAnswer } = await import('@assay/planner/shell');
  const port: Port = askedOnce({
    source: 'rule',
    proposer: 'rules',
    perform: ({ kind, body }) => Promise.resolve({ value: planAnswer(kind, body, split) }),
  });
  return { answers: ({ kind, body }) => planAnswer(kind, body, split) !== null, ports: () => () => port };
}

async function playerNamed(
  name: string,
  { split, models }: PlayersGiven,
  misses: Map<string, Miss>,
  units: Set<string>,
): Promise<readonly Player[]> {
  if (name === 'human') return [];
  if (name === 'rules') return split === null ? [] : [await planPlayer(split)];
  if (name === 'solver') return [of(await solver(), ['choose'])];
  if (name.startsWith(RECORDED)) {
    const { openProposer } = await import('../../options/proposers.js');
    const { ports, holds } = await openProposer(name, misses, { person: null, models });
    const player: Player = { answers: (request) => holds?.(request) === true, ports: () => ports };
    recordings.add(player);
    return [player];
  }
  if (name.startsWith('llm:')) {
    const model = await (await import('../../options/models.js')).modelNamed(name, models);
    const { planTasks } = await import('@assay/planner/prompts');
    for (const unit of model.units) units.add(unit);
    return [
      {
        answers: (request) => planTasks.some(({ kind }) => kind === request.kind),
        ports: (bound) => () => within(model.portOf(planTasks, bound['output_tokens']), bound, models.say),
      },
    ];
  }
  throw badValue(
    'unknown proposer',
    `--proposer ${shownModel(name, models.env)}`,
    'give rules, human, solver, recorded:FILE or llm:PROVIDER/MODEL',
  );
}

/** The solver is an optional peer: without it larger repairs are labelled `bounded`. */
async function solver(): Promise<Port> {
  const { isInstalled, solverPort } = await import('@assay/proposers/solver');
  if (isInstalled()) return solverPort();
  throw misuse('package', 'the solver is not installed', '--proposer solver', 'npm install highs');
}

/** A model that is not asked what may cost more than the machine holds back for a call. Source: dec-K75. */
function within(port: Port, bound: Spent, say: ModelOptions['say']): Port {
  const limits = Object.entries(bound);
  if (limits.length === 0) return port;
  return {
    ...port,
    perform: async (request, call) => {
      const most = port.bound?.(request) ?? null;
      const over = limits.find(([unit, limit]) => most === null || (most[unit] ?? 0) > limit);
      if (over === undefined) return port.perform(request, call);
      const [unit, limit] = over;
      const needs = most?.[unit] ?? null;
      say(
        `${port.proposer} is not asked to ${request.kind}: that could cost ${needs ?? 'any number of'} ${unit}, ` +
          `and one call may cost ${limit}, a sixteenth of the budget`,
      );
      return { failure: { code: 'denied', final: true, detail: { code: 'over_bound', unit, limit, needs } } };
    },
  };
}
