/** Who pays: the models of cost that a contract can have, and amounts that move for one another. */
import type { Json, JsonObject } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { freshEngine } from '../../tools/engine.js';
import { GUARD, World } from '../../tools/world.js';

const CONFIG = { agents: { initial: ['ann', 'bob', 'cid'], scrip: 1_000 } };
const FOREVER = 2_000_000_000_000_000;

function world(...artifacts: ConstructorParameters<typeof World>[2] & object): World {
  return new World(freshEngine(), CONFIG, artifacts);
}

function guard(id: string, body: string): { readonly [key: string]: Json } & { readonly id: string } {
  const content = { code: `function check_permission(q) { ${body} }` };
  return { id, content, interface: GUARD, can_execute: true };
}

describe('a contract says who pays', () => {
  const FEE = 60;
  const charges: { readonly [model: string]: string } = {
    invoker_pays: `[{ to: 'cid', amount: ${FEE} }]`,
    owner_pays: `[{ to: 'cid', amount: ${FEE}, from: q.context.owner }]`,
    artifact_pays: `[{ to: 'cid', amount: ${FEE}, from: q.artifact_id }]`,
    split: `[{ to: 'cid', amount: ${FEE / 2} }, { to: 'cid', amount: ${FEE / 2}, from: q.context.owner }]`,
    custom: `[{ to: 'cid', amount: ${FEE}, from: get_balance(q.requester_id) < 100 ? q.context.owner : null }]`,
  };
  const payers: { readonly [model: string]: readonly number[] } = {
    invoker_pays: [1_000, 940, 100],
    owner_pays: [940, 1_000, 100],
    artifact_pays: [1_000, 1_000, 40],
    split: [970, 970, 100],
    custom: [1_000, 940, 100],
  };

  it.each(Object.keys(charges))('%s: under mandates, and not without', (model) => {
    const seen = world(guard(model, `return { allowed: true, charges: ${charges[model]} };`), {
      id: 'page',
      owner: 'ann',
      content: 1,
      has_standing: true,
      access_contract_id: model,
    });
    seen.invoke('cid', 'genesis_ledger_api', 'transfer', { to: 'page', amount: 100 });
    const isOthers = model !== 'invoker_pays' && model !== 'custom';
    const read = { op: 'read', id: 'page', max_charge: FEE };
    if (isOthers) expect(seen.act('bob', read)).toBe('ACCESS_DENIED');
    const mandate = { contract: model, cap: FEE, expires_us: FOREVER };
    for (const payer of ['ann', 'page'])
      expect(seen.invoke(payer, 'genesis_ledger_api', 'grant_mandate', mandate)).toBe('ok');
    expect(seen.act('bob', read)).toBe('ok');
    expect(['ann', 'bob', 'page'].map((id) => seen.scrip(id))).toEqual(payers[model]);
  });
});

describe('a swap', () => {
  const MAKER = `if (q.action !== 'transfer') return { allowed: false };
    const { give, want } = q.content;
    return { allowed: give?.resource === 'disk' && want.amount <= 2 * give.amount };`;
  const swap = (give: Json, want: Json): Json => ({
    op: 'invoke',
    id: 'genesis_ledger_api',
    method: 'swap',
    args: { with: 'till', give, want },
  });

  it('moves both amounts or none, under the contract of the other, which sees the terms', () => {
    const seen = world(guard('maker', MAKER), {
      id: 'till',
      content: null,
      has_standing: true,
      access_contract_id: 'maker',
    });
    seen.invoke('ann', 'genesis_ledger_api', 'transfer', { to: 'till', amount: 300 });
    const disk = (amount: number): Json => ({ resource: 'disk', amount });
    expect(seen.act('bob', swap(disk(100), { amount: 201 }))).toBe('ACCESS_DENIED');
    expect(seen.act('bob', swap({ amount: 1 }, { amount: 1 }))).toBe('ACCESS_DENIED');
    expect(seen.act('bob', swap(disk(200), { amount: 400 }))).toBe('INSUFFICIENT_FUNDS');
    expect(seen.act('bob', swap(disk(9_000_000), { amount: 1 }))).toBe('CONFLICT');
    expect(seen.act('bob', swap(disk(0), { amount: 1 }))).toBe('INVALID_ARGS');
    const held = (id: string): unknown => {
      const amounts = seen.state.accounts.get(id)?.amounts;
      return [amounts?.scrip, amounts?.disk];
    };
    expect([held('bob'), held('till')]).toEqual([
      [1_000, 500_000],
      [300, 0],
    ]);
    expect(seen.act('bob', swap(disk(100), { amount: 200 }))).toBe('ok');
    expect([held('bob'), held('till')]).toEqual([
      [1_200, 499_900],
      [100, 100],
    ]);
  });
});

describe('a price of something that code was given', () => {
  const PAID = guard('paid', `return { allowed: true, charges: [{ to: 'ann', amount: 100 }] };`);
  const SECRET = { id: 'secret', owner: 'ann', content: 'canary', access_contract_id: 'paid' };
  const tool = (id: string, body: string, more: object = {}): JsonObject => ({
    id,
    content: { code: `function run() { ${body} }` } as Json,
    interface: { tools: [{ name: 'go' }] } as Json,
    can_execute: true,
    ...more,
  });
  const go = (id: string): Json => ({ op: 'invoke', id, method: 'go', max_charge: 500 });
  const scrips = (seen: World): readonly number[] => ['ann', 'bob', 'cid'].map((id) => seen.scrip(id));
  const THROWS = tool('throws', `throw JSON.stringify(read('secret'))`);

  it('rolled-back (L37): stays paid where the code fails, and the refusal says so', () => {
    const seen = world(PAID, SECRET, THROWS);
    expect(seen.turn(['bob', go('throws')]).find(({ t }) => t === 'no')).toMatchObject({ x: 100 });
    expect(scrips(seen)).toEqual([1_100, 900, 1_000]);
  });

  it('stays paid where other code hears of the failure and goes on', () => {
    const seen = world(PAID, SECRET, THROWS, tool('catches', `return invoke('throws', 'go')`));
    expect(JSON.stringify(seen.act('bob', go('catches')))).toContain('"price_paid":100');
    expect(scrips(seen)).toEqual([1_100, 900, 1_000]);
  });

  it('is not paid where nothing was given', () => {
    const seen = world(PAID, {
      ...SECRET,
      content: { code: 'function run() { throw 1 }' },
      can_execute: true,
      interface: { tools: [{ name: 'go' }] },
    });
    expect(seen.act('bob', go('secret'))).toBe('EXECUTION_ERROR');
    expect(scrips(seen)).toEqual([1_000, 1_000, 1_000]);
  });

  it('is paid whatever else the failing code did with the money', () => {
    const pay = (from: string, to: string): string =>
      `invoke('genesis_ledger_api', 'transfer', { from: '${from}', to: '${to}', amount: get_balance('${from}') });`;
    const open = { access_contract_id: 'public_contract', has_standing: true };
    const seen = world(
      PAID,
      SECRET,
      tool('bank', pay('bob', 'bank') + `return read('secret', { max_charge: 100 }).error_code`, open),
      tool('runs', pay('bob', 'bank') + `const r = invoke('back', 'go'); return r`),
      tool('back', pay('bank', 'bob') + `throw JSON.stringify(read('secret'))`),
      THROWS,
    );
    seen.act('bob', { op: 'write', id: 'bob', content: null, access_contract_id: 'public_contract' });
    seen.invoke('cid', 'genesis_ledger_api', 'transfer', { to: 'bank', amount: 1_000_000, resource: 'cpu' });
    expect(seen.act('bob', go('runs'))).toBe('INSUFFICIENT_FUNDS');
    expect(scrips(seen)).toEqual([1_100, 900, 1_000]);
    expect(seen.act('cid', go('bank'))).toBe('INSUFFICIENT_FUNDS');
    expect(scrips(seen)).toEqual([1_100, 0, 1_000]);
  });

  it('is paid by the mandate that a check used', () => {
    const paid = guard(
      'paid',
      `return { allowed: true, charges: [{ to: 'ann', amount: 100, from: 'cid' }] };`,
    );
    const peek = guard('peek', `return { allowed: read('secret').result.content === 'canary' };`);
    const seen = world(paid, SECRET, peek, { id: 'door', content: 1, access_contract_id: 'peek' });
    const mandate = { contract: 'paid', cap: 150, expires_us: FOREVER };
    seen.invoke('cid', 'genesis_ledger_api', 'grant_mandate', mandate);
    expect(seen.act('bob', { op: 'read', id: 'door' })).toBe('ok');
    expect(scrips(seen)).toEqual([1_100, 1_000, 900]);
    expect(seen.act('bob', { op: 'read', id: 'door' })).toBe('ACCESS_DENIED');
  });
});
