/** What work outside costs: as it is told, its bound where nobody knows, nothing where it was never made. */
import type { Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { getAccount } from '../../src/world/state.js';
import { World } from '../../tools/world.js';

const RATES = { llm_budget_uusd: 200_000, llm_rate_per_min: 5_000, provider_tpm: 10_000 };
const world = (resources: { readonly [key: string]: Json } = {}): World =>
  new World(null, { agents: { initial: ['ann', 'bob'], scrip: 100 }, resources: { ...RATES, ...resources } });

/** What ann was charged: tokens and µUSD. */
function charged({ state }: World): readonly [tokens: number, uusd: number] {
  const { llm_window, amounts } = getAccount(state, 'ann');
  return [llm_window.used, 100_000 - amounts.llm_budget];
}

function asked(): World {
  const seen = world();
  expect(seen.invoke('ann', 'genesis_llm', 'complete', { prompt: 'ten bytes.', max_tokens: 90 })).toBe(
    'waits',
  );
  return seen;
}

// Ten bytes in and 90 tokens out: ceil(10 · 3000 / 1000) + ceil(90 · 15000 / 1000) µUSD.
const BOUND = [100, 1_380] as const;

describe('an effect that failed', () => {
  const cases: readonly (readonly [string, string, string | null, Json, readonly [number, number]])[] = [
    ['lost: its bound', 'lost', null, {}, BOUND],
    ['timed out: its bound', 'timeout', 'timeout', {}, BOUND],
    ['rate limited: the rate alone', 'unavailable', 'rate_limited', {}, [100, 0]],
    ['refused: nothing', 'unavailable', 'refused', {}, [0, 0]],
    ['of a server in trouble: nothing', 'unavailable', 'server_error', {}, [0, 0]],
    ['of a name that is not known: nothing', 'unavailable', 'dns', {}, [0, 0]],
    ['malformed: as it is told', 'malformed', null, { input_tokens: 7, output_tokens: 3 }, [10, 66]],
    ['lost, and told to cost more: that', 'lost', null, { usd_micros: 2_000 }, [100, 2_000]],
  ];
  it.each(cases)('%s', (_name, code, failureClass, spent, expected) => {
    const seen = asked();
    const detail = failureClass === null ? null : { class: failureClass };
    const failure = { code, final: true, detail } as never;
    seen.answer('effect ann', null, { failure, spent: spent as never });
    expect(charged(seen)).toEqual(expected);
    expect(seen.state.accounts.get('ann')).toMatchObject({ reserved_tokens: 0, reserved_uusd: 0 });
  });
});

it('an effect has as many attempts as the config says', () => {
  const seen = new World(null, { agents: { initial: ['ann'] }, net: { attempts: 5 } });
  seen.invoke('ann', 'genesis_llm', 'complete', { prompt: 'hi', max_tokens: 1 });
  expect(seen.run.open.get(seen.state.open.get('effect ann') ?? '')?.request.attempts).toBe(5);
});

describe('what does not fit', () => {
  const ask = (seen: World, max_tokens: number): Json =>
    seen.invoke('ann', 'genesis_llm', 'complete', { prompt: 'hi', max_tokens });

  it('now is INSUFFICIENT_COMPUTE with a time, ever is LIMIT_EXCEEDED', () => {
    const seen = world({ llm_budget_uusd: 1_000_000_000 });
    expect(ask(seen, 4_000)).toBe('waits');
    seen.answer('effect ann', { result: 'x' }, { spent: { output_tokens: 4_000 } });
    expect(ask(seen, 4_000)).toBe('INSUFFICIENT_COMPUTE');
    expect(ask(seen, 5_000)).toBe('LIMIT_EXCEEDED');
    seen.wait(60_000_000);
    expect(ask(seen, 4_000)).toBe('waits');
  });
});
