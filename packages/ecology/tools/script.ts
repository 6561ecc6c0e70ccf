/** Random scripts of a small world, played; the same script is played once. */
import type { Json, Spent } from '@assay/kernel';
import fc from 'fast-check';
import { draws, LAW_SEED } from '../../kernel/tools/laws.ts';
import type { ContractEngine, EcologyEvent, EcologyState } from '../src/index.js';
import { evolve } from '../src/world/evolve.js';
import { anyAction, anyEntry } from './actions.js';
import { CAME, smallConfig, smallInput } from './arbitraries.js';
import { World, type Act } from './world.js';

/** One step of a script. */
export type Move =
  | { readonly t: 'turn'; readonly acts: readonly Act[] }
  | { readonly t: 'act'; readonly actions: readonly Json[]; readonly spent: Spent }
  | { readonly t: 'wait'; readonly us: number }
  | { readonly t: 'score'; readonly value: Json }
  | { readonly t: 'effect' | 'call'; readonly value: Json; readonly spent: Spent }
  | { readonly t: 'fail'; readonly code: string; readonly spent: Spent }
  | { readonly t: 'order'; readonly value: Json };

const spent: fc.Arbitrary<Spent> = fc.constantFrom<Spent>(
  {},
  { input_tokens: 100, output_tokens: 10 },
  { input_tokens: 900, output_tokens: 400 },
);

function give(from: string, to: string, amount: number): Act {
  const args = { to, amount, resource: 'llm_budget' };
  return [from, { op: 'invoke', id: 'genesis_ledger_api', method: 'transfer', args }];
}

const PAID: Json = { event: 'transfer_completed', where: { to: 'bob' } };

/** An agent that somebody makes. */
const SPAWN: Json = {
  op: 'invoke',
  id: 'genesis_store_api',
  method: 'create',
  args: { id: 'kid', content: 1, interface: { tools: [] }, has_standing: true, can_execute: true },
};

/** Two bids at once make a price. */
function bid(agent: string, amount: number): Act {
  const args = { artifact_id: agent, amount };
  return [agent, { op: 'invoke', id: 'genesis_mint_api', method: 'bid', args }];
}

/** Whoever made it, another one may buy the first open offer. */
function buy(agent: string): Act {
  const args = { offer_id: 'open' };
  return [agent, { op: 'invoke', id: 'genesis_escrow_api', method: 'buy', args }];
}

const OFFER: Act = [
  'ann',
  {
    op: 'invoke',
    id: 'genesis_escrow_api',
    method: 'offer',
    args: {
      give: { amounts: [['scrip', 20]], goods: [] },
      want: { amounts: [['disk', 9]], goods: [] },
      exit: { t: 'deadline', at_us: 1_000_000_150_000_000 },
    },
  },
];

function begin(agent: string, max_output: number): Act {
  const args = { target: 'oracle', digest: 'ab'.repeat(32), input_bound: 20, max_output };
  return [agent, { op: 'invoke', id: 'genesis_calls_api', method: 'begin', args }];
}

/** One step. */
export const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(anyEntry, { minLength: 1, maxLength: 6 }).map((acts): Move => ({ t: 'turn', acts })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }))
      .map(([ann, bob]): Move => ({ t: 'turn', acts: [bid('ann', ann), bid('bob', bob)] })),
  },
  { weight: 2, arbitrary: fc.constant<Move>({ t: 'turn', acts: [buy('bob'), buy('ann')] }) },
  { weight: 2, arbitrary: fc.constant<Move>({ t: 'turn', acts: [OFFER] }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Move>(
      { t: 'turn', acts: [['ann', SPAWN], give('ann', 'kid', 400)] },
      { t: 'act', actions: [SPAWN, give('cid', 'kid', 900)[1]], spent: {} },
      { t: 'turn', acts: [give('ann', 'bob', 30_000), give('bob', 'ann', 1_000)] },
      { t: 'turn', acts: [give('kid', 'bob', 400), give('ann', 'cid', 10)] },
      { t: 'act', actions: [give('cid', 'ann', 30_000)[1]], spent: {} },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 90 })).map(
      ([ann, bob]): Move => ({
        t: 'turn',
        acts: [begin('ann', ann), begin('bob', bob), begin('ann', bob)],
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      t: fc.constant('act' as const),
      actions: fc.array(anyAction, { minLength: 1, maxLength: 3 }),
      spent,
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(0, 1_000_000, 30_000_000, 59_999_999, 200_000_000)
      .map((us): Move => ({ t: 'wait', us })),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<Json>({ score: 70 }, { score: 3 }, { score: 'no' })
      .map((value): Move => ({ t: 'score', value })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      t: fc.constant('effect' as const),
      value: fc.constant<Json>({ result: 'said' }),
      spent,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ t: fc.constant('call' as const), value: fc.constant<Json>(CAME), spent }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      t: fc.constant('fail' as const),
      code: fc.constantFrom('lost', 'timeout', 'unavailable', 'malformed', 'malformed'),
      spent,
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Json>(
        { op: 'grant', to: 'bob', resource: 'cpu', amount: 1, rationale: 'a rest' },
        { op: 'bounty', minter: 'patron', to: 'bob', amount: 40, rationale: 'good work' },
        {
          op: 'rebind',
          artifact_id: 'x',
          access_contract_id: 'freeware_contract',
          rationale: 'orphan',
        },
      )
      .map((value): Move => ({ t: 'order', value })),
  },
);

/** What leads somewhere only in a row: a mind fails until it is frozen, and is given a rest; an event wakes. */
const ROWS: readonly (readonly Move[])[] = [
  [
    ...[1, 2].flatMap((): readonly Move[] => [
      { t: 'turn', acts: [['bob', { op: 'failed', code: 'threw' }]] },
      { t: 'wait', us: 1_000_000 },
    ]),
    { t: 'order', value: { op: 'grant', to: 'bob', resource: 'cpu', amount: 1, rationale: 'a rest' } },
  ],
  [
    {
      t: 'turn',
      acts: [
        [
          'bob',
          { op: 'invoke', id: 'genesis_agents_api', method: 'set_memory', args: { artifact_id: 'bob' } },
        ],
        ['bob', { op: 'invoke', id: 'genesis_agents_api', method: 'sleep', args: { events: [PAID] } }],
        give('ann', 'bob', 5),
      ],
    },
  ],
  [
    { t: 'turn', acts: [['ann', { op: 'write', id: 'ann', content: 1 }]] },
    {
      t: 'turn',
      acts: [
        ['ann', { op: 'write', id: 'ann', content: 2 }],
        ['ann', { op: 'write', id: 'ann', content: 'x'.repeat(690) }],
      ],
    },
  ],
];

/** A script. */
export const scripts: fc.Arbitrary<readonly Move[]> = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: anyMove.map((move) => [move]) },
      { weight: 1, arbitrary: fc.constantFrom(...ROWS) },
    ),
    { minLength: 10, maxLength: 40, size: 'max' },
  )
  .map((moves) => moves.flat());

/** One event with the state before and after it, and what the decision answered. */
export type Seen = {
  readonly before: EcologyState;
  readonly event: EcologyEvent;
  readonly after: EcologyState;
};

/** One decision: its events one by one, and the states around it. */
export type Decided = {
  readonly move: Move;
  readonly before: EcologyState;
  readonly after: EcologyState;
  readonly events: readonly Seen[];
};

/** A script that was played. */
export type Played = {
  readonly world: World;
  readonly first: EcologyState;
  readonly decisions: readonly Decided[];
};

/** Holds a law against what random scripts come to; `inThousand`: how many of a thousand draws. */
export function holdLaw(
  play: (script: readonly Move[]) => Played,
  holds: (played: Played) => void,
  inThousand: number = 300,
): void {
  fc.assert(
    fc.property(scripts, (script) => holds(play(script))),
    { seed: LAW_SEED, numRuns: draws(inThousand) },
  );
}

/** A player with its engine, which remembers what it has played. */
export function player(engine: ContractEngine | null): (script: readonly Move[]) => Played {
  const known = new Map<string, Played>();
  return (script) => {
    const key = JSON.stringify(script);
    const played = known.get(key) ?? play(engine, script);
    known.set(key, played);
    return played;
  };
}

/** A world of three agents, before anything. */
export function smallWorld(engine: ContractEngine | null): World {
  const { artifacts } = smallInput(engine?.id ?? null) as unknown as { artifacts: [] };
  return new World(engine, smallConfig() as unknown as Json, artifacts);
}

function play(engine: ContractEngine | null, script: readonly Move[]): Played {
  const world = smallWorld(engine);
  const first = world.state;
  const decisions: Decided[] = [];
  for (const move of script) {
    const before = world.state;
    const count = world.records.length;
    make(world, move);
    const decision = world.records.slice(count).find(({ kind }) => kind === 'decision');
    if (decision === undefined) continue;
    const { events } = decision.payload as unknown as { readonly events: readonly EcologyEvent[] };
    const seen: Seen[] = [];
    let at = before;
    for (const event of events) {
      const after = evolve(at, event);
      seen.push({ before: at, event, after });
      at = after;
    }
    decisions.push({ move, before, after: world.state, events: seen });
  }
  return { world, first, decisions };
}

/** Makes a move where it is possible. */
export function make(world: World, move: Move): void {
  switch (move.t) {
    case 'turn':
      world.offer('turn', { actions: world.entries(move.acts) });
      return;
    case 'act': {
      const name = findOpen(world, 'act ');
      if (name !== undefined) world.offer(name, { actions: move.actions }, { spent: move.spent });
      return;
    }
    case 'wait':
      world.now += move.us;
      world.offer('clock', {});
      return;
    case 'order':
      world.offer('operator', move.value);
      return;
    case 'fail': {
      const asked = move.code === 'malformed' ? 'act ' : 'call ';
      const name = findOpen(world, asked) ?? findOpen(world, 'effect ');
      const failure = { code: move.code, final: true, detail: null } as never;
      if (name !== undefined) world.offer(name, null, { failure, spent: move.spent });
      return;
    }
    default: {
      const name = findOpen(world, `${move.t} `);
      if (name !== undefined) world.offer(name, move.value, 'spent' in move ? { spent: move.spent } : {});
    }
  }
}

function findOpen({ state }: World, prefix: string): string | undefined {
  return state.open.sorted().find(([name]) => name.startsWith(prefix))?.[0];
}
