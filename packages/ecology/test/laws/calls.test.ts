/** Laws of calls to the outside, over random scripts: held before they are made, settled once. */
import { advance } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { getAccount } from '../../src/world/state.js';
import { CAME } from '../../tools/arbitraries.js';
import { findEffects } from '../../tools/call-laws.js';
import { freshEngine } from '../../tools/engine.js';
import { holdLaw, type Played, player } from '../../tools/script.js';

const play = player(freshEngine());

function law(name: string, holds: (played: Played) => void): void {
  it(name, () => holdLaw(play, holds));
}

describe('calls', () => {
  let [made, ended] = [0, 0];

  law('ecology/held-before-made (L38)', ({ world, decisions }) => {
    const { faults, calls } = findEffects(world.records);
    expect(faults).toEqual([]);
    made += calls.size;
    for (const { events, after } of decisions) {
      for (const { event } of events) {
        if (event.t !== 'called') continue;
        // 3 µUSD a token in, 15 a token out; 40 for each unit.
        const { tokens, uusd, units } = event.v;
        expect(uusd - 40 * units).toBeGreaterThanOrEqual(3 * tokens);
        expect(uusd - 40 * units).toBeLessThanOrEqual(15 * tokens);
      }
      for (const [name] of after.open) {
        const [kind = '', key = ''] = name.split(' ');
        if (kind === 'effect') expect(after.waiting.has(key)).toBe(true);
        if (kind !== 'call') continue;
        expect(after.calls.get(key)).toMatchObject({ ended: null });
        expect(getAccount(after, key.split('.')[0] ?? '').reserved_uusd).toBeGreaterThan(0);
      }
    }
  });

  law('ecology/settled-once (L39)', ({ world }) => {
    const effects = findEffects(world.records);
    ended += effects.ended.size;
    for (const [request_id, call] of effects.calls) {
      if (!effects.ended.has(call)) continue;
      // The same answer again is of a request that is not open: nothing follows from it.
      const again = { request_id, source: 'synthetic', proposer: 'file', value: CAME, confidence: null };
      const rest = { failure: null, at_us: null, spent: { usd_micros: 9 }, cites: [], provenance: {} };
      const step = advance(world.run, { ...again, ...rest });
      expect(step).toMatchObject({ right: { rejection: { code: 'not_open' } } });
      if (step._tag === 'Right') expect(step.right.run.state).toBe(world.state);
    }
  });

  it('there were calls, and answers of them', () => {
    expect([made > 50, ended > 20]).toEqual([true, true]);
  });
});
