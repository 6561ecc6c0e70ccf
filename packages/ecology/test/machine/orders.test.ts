/** What agents ask an operator for, and what operators order. */
import type { Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { World } from '../../tools/world.js';
import { getAccount, HOLDERS } from '../../src/world/state.js';

const world = (): World => new World(null, { agents: { initial: ['ann', 'bob'], scrip: 100 } });
const COMMITMENT = 'ab'.repeat(32);
const order = (seen: World, more: object): string | null =>
  seen.offer('operator', { rationale: 'a test', ...more } as Json);
const ask = (seen: World, method: string, args: Json): Json =>
  seen.invoke('ann', 'genesis_capabilities_api', method, args);
const WEB = { capability: 'web', reason: 'to read' };

describe('a capability', () => {
  it('is asked for once, approved with an artifact or the handle of a secret, denied, or withdrawn', () => {
    const seen = world();
    expect(ask(seen, 'request', WEB)).toEqual({ capability: 'web', state: 'open' });
    expect(ask(seen, 'request', WEB)).toBe('CONFLICT');
    const provision = { op: 'provision', agent_id: 'ann', capability: 'web' };
    expect(order(seen, { ...provision, approve: false, artifact_id: 'bob' })).toBe('bad_order');
    expect(order(seen, { ...provision, agent_id: 'bob', approve: true })).toBe('bad_order');
    const secret = { name: 'KEY', commitment: COMMITMENT };
    expect(order(seen, { ...provision, approve: true, artifact_id: 'bob', secret })).toBe(null);
    expect(seen.state.secrets.get('ann KEY')).toBe(COMMITMENT);
    expect(ask(seen, 'list', {})).toMatchObject({
      capabilities: [{ capability: 'web', state: 'approved', artifact_id: 'bob' }],
      secrets: ['secret:KEY'],
    });
    expect(order(seen, { ...provision, approve: true })).toBe('bad_order');
    expect(ask(seen, 'request', { ...WEB, capability: 'gpu' })).toMatchObject({ state: 'open' });
    expect(ask(seen, 'withdraw', { capability: 'gpu' })).toBe('ok');
    expect(ask(seen, 'withdraw', { capability: 'gpu' })).toBe('NOT_FOUND');
    ask(seen, 'request', { ...WEB, capability: 'gpu' });
    expect(order(seen, { ...provision, capability: 'gpu', approve: false })).toBe(null);
    const log = JSON.stringify(seen.invoke('bob', 'genesis_event_log_api', 'read', { cursor: 0 }));
    for (const type of ['requested', 'provisioned', 'denied']) expect(log).toContain(`capability_${type}`);
    expect(log).not.toContain(COMMITMENT);
  });
});

describe('an operator', () => {
  it('grants out of what nobody was given, and no more', () => {
    const seen = new World(null, {
      agents: { initial: ['ann'], given: [{ id: 'ann', resource: 'llm_budget', amount: 1_000 }] },
      resources: { llm_budget_uusd: 5_000 },
    });
    const grant = { op: 'grant', to: 'ann', resource: 'llm_budget', amount: 4_000 };
    expect(order(seen, { ...grant, amount: 4_001 })).toBe('bad_order');
    expect(order(seen, { ...grant, resource: 'scrip', amount: 1 })).toBe('bad_order');
    expect(order(seen, { ...grant, to: 'genesis_llm' })).toBe('bad_order');
    expect(order(seen, grant)).toBe(null);
    expect(getAccount(seen.state, 'ann').amounts.llm_budget).toBe(5_000);
    expect(getAccount(seen.state, HOLDERS.unallocated).amounts.llm_budget).toBe(0);
  });

  it('notes a reason, and stores a report that all may read', () => {
    const seen = world();
    expect(order(seen, { op: 'note' })).toBe(null);
    const report = { id: 'report-1', content: { health: 'good' } };
    expect(order(seen, { op: 'note', report })).toBe(null);
    expect(order(seen, { op: 'note', report })).toBe('bad_order');
    expect(seen.act('ann', { op: 'read', id: 'report-1' })).toBe('ok');
    expect(seen.act('ann', { op: 'write', id: 'report-1', content: 1 })).toBe('ACCESS_DENIED');
  });

  it('has a reason for all it does, and no other keys', () => {
    const seen = world();
    for (const odd of [
      { op: 'note', rationale: '' },
      { op: 'stop', more: 1 },
      { op: 'fly' },
      { op: 'note', report: 1 },
    ])
      expect(order(seen, odd)).toBe('bad_order');
    expect(order(seen, { op: 'rebind', artifact_id: 'ann', access_contract_id: 'bob' })).toBe('bad_order');
  });
});
