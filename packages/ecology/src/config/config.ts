/**
 * The config of a world: every number that decides. The resolved config is the policy of the run.
 *
 * Source: specs/ecology.md B14.
 */
import {
  closed,
  flag,
  free,
  integer,
  list,
  nullable,
  oneOf,
  table,
  text,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';

/** What can be held. `scrip` in milli-scrip, `llm_budget` in µUSD, `llm_rate` and `cpu` a window, else bytes. */
export const RESOURCES = ['scrip', 'llm_budget', 'disk', 'memory', 'llm_rate', 'cpu'] as const;
/** What can be held. */
export type Resource = (typeof RESOURCES)[number];

/** A name of an artifact. Source: specs/ecology.md B2. */
export const ID_PATTERN: RegExp = /^[a-z0-9][a-z0-9._-]{0,127}$/;

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
const ppm = integer(0, 1_000_000);
const price = integer(0, 1_000_000_000);
const id = text(isId, { pattern: ID_PATTERN });

/** What something outside costs, in µUSD: of 1,000 tokens in and out, each rounded up, and of one call. */
const PRICE = closed({ in_uusd_per_1k: price, out_uusd_per_1k: price, call_uusd: price });
/** A price. */
export type Price = TypeOf<typeof PRICE>;

/** The shape of a resolved config: every key is there, no other is. */
export const CONFIG = closed({
  machine: closed({
    schema: integer(2, 2) as Shape<2>,
    window_us: integer(1_000_000, 86_400_000_000),
    turn_actions: integer(1, 4_096),
    act_actions: integer(1, 32),
  }),
  agents: closed({
    initial: list(id, ({ length }) => length <= 20_000, { max: 20_000 }),
    /** Whether initial agents act in turns, or think and have an `act` invitation of their own each. */
    mind: oneOf(['scripted', 'asked']),
    /** Those of `initial` that think although the others do not. Whoever is spawned has the mind of its creator. */
    asked: list(id),
    /** Scrip of each initial agent, milli-scrip. */
    scrip: count,
    /** What an initial agent holds where that is not the default. */
    given: list(closed({ id, resource: oneOf(RESOURCES), amount: count })),
    /** Whether an agent is shown why its last actions were refused. */
    error_feedback: flag,
    /** After `max` failures in a row an agent is frozen; before, it waits base · 2^(n − 1), at most `cap`. */
    crash: closed({ max: integer(1, 1_000), base_us: some, cap_us: some, freeze: flag }),
    freeze_threshold_uusd: count,
    /** After so long without an action an agent is called dormant. */
    dormant_after_us: some,
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
    /** Prices by the name of a model or tool; `default` for all others. */
    models: table(isId, PRICE, { pattern: ID_PATTERN }),
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
    /** `first_price` and `all_pay` are there to be compared: not truthful. */
    auction: oneOf(['uniform', 'first_price', 'all_pay']),
    min_bid: some,
    reserve_price: count,
    mint_ratio: some,
    ubi: closed({
      split: oneOf(['bid_independent', 'equal']),
      floor: count,
      /** Who shares: who paid for a think since the last resolution, or who acted; free principals farm the second. */
      eligibility: oneOf(['paid_think', 'acted']),
      /** Minted where so many of a million agents were frozen for so many resolutions. */
      emergency: closed({ enabled: flag, frozen_ppm: ppm, resolutions: integer(1, 1_000), amount: count }),
    }),
    score_attempts: integer(1, 16),
    score_max_bytes: integer(1, 1_048_576),
    /** Second minters: an operator pays bounties through one, at most `cap` milli-scrip in a window. */
    minters: list(closed({ id, cap: count, window_us: some }), ({ length }) => length <= 16, { max: 16 }),
  }),
  store: closed({
    content_bytes: integer(1, 1_048_576),
    code_bytes: integer(1, 65_536),
    /** More artifacts than these are told, not refused. */
    soft_count: some,
    per_agent: integer(1, 1_000_000),
    tombstone_us: count,
    interface_validation: oneOf(['none', 'warn', 'strict']),
  }),
  /** What agents see of the past: so long, at most `kept` events; a page of them; subscriptions of one and of all. */
  events: closed({
    retention_us: some,
    kept: integer(1, 100_000),
    page: integer(1, 1_000),
    subs_per_agent: integer(0, 64),
    subs_total: integer(0, 10_000),
  }),
  /** Calls under way of one agent. */
  calls: closed({ max: integer(0, 64) }),
  /** Attempts of a call to the outside, and how long a driver waits between them. */
  net: closed({ attempts: integer(1, 16) }),
  escrow: closed({ fee_ppm: ppm }),
  /** The window of the KPIs, and which share of artifacts is the top. */
  kpi: closed({ window_us: some, top_ppm: integer(1, 1_000_000) }),
});

/** Everything that a world may set. */
export type Config = TypeOf<typeof CONFIG>;

/** The shape of what a world begins with. */
export const GIVEN = closed({
  id,
  content: free,
  interface: free,
  owner: nullable(id),
  has_standing: flag,
  can_execute: flag,
  access_contract_id: nullable(id),
});

/** An artifact of the world before anybody acts. `owner` null: genesis; contract null: the default. */
export type Given = TypeOf<typeof GIVEN>;

/** The shape of an input. */
export const INPUT = closed({ artifacts: list(GIVEN) });

/** The input of a run. */
export type WorldInput = TypeOf<typeof INPUT>;
