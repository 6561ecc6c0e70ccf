/** The mint at its edges: void scores, content that waits or is gone, bounties. */
import { describe, expect, it } from 'vitest';
import { freshEngine } from '../../tools/engine.js';
import { World } from '../../tools/world.js';

const engine = freshEngine();
const HOUR = 3_600_000_000;
const agents = { initial: ['ann', 'bob', 'cid'], scrip: 1_000 };

function world(more: object = {}): World {
  return new World(engine, { agents, ...more });
}

describe('the mint', () => {
  it('ecology/ubi-budget (L14): what a winner without a score paid comes back whole, and nothing is shared', () => {
    const seen = world({ mint: { score_attempts: 1 } });
    for (const [agent, amount] of [
      ['ann', 30],
      ['bob', 20],
    ] as const)
      seen.invoke(agent, 'genesis_mint_api', 'bid', { artifact_id: agent, amount });
    seen.wait(HOUR);
    expect(seen.scrip('ann')).toBe(980);
    seen.answer('score 0 ann', { score: 'none' });
    expect(['ann', 'bob', 'sys:mint', 'sys:ubi_carry'].map((id) => seen.scrip(id))).toEqual([
      1_000, 1_000, 0, 0,
    ]);
  });

  it('ecology/mint-source (L15): content whose score came in meanwhile is not scored again: its bid comes back', () => {
    const seen = world();
    seen.invoke('ann', 'genesis_store_api', 'create', { id: 'poem', content: 1 });
    seen.invoke('ann', 'genesis_mint_api', 'bid', { artifact_id: 'poem', amount: 10 });
    seen.wait(HOUR);
    seen.invoke('ann', 'genesis_mint_api', 'bid', { artifact_id: 'poem', amount: 30 });
    seen.answer('score 0 poem', { score: 5 });
    expect(seen.scrip('ann')).toBe(1_470);
    seen.wait(HOUR);
    expect(seen.scrip('ann')).toBe(1_500);
    expect(seen.state.open.has('score 1 poem')).toBe(false);
  });

  it('ecology/mint-source (L15): content that waits for its score wins no second auction, and may after a void one', () => {
    const seen = world({ mint: { score_attempts: 1 } });
    seen.invoke('ann', 'genesis_store_api', 'create', { id: 'poem', content: 1 });
    for (let round = 0; round < 2; round += 1) {
      seen.invoke('ann', 'genesis_mint_api', 'bid', { artifact_id: 'poem', amount: 10 });
      seen.wait(HOUR);
    }
    expect([...seen.state.open].map(([name]) => name).filter((name) => name.startsWith('score'))).toEqual([
      'score 0 poem',
    ]);
    expect(seen.scrip('ann')).toBe(1_000);
    seen.answer('score 0 poem', { score: 'none' });
    seen.invoke('ann', 'genesis_mint_api', 'bid', { artifact_id: 'poem', amount: 10 });
    seen.wait(HOUR);
    seen.answer('score 2 poem', { score: 5 });
    expect(seen.scrip('ann')).toBe(1_500);
  });

  it('a deleted artifact takes its bid back', () => {
    const seen = world();
    seen.invoke('ann', 'genesis_store_api', 'create', { id: 'poem', content: 1 });
    seen.invoke('ann', 'genesis_mint_api', 'bid', { artifact_id: 'poem', amount: 10 });
    seen.invoke('ann', 'genesis_store_api', 'delete', { artifact_id: 'poem' });
    expect([seen.scrip('ann'), seen.state.bids.size]).toEqual([1_000, 0]);
  });

  it('an artifact that is sold or given away takes its bid back: its score mints for who has it', () => {
    const seen = world();
    for (const id of ['poem', 'song']) seen.invoke('ann', 'genesis_store_api', 'create', { id, content: id });
    seen.invoke('ann', 'genesis_mint_api', 'bid', { artifact_id: 'song', amount: 10 });
    seen.invoke('ann', 'genesis_store_api', 'transfer_ownership', { artifact_id: 'song', to: 'cid' });
    expect([seen.scrip('ann'), seen.state.bids.size]).toEqual([1_000, 0]);
    seen.invoke('ann', 'genesis_mint_api', 'bid', { artifact_id: 'poem', amount: 10 });
    const exit = { t: 'on_demand' };
    const sale = { give: { goods: ['poem'] }, want: { amounts: [['scrip', 50]] }, exit };
    const { offer_id } = seen.invoke('ann', 'genesis_escrow_api', 'offer', sale) as { offer_id: string };
    seen.invoke('bob', 'genesis_escrow_api', 'buy', { offer_id, seen: [1] });
    expect(seen.invoke('bob', 'genesis_mint_api', 'bid', { artifact_id: 'poem', amount: 1 })).toEqual({
      bid: 1,
    });
    expect(['ann', 'bob'].map((id) => seen.scrip(id))).toEqual([1_050, 949]);
  });

  it('an operator pays bounties up to a cap in a window, as a minter of its own', () => {
    const seen = world({ mint: { minters: [{ id: 'patron', cap: 50, window_us: HOUR }] } });
    const order = { op: 'bounty', minter: 'patron', to: 'bob', amount: 30, rationale: 'good work' };
    seen.answer('operator', order);
    expect(seen.offer('operator', order)).toBe('bad_order');
    seen.wait(HOUR);
    seen.answer('operator', order);
    expect([seen.scrip('bob'), seen.state.minted.get('patron')]).toEqual([1_060, 60]);
    seen.now += HOUR;
    expect(seen.offer('operator', order)).toBe(null);
  });
});

describe('rules to be compared', () => {
  const BIDS = { ann: 90, bob: 60, cid: 20 };
  const held = (seen: World): number =>
    [...seen.state.accounts].reduce((sum, [, { amounts }]) => sum + amounts.scrip, 0);

  it.each([
    ['uniform', 'bid_independent', [940, 1_000, 1_000], 60],
    ['first_price', 'equal', [910, 1_000, 1_000], 90],
    ['all_pay', 'equal', [910, 940, 980], 170],
    ['all_pay', 'bid_independent', [910, 940, 980], 170],
  ] as const)(
    '%s with %s: who pays what, and all of it is shared or carried',
    (auction, split, left, pot) => {
      const seen = world({ mint: { auction, score_attempts: 1, ubi: { split, eligibility: 'acted' } } });
      for (const [agent, amount] of Object.entries(BIDS))
        seen.invoke(agent, 'genesis_mint_api', 'bid', { artifact_id: agent, amount });
      seen.wait(HOUR);
      const scrip = (): readonly number[] => ['ann', 'bob', 'cid'].map((id) => seen.scrip(id));
      expect([scrip(), seen.scrip('sys:mint'), held(seen)]).toEqual([left, pot, 3_000]);
      seen.answer('score 0 ann', { score: 0 });
      const income = scrip().reduce((sum, has, at) => sum + has - (left[at] ?? 0), 0);
      expect([income + seen.scrip('sys:ubi_carry'), seen.scrip('sys:mint')]).toEqual([pot, 0]);
      if (split === 'equal') expect(income).toBe(Math.floor(pot / 3) * 3);
      for (const [agent, amount] of Object.entries(BIDS))
        seen.invoke(agent, 'genesis_mint_api', 'bid', { artifact_id: agent, amount });
      seen.act('ann', { op: 'noop' });
      const before = scrip();
      seen.wait(HOUR);
      seen.answer('score 1 bob', { score: 'void' });
      const cid = auction === 'all_pay' ? 20 : 0;
      const back = before.reduce((sum, has) => sum + has, 0) + BIDS.bob + BIDS.cid - cid;
      const carried = seen.scrip('sys:ubi_carry');
      expect([back + cid - carried <= scrip().reduce((sum, has) => sum + has, 0), held(seen)]).toEqual([
        true,
        3_000,
      ]);
    },
  );

  it('a fee comes on top of the price of an offer and goes to the carry', () => {
    const seen = world({ escrow: { fee_ppm: 25_000 } });
    const want = { amounts: [['scrip', 400]] };
    const offer = { give: { amounts: [['disk', 5]] }, want, exit: { t: 'on_demand' } };
    for (const _ of [1, 2, 3]) seen.invoke('ann', 'genesis_escrow_api', 'offer', offer);
    const buy = (): unknown => seen.invoke('bob', 'genesis_escrow_api', 'buy', { offer_id: 'open' });
    expect([buy(), buy(), buy()]).toEqual([{ offer_id: 'o0' }, { offer_id: 'o1' }, 'INSUFFICIENT_FUNDS']);
    expect(['ann', 'bob', 'sys:ubi_carry'].map((id) => seen.scrip(id))).toEqual([1_800, 180, 20]);
  });

  it('where nearly all starve for three resolutions an income is made, and no longer than they do', () => {
    const emergency = { enabled: true, frozen_ppm: 600_000, amount: 10_000 };
    const seen = world({ mint: { ubi: { emergency } } });
    const give = (from: string, to: string, amount: number): void => {
      const args = { to, amount, resource: 'llm_budget' };
      seen.invoke(from, 'genesis_ledger_api', 'transfer', args);
    };
    for (const agent of ['ann', 'bob'])
      give(agent, 'cid', seen.state.accounts.get(agent)?.amounts.llm_budget ?? 0);
    const minted = [1, 2, 3, 4].map(() => {
      seen.wait(HOUR);
      return seen.state.minted.get('emergency') ?? 0;
    });
    expect(minted).toEqual([0, 0, 10_000, 20_000]);
    expect([seen.scrip('bob'), held(seen)]).toEqual([1_000 + 2 * 5_000, seen.state.supply]);
    give('cid', 'ann', 5);
    seen.wait(HOUR);
    expect(seen.state.minted.get('emergency')).toBe(20_000);
  });
});
