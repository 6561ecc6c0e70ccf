/** Laws of calls to the outside, over random scripts: held before they are made, settled once. */
import type { JsonObject } from '@assay/kernel';
import { advance } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import type { EcologyEvent } from '../../src/index.js';
import { getAccount } from '../../src/world/state.js';
import { CAME } from '../../tools/arbitraries.js';
import { freshEngine } from '../../tools/engine.js';
import { player, scripts, type Played } from '../../tools/script.js';

const play = player(freshEngine());

function law(name: string, holds: (played: Played) => void): void {
  it(name, () => {
    fc.assert(
      fc.property(scripts, (script) => holds(play(script))),
      { seed: LAW_SEED, numRuns: draws(300) },
    );
  });
}

type Asked = { readonly id: string; readonly kind: string; readonly body: JsonObject };

/** Of each decision of a ledger: its events, and the effects it asks for. */
function decisionsIn({
  world,
}: Played): readonly { events: readonly EcologyEvent[]; effects: readonly Asked[] }[] {
  return world.records.flatMap(({ kind, payload }) => {
    if (kind !== 'decision') return [];
    const { events, requests } = payload as never as {
      events: readonly EcologyEvent[];
      requests: readonly Asked[];
    };
    return [{ events, effects: requests.filter((one) => one.kind === 'effect') }];
  });
}

describe('calls', () => {
  let made = 0;
  let ended = 0;

  law('ecology/held-before-made (L38)', (played) => {
    for (const { events, effects } of decisionsIn(played))
      for (const { body } of effects) {
        const hold = events.find((event) =>
          'call' in body
            ? event.t === 'called' && event.i === body['call']
            : event.t === 'waits' && event.a === body['agent'],
        );
        expect(hold).toBeDefined();
        if (hold?.t !== 'called') continue;
        made += 1;
        const { agent, target, digest, tokens, uusd, units } = hold.v;
        expect(body).toEqual({ agent, call: hold.i, target, digest });
        // 3 µUSD a token in, 15 a token out; 40 for each unit.
        expect(uusd - 40 * units).toBeGreaterThanOrEqual(3 * tokens);
        expect(uusd - 40 * units).toBeLessThanOrEqual(15 * tokens);
      }
    for (const { after } of played.decisions)
      for (const [name] of after.open) {
        const [kind = '', key = ''] = name.split(' ');
        if (kind === 'effect') expect(after.waiting.has(key)).toBe(true);
        if (kind !== 'call') continue;
        expect(after.calls.get(key)).toMatchObject({ ended: null });
        expect(getAccount(after, key.split('.')[0] ?? '').reserved_uusd).toBeGreaterThan(0);
      }
  });

  law('ecology/settled-once (L39)', (played) => {
    const open = new Map<string, string>();
    const settled = new Set<string>();
    for (const { events, effects } of decisionsIn(played)) {
      for (const event of events) {
        if (event.t === 'called') expect(open.has(event.i) || settled.has(event.i)).toBe(false);
        if (event.t !== 'came') continue;
        ended += 1;
        expect(settled.has(event.i)).toBe(false);
        expect(open.has(event.i)).toBe(true);
        settled.add(event.i);
        // The same answer again is of a request that is not open: nothing follows from it.
        const again = { request_id: open.get(event.i), source: 'synthetic', proposer: 'file', value: CAME };
        const rest = {
          confidence: null,
          failure: null,
          at_us: null,
          spent: { usd_micros: 9 },
          cites: [],
          provenance: {},
        };
        const step = advance(played.world.run, { ...again, ...rest });
        expect(step).toMatchObject({ right: { rejection: { code: 'not_open' } } });
        if (step._tag === 'Right') expect(step.right.run.state).toBe(played.world.state);
      }
      for (const { id, body } of effects) if ('call' in body) open.set(String(body['call']), id);
    }
  });

  it('there were calls, and answers of them', () => {
    expect(made).toBeGreaterThan(50);
    expect(ended).toBeGreaterThan(20);
  });
});
