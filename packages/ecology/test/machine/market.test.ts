/** A paid-read contract: who pays, who is refused, and what time and the auction do. */
import { nativeSha256 } from '@assay/host';
import { follow, orThrow } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { freshEngine } from '../../tools/engine.js';
import { GUARD, World } from '../../tools/world.js';

const CODE = `function check_permission(q) {
  if (q.requester_id === q.context.owner) return { allowed: true };
  if (q.action !== 'read') return { allowed: false, reason: 'only the owner' };
  return { allowed: true, charges: [{ to: q.context.owner, amount: 500 }] };
}`;
const CONFIG = {
  agents: { initial: ['seller', 'buyer', 'poor'], given: [{ id: 'poor', resource: 'scrip', amount: 0 }] },
};

function market(): World {
  const world = new World(freshEngine(), CONFIG);
  world.turn(
    [
      'seller',
      {
        op: 'invoke',
        id: 'genesis_store_api',
        method: 'create',
        args: { id: 'paid_read', content: { code: CODE }, interface: GUARD, can_execute: true },
      },
    ],
    [
      'seller',
      {
        op: 'invoke',
        id: 'genesis_store_api',
        method: 'create',
        args: { id: 'weather', content: { rain: 1 }, access_contract_id: 'paid_read' },
      },
    ],
  );
  return world;
}

describe('a paid read', () => {
  it('takes its price from whoever said it would pay, and refuses others', () => {
    const world = market();
    expect(world.act('buyer', { op: 'read', id: 'weather', max_charge: 500 })).toBe('ok');
    expect(world.act('buyer', { op: 'read', id: 'weather', max_charge: 499 })).toBe('INSUFFICIENT_FUNDS');
    expect(world.act('poor', { op: 'read', id: 'weather', max_charge: 500 })).toBe('INSUFFICIENT_FUNDS');
    expect(world.act('buyer', { op: 'write', id: 'weather', content: 1 })).toBe('ACCESS_DENIED');
    expect([world.scrip('seller'), world.scrip('buyer'), world.scrip('poor')]).toEqual([100_500, 99_500, 0]);
  });

  it('stops with balances and a report, and is derived again', () => {
    const world = market();
    world.act('buyer', { op: 'read', id: 'weather', max_charge: 500 });
    world.answer('operator', { op: 'stop', rationale: 'enough' });
    const [genesis, ...rest] = world.records;
    if (genesis === undefined) throw new Error('no genesis');
    let seen = orThrow(follow(world.machine, genesis, { sha256: nativeSha256 }));
    for (const record of rest) seen = orThrow(seen.feed(record));
    expect(seen.due).toEqual([]);
    expect(world.records.filter(({ kind }) => kind === 'artifact')).toHaveLength(2);
    expect(world.records.at(-1)?.kind).toBe('close');
  });

  it('a world without an engine takes no code', () => {
    const world = new World(null, CONFIG);
    const args = { id: 'paid_read', content: { code: CODE }, interface: GUARD, can_execute: true };
    expect(world.invoke('seller', 'genesis_store_api', 'create', args)).toBe('INVALID_CONTRACT');
  });
});
