/** What an attacker tried among living agents: code of others, offers, crowds of events and odd conditions. */
import type { Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { getRunState } from '../../src/index.js';
import { freshEngine } from '../../tools/engine.js';
import { START, tools, World } from '../../tools/world.js';

const DIGEST = 'ab'.repeat(32);
const PRICED = { id: 'gpt', owner: 'bob', content: { model: 'default', price_mscrip: 900 } };
const CODE = `function run() { return invoke('genesis_calls_api', 'begin', { target: 'gpt', digest: '${DIGEST}', input_bound: 1 }); }`;
const TOOL = { id: 'free', owner: 'bob', content: { code: CODE }, interface: tools('go'), can_execute: true };
const CAME = { digest: DIGEST, size: 5, result: 'said' };

function world(artifacts: ConstructorParameters<typeof World>[2] = [], more: object = {}): World {
  return new World(
    freshEngine(),
    { agents: { initial: ['ann', 'bob'], scrip: 1_000 }, ...more } as Json,
    artifacts,
  );
}

const sleepUntil = (seen: World, agent: string, event: string, where: Json): unknown =>
  seen.invoke(agent, 'genesis_agents_api', 'sleep', { events: [{ event, where }] });

describe('a call that code of others begins', () => {
  it('costs its caller no more than it allows', () => {
    const seen = world([PRICED, TOOL]);
    seen.invoke('ann', 'free', 'go', {}, 899);
    expect([seen.scrip('ann'), seen.state.calls.size]).toEqual([1_000, 0]);
    seen.invoke('ann', 'free', 'go', {}, 900);
    expect([seen.scrip('ann'), seen.state.calls.size]).toEqual([100, 1]);
  });

  it('is named by whose code it is: its caller pays, and none of its secrets is filled in', () => {
    const seen = world([{ ...PRICED, content: { model: 'default' } }, TOOL]);
    seen.invoke('ann', 'free', 'go', {}, 0);
    const asked = seen.records.flatMap(({ kind, payload }) =>
      kind === 'decision'
        ? (payload as unknown as { readonly requests: readonly { readonly kind: string }[] }).requests
        : [],
    );
    expect(asked.find(({ kind }) => kind === 'effect')).toMatchObject({
      body: { agent: 'ann', by: 'free', call: 'ann.0' },
    });
  });
});

it('the price of a call goes to who offers its target, and an answer that is late is kept', () => {
  const seen = world([PRICED]);
  const offer = { give: { goods: ['gpt'] }, want: { amounts: [['scrip', 5]] }, exit: { t: 'on_demand' } };
  expect(seen.invoke('bob', 'genesis_escrow_api', 'offer', offer)).toMatchObject({ offer_id: 'o0' });
  seen.invoke('ann', 'genesis_calls_api', 'begin', { target: 'gpt', digest: DIGEST, input_bound: 1 });
  seen.answer('call ann.0', CAME);
  expect([seen.scrip('ann'), seen.scrip('bob')]).toEqual([100, 1_900]);
  const many = world([{ id: 'gpt', content: { model: 'default' } }]);
  for (let n = 0; n < 40; n += 1)
    many.invoke('ann', 'genesis_calls_api', 'begin', { target: 'gpt', digest: DIGEST, input_bound: 1 });
  many.answer('call ann.0', CAME);
  expect(many.invoke('ann', 'genesis_calls_api', 'status', { call: 'ann.0' })).toMatchObject({
    state: 'done',
  });
});

it('a sleeper is woken by the first of more events than the log keeps, and by no value that only looks like it', () => {
  const seen = world([], { events: { kept: 10 } });
  const exit = { t: 'deadline', at_us: START + 1_000_000 };
  for (let n = 0; n < 30; n += 1)
    seen.invoke('ann', 'genesis_escrow_api', 'offer', { give: { amounts: [['scrip', 1]] }, want: {}, exit });
  const [first = ''] = seen.state.offers.sorted().map(([id]) => id);
  sleepUntil(seen, 'bob', 'escrow_expired', { offer_id: first });
  seen.wait(2_000_000);
  expect(getRunState(seen.state, 'bob')).toBe('active');
  sleepUntil(seen, 'bob', 'transfer_completed', { from: '*' });
  seen.invoke('ann', 'genesis_ledger_api', 'transfer', { to: 'bob', amount: 5 });
  expect(getRunState(seen.state, 'bob')).toBe('sleeping');
});
