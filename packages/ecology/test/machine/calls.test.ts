/** Metered calls: what they hold, how they settle, and who may make them. */
import type { Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { freshEngine } from '../../tools/engine.js';
import { GUARD, World } from '../../tools/world.js';
import { getAccount } from '../../src/world/state.js';

const DIGEST = 'ab'.repeat(32);
const CAME = { digest: 'cd'.repeat(32), size: 9_000 };

function world(calls: Json = { max: 3 }): World {
  const config = {
    agents: { initial: ['ann', 'bob', 'cid'], scrip: 100 },
    resources: {
      llm_budget_uusd: 30_000,
      llm_rate_per_min: 1_000,
      provider_tpm: 2_000,
      models: { small: { in_uusd_per_1k: 1_000, out_uusd_per_1k: 2_000 }, 'web.search': { call_uusd: 50 } },
    },
    calls,
  };
  const code = "function check_permission(q) { return { allowed: q.requester_id === 'ann' }; }";
  return new World(freshEngine(), config, [
    { id: 'gpt', owner: 'cid', content: { model: 'small', price_mscrip: 7 } },
    { id: 'ours', content: { code }, interface: GUARD, can_execute: true },
    { id: 'web', content: { mcp: { server: 'web', tool: 'search' } }, access_contract_id: 'ours' },
  ]);
}

const begin = (seen: World, agent: string, more: object = {}): Json =>
  seen.invoke(agent, 'genesis_calls_api', 'begin', {
    ...{ target: 'gpt', digest: DIGEST, input_bound: 100, max_output: 200 },
    ...more,
  });

describe('a call', () => {
  it('holds its bounds, leaves its agent free, and settles what it cost', () => {
    const seen = world();
    expect(begin(seen, 'ann')).toEqual({ call: 'ann.0' });
    expect(getAccount(seen.state, 'ann')).toMatchObject({ reserved_tokens: 300, reserved_uusd: 500 });
    expect([seen.scrip('ann'), seen.scrip('cid'), seen.scrip('call:ann.0')]).toEqual([93, 100, 7]);
    const id = seen.state.open.get('call ann.0') ?? '';
    const body = { agent: 'ann', call: 'ann.0', target: 'gpt', digest: DIGEST };
    expect(seen.run.open.get(id)?.request).toMatchObject({ kind: 'effect', body });
    expect(seen.act('ann', { op: 'noop' })).toBe('ok');
    seen.answer('call ann.0', { ...CAME, result: 'hi' }, { spent: { input_tokens: 80, output_tokens: 20 } });
    const { amounts, llm_window, reserved_tokens, reserved_uusd } = getAccount(seen.state, 'ann');
    expect([amounts.llm_budget, llm_window.used, reserved_tokens, reserved_uusd]).toEqual([9_880, 100, 0, 0]);
    expect([seen.scrip('ann'), seen.scrip('cid')]).toEqual([93, 107]);
    const ended = { how: 'done', ...CAME, result: 'hi', tokens: 100, uusd: 120, why: '' };
    expect(seen.invoke('ann', 'genesis_calls_api', 'status', { call: 'ann.0' })).toMatchObject({
      ...{ state: 'done', ended },
    });
    expect(seen.invoke('bob', 'genesis_calls_api', 'status', { call: 'ann.0' })).toBe('NOT_FOUND');
  });

  it('that failed gives its scrip back, and costs what is known of it', () => {
    const seen = world();
    begin(seen, 'ann');
    begin(seen, 'bob');
    const fail = (call: string, code: string, failureClass: string): void => {
      const failure = { code, final: true, detail: { class: failureClass } } as never;
      seen.answer(`call ${call}`, null, { failure });
    };
    fail('ann.0', 'unavailable', 'server_error');
    fail('bob.0', 'timeout', 'timeout');
    expect(seen.state.calls.get('ann.0')?.ended).toMatchObject({
      uusd: 0,
      why: 'unavailable (server_error)',
    });
    expect(seen.state.calls.get('bob.0')?.ended).toMatchObject({ how: 'failed', uusd: 500, tokens: 300 });
    expect([seen.scrip('ann'), seen.scrip('bob'), seen.scrip('cid')]).toEqual([100, 100, 100]);
  });

  it('given up costs its bound, and never in the answer that began it', () => {
    const seen = world();
    const cancel = { op: 'invoke', id: 'genesis_calls_api', method: 'cancel', args: { call: 'ann.0' } };
    const args = { target: 'gpt', digest: DIGEST, input_bound: 100, max_output: 200 };
    const call = { op: 'invoke', id: 'genesis_calls_api', method: 'begin', args };
    const both = seen.turn(['ann', call], ['ann', cancel]);
    expect(both.findLast(({ t }) => t === 'no')).toMatchObject({ c: 'CONFLICT' });
    expect(seen.act('ann', cancel)).toEqual({ tokens: 300, uusd: 500 });
    expect(seen.state.open.has('call ann.0')).toBe(false);
    expect(getAccount(seen.state, 'ann')).toMatchObject({ reserved_uusd: 0, amounts: { llm_budget: 9_500 } });
    expect(seen.act('ann', cancel)).toBe('CONFLICT');
  });

  it('is refused where its contract, its target, its agent or its size do not allow it', () => {
    const seen = world();
    expect(begin(seen, 'bob', { target: 'web' })).toBe('ACCESS_DENIED');
    expect(begin(seen, 'ann', { target: 'web', max_output: 0, input_bound: 0, units: 3 })).toEqual({
      call: 'ann.0',
    });
    expect(getAccount(seen.state, 'ann')).toMatchObject({ reserved_tokens: 0, reserved_uusd: 150 });
    expect(begin(seen, 'ann', { target: 'ours' })).toBe('INVALID_ARGS');
    expect(begin(seen, 'ann', { target: 'nothing' })).toBe('NOT_FOUND');
    expect(begin(seen, 'ann', { digest: DIGEST.toUpperCase() })).toBe('INVALID_ARGS');
    expect(begin(seen, 'ann', { max_output: 901 })).toBe('LIMIT_EXCEEDED');
    expect(begin(seen, 'ann', { max_output: 5_000_000 })).toBe('BUDGET_EXHAUSTED');
    begin(seen, 'ann');
    begin(seen, 'ann');
    expect(begin(seen, 'ann')).toBe('CONFLICT');
    expect(begin(world({ max: 0 }), 'ann')).toBe('LIMIT_EXCEEDED');
    // What an agent made, or wrote over, is no model of the operator.
    const fake = { id: 'fake', content: { model: 'small' } };
    seen.invoke('bob', 'genesis_store_api', 'create', fake);
    expect(begin(seen, 'bob', { target: 'fake' })).toBe('INVALID_ARGS');
    seen.act('cid', { op: 'write', id: 'gpt', content: { model: 'web.search' } });
    expect(begin(seen, 'bob')).toBe('INVALID_ARGS');
  });

  it('of an action that failed was never begun', () => {
    const seen = world();
    const code =
      "function run(m, a) { invoke('genesis_calls_api', 'begin', a); throw new Error('after the call'); }";
    const tool = { id: 'tool', content: { code }, interface: { tools: [{ name: 'go' }] }, can_execute: true };
    seen.invoke('ann', 'genesis_store_api', 'create', tool);
    const args = { target: 'gpt', digest: DIGEST, input_bound: 1 };
    expect(seen.invoke('ann', 'tool', 'go', args)).toBe('EXECUTION_ERROR');
    expect([seen.state.calls.size, seen.state.open.has('call ann.0'), seen.scrip('ann')]).toEqual([
      0,
      false,
      100,
    ]);
    expect(begin(seen, 'ann')).toEqual({ call: 'ann.0' });
  });

  it('is forgotten once 128 of its agent began after it', () => {
    const seen = world();
    for (let n = 0; n < 129; n += 1) {
      begin(seen, 'cid', { input_bound: 1, max_output: 0 });
      seen.answer(`call cid.${n}`, CAME, { spent: { input_tokens: 1 } });
    }
    expect(seen.state.calls.size).toBe(128);
    expect(seen.state.calls.has('cid.0')).toBe(false);
  });
});
