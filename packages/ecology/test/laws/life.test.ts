/** Laws of agents' lives over random scripts: run states on edges, timers, who sleeps, stale thoughts, any order. */
import type { Json } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import { encode } from '../../src/world/state.js';
import { isMeant, listWatches } from '../../src/world/life.js';
import { entriesSince } from '../../src/world/log.js';
import { anyAction } from '../../tools/actions.js';
import { freshEngine } from '../../tools/engine.js';
import { listFaults } from '../../tools/invariants.js';
import { holdLaw, type Played, player } from '../../tools/script.js';
import { World } from '../../tools/world.js';

const play = player(freshEngine());

function law(name: string, holds: (played: Played) => void): void {
  it(name, () => holdLaw(play, holds));
}

describe('lives', () => {
  law(
    'ecology/edge-events (L31): freezing and thawing, blocking and unblocking alternate',
    ({ decisions }) => {
      const last = new Map<string, string>();
      for (const { events } of decisions)
        for (const { event } of events) {
          const kind = EDGES.get(event.t);
          if (kind === undefined || !('a' in event)) continue;
          const key = `${kind} ${event.a}`;
          // Whoever is made is frozen from the start, and nobody is told.
          const before = last.get(key) ?? (event.a === 'kid' && kind === 'frozen' ? 'froze' : 'un');
          expect(before === event.t).toBe(false);
          if (event.t === 'unblocked') expect(last.get(`resource ${event.a}`)).toBe(event.r);
          if (event.t === 'blocked') last.set(`resource ${event.a}`, event.r);
          if (before === 'un') expect(['froze', 'blocked']).toContain(event.t);
          last.set(key, event.t);
        }
    },
  );

  law('ecology/monotone-time (L30): no timer fires early, and each once', ({ decisions }) => {
    for (const { events, after } of decisions) {
      for (const { event, before } of events) {
        if (event.t === 'roused') {
          const sleep = before.accounts.get(event.a)?.life?.sleep;
          expect(sleep === null || sleep === undefined).toBe(false);
          if (event.y === 'time') expect(sleep?.until_us).toBeLessThanOrEqual(before.now_us);
        }
        if (event.t === 'unblocked') expect(before.accounts.get(event.a)?.life?.blocked).not.toBeNull();
      }
      expect(listFaults(after, after).filter((name) => name === 'a timer is late')).toEqual([]);
    }
  });

  law('ecology/liveness (L33): nobody waits or sleeps past what it waits for', ({ first, decisions }) => {
    for (const { before, after } of decisions) {
      expect(listFaults(after, first)).toEqual([]);
      const entries = [...entriesSince(after.log, before.log.next)];
      for (const [id, { life }] of after.accounts) {
        const slept = before.accounts.get(id)?.life?.sleep;
        if (!life?.sleep || slept?.since_us !== life.sleep.since_us || slept.until_us !== life.sleep.until_us)
          continue;
        const missed = entries.filter(
          ({ to, type, data }) =>
            (to === null || to === id) && listWatches(life).some((watch) => isMeant(watch, type, data)),
        );
        // One that fell asleep again within the decision missed nothing.
        if (entries.length > 0 && slept === life.sleep) expect(missed).toEqual([]);
      }
    }
  });

  it('the scripts meet what these laws are about', () => {
    const seen = new Set<string>();
    holdLaw(play, ({ decisions }) => {
      for (const { events } of decisions)
        for (const { event } of events) seen.add('y' in event ? `${event.t} ${String(event.y)}` : event.t);
    });
    const met = [
      'froze budget',
      'froze crash_loop',
      'thawed',
      'blocked',
      'unblocked',
      'slept own',
      'slept crash',
    ];
    const woken = ['time', 'event', 'balance'].map((why) => `roused ${why}`);
    expect([...met, ...woken, 'subbed', 'memory'].filter((name) => !seen.has(name))).toEqual([]);
  });
});

const EDGES: ReadonlyMap<string, string> = new Map([
  ['froze', 'frozen'],
  ['thawed', 'frozen'],
  ['blocked', 'blocked'],
  ['unblocked', 'blocked'],
]);

it('ecology/stale-think (L22): what was thought under another config is void, and the thought is paid for', () => {
  const CHARGES = ['use', 'mv', 'over', 'thought', 'blocked', 'froze', 'asked', 'closed', 'no'];
  fc.assert(
    fc.property(
      fc.array(anyAction, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 30_000 }),
      (actions, tokens) => {
        const world = new World(null, { agents: { initial: ['ann', 'cid'], asked: ['cid'] } });
        const handOver = { artifact_id: 'cid', to: 'ann' };
        const call = { op: 'invoke', id: 'genesis_store_api', method: 'transfer_ownership', args: handOver };
        world.answer('act cid', { actions: [call] });
        world.act('ann', { op: 'write', id: 'cid', content: 'think of ann' });
        const before = world.state.accounts.get('cid');
        const events = world.answer('act cid', { actions }, { spent: { input_tokens: tokens } });
        expect(events.filter(({ t }) => !CHARGES.includes(t))).toEqual([]);
        const ends = events.flatMap((event) => (event.t === 'no' ? [event.c] : []));
        expect(ends).toEqual(actions.map(() => 'STALE_CONTEXT'));
        const after = world.state.accounts.get('cid');
        const paid = (before?.amounts.llm_budget ?? 0) - (after?.amounts.llm_budget ?? 0);
        expect([paid, after?.amounts.scrip]).toEqual([
          Math.min(Math.ceil((tokens * 3_000) / 1_000), before?.amounts.llm_budget ?? 0),
          before?.amounts.scrip,
        ]);
        if (world.state.open.has('act cid'))
          expect(JSON.stringify(world.records.at(-1))).toContain(world.hashOf('cid'));
      },
    ),
    { seed: LAW_SEED, numRuns: draws(60) },
  );
});

describe('ecology/schedule-invariance (L26)', () => {
  const MINDS = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5'];
  const minds = (): World =>
    new World(null, {
      agents: { initial: MINDS, mind: 'asked', scrip: 500, crash: { max: 3 } },
      mint: { interval_us: 60_000_000, score_attempts: 1 },
    });

  it('every law holds in whatever order answers that are ready come', () => {
    const answers = fc.array(
      fc.tuple(
        fc.array(anyAction, { minLength: 1, maxLength: 2 }),
        fc.constantFrom(0, 100, 9_000),
        fc.nat(9),
      ),
      { minLength: 6, maxLength: 18 },
    );
    const orders = fc.infiniteStream(fc.nat(1_000));
    fc.assert(
      fc.property(answers, orders, (rounds, order) => {
        const world = minds();
        const first = world.state;
        for (const [actions, input_tokens, fault] of rounds) {
          const ready = world.state.open
            .sorted()
            .map(([name]) => name)
            .filter((name) => name.startsWith('act ') || name.startsWith('score ') || name === 'clock');
          const name = ready[(order.next().value ?? 0) % ready.length] ?? 'clock';
          world.now += 7_000_000;
          const text = JSON.stringify(actions).replaceAll('"ann"', '"a0"').replaceAll('"bob"', '"a1"');
          const value: Json = name === 'clock' ? {} : name.startsWith('score') ? { score: 40 } : null;
          const failure = { code: 'malformed', final: true, detail: null } as never;
          if (value !== null) world.offer(name, value);
          else if (fault === 0) world.offer(name, null, { failure });
          else world.offer(name, { actions: JSON.parse(text) as Json }, { spent: { input_tokens } });
          expect(listFaults(world.state, first)).toEqual([]);
        }
      }),
      { seed: LAW_SEED, numRuns: draws(80) },
    );
  });

  it('actions on what is one’s own commute; the same order gives the same hash', () => {
    const own = (agent: string, n: number): Json => ({
      actions: [
        { op: 'write', id: agent, content: n },
        { op: 'read', id: agent },
        {
          op: 'invoke',
          id: 'genesis_ledger_api',
          method: 'transfer',
          args: { to: 'sys', amount: n + 1 },
        },
        { op: 'noop' },
      ],
    });
    const playIn = (order: readonly string[]): World => {
      const world = minds();
      for (const agent of order)
        world.answer(`act ${agent}`, own(agent, MINDS.indexOf(agent)), { spent: { input_tokens: 10 } });
      return world;
    };
    /** The state without what says in which order it came about. */
    const unordered = ({ state }: World): string => {
      const { log: _log, open: _open, ...rest } = encode(state) as { readonly [key: string]: Json };
      const entries = [...entriesSince(state.log, 0)].map(({ type, data }) => JSON.stringify([type, data]));
      return JSON.stringify([rest, entries.sort()]);
    };
    const straight = playIn(MINDS);
    fc.assert(
      fc.property(fc.shuffledSubarray(MINDS, { minLength: 6 }), (order) => {
        const [one, two] = [playIn(order), playIn(order)];
        expect(unordered(one)).toBe(unordered(straight));
        expect(one.run.hash).toBe(two.run.hash);
      }),
      { seed: LAW_SEED, numRuns: draws(25) },
    );
  });
});
