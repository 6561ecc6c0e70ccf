import { isArray, ok, type GenesisInput, type Json, type Machine, type Request } from '@assay/kernel';
import { FAULTS, NO_FAULTS, simulate, type Scenario } from '../../src/testing/index.ts';
import type { SimulatedPort } from '../../src/testing/faulty-port.js';
import { Random } from '../../src/testing/world.ts';
import type { Simulated } from '../../src/testing/simulate.ts';
import { tally } from '@assay/testing';
import { poll } from '../tools.js';
import { LAW_DRAWS } from '../../../kernel/tools/laws.ts';

/**
 * Seeds per law: as many as `ASSAY_LAW_RUNS` says, else 1,000; `ASSAY_SIMULATION_SEED` runs that one alone
 * and shows its trace.
 */
export const SEEDS: number = LAW_DRAWS;
const ONLY = process.env['ASSAY_SIMULATION_SEED'];

/** Voters answer by their number and the attempt: votes, what is no option, what is no ballot, NaN. */
export const voters = (request: Request): SimulatedPort | null =>
  request.kind === 'ballot' ? BALLOTS : null;

/**
 * The voters, and somebody with news: each notice opens the next request, which comes before what was
 * rejected.
 */
export const talkative = (request: Request): SimulatedPort | null =>
  request.kind === 'notice' ? NOTICES : voters(request);

const NOTICES: SimulatedPort = {
  source: 'synthetic',
  proposer: 'news',
  answer: ({ id }) =>
    Number(id.split('.')[0]) < 24
      ? { value: { note: `seen at ${id}` }, spent: { calls: 1 } }
      : { failure: { code: 'denied', final: true, detail: null } },
};

const BALLOTS: SimulatedPort = {
  source: 'rule',
  proposer: 'voters',
  answer: (request, key) => {
    const used = Number(key.slice(key.lastIndexOf('/') + 1));
    const drawn = (Number(request.id.split('.')[1]) * 7 + used * 3) % 5;
    if (drawn === 0) return { value: { option: 'tea' }, spent: { calls: 1 } };
    if (drawn === 1) return { value: null, spent: { calls: 1 } };
    return { value: { option: drawn === 2 ? 'salad' : 'soup' }, spent: { calls: 1, tokens: used } };
  },
};

type Tally =
  typeof tally extends Machine<infer S, infer I, infer E, infer A>
    ? Scenario<S, I, E & Json, A & Json>
    : never;

/** A poll on a bad day; what is not given is drawn from the seed. */
export function pollOf(
  seed: number,
  given: Partial<Tally> = {},
  genesis: GenesisInput = pollGenesis(seed),
): Tally {
  const random = new Random(seed * 31 + 7);
  const concurrency = 1 + random.integer(3);
  return {
    machine: tally,
    genesis,
    ports: voters,
    faults: FAULTS,
    processes: 1,
    isLocking: random.happens(500_000),
    concurrency,
    order: random.happens(500_000) ? 'turn' : 'arrival',
    deadlines: { call: 1_000 },
    ...given,
  } as Tally;
}

/** Two to six voters, one to four attempts. */
export function pollGenesis(seed: number): GenesisInput {
  const random = new Random(seed * 17 + 3);
  return poll({ voters: 2 + random.integer(4), quorum: 1, attempts: 1 + random.integer(3) });
}

/**
 * A machine that asks as many questions at once as its input says, takes the first answer and withdraws the
 * others. It leaves its run open.
 */
export const firstAnswer: Machine<readonly string[], null, Json> = {
  name: 'first_answer',
  version: 1,
  open: ({ input }) => {
    const ids = Array.from({ length: Number(input) }, (_, index) => `1.${index}`);
    return ok({
      state: ids,
      decision: {
        events: [ids],
        asks: ids.map(() => ({ kind: 'ballot', body: null, accepts: ['rule'], attempts: 8 })),
      },
    });
  },
  parse: () => ok(null),
  decide: (open, { request, input }) => {
    const others = open.filter((id) => id !== request.id);
    return ok(input._tag === 'Left' ? { events: [others] } : { events: [[]], withdraw: others });
  },
  evolve: (_, open) => strings(open),
  encode: (open) => open,
  decode: (open) => ok(strings(open)),
};

function strings(value: Json): readonly string[] {
  return (isArray(value) ? value : []).filter((id) => typeof id === 'string');
}

/** The first answer of four or five that are asked for at once; half of the calls fail. */
export function firstAnswerOf(seed: number): Scenario<readonly string[], null, Json, Json> {
  const asked = 4 + (seed % 2);
  return {
    machine: firstAnswer,
    genesis: { run_id: 'first', ts_base: 't0', policy: null, input: asked },
    ports: voters,
    faults: { ...NO_FAULTS, portError: 500_000 },
    processes: 1,
    isLocking: false,
    concurrency: 1 + (seed % 4),
    order: seed % 3 === 0 ? 'turn' : 'arrival',
    deadlines: { call: 1_000 },
    leavesOpen: true,
  };
}

/** Simulates every seed and hands each to `check`; the first broken one fails with its seed and its trace. */
export async function eachSeed<S, I, E extends Json, A extends Json>(
  law: string,
  scenario: (seed: number) => Scenario<S, I, E, A>,
  check: (simulated: Simulated, seed: number) => void | Promise<void>,
  seeds: number = SEEDS,
): Promise<Totals> {
  const totals = { seeds: 0, events: 0, performed: 0, crashes: 0, interrupts: 0 };
  const chosen = ONLY === undefined ? Array.from({ length: seeds }, (_, index) => index + 1) : [Number(ONLY)];
  for (const seed of chosen) {
    const simulated = await simulate(seed, scenario(seed));
    if (ONLY !== undefined) process.stdout.write(`${simulated.trace.join('\n')}\n`);
    if (simulated.violations.length > 0)
      throw new Error(
        `${law}: seed ${seed} (ASSAY_SIMULATION_SEED=${seed} replays ` +
          `it):\n${simulated.violations.join('\n')}\n${simulated.trace.slice(-40).join('\n')}`,
      );
    try {
      await check(simulated, seed);
    } catch (error) {
      throw new Error(`${law}: seed ${seed} (ASSAY_SIMULATION_SEED=${seed} replays it)`, { cause: error });
    }
    totals.seeds += 1;
    totals.events += simulated.trace.length;
    totals.performed += simulated.performed;
    totals.crashes += simulated.crashes;
    totals.interrupts += simulated.trace.filter((line) => line.endsWith(' signalled')).length;
  }
  return totals;
}

/** What was simulated, all seeds together. */
export type Totals = {
  readonly seeds: number;
  readonly events: number;
  readonly performed: number;
  readonly crashes: number;
  readonly interrupts: number;
};
