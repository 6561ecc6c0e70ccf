/** A world of asked agents on a bad day: calls fail in every class, are late, doubled, cut off by crashes; by seeds. */
import { FAULTS, simulate, type Scenario } from '@assay/host/testing';
import { orThrow, type EvidenceRecord, type Request } from '@assay/kernel';
import { expect, it } from 'vitest';
import { LAW_DRAWS } from '../../kernel/tools/laws.ts';
import { ecology, resolveConfig } from '../src/index.js';
import { findEffects } from '../tools/call-laws.js';
import { PLAIN } from '../tools/world.js';

const SEEDS = Math.max(4, Math.floor(LAW_DRAWS / 25));
const AGENTS = ['ann', 'bob', 'cid'];
const policy = orThrow(
  resolveConfig({
    agents: { initial: AGENTS, asked: AGENTS, crash: { base_us: 1 } },
    resources: { llm_rate_per_min: 1_000_000, provider_tpm: 10_000_000 },
    calls: { max: 3 },
  }),
);
const input = { artifacts: [{ ...PLAIN, id: 'gpt', content: { model: 'small', price_mscrip: 5 } }] };

/** Answers by the request alone, so that a call that is made again is answered the same. */
function answer({ id, kind, body }: Request): {
  readonly value: unknown;
  readonly spent?: object;
  readonly at_us?: number;
} {
  const sequence = Number(id.split('.')[0]);
  const spent = { input_tokens: 20, output_tokens: sequence % 9 };
  switch (kind) {
    case 'clock':
      return { value: {}, at_us: 1_000_000_000 + sequence * 1_000_000 };
    case 'operator':
      return { value: { op: sequence > 24 ? 'stop' : 'note', rationale: 'a bad day' } };
    case 'turn':
      return { value: { actions: [['ann', 'none', { op: 'noop' }]] } };
    case 'effect':
      return 'call' in (body as object)
        ? { value: { digest: 'cd'.repeat(32), size: sequence }, spent }
        : { value: { result: 'said' }, spent };
    default: {
      const invoke = (service: string, method: string, args: object) => ({
        op: 'invoke',
        id: service,
        method,
        args,
      });
      const call = { target: 'gpt', digest: 'ab'.repeat(32), input_bound: 30, max_output: 20 };
      const act = [
        invoke('genesis_calls_api', 'begin', call),
        invoke('genesis_ledger_api', 'transfer', { to: AGENTS[sequence % 3], amount: 3 }),
        ...(sequence % 5 === 0 ? [invoke('genesis_llm', 'complete', { prompt: 'say', max_tokens: 9 })] : []),
      ];
      return { value: { actions: act }, spent };
    }
  }
}

const SOURCES: { readonly [kind: string]: string } = { clock: 'clock', operator: 'human', turn: 'rule' };

function scenario(seed: number): Parameters<typeof simulate>[1] {
  return {
    machine: ecology,
    genesis: { run_id: 'bad-day', ts_base: 'T', policy, input, engine: null },
    ports: ({ kind }: Request) => ({
      source: SOURCES[kind] ?? 'live_model',
      proposer: `port:${kind}`,
      answer: (request: Request) => answer(request),
    }),
    faults: FAULTS,
    processes: 1,
    isLocking: seed % 3 === 0,
    concurrency: 1 + (seed % 4),
    order: seed % 2 === 0 ? 'turn' : 'arrival',
    deadlines: { call: 1_000 },
    options: () => ({ invitationAttempts: 1_000 }),
  } as unknown as Scenario<never, never, never, never> as never;
}

it(`ecology/held-before-made, ecology/settled-once (L38, L39) with faults, ${SEEDS} seeds`, async () => {
  let [crashes, failed, calls] = [0, 0, 0];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one world after the other
    const seen = await simulate(seed, scenario(seed));
    expect([seed, seen.violations]).toEqual([seed, []]);
    const records = seen.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as EvidenceRecord);
    const effects = findEffects(records);
    expect([seed, effects.faults]).toEqual([seed, []]);
    crashes += seen.crashes;
    calls += effects.calls.size;
    failed += records.filter(({ payload }) => JSON.stringify(payload).includes('"how":"failed"')).length;
  }
  expect([crashes > 0, failed > 0, calls > 2 * SEEDS]).toEqual([true, true, true]);
});
