/** Random runs of the ecology for the laws of every machine. */
import type { GenesisInput, Json, JsonObject, Request } from '@assay/kernel';
import { orThrow } from '@assay/kernel';
import type { MachineArbitraries } from '@assay/testing';
import fc from 'fast-check';
import {
  findLive,
  resolveConfig,
  type Bodies,
  type Body,
  type Config,
  type EcologyState,
} from '../src/index.js';
import { AGENTS, anyAction, anyEntry, CODES } from './actions.js';

/** A small world: three agents, one of which thinks; little money, so that limits are met. */
export function smallConfig(more: Json = {}): Config {
  return orThrow(
    resolveConfig({
      agents: { initial: AGENTS, asked: ['cid'], scrip: 500, crash: { max: 2, base_us: 1_000_000 } },
      resources: {
        llm_budget_uusd: 90_000,
        disk_bytes: 700,
        llm_rate_per_min: 600,
        provider_tpm: 1_500,
        cpu_us_per_min: 800,
        models: { oracle: { call_uusd: 40 } },
      },
      contracts: { max_fuel: 100_000, checks_per_min: 30 },
      mint: {
        interval_us: 60_000_000,
        slots: 1,
        score_attempts: 1,
        minters: [{ id: 'patron', cap: 100, window_us: 60_000_000 }],
      },
      ...(more as { readonly [key: string]: Json }),
    }),
  );
}

/** What the world holds at its start. */
export function smallInput(engine: string | null): Json {
  const plain = {
    owner: null,
    has_standing: false,
    can_execute: false,
    interface: null,
    access_contract_id: null,
  };
  const codes = CODES.map(([id, code, described]) => ({
    ...plain,
    id,
    owner: 'ann',
    content: { code },
    interface: described,
    can_execute: true,
  }));
  return {
    artifacts: [
      { ...plain, id: 'x', content: 1, owner: 'ann', access_contract_id: engine === null ? null : 'gate' },
      { ...plain, id: 'oracle', content: { model: 'oracle', price_mscrip: 3 }, owner: 'ann' },
      ...(engine === null ? [] : codes),
    ],
  };
}

/** Arbitraries for a machine with an engine of this id, or none. */
export function ecologyArbitraries(engine: string | null): MachineArbitraries<EcologyState, Body> {
  const genesis = fc
    .constantFrom<Json>(
      {},
      { store: { interface_validation: 'strict' } },
      { contracts: { invoke_depth: 2, max_fuel: 50_000 } },
    )
    .map(
      (more): GenesisInput =>
        ({
          run_id: 'world',
          ts_base: 'T',
          policy: smallConfig(more),
          input: smallInput(engine),
          engine,
        }) as never,
    );
  return { genesis, answer: answerTo, stepsMax: 14 };
}

/** Likely answers to a request. */
export function answerTo(request: Request<Body>, state: EcologyState): fc.Arbitrary<Json> {
  switch (request.kind) {
    case 'act':
      return fc.record({ actions: fc.array(anyAction, { minLength: 1, maxLength: 4 }) });
    case 'turn':
      return fc.array(anyEntry, { minLength: 1, maxLength: 8 }).map(
        (entries): Json => ({
          actions: entries.map(([agent, action]) => [
            agent,
            findLive(state, agent)?.config_hash ?? '',
            action,
          ]),
        }),
      );
    case 'clock':
      return fc.constant({});
    case 'operator':
      return order;
    case 'score':
      return fc.constantFrom<Json>(
        { score: 70, model: 'm' },
        { score: 0 },
        { score: 101 },
        { score: 'high' },
      );
    default: {
      const body = request.body as Bodies['effect'];
      if ('call' in body) return fc.constantFrom<Json>(CAME, { ...CAME, result: ['small'] }, { size: 1 });
      const { agent } = body;
      return fc.constantFrom<Json>({ result: `for ${agent}` }, { result: { text: [1] } }, {});
    }
  }
}

/** An answer of a metered call. */
export const CAME: JsonObject = { digest: 'cd'.repeat(32), size: 9 };

const order = fc.oneof(
  fc.record({
    op: fc.constant('rebind'),
    artifact_id: fc.constantFrom('x', 'y', 'nothing'),
    access_contract_id: fc.constantFrom('freeware_contract', 'x'),
    rationale: fc.constant('a reason'),
  }),
  fc.record({
    op: fc.constant('bounty'),
    minter: fc.constantFrom('patron', 'nobody'),
    to: fc.constantFrom(...AGENTS),
    amount: fc.integer({ min: 1, max: 60 }),
    rationale: fc.constant('a reason'),
  }),
  fc.constant<Json>({ op: 'stop' }),
);
