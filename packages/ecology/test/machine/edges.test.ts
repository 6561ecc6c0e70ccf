/** Edges of time, thought and money that random scripts seldom meet. */
import { ANSWER_STEPS } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { freshEngine } from '../../tools/engine.js';
import { GUARD, tools, World, type Act } from '../../tools/world.js';
import type { ContractEngine } from '../../src/index.js';

const engine = freshEngine();
const HOUR = 3_600_000_000;
const agents = { initial: ['ann', 'bob', 'cid'], scrip: 1_000 };

function world(more: object = {}): World {
  return new World(engine, { agents, ...more });
}

describe('time', () => {
  it('ecology/monotone-time (L30): a clock that goes back does not take time with it', () => {
    const seen = world();
    seen.wait(HOUR);
    const { now_us } = seen.state;
    seen.now -= HOUR;
    seen.answer('clock', {});
    expect(seen.state.now_us).toBe(now_us);
  });

  it('ecology/payout-liveness (L18): an offer ends when it is due, on the microsecond, and only then', () => {
    const seen = world();
    const exit = { t: 'waived', at_us: seen.now + 10 };
    const offer = { give: { amounts: [['scrip', 100]] }, want: { amounts: [['disk', 5]] }, exit };
    seen.invoke('ann', 'genesis_escrow_api', 'offer', offer);
    seen.invoke('ann', 'genesis_escrow_api', 'offer', { ...offer, exit: { t: 'on_demand' } });
    const [[offer_id] = ['']] = seen.state.offers.sorted();
    expect(seen.invoke('ann', 'genesis_escrow_api', 'cancel', { offer_id })).toBe('CONFLICT');
    seen.wait(9);
    expect([seen.scrip('ann'), seen.state.offers.size]).toEqual([800, 2]);
    seen.wait(1);
    expect([seen.scrip('ann'), seen.state.offers.size]).toEqual([900, 1]);
    expect(seen.invoke('bob', 'genesis_escrow_api', 'buy', { offer_id })).toBe('NOT_FOUND');
  });

  it('ecology/system-window, ecology/rolling-window (L4, L5): what is used of a rate is not given away', () => {
    const seen = world({ contracts: { fuel_per_us: 1 }, resources: { cpu_us_per_min: 100_000 } });
    const code = 'function run() { let n = 0; while (n < 2000) n += 1; return n; }';
    const args = { id: 'burn', content: { code }, interface: tools('go'), can_execute: true };
    seen.invoke('ann', 'genesis_store_api', 'create', args);
    seen.invoke('ann', 'burn', 'go');
    seen.invoke('ann', 'genesis_llm', 'complete', { prompt: 'p', max_tokens: 60 });
    seen.answer('effect ann', { result: 1 }, { spent: { input_tokens: 1, output_tokens: 9 } });
    for (const [resource, amount] of [
      ['cpu', 100_000],
      ['llm_rate', 10_000],
    ] as const) {
      const give = { to: 'bob', resource, amount };
      expect(seen.invoke('ann', 'genesis_ledger_api', 'transfer', give)).toBe('CONFLICT');
    }
    const rest = { to: 'bob', resource: 'llm_rate', amount: 9_990 };
    expect(seen.invoke('ann', 'genesis_ledger_api', 'transfer', rest)).toBe('ok');
  });

  it('retry_after_us is exact: one microsecond before it the same is refused', () => {
    const seen = world({ contracts: { fuel_per_us: 1 }, resources: { cpu_us_per_min: 6_000_000 } });
    const code = 'function run() { for (let n = 0; n < 90000; n += 1); return 1; }';
    const args = { id: 'burn', content: { code }, interface: tools('go'), can_execute: true };
    seen.invoke('ann', 'genesis_store_api', 'create', args);
    const burn = { op: 'invoke', id: 'burn', method: 'go' };
    for (let round = 0; round < 40; round += 1) {
      const ended = seen.turn(['ann', burn]).find(({ t }) => t === 'no');
      seen.now += 1_000_000;
      if (ended?.t !== 'no' || ended.w === undefined) continue;
      expect(ended.c).toBe('INSUFFICIENT_COMPUTE');
      const at = seen.state.now_us + ended.w;
      seen.now = at - 1;
      seen.answer('clock', {});
      const give = { to: 'bob', amount: 5_000_000, resource: 'cpu' };
      expect(seen.invoke('ann', 'genesis_rights_registry_api', 'transfer_quota', give)).toBe('CONFLICT');
      seen.now = at;
      expect(seen.invoke('ann', 'genesis_rights_registry_api', 'transfer_quota', give)).toBe('ok');
      return;
    }
    throw new Error('the window was never full');
  });
});

describe('thought', () => {
  it('stale-think (L22): an action of another config is void', () => {
    const seen = world();
    const stale = seen.hashOf('ann');
    seen.act('ann', { op: 'write', id: 'ann', content: 'other' });
    const [ended] = seen.answer('turn', { actions: [['ann', stale, { op: 'noop' }]] });
    expect(ended).toMatchObject({ t: 'no', c: 'STALE_CONTEXT' });
  });

  it('an agent without budget has no invitation, and has one again when it is given some', () => {
    const seen = new World(engine, {
      agents: { ...agents, asked: ['cid'] },
      resources: { llm_budget_uusd: 300 },
    });
    seen.answer('act cid', { actions: [{ op: 'noop' }] }, { spent: { input_tokens: 1_000 } });
    expect(seen.state.open.has('act cid')).toBe(false);
    seen.invoke('ann', 'genesis_ledger_api', 'transfer', { to: 'cid', amount: 50, resource: 'llm_budget' });
    expect(seen.state.open.has('act cid')).toBe(true);
  });

  it('an action that needs the same from outside again and again is refused', () => {
    const seen = world({ contracts: { max_suspends: 2 } });
    const code = `function run() { let n = 0; for (;;) { n += 1; invoke('genesis_llm', 'complete', { prompt: 'p' + n, max_tokens: 1 }); } }`;
    const args = { id: 'asks', content: { code }, interface: tools('go'), can_execute: true };
    seen.invoke('ann', 'genesis_store_api', 'create', args);
    expect(seen.invoke('bob', 'asks', 'go')).toBe('waits');
    expect(seen.act('bob', { op: 'noop' })).toBe('CONFLICT');
    seen.answer('effect bob', { result: 1 });
    const ended = seen.answer('effect bob', { result: 2 }).find(({ t }) => t === 'no');
    expect(ended).toMatchObject({ c: 'LIMIT_EXCEEDED' });
    const bob = seen.state.accounts.get('bob');
    expect([bob?.reserved_tokens, bob?.reserved_uusd]).toEqual([0, 0]);
  });

  it('what is no action waits in a list as well, and is refused when its turn comes', () => {
    const seen = new World(engine, { agents: { ...agents, asked: ['cid'] } });
    const ask = { op: 'invoke', id: 'genesis_llm', method: 'complete', args: { prompt: 'p', max_tokens: 1 } };
    const odd = { op: 'write', id: 'cid', content: 0.5 };
    seen.answer('act cid', { actions: [ask, odd, { op: 'noop' }] });
    const ends = seen.answer('effect cid', { result: 1 }).filter(({ t }) => t === 'did' || t === 'no');
    expect(ends).toMatchObject([{ t: 'did' }, { t: 'no', c: 'INVALID_ARGS' }, { t: 'did' }]);
  });

  it('holds of a model bound what others may spend meanwhile', () => {
    const seen = world({ resources: { llm_budget_uusd: 3_000 } });
    expect(seen.invoke('ann', 'genesis_llm', 'complete', { prompt: 'p', max_tokens: 60 })).toBe('waits');
    const args = {
      id: 'firm',
      content: { code: 'function check_permission() { return { allowed: true }; }' },
      interface: GUARD,
      can_execute: true,
    };
    seen.invoke('bob', 'genesis_store_api', 'create', args);
    const give = { from: 'ann', to: 'bob', amount: 400, resource: 'llm_budget' };
    expect(seen.invoke('bob', 'genesis_ledger_api', 'transfer', give)).toBe('ACCESS_DENIED');
    seen.answer('operator', {
      op: 'rebind',
      artifact_id: 'ann',
      access_contract_id: 'firm',
      rationale: 'a test',
    });
    expect(seen.invoke('bob', 'genesis_ledger_api', 'transfer', give)).toBe('CONFLICT');
    expect(seen.invoke('bob', 'genesis_ledger_api', 'transfer', { ...give, amount: 90 })).toBe('ok');
  });
});

describe('offers', () => {
  it('goods need the word of their contract, and stay as they are while they are held', () => {
    const seen = world();
    const sale = { give: { goods: ['page'] }, want: { amounts: [['scrip', 5]] }, exit: { t: 'on_demand' } };
    const sell = (): unknown => seen.invoke('ann', 'genesis_escrow_api', 'offer', sale);
    seen.invoke('ann', 'genesis_store_api', 'create', {
      id: 'page',
      content: 1,
      access_contract_id: 'sealed_contract',
    });
    expect(sell()).toBe('ACCESS_DENIED');
    const order = { op: 'rebind', artifact_id: 'page', rationale: 'a test' };
    seen.answer('operator', { ...order, access_contract_id: 'public_contract' });
    expect(sell()).toMatchObject({ offer_id: expect.stringMatching(/^o\d+$/) });
    expect(seen.act('bob', { op: 'write', id: 'page', content: 2 })).toBe('CONFLICT');
    const handOver = { artifact_id: 'page', to: 'bob' };
    expect(seen.invoke('bob', 'genesis_store_api', 'transfer_ownership', handOver)).toBe('CONFLICT');
    expect(seen.invoke('bob', 'genesis_store_api', 'delete', { artifact_id: 'page' })).toBe('CONFLICT');
    expect(seen.act('bob', { op: 'read', id: 'page' })).toBe('ok');
    expect(seen.invoke('ann', 'genesis_escrow_api', 'cancel', { offer_id: 'open' })).toBe('ok');
    expect(seen.act('bob', { op: 'write', id: 'page', content: 2 })).toBe('ok');
  });
});

describe('a config at its edge', () => {
  it('has no auction where the next one is beyond all time', () => {
    const seen = world({ mint: { interval_us: Number.MAX_SAFE_INTEGER, offset_us: 1 } });
    seen.wait(HOUR);
    seen.answer('operator', { op: 'stop', rationale: 'a test' });
    expect(seen.run.outcome).toBe('success');
  });

  it('records what a think cost beyond all numbers as the most there is', () => {
    const seen = world({
      agents: { ...agents, asked: ['cid'] },
      resources: { models: { default: { in_uusd_per_1k: 1_000_000_000 } } },
    });
    const spent = { input_tokens: 1_000_000_000_000_000 };
    const events = seen.answer('act cid', { actions: [{ op: 'noop' }] }, { spent });
    const paid = Math.floor(10_000_000 / 3);
    expect(events).toContainEqual({
      t: 'over',
      a: 'cid',
      r: 'llm_budget',
      x: Number.MAX_SAFE_INTEGER - paid,
    });
  });

  it('gives nobody a name of genesis', () => {
    const named = { agents: { initial: ['public_contract'] } };
    expect(() => new World(null, named)).toThrow(/bad_config/);
    const minter = { id: 'mint', cap: 1, window_us: HOUR };
    expect(() => world({ mint: { minters: [minter] } })).toThrow(/bad_config/);
  });
});

describe('a purchase', () => {
  it('hands over control on both sides: what the buyer gave obeys the maker', () => {
    const seen = world();
    const create = (agent: string, id: string, contract: string): unknown =>
      seen.invoke(agent, 'genesis_store_api', 'create', { id, content: id, access_contract_id: contract });
    create('ann', 'page', 'owner_contract');
    create('bob', 'lemon', 'private_contract');
    const exit = { t: 'on_demand' };
    const offer = { give: { goods: ['page'] }, want: { goods: ['lemon'] }, exit };
    seen.invoke('ann', 'genesis_escrow_api', 'offer', offer);
    const buy = { offer_id: 'open', seen: [1], access_contract_id: 'public_contract' };
    expect(seen.invoke('bob', 'genesis_escrow_api', 'buy', buy)).toEqual({
      offer_id: expect.stringMatching(/^o\d+$/) as never,
    });
    const read = (agent: string, id: string): unknown => seen.act(agent, { op: 'read', id });
    expect([read('ann', 'lemon'), read('bob', 'lemon')]).toEqual(['ok', 'ACCESS_DENIED']);
    expect([read('bob', 'page'), read('cid', 'page')]).toEqual(['ok', 'ok']);
  });
});

describe('writing', () => {
  it('versions, sizes and quotas are held', () => {
    const seen = world({ store: { content_bytes: 2_000, per_agent: 2 }, resources: { disk_bytes: 1_500 } });
    seen.invoke('ann', 'genesis_store_api', 'create', { id: 'page', content: 1 });
    const write = { op: 'write', id: 'page', content: 2, expected_version: 1 };
    expect(seen.act('ann', write)).toBe('ok');
    expect(seen.act('ann', write)).toBe('CONFLICT');
    expect(seen.act('ann', { op: 'write', id: 'page', content: 'x'.repeat(2_000) })).toBe('LIMIT_EXCEEDED');
    expect(seen.act('ann', { op: 'write', id: 'page', content: 'x'.repeat(1_600) })).toBe('QUOTA_EXCEEDED');
    expect(seen.act('ann', { op: 'write', id: 'page', content: 'x'.repeat(1_494) })).toBe('ok');
    expect(seen.act('ann', { op: 'write', id: 'page', content: 'x'.repeat(1_495) })).toBe('QUOTA_EXCEEDED');
    expect(seen.invoke('ann', 'genesis_store_api', 'create', { content: 1 })).toBe('QUOTA_EXCEEDED');
    seen.act('ann', { op: 'write', id: 'page', content: 3 });
    expect(seen.invoke('ann', 'genesis_store_api', 'create', { content: 1 })).toMatchObject({
      id: expect.stringMatching(/^a\d+$/),
    });
    expect(seen.invoke('ann', 'genesis_store_api', 'create', { content: 1 })).toBe('LIMIT_EXCEEDED');
  });

  it('a new contract must be one, and the present one must say yes', () => {
    const seen = world();
    seen.invoke('ann', 'genesis_store_api', 'create', { id: 'page', content: 1 });
    const write = { op: 'write', id: 'page', content: 2 };
    expect(seen.act('ann', { ...write, access_contract_id: 'ann' })).toBe('INVALID_CONTRACT');
    expect(seen.act('ann', { ...write, access_contract_id: 'sealed_contract' })).toBe('ok');
    expect(seen.act('ann', { ...write, access_contract_id: 'public_contract' })).toBe('ACCESS_DENIED');
  });

  it('what is malformed is refused alone', () => {
    const seen = world();
    const bad = [
      null,
      7,
      [],
      { op: 'fly' },
      { op: 'read' },
      { op: 'read', id: '__proto__' },
      { op: 'read', id: 'x', more: 1 },
    ];
    const odd = [
      { op: 'write', id: 'ann', content: 0.5 },
      { op: 'read', id: 'x', max_charge: -1 },
    ];
    const ends = seen.turn(...[...bad, ...odd].map((action) => ['ann', action] as const), [
      'ann',
      { op: 'noop' },
    ]);
    expect(ends.map((event) => (event.t === 'no' ? event.c : event.t)).slice(1, 11)).toEqual([
      ...[...bad, ...odd].map(() => 'INVALID_ARGS'),
      'did',
    ]);
    const entry = ['ann', seen.hashOf('ann'), { op: 'noop' }];
    expect(seen.offer('turn', { actions: Array.from({ length: 5_000 }, () => entry) })).toBe('bad_turn');
    expect(seen.offer('operator', { op: 'stop' })).toBe('bad_order');
  });

  it('code that makes what no record may hold is refused, and its action alone', () => {
    const seen = world();
    const bodies = [
      `return { $sealed: 1 };`,
      `return write('ann', { $blob: 'x' }).error_code;`,
      `return invoke('genesis_store_api', 'create', { content: { $sealed: 'x' } }).error_code;`,
    ];
    const ends = bodies.map((body, at) => {
      const id = `odd${at}`;
      const content = { code: `function run() { ${body} }` };
      const args = { id, content, interface: tools('go'), can_execute: true };
      seen.invoke('ann', 'genesis_store_api', 'create', args);
      return seen.invoke('ann', id, 'go');
    });
    expect(ends).toEqual(['EXECUTION_ERROR', 'INVALID_ARGS', 'INVALID_ARGS']);
  });

  it('functions of a contract that are called as the host’s are its own', () => {
    const seen = world();
    const code = `function charge() { return 5; } const now = () => 7; function read() { return 'mine'; }
      function check_permission(q) { return { allowed: charge() + now() === 12 && read() === 'mine' }; }`;
    const args = { id: 'own', content: { code }, interface: GUARD, can_execute: true };
    seen.invoke('ann', 'genesis_store_api', 'create', args);
    seen.invoke('ann', 'genesis_store_api', 'create', { id: 'page', content: 1, access_contract_id: 'own' });
    expect(seen.act('bob', { op: 'read', id: 'page' })).toBe('ok');
  });

  it('a long query and a long enum take no longer than what they are held to', () => {
    const seen = world();
    const long = Array.from({ length: 20_000 }, (_, at) => at);
    const schema = { properties: { list: { items: { enum: long } } } };
    const described = { tools: [{ name: 'go', inputSchema: schema }] };
    const content = { code: 'function run() { return 1; }' };
    const args = { id: 'held', content, interface: described, can_execute: true };
    seen.invoke('ann', 'genesis_store_api', 'create', args);
    const entries = { list: long.map(() => 19_999) };
    const events = seen.turn(['ann', { op: 'invoke', id: 'held', method: 'go', args: entries }]);
    expect(events[0]).toMatchObject({ t: 'lied', m: 'arguments /list/12' });
    const query = `held ${long.map((at) => `w${at}`).join(' ')}`;
    const found = seen.invoke('ann', 'genesis_store_api', 'search', { query });
    expect(found).toEqual([{ score: 1, id: 'held', tools: ['go'] }]);
  });

  it('what no longer fits a record is refused by name, and the next turn goes on', () => {
    const seen = world();
    const create = (id: string, code: string): unknown =>
      seen.invoke('ann', 'genesis_store_api', 'create', {
        id,
        content: { code },
        interface: tools('go'),
        can_execute: true,
      });
    create('loud', `function run() { return 'x'.repeat(60000); }`);
    create(
      'busy',
      `function run() { let n = 0; while (n < 400 && get_balance('ann') !== undefined && noop().success) n += 1; return n; }`,
    );
    const loud = ['bob', { op: 'invoke', id: 'loud', method: 'go' }] as const;
    const ends = seen.turn(...Array.from({ length: 300 }, () => loud), ['ann', { op: 'noop' }]);
    const codes = ends.flatMap((event) => (event.t === 'no' ? [event.c] : event.t === 'did' ? ['ok'] : []));
    expect([codes[0], codes[299], codes[300]]).toEqual(['ok', 'LIMIT_EXCEEDED', 'LIMIT_EXCEEDED']);
    expect(seen.act('ann', { op: 'noop' })).toBe('ok');
    expect(seen.invoke('bob', 'busy', 'go')).toBe(128);
  });
});

/** An engine in which everything uses all the fuel it is given, and an answer of the host is waited for first. */
function burning(): { readonly engine: ContractEngine; readonly used: () => number } {
  let used = 0;
  return {
    used: () => used,
    engine: {
      id: 'burning',
      check: () => null,
      compileFuel: () => 0,
      run: ({ fuel, name, host }) => {
        if (name === 'run') for (let call = 0; call < 200; call += 1) host('{"op":"read","id":"x"}');
        used += fuel;
        return { outcome: 'fuel', fuel };
      },
    },
  };
}

describe('the meter of an answer', () => {
  const most = { contracts: { max_fuel: 100_000_000, base_check_fuel: 100_000_000, checks_per_min: 10_000 } };
  const guarded = [
    { id: 'burn', content: { code: 'function check_permission() {}' }, interface: GUARD, can_execute: true },
    { id: 'x', content: 1, access_contract_id: 'burn' },
    { id: 'tool', content: { code: 'function run() {}' }, interface: tools('go'), can_execute: true },
  ];
  const read: Act = ['ann', { op: 'read', id: 'x' }];
  const go: Act = ['ann', { op: 'invoke', id: 'tool', method: 'go' }];

  it.each([
    ['a turn of 300 reads', Array.from({ length: 300 }, () => read)],
    ['one action whose code reads 200 times', [go]],
  ])('bounds the fuel of %s, nested runs included, whatever the config allows', (_, acts) => {
    const { engine: burner, used } = burning();
    const seen = new World(burner, { agents, ...most }, guarded);
    const events = seen.turn(...acts);
    expect(used()).toBeGreaterThan(0);
    expect(used()).toBeLessThanOrEqual(ANSWER_STEPS / 2);
    const last = events.findLast(({ t }) => t === 'no');
    expect(last).toMatchObject({ c: 'INSUFFICIENT_COMPUTE' });
    // The next answer has a meter of its own.
    const before = used();
    seen.turn(read);
    expect(used()).toBeGreaterThan(before);
  });
});
