/** Many at once: what one decision cannot hold neither ends the run nor stops anybody else. */
import type { Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { World, type Act } from '../../tools/world.js';

const HOUR = 3_600_000_000;
const invoke = (id: string, method: string, args: Json): Json => ({ op: 'invoke', id, method, args });

function inTurns(world: World, acts: readonly Act[]): void {
  for (let at = 0; at < acts.length; at += 2_000) world.turn(...acts.slice(at, at + 2_000));
}

describe('a crowd', () => {
  it('ecology/payout-liveness (L18): offers that end at one time all return, over as many records as they need', () => {
    const seen = new World(null, { agents: { initial: ['ann', 'bob'], scrip: 10_000 } });
    const exit = { t: 'deadline', at_us: seen.now + 10 };
    const offer = invoke('genesis_escrow_api', 'offer', {
      give: { amounts: [['scrip', 1]] },
      want: {},
      exit,
    });
    inTurns(
      seen,
      Array.from({ length: 6_000 }, (): Act => ['ann', offer]),
    );
    seen.wait(10);
    const { size } = seen.state.offers;
    expect([size > 0, seen.scrip('ann')]).toEqual([true, 10_000 - size]);
    const buy = { offer_id: seen.state.offers.sorted()[0]?.[0] ?? '', seen: [] };
    expect(seen.invoke('bob', 'genesis_escrow_api', 'buy', buy)).toBe('NOT_FOUND');
    expect([seen.state.offers.size, seen.scrip('ann'), seen.run.outcome]).toEqual([0, 10_000, null]);
  });

  it('offers that are due and cancelled leave nothing that a snapshot does not hold', () => {
    const seen = new World(null, { agents: { initial: ['ann'], scrip: 10_000 } });
    const exit = { t: 'deadline', at_us: seen.now + 10 };
    const offer = invoke('genesis_escrow_api', 'offer', {
      give: { amounts: [['scrip', 1]] },
      want: {},
      exit,
    });
    inTurns(
      seen,
      Array.from({ length: 5_500 }, (): Act => ['ann', offer]),
    );
    const last = seen.state.offers.sorted().slice(-1_000);
    seen.now += 10;
    seen.turn(
      ...last.map(([offer_id]): Act => ['ann', invoke('genesis_escrow_api', 'cancel', { offer_id })]),
    );
    expect([seen.state.offers.size, seen.scrip('ann')]).toEqual([0, 10_000]);
    const read = seen.machine.decode(seen.machine.encode(seen.state));
    if (read._tag === 'Left') throw new Error(read.left.code);
    expect([read.right.timers, seen.state.timers]).toEqual([null, null]);
    expect(seen.answer('clock', {}).map(({ t }) => t)).toEqual(['asked']);
  });

  it('of more bids than a resolution holds the lowest ends, lists end, more holders than an artifact holds have two', () => {
    const names = Array.from({ length: 16_001 }, (_, at) => `p${at}`);
    const seen = new World(null, { agents: { initial: names, scrip: 10 } });
    const bid = (name: string, amount: number): Act => [
      name,
      invoke('genesis_mint_api', 'bid', { artifact_id: name, amount }),
    ];
    seen.wait(0);
    inTurns(
      seen,
      names.slice(0, 10_000).map((name) => bid(name, 2)),
    );
    expect([seen.act(...bid('p10000', 2)), seen.scrip('p10000')]).toEqual(['LIMIT_EXCEEDED', 10]);
    expect([seen.act(...bid('p10000', 3)), seen.scrip('p9999')]).toEqual([{ bid: 3 }, 10]);
    const list = invoke('genesis_store_api', 'list_all', {});
    const ends = seen.turn(...Array.from({ length: 251 }, (): Act => ['p0', list]));
    expect([ends[0], ends[250]]).toMatchObject([{ t: 'did' }, { t: 'no', c: 'LIMIT_EXCEEDED' }]);
    seen.wait(HOUR);
    const order = { op: 'stop', rationale: 'a test' };
    seen.answer('operator', order);
    const tables = seen.records.flatMap(({ payload }) => {
      const { name, content } = payload as { readonly name?: string; readonly content?: Json };
      return name?.startsWith('balances') === true && Array.isArray(content) ? [content.length] : [];
    });
    expect([seen.run.outcome, tables]).toEqual(['success', [16_000, 6]]);
  });
});
