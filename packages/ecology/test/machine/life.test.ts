/** How agents live: edges of their run states, what wakes them, what they see of the log. */
import type { Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { getRunState, isDormant, nextDueUs, readLog, type EcologyEvent } from '../../src/index.js';
import { freshEngine } from '../../tools/engine.js';
import { START, tools, World, type Act } from '../../tools/world.js';

const AGENTS = 'genesis_agents_api';
const LEDGER = 'genesis_ledger_api';
const MINUTE = 60_000_000;
const TRIO = { initial: ['ann', 'bob', 'cid'], scrip: 1_000 };

function world(more: Json = {}, agents: object = {}): World {
  return new World(null, { agents: { ...TRIO, ...agents }, ...(more as object) } as Json);
}

const kinds = (events: readonly EcologyEvent[]): readonly string[] => events.map(({ t }) => t);
const pay = (to: string, amount: number, resource: string = 'scrip'): Json => ({
  op: 'invoke',
  id: LEDGER,
  method: 'transfer',
  args: { to, amount, resource },
});
const sleep = (args: Json): Json => ({ op: 'invoke', id: AGENTS, method: 'sleep', args });
const budget = (seen: World, id: string): number => seen.state.accounts.get(id)?.amounts.llm_budget ?? 0;

describe('sleep', () => {
  it('ends at its time, not a microsecond earlier, and once', () => {
    const seen = world();
    seen.act('ann', sleep({ for_us: 10 * MINUTE }));
    const due = START + 10 * MINUTE;
    expect([getRunState(seen.state, 'ann'), nextDueUs(seen.state)]).toEqual(['sleeping', due]);
    const refused = seen.turn(['ann', { op: 'noop' }]).find(({ t }) => t === 'no');
    expect(refused).toMatchObject({ c: 'CONFLICT', d: { state: 'sleeping', reason: 'own', until_us: due } });
    expect(kinds(seen.wait(10 * MINUTE - 1))).not.toContain('roused');
    expect(kinds(seen.wait(1)).filter((t) => t === 'roused')).toEqual(['roused']);
    expect([getRunState(seen.state, 'ann'), seen.act('ann', { op: 'noop' })]).toEqual(['active', 'ok']);
    expect(kinds(seen.wait(MINUTE))).not.toContain('roused');
  });

  it('ends by an event with the fields that are meant, and by no other', () => {
    const seen = world();
    seen.act(
      'ann',
      sleep({ events: [{ event: 'transfer_completed', where: { to: 'ann', resource: 'scrip' } }] }),
    );
    seen.act('bob', sleep({ events: [{ event: 'transfer_completed' }, { event: 'artifact_created' }] }));
    expect(kinds(seen.turn(['cid', pay('ann', 5, 'disk')])).filter((t) => t === 'roused')).toHaveLength(1);
    const states = (): readonly string[] => ['ann', 'bob'].map((id) => getRunState(seen.state, id));
    expect(states()).toEqual(['sleeping', 'active']);
    seen.turn(['cid', pay('bob', 5)]);
    expect(states()).toEqual(['sleeping', 'active']);
    seen.turn(['cid', pay('ann', 5)]);
    expect([states(), seen.state.timers, seen.state.watchers.size]).toEqual([['active', 'active'], null, 0]);
  });

  it('ends by a balance, at once where it is reached already', () => {
    const seen = world();
    seen.act('ann', sleep({ balances: [{ resource: 'scrip', op: '>=', value: 1_010 }] }));
    seen.act('bob', sleep({ balances: [{ resource: 'scrip', op: '<', value: 2_000 }] }));
    expect([getRunState(seen.state, 'ann'), getRunState(seen.state, 'bob')]).toEqual(['sleeping', 'active']);
    seen.act('cid', pay('ann', 9));
    expect(getRunState(seen.state, 'ann')).toBe('sleeping');
    seen.act('cid', pay('ann', 1));
    expect(getRunState(seen.state, 'ann')).toBe('active');
  });

  it('lasts a year at most, and refuses conditions that nothing meets', () => {
    const seen = world();
    expect(seen.act('ann', sleep({ until_us: 4e15 }))).toEqual({ until_us: START + 31_536_000_000_000 });
    const odd = { event: 'transfer_completed', where: { artifact_id: 'x' } };
    expect(seen.act('bob', sleep({ events: [odd] }))).toBe('NOT_FOUND');
    const many = Array.from({ length: 17 }, () => ({ event: 'clock_jump' }));
    expect(seen.act('bob', sleep({ events: many }))).toBe('LIMIT_EXCEEDED');
  });

  it('closes an invitation, which opens again with the waking; the rest of a list is refused', () => {
    const seen = world({}, { mind: 'asked' });
    const ends = seen.answer('act ann', { actions: [sleep({ for_us: MINUTE }), { op: 'noop' }] });
    expect(ends.find(({ t }) => t === 'no')).toMatchObject({ c: 'CONFLICT' });
    expect(seen.state.open.has('act ann')).toBe(false);
    seen.wait(MINUTE);
    expect(seen.state.open.has('act ann')).toBe(true);
  });

  it('subscriptions wake from each sleep; of too many the one goes that woke nobody for the longest time', () => {
    const seen = world({ events: { subs_total: 2, subs_per_agent: 2 } });
    const subscribe = (agent: string, event: string): Json =>
      seen.invoke(agent, AGENTS, 'subscribe', { event });
    const first = subscribe('ann', 'transfer_completed');
    subscribe('bob', 'artifact_created');
    expect(subscribe('ann', 'transfer_completed')).toEqual(first);
    for (const _ of [1, 2]) {
      seen.act('ann', sleep({}));
      seen.turn(['cid', pay('bob', 1)]);
      expect(getRunState(seen.state, 'ann')).toBe('active');
    }
    subscribe('cid', 'clock_jump');
    const subs = ['ann', 'bob', 'cid'].map((id) => seen.state.accounts.get(id)?.life?.subscriptions.length);
    expect(subs).toEqual([1, 0, 1]);
    const told = readLog(seen.state, 'bob', 0, 100, ['subscription_evicted']);
    expect([told.events.length, readLog(seen.state, 'ann', 0, 100, ['subscription_evicted']).events]).toEqual(
      [1, []],
    );
    expect(seen.invoke('ann', AGENTS, 'unsubscribe', first)).toBe('ok');
    expect(seen.invoke('ann', AGENTS, 'unsubscribe', first)).toBe('NOT_FOUND');
  });
});

describe('freezing', () => {
  it('is an edge of the budget, with what and who ended it', () => {
    const seen = world();
    const all = budget(seen, 'ann');
    expect(kinds(seen.turn(['ann', pay('bob', all, 'llm_budget')]))).toContain('froze');
    expect([getRunState(seen.state, 'ann'), seen.act('ann', { op: 'noop' })]).toEqual(['frozen', 'CONFLICT']);
    seen.turn(['bob', pay('ann', 7, 'llm_budget')], ['bob', pay('ann', 1, 'llm_budget')]);
    expect(seen.act('ann', { op: 'noop' })).toBe('ok');
    const types = readLog(seen.state, 'cid', 0, 100, ['agent_frozen', 'agent_unfrozen']).events;
    expect(types.map(({ data }) => data)).toMatchObject([
      { agent_id: 'ann', reason: 'budget', owned_artifacts: ['ann'], owned_count: 1, scrip_balance: 1_000 },
      { agent_id: 'ann', unfrozen_by: 'bob', resource: 'llm_budget', amount: 7 },
    ]);
  });

  it('who is spawned is frozen without a word, and invited once it is funded, if its maker is', () => {
    const seen = world({}, { asked: ['ann'] });
    const make = (id: string): Json => ({
      op: 'invoke',
      id: 'genesis_store_api',
      method: 'create',
      args: { id, content: 1, interface: { tools: [] }, has_standing: true, can_execute: true },
    });
    seen.answer('act ann', { actions: [make('kid')] });
    seen.act('bob', make('tot'));
    expect(['kid', 'tot'].map((id) => getRunState(seen.state, id))).toEqual(['frozen', 'frozen']);
    expect(readLog(seen.state, 'bob', 0, 100, ['agent_frozen']).events).toEqual([]);
    seen.turn(['bob', pay('kid', 5, 'llm_budget')], ['bob', pay('tot', 5, 'llm_budget')]);
    expect([seen.state.open.has('act kid'), seen.state.open.has('act tot')]).toEqual([true, false]);
    seen.answer('act kid', { actions: [{ op: 'noop' }] });
    expect(seen.act('tot', { op: 'noop' })).toBe('ok');
    expect(getRunState(world({ resources: { llm_budget_uusd: 0 } }).state, 'ann')).toBe('active');
  });

  it('a mind that fails waits 10, 20, 40, 80 s and is frozen at the fifth time; what is done ends the row', () => {
    const seen = world();
    const fail: Act = ['ann', { op: 'failed', code: 'threw' }];
    const waits: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      seen.turn(fail);
      waits.push(nextDueUs(seen.state) - seen.now);
      expect(seen.act('ann', { op: 'noop' })).toBe('CONFLICT');
      seen.wait(waits[n] ?? 0);
    }
    expect(waits).toEqual([10_000_000, 20_000_000, 40_000_000, 80_000_000]);
    expect(seen.act('ann', { op: 'noop' })).toBe('ok');
    for (const us of waits) {
      seen.turn(fail);
      seen.wait(us);
    }
    expect(kinds(seen.turn(fail))).toContain('froze');
    seen.turn(['bob', pay('ann', 7, 'llm_budget')]);
    expect([getRunState(seen.state, 'ann'), seen.act('ann', { op: 'noop' })]).toEqual(['frozen', 'CONFLICT']);
  });

  it('counts answers of a model that are none, not the faults of who serves it', () => {
    const seen = world({}, { mind: 'asked' });
    const fail = (code: string): void => {
      seen.answer('act ann', null, { failure: { code, final: true, detail: {} } as never });
    };
    fail('unavailable');
    fail('lost');
    expect(getRunState(seen.state, 'ann')).toBe('active');
    fail('malformed');
    expect([getRunState(seen.state, 'ann'), seen.state.open.has('act ann')]).toEqual(['sleeping', false]);
  });

  it('a failure is said by a driver only: no code and no list may', () => {
    const code = `function run() { const r = host({ op: 'failed', code: 'threw' }); return r.error_code; }`;
    const tool = { id: 'tool', content: { code }, interface: tools('go'), can_execute: true };
    const seen = new World(freshEngine(), { agents: { ...TRIO, asked: ['cid'] } }, [tool]);
    expect(seen.invoke('ann', 'tool', 'go')).toBe('INVALID_ARGS');
    const ends = seen.answer('act cid', { actions: [{ op: 'failed', code: 'threw' }] });
    expect(ends.find(({ t }) => t === 'no')).toMatchObject({ c: 'INVALID_ARGS' });
  });
});

describe('blocked', () => {
  const slow = {
    id: 'slow',
    content: { code: 'function run() { let n = 0; while (n < 500) n += 1; return n; }' },
    interface: tools('go'),
    can_execute: true,
  };

  it('lasts until the resource fits, and hinders no other work; it ends with what needed it', () => {
    const config = {
      agents: TRIO,
      contracts: { fuel_per_us: 1, max_fuel: 30_000 },
      resources: { cpu_us_per_min: 40_000 },
    };
    const seen = new World(freshEngine(), config, [slow]);
    const run = (): Json => seen.invoke('ann', 'slow', 'go');
    let ends: Json = null;
    for (let n = 0; n < 20 && ends !== 'INSUFFICIENT_COMPUTE'; n += 1) ends = run();
    expect([ends, getRunState(seen.state, 'ann'), seen.act('ann', { op: 'noop' })]).toEqual([
      'INSUFFICIENT_COMPUTE',
      'blocked',
      'ok',
    ]);
    expect(getRunState(seen.state, 'ann')).toBe('blocked');
    seen.act('bob', pay('ann', 30_000, 'cpu'));
    expect([run(), getRunState(seen.state, 'ann')]).toEqual([500, 'active']);
    const told = readLog(seen.state, 'bob', 0, 100, ['agent_blocked', 'agent_unblocked']).events;
    expect(told.map(({ type, data }) => [type, data['resource']])).toEqual([
      ['agent_blocked', 'cpu'],
      ['agent_unblocked', 'cpu'],
    ]);
  });

  it('withholds the invitation of an agent that has used its window', () => {
    const seen = world({ resources: { llm_rate_per_min: 1_000 } }, { mind: 'asked' });
    const spent = { input_tokens: 900, output_tokens: 100 };
    seen.answer('act ann', { actions: [{ op: 'noop' }] }, { spent });
    expect([getRunState(seen.state, 'ann'), seen.state.open.has('act ann')]).toEqual(['blocked', false]);
    expect(nextDueUs(seen.state)).toBe(START + MINUTE);
    seen.wait(MINUTE);
    expect([getRunState(seen.state, 'ann'), seen.state.open.has('act ann')]).toEqual(['active', true]);
  });
});

describe('the log', () => {
  it('is read by pages; what is no longer kept is counted; nothing sealed is in it', () => {
    const seen = world({ events: { kept: 10 } });
    for (let n = 0; n < 25; n += 1) seen.act('ann', pay('bob', 1));
    seen.invoke('ann', 'genesis_mint_api', 'bid', { artifact_id: 'ann', amount: 100 });
    const page = readLog(seen.state, 'cid', 3, 4);
    expect([page.missed, page.events.map(({ seq }) => seq), page.next]).toEqual([12, [15, 16, 17, 18], 19]);
    expect(readLog(seen.state, 'cid', page.next, 100).events).toHaveLength(6);
    expect(readLog(seen.state, 'cid', 25, 100)).toEqual({ events: [], next: 25, missed: 0 });
    const read = seen.invoke('cid', 'genesis_event_log_api', 'read', {
      cursor: 24,
      types: ['transfer_completed'],
    });
    const data = { from: 'ann', to: 'bob', amount: 1, resource: 'scrip' };
    expect(read).toEqual({
      events: [{ seq: 24, t_us: START, type: 'transfer_completed', data }],
      next: 25,
      missed: 0,
    });
    const kept = seen.machine.decode(seen.machine.encode(seen.state));
    if (kept._tag === 'Left') throw new Error(kept.left.code);
    expect(seen.machine.encode(kept.right)).toEqual(seen.machine.encode(seen.state));
    seen.wait(8 * 24 * 60 * MINUTE);
    const { events, missed } = readLog(seen.state, 'cid', 0, 100);
    expect([events.map(({ type }) => type), missed]).toEqual([['clock_jump'], 25]);
  });
});

it('a memory is an artifact that the agent may write, and is shown; who does nothing for a week is dormant', () => {
  const seen = world();
  const set = (artifact_id: string): Json => seen.invoke('ann', AGENTS, 'set_memory', { artifact_id });
  seen.invoke('bob', 'genesis_store_api', 'create', { id: 'notes', content: [] });
  expect([set('none'), set('notes'), set('ann')]).toEqual([
    'NOT_FOUND',
    'ACCESS_DENIED',
    { memory_artifact_id: 'ann' },
  ]);
  const metadata = seen.invoke('bob', 'genesis_store_api', 'get_metadata', { artifact_id: 'ann' });
  expect(metadata).toMatchObject({ memory_artifact_id: 'ann', run_state: 'active' });
  seen.wait(7 * 24 * 60 * MINUTE);
  expect([isDormant(seen.state, 'ann'), isDormant(seen.state, 'cid')]).toEqual([true, true]);
  seen.act('ann', { op: 'noop' });
  expect(isDormant(seen.state, 'ann')).toBe(false);
});
