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
