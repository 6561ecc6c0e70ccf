/** What an agent is shown: whole, frozen, bounded, and the same from the same state. */
import { canonicalize, orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { formatTime, makeView, type Response } from '../../src/index.js';
import { World } from '../../tools/world.js';

const NONE = { responses: [] };

function bytesOf(value: unknown): number {
  return orThrow(canonicalize(value as Json)).length;
}

describe('a view', () => {
  it('tells time as Date does', () => {
    for (const ms of [0, 951_782_400_000, 1_709_164_799_000, 1_735_689_599_000, 4_102_444_800_000])
      expect(formatTime(ms * 1_000)).toBe(new Date(ms).toISOString().replace('.000', ''));
    expect(formatTime(1_500_001)).toBe('1970-01-01T00:00:01.500001Z');
  });

  it('has what the agent holds, owns and bids', () => {
    const seen = new World(null, { agents: { initial: ['ann', 'bob'], scrip: 1_000 } });
    seen.invoke('ann', 'genesis_store_api', 'create', { id: 'poem', content: 'roses' });
    seen.invoke('ann', 'genesis_mint_api', 'bid', { artifact_id: 'poem', amount: 40 });
    const view = makeView(seen.state, 'ann', NONE);
    expect(view.balances.scrip).toBe(960);
    expect(view.inventory.map(({ id }) => id)).toEqual(['poem']);
    expect([view.bid, view.time]).toEqual([{ artifact_id: 'poem', amount: 40 }, '2001-09-09T01:46:40Z']);
    expect(makeView(seen.state, 'bob', NONE).bid).toBe(null);
  });

  it('cannot be changed', () => {
    const seen = new World(null, { agents: { initial: ['ann'], scrip: 1_000 } });
    const view = makeView(seen.state, 'ann', NONE);
    expect(() => Object.assign(view.balances, { scrip: 9 })).toThrow(TypeError);
    expect(() => (view.inventory as unknown[]).push(1)).toThrow(TypeError);
    expect(seen.scrip('ann')).toBe(1_000);
  });

  it('is at most 64 KiB, and says what it left out', () => {
    const seen = new World(null, { agents: { initial: ['ann'], scrip: 1_000 } });
    const response: Response = { success: true, result: 'x'.repeat(5_000), price_paid: 0 };
    const responses = Array.from({ length: 30 }, () => response);
    const view = makeView(seen.state, 'ann', { responses });
    expect(bytesOf(view)).toBeLessThanOrEqual(65_536);
    expect(view.responses.length + (view.left_out['responses'] ?? 0)).toBe(30);
    expect(view.responses.length).toBeGreaterThan(5);
    expect(makeView(seen.state, 'nobody', NONE).config_hash).toBe('');
  });

  it('hides refusals where the config says so', () => {
    const refused = { success: false, error_code: 'NOT_FOUND', error_message: 'x', price_paid: 0 } as const;
    const seen = new World(null, { agents: { initial: ['ann'], error_feedback: false } });
    expect(makeView(seen.state, 'ann', { responses: [refused] }).responses).toEqual([]);
  });
});
