/** Laws of money, quotas and rates over random scripts; each is checked after every event or record. */
import { describe, expect, it } from 'vitest';
import type { EcologyState, Resource } from '../../src/index.js';
import { RESOURCES } from '../../src/config/config.js';
import { findLimit } from '../../src/config/resolve.js';
import { resolveAuction } from '../../src/mechanisms/index.js';
import { HOLDERS, isLive, findLive } from '../../src/world/state.js';
import { freshEngine } from '../../tools/engine.js';
import { type Decided, holdLaw, type Played, player, type Seen } from '../../tools/script.js';

const play = player(freshEngine());

function law(name: string, holds: (played: Played) => void): void {
  it(name, () => holdLaw(play, holds));
}

function eachState(holds: (state: EcologyState, first: EcologyState) => void): (played: Played) => void {
  return ({ first, decisions }) => {
    holds(first, first);
    for (const { after } of decisions) holds(after, first);
  };
}

function eachEvent(holds: (seen: Seen, decided: Decided, at: number) => void): (played: Played) => void {
  return ({ decisions }) => {
    for (const decided of decisions)
      for (const [at, seen] of decided.events.entries()) holds(seen, decided, at);
  };
}

function sumOf(state: EcologyState, resource: Resource): bigint {
  return [...state.accounts].reduce((sum, [, { amounts }]) => sum + BigInt(amounts[resource]), 0n);
}

describe('money', () => {
  law('ecology/scrip-conservation (L1)', ({ first, decisions }) => {
    for (const { after } of decisions) {
      const minted = [...after.minted].reduce((sum, [, made]) => sum + made, 0);
      expect(sumOf(after, 'scrip')).toBe(BigInt(after.supply));
      expect(after.supply).toBe(first.supply + minted);
    }
  });

  law('ecology/quota-conservation (L2)', ({ first, decisions }) => {
    for (const resource of RESOURCES.filter((each) => each !== 'scrip'))
      for (const state of [first, ...decisions.map(({ after }) => after)])
        expect(sumOf(state, resource)).toBe(findLimit(state.config, resource));
  });

  law(
    'ecology/non-negative (L3)',
    eachState((state) => {
      const bytes = new Map<string, number>();
      const counts = new Map<string, number>();
      for (const [, thing] of state.things)
        if (isLive(thing)) {
          bytes.set(thing.storage_payer, (bytes.get(thing.storage_payer) ?? 0) + thing.size_bytes);
          counts.set(thing.storage_payer, (counts.get(thing.storage_payer) ?? 0) + 1);
        }
      const faults: string[] = [];
      for (const [id, account] of state.accounts) {
        const { amounts, disk_used, stored, reserved_tokens, reserved_uusd } = account;
        const held = [...Object.values(amounts), disk_used, stored, reserved_tokens, reserved_uusd];
        const waits = [...state.waiting].filter(([, { payer }]) => payer === id).map(([, held]) => held);
        const calls = [...state.calls].filter(([, call]) => call.agent === id && call.ended === null);
        const holds = [...waits, ...calls.map(([, held]) => held)];
        const rules = {
          counts: held.every((amount) => Number.isSafeInteger(amount) && amount >= 0),
          disk: disk_used === (bytes.get(id) ?? 0) && (id === 'genesis' || disk_used <= amounts.disk),
          stored: stored === (counts.get(id) ?? 0),
          budget: reserved_uusd <= amounts.llm_budget,
          tokens: reserved_tokens === holds.reduce((sum, { tokens }) => sum + tokens, 0),
          money: reserved_uusd === holds.reduce((sum, { uusd }) => sum + uusd, 0),
          calling: account.calling === calls.length,
        };
        for (const [rule, holds] of Object.entries(rules)) if (!holds) faults.push(`${rule} of ${id}`);
      }
      expect(faults).toEqual([]);
    }),
  );

  law('ecology/rolling-window (L4)', ({ decisions }) => {
    const uses: { readonly a: string; readonly r: string; readonly at: number; readonly x: number }[] = [];
    for (const { events } of decisions)
      for (const [at, { before, event }] of events.entries()) {
        if (event.t !== 'use') continue;
        const now = before.now_us;
        uses.push({ a: event.a, r: event.r, at: now, x: event.x });
        const used = uses
          .filter((use) => use.a === event.a && use.r === event.r && use.at > now - 60_000_000)
          .reduce((sum, use) => sum + use.x, 0);
        const limit = before.accounts.get(event.a)?.amounts[event.r] ?? 0;
        const isOver = events.slice(at).some(({ event: next }) => next.t === 'over' && next.a === event.a);
        if (!isOver) expect(used).toBeLessThanOrEqual(limit);
        else expect(used).toBeGreaterThan(limit);
      }
  });

  law('ecology/system-window (L5)', ({ decisions }) => {
    let over = Number.NEGATIVE_INFINITY;
    const uses: { readonly r: string; readonly at: number; readonly x: number }[] = [];
    for (const { events } of decisions)
      for (const { before, event } of events) {
        if (event.t === 'over') over = before.now_us;
        if (event.t !== 'use') continue;
        uses.push({ r: event.r, at: before.now_us, x: event.x });
        const used = uses
          .filter((use) => use.r === event.r && use.at > before.now_us - 60_000_000)
          .reduce((sum, use) => sum + use.x, 0);
        const limit = Number(findLimit(before.config, event.r) ?? 0n);
        // What nobody held back is not ours to refuse: it is said, and one window later it is over.
        const isTold = event.r === 'llm_rate' && before.now_us - over < 60_000_000;
        const isNow = events.some(({ event: next }) => next.t === 'over');
        if (!isTold && !isNow) expect(used).toBeLessThanOrEqual(limit);
      }
  });

  law('ecology/payer (L9)', ({ decisions }) => {
    for (const { move, events, before: seenBefore } of decisions) {
      if (move.t !== 'turn' && move.t !== 'act') continue;
      let begun = 0;
      for (const [at, { event }] of events.entries()) {
        if (event.t !== 'did' && event.t !== 'no' && event.t !== 'waits') continue;
        const own = events.slice(begun, at).map((seen) => seen.event);
        begun = at + 1;
        for (const [place, cause] of own.entries()) {
          if (cause.t === 'use') expect(cause.a).toBe(event.a);
          if (cause.t === 'verdict') expect(cause.p).toBe(event.a);
          if (cause.t !== 'mv' || cause.f === event.a || cause.f.includes(':')) continue;
          const payer = findLive(events[begun - 1]?.before ?? seenBefore, cause.f);
          const isFree = payer?.access_contract_id === 'public_contract' || payer?.owner === event.a;
          const isSaid = own.some((said) => said.t === 'verdict' && said.i === cause.f && said.y);
          if (!isFree && !isSaid) expect(own[place - 1]).toMatchObject({ t: 'mandate', p: cause.f });
        }
      }
    }
  });
});

describe('the mint', () => {
  law(
    'ecology/auction-IR (L11)',
    eachEvent(({ event, before }, { events }) => {
      if (event.t !== 'resolved') return;
      for (const { principal, amount } of event.v.bids) {
        const back = events.reduce(
          (sum, { event: move }) =>
            move.t === 'mv' && move.f === HOLDERS.bids && move.o === principal ? sum + move.x : sum,
          0,
        );
        const isWinner = event.v.winners.some((winner) => winner.principal === principal);
        expect(back).toBe(isWinner ? amount - event.v.price : amount);
        if (isWinner) expect(event.v.price).toBeLessThanOrEqual(amount);
      }
      expect(before.accounts.get(HOLDERS.bids)?.amounts.scrip).toBe(0);
    }),
  );

  law(
    'ecology/uniform-price (L12)',
    eachEvent(({ event }) => {
      if (event.t !== 'resolved') return;
      const { winners, price } = resolveAuction(event.v.bids, 1, 0);
      expect(event.v.price).toBe(price);
      expect(event.v.winners.map(({ principal }) => principal)).toEqual(
        winners.map(({ principal }) => principal),
      );
    }),
  );

  law(
    'ecology/ubi-budget (L14)',
    eachEvent(({ event, before, after }) => {
      if (event.t !== 'settled') return;
      const awaited = [...after.resolving].reduce(
        (sum, [, { price, winners }]) => sum + price * winners.length,
        0,
      );
      expect(before.accounts.get(HOLDERS.mint)?.amounts.scrip).toBe(awaited);
    }),
  );

  law('ecology/mint-source (L15)', ({ decisions }) => {
    const scored = new Set<string>();
    for (const { move, events } of decisions) {
      const expected = new Map<string, number>();
      for (const { event, before } of events) {
        if (event.t === 'resolved') expect(event.n).toBe(before.resolutions);
        if (event.t === 'scored' && event.y !== null) {
          const winner = before.resolving
            .get(String(event.n))
            ?.winners.find(({ artifact_id }) => artifact_id === event.i);
          const pair = `${event.i} ${winner?.content_hash ?? ''}`;
          expect(scored.has(pair)).toBe(false);
          scored.add(pair);
        }
        if (event.t === 'settled')
          for (const { principal, score } of before.resolving.get(String(event.n))?.winners ?? [])
            if (score !== null && score > 0) expected.set(principal, Math.floor((score * 1000) / 10));
      }
      for (const { event } of events)
        if (event.t === 'minted') {
          if (event.m === 'patron') expect(move.t).toBe('order');
          else {
            expect(event.x).toBe(expected.get(event.o));
            expected.delete(event.o);
          }
        }
      expect(expected.size).toBe(0);
    }
  });
});
