/** Many at once: what one decision cannot hold neither ends the run nor stops anybody else. */
import type { Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { freshEngine } from '../../tools/engine.js';
import { tools, World, type Act } from '../../tools/world.js';

const invoke = (id: string, method: string, args: Json): Json => ({ op: 'invoke', id, method, args });

describe('a crowd', () => {
  it('a turn is not lost to one agent whose actions lead to too much', () => {
    const code = `function run() {
      const goods = []; for (let i = 0; i < 31; i += 1) goods.push('x' + i);
      const offer = { give: { amounts: [['scrip', 1]] }, want: { goods }, exit: { t: 'on_demand' } };
      for (let i = 0; i < 110; i += 1) invoke('genesis_escrow_api', 'offer', offer);
      return 1; }`;
    const agent = {
      id: 'ag',
      content: { code },
      interface: tools('go'),
      can_execute: true,
      has_standing: true,
    };
    const seen = new World(freshEngine(), { agents: { initial: ['ann', 'bob'], scrip: 10_000 } }, [agent]);
    for (const [resource, amount] of Object.entries({ scrip: 9_000, cpu: 60_000_000 }))
      seen.invoke('ann', 'genesis_ledger_api', 'transfer', { to: 'ag', resource, amount });
    const go: Act = ['bob', invoke('ag', 'go', {})];
    const ends = seen.turn(['ann', { op: 'noop' }], ...Array.from({ length: 25 }, () => go));
    expect([ends[0]?.t, ends.some((event) => event.t === 'no' && event.c === 'LIMIT_EXCEEDED')]).toEqual([
      'did',
      true,
    ]);
  });

  it('a turn of 4,096 payments is done whole', () => {
    const seen = new World(null, { agents: { initial: ['ann', 'bob'], scrip: 10_000 } });
    const pay = invoke('genesis_ledger_api', 'transfer', { to: 'bob', amount: 1 });
    seen.turn(...Array.from({ length: 4_096 }, (): Act => ['ann', pay]));
    expect(seen.scrip('ann')).toBe(10_000 - 4_096);
  });
});
