/**
 * The config of a world: every number that decides. The resolved config is the policy of the run.
 *
 * Source: specs/ecology.md B14.
 */
import type { Json } from '@assay/kernel';
import { closed, flag, free, integer, list, nullable, oneOf, text, type Shape } from '@assay/kernel/shape';

/** What can be held. `scrip` in milli-scrip, `llm_budget` in µUSD, `llm_rate` and `cpu` a window, else bytes. */
export const RESOURCES = ['scrip', 'llm_budget', 'disk', 'memory', 'llm_rate', 'cpu'] as const;
/** What can be held. */
export type Resource = (typeof RESOURCES)[number];

/** A second minter: an operator pays bounties through it, at most `cap` milli-scrip in a window. */
type Minter = { readonly id: string; readonly cap: number; readonly window_us: number };

/** Everything that a world may set. */
export type Config = {
  readonly machine: {
    readonly schema: 1;
    readonly window_us: number;
    readonly turn_actions: number;
    readonly act_actions: number;
  };
  readonly agents: {
    readonly initial: readonly string[];
    /** Those of `initial` that think: each has an `act` invitation of its own. */
    readonly asked: readonly string[];
    /** Scrip of each initial agent, milli-scrip. */
    readonly scrip: number;
    /** What an initial agent holds where that is not the default. */
    readonly given: readonly { readonly id: string; readonly resource: Resource; readonly amount: number }[];
    readonly freeze_threshold_uusd: number;
  };
  readonly resources: {
    readonly llm_budget_uusd: number;
    readonly on_budget_exhausted: 'stop_llm' | 'stop_run';
    readonly disk_bytes: number;
    readonly memory_bytes: number;
    readonly llm_rate_per_min: number;
    readonly provider_tpm: number;
    readonly cpu_us_per_min: number;
    readonly default_reservation_tokens: number;
    readonly in_uusd_per_1k: number;
    readonly out_uusd_per_1k: number;
  };
  readonly contracts: {
    readonly permission_depth: number;
    readonly invoke_depth: number;
    readonly base_check_fuel: number;
    readonly max_fuel: number;
    readonly fuel_per_us: number;
    readonly checks_per_min: number;
    readonly max_suspends: number;
    readonly default: string;
  };
  readonly mint: {
    readonly interval_us: number;
    readonly offset_us: number;
    readonly slots: number;
    readonly min_bid: number;
    readonly reserve_price: number;
    readonly mint_ratio: number;
    readonly ubi: { readonly split: 'bid_independent' | 'equal'; readonly floor: number };
    readonly score_attempts: number;
    readonly minters: readonly Minter[];
  };
  readonly store: {
    readonly content_bytes: number;
    readonly code_bytes: number;
    readonly per_agent: number;
    readonly tombstone_us: number;
    readonly interface_validation: 'none' | 'warn' | 'strict';
  };
};

/** A name of an artifact. Source: specs/ecology.md B2. */
const ID_PATTERN: RegExp = /^[a-z0-9][a-z0-9._-]{0,127}$/;

/** True for what an artifact may be called, reserved names among them. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID_PATTERN.test(value);
}

/** True for names that only genesis gives. */
export function isReserved(id: string): boolean {
  return id === 'genesis' || id.startsWith('genesis_') || id.startsWith('sys');
}

const count = integer(0);
const some = integer(1);
const id = text(isId, { pattern: ID_PATTERN });

/** The shape of a resolved config: every key is there, no other is. */
export const CONFIG: Shape<Config> = closed({
  machine: closed({
    schema: integer(1, 1) as Shape<1>,
    window_us: integer(1_000_000, 86_400_000_000),
    turn_actions: integer(1, 4_096),
    act_actions: integer(1, 32),
  }),
  agents: closed({
    initial: list(id, ({ length }) => length <= 20_000, { max: 20_000 }),
    asked: list(id),
    scrip: count,
    given: list(closed({ id, resource: oneOf(RESOURCES), amount: count })),
    freeze_threshold_uusd: count,
  }),
  resources: closed({
    llm_budget_uusd: count,
    on_budget_exhausted: oneOf(['stop_llm', 'stop_run']),
    disk_bytes: count,
    memory_bytes: count,
    llm_rate_per_min: count,
    provider_tpm: count,
    cpu_us_per_min: count,
    default_reservation_tokens: count,
    in_uusd_per_1k: integer(0, 1_000_000_000),
    out_uusd_per_1k: integer(0, 1_000_000_000),
  }),
  contracts: closed({
    permission_depth: integer(1, 10),
    invoke_depth: integer(1, 10),
    base_check_fuel: integer(0, 100_000_000),
    max_fuel: integer(1, 100_000_000),
    fuel_per_us: integer(1, 1_000_000),
    checks_per_min: count,
    max_suspends: integer(0, 8),
    default: id,
  }),
  mint: closed({
    interval_us: some,
    offset_us: count,
    slots: integer(1, 1_000),
    min_bid: some,
    reserve_price: count,
    mint_ratio: some,
    ubi: closed({ split: oneOf(['bid_independent', 'equal']), floor: count }),
    score_attempts: integer(1, 16),
    minters: list(closed({ id, cap: count, window_us: some }), ({ length }) => length <= 16, { max: 16 }),
  }),
  store: closed({
    content_bytes: integer(1, 1_048_576),
    code_bytes: integer(1, 65_536),
    per_agent: integer(1, 1_000_000),
    tombstone_us: count,
    interface_validation: oneOf(['none', 'warn', 'strict']),
  }),
});

/** An artifact of the world before anybody acts. `owner` null: genesis; contract null: the default. */
export type Given = {
  readonly id: string;
  readonly content: Json;
  readonly interface: Json;
  readonly owner: string | null;
  readonly has_standing: boolean;
  readonly can_execute: boolean;
  readonly access_contract_id: string | null;
};

/** The input of a run. */
export type WorldInput = { readonly artifacts: readonly Given[] };

/** The shape of an input. */
export const INPUT: Shape<WorldInput> = closed({
  artifacts: list(
    closed({
      id,
      content: free,
      interface: free,
      owner: nullable(id),
      has_standing: flag,
      can_execute: flag,
      access_contract_id: nullable(id),
    }),
  ),
});
