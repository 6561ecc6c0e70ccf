/** The config used where a world says nothing else. Source: specs/ecology.md B14. */
import type { Config } from './config.js';

/** Times in microseconds, money in milli-scrip and µUSD, sizes in bytes. */
export const DEFAULT_CONFIG: Config = Object.freeze({
  machine: Object.freeze({ schema: 1, window_us: 60_000_000, turn_actions: 4_096, act_actions: 32 }),
  agents: Object.freeze({
    initial: Object.freeze([]),
    asked: Object.freeze([]),
    scrip: 100_000,
    given: Object.freeze([]),
    freeze_threshold_uusd: 0,
  }),
  resources: Object.freeze({
    llm_budget_uusd: 10_000_000,
    on_budget_exhausted: 'stop_llm',
    disk_bytes: 500_000,
    memory_bytes: 104_857_600,
    llm_rate_per_min: 10_000,
    provider_tpm: 100_000,
    cpu_us_per_min: 60_000_000,
    default_reservation_tokens: 4_096,
    in_uusd_per_1k: 3_000,
    out_uusd_per_1k: 15_000,
  }),
  contracts: Object.freeze({
    permission_depth: 10,
    invoke_depth: 5,
    base_check_fuel: 50_000,
    max_fuel: 5_000_000,
    fuel_per_us: 250,
    checks_per_min: 600,
    max_suspends: 8,
    default: 'freeware_contract',
  }),
  mint: Object.freeze({
    interval_us: 3_600_000_000,
    offset_us: 0,
    slots: 1,
    min_bid: 1,
    reserve_price: 0,
    mint_ratio: 10,
    ubi: Object.freeze({ split: 'bid_independent', floor: 0 }),
    score_attempts: 3,
    minters: Object.freeze([]),
  }),
  store: Object.freeze({
    content_bytes: 1_048_576,
    code_bytes: 65_536,
    per_agent: 1_000,
    tombstone_us: 604_800_000_000,
    interface_validation: 'warn',
  }),
});
