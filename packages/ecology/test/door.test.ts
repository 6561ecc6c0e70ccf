/** Agents from outside: each action is decided and durable before it is answered. */
import { memoryStore } from '@assay/host';
import { orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { ecology, resolveConfig } from '../src/index.js';
import { DOOR_TOOLS, OutsideDoor, readToolCall } from '../src/shell/index.js';

const policy = orThrow(resolveConfig({ agents: { initial: ['ann', 'bob'], scrip: 1_000 } }));
const start = {
  run_id: 'd',
  ts_base: 'T',
  policy: policy as unknown as Json,
  input: { artifacts: [] },
  engine: null,
};

describe('a door', () => {
  it('answers what was decided, once it is stored; many at once share the ledger', async () => {
    const store = memoryStore();
    const door = orThrow(await OutsideDoor.open(ecology, start, store, null));
    const pay = readToolCall('ledger_transfer', { to: 'bob', amount: 10 });
    const all = await Promise.all(Array.from({ length: 50 }, () => door.act('ann', pay)));
    expect(all.every((one) => one._tag === 'Right' && one.right?.success === true)).toBe(true);
    expect(orThrow(await store.head('d'))?.count).toBe(door.head.count);
    expect(door.view('bob').balances.scrip).toBe(1_500);
    const refused = orThrow(await door.act('bob', { op: 'write', id: 'ann', content: 1 }));
    expect(refused).toMatchObject({ success: false, error_code: 'ACCESS_DENIED' });
    expect(door.view('bob').responses).toEqual([refused]);
    await door.close();
    const again = orThrow(await OutsideDoor.open(ecology, start, store, null));
    expect(again.view('bob').balances.scrip).toBe(1_500);
    await again.close();
  });

  it('has a tool for each action and each method of a service', () => {
    const names = DOOR_TOOLS.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['view', 'read', 'write', 'invoke', 'noop', 'store_create', 'mint_bid']),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(readToolCall('read', { id: 'x' })).toEqual({ op: 'read', id: 'x' });
    expect(readToolCall('read', {})).toBe('id is no name of an artifact');
    expect(readToolCall('fly', {})).toBe('op is one of read, write, invoke, noop');
  });
});
