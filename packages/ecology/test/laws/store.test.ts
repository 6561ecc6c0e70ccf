/** Laws of artifacts, contracts and offers over random scripts. */
import { follow, orThrow, resumeRun, snapshot, type Json } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import type { EcologyEvent } from '../../src/index.js';
import { isDue } from '../../src/mechanisms/offers.js';
import { decode, encode } from '../../src/world/state.js';
import { isLive, type Artifact, type EcologyState, type Tombstone } from '../../src/world/state.js';
import { freshEngine } from '../../tools/engine.js';
import { holdLaw, make, type Played, player, scripts, type Seen, smallWorld } from '../../tools/script.js';

const engine = freshEngine();
const play = player(engine);

function law(name: string, holds: (played: Played) => void, inThousand: number = 300): void {
  it(name, () => holdLaw(play, holds, inThousand));
}

/** True for an event that follows from actions for agents' lives. */
function isLife(event: EcologyEvent): boolean {
  return LIVES.includes(event.t) || (event.t === 'slept' && event.y === 'crash');
}
const LIVES: readonly string[] = ['roused', 'due', 'blocked', 'unblocked', 'froze', 'thawed', 'failed'];

/** Events of each action, and how it ended. */
function actionsOf({
  decisions,
}: Played): readonly { readonly causes: readonly Seen[]; readonly end: Seen }[] {
  return decisions.flatMap(({ events }) => {
    let begun = events.findIndex(({ event }) => event.t !== 'now');
    return events.flatMap((end, at) => {
      if (end.event.t !== 'did' && end.event.t !== 'no' && end.event.t !== 'waits') return [];
      // What the action before led to for agents' lives stands between them.
      const causes = events.slice(begun, at).filter(({ event }) => !isLife(event));
      begun = at + 1;
      return [{ causes, end }];
    });
  });
}

/** What the contracts of genesis say, told once more and otherwise. */
function says(id: string, action: string, requester: string, { owner, creator }: Artifact): boolean | null {
  const isOpen = action === 'read' || action === 'invoke';
  switch (id) {
    case 'freeware_contract':
      return isOpen || requester === owner;
    case 'owner_contract':
      return requester === owner;
    case 'private_contract':
      return requester === creator;
    case 'public_contract':
      return true;
    case 'sealed_contract':
      return isOpen;
    default:
      return null;
  }
}

describe('artifacts', () => {
  law('ecology/no-bypass (L7)', (played) => {
    for (const { causes, end } of actionsOf(played)) {
      const { event } = end;
      if (event.t !== 'did') continue;
      for (const [at, { event: cause, before }] of causes.entries()) {
        if (cause.t !== 'wrote' && cause.t !== 'gone' && cause.t !== 'own') continue;
        const target = before.things.get(cause.i);
        if (!isLive(target)) throw new Error(`${cause.i} is not there`);
        const action = { wrote: 'write', gone: 'delete', own: 'transfer' }[cause.t];
        if (cause.t === 'own' && target.owner.startsWith('offer:')) continue;
        // A tool acts in its own name.
        const requesters = [event.a, 'tool', 'thrower'];
        const verdicts = requesters.map((each) => says(target.access_contract_id, action, each, target));
        const isAllowed =
          verdicts.some((verdict) => verdict === true) ||
          causes
            .slice(0, at)
            .some(
              ({ event: said }) =>
                said.t === 'verdict' && said.i === cause.i && said.y && said.k === target.access_contract_id,
            );
        expect(isAllowed, `${action} ${cause.i} by ${event.a}`).toBe(true);
      }
    }
  });

  law('ecology/tombstone (L19)', ({ decisions }) => {
    for (const { events } of decisions)
      for (const { before, after, event } of events) {
        if (event.t === 'gone') expect(isLive(after.things.get(event.i))).toBe(false);
        const [was] = [...before.things].filter(
          ([id, thing]) => !isLive(thing) && after.things.get(id) !== thing,
        );
        expect(was).toBeUndefined();
      }
  });

  law('ecology/creator-immutable (L20)', ({ decisions }) => {
    for (const { before, after } of decisions)
      for (const [id, thing] of before.things) {
        const now: Artifact | Tombstone | undefined = after.things.get(id);
        if (!isLive(thing) || !isLive(now)) continue;
        expect([now.creator, now.created_us, now.has_standing, now.can_execute]).toEqual([
          thing.creator,
          thing.created_us,
          thing.has_standing,
          thing.can_execute,
        ]);
        if (now.content_hash !== thing.content_hash) expect(now.version).toBeGreaterThan(thing.version);
        expect(now.version).toBeGreaterThanOrEqual(thing.version);
      }
  });

  law('ecology/id-unique (L21)', ({ decisions }) => {
    for (const { events } of decisions)
      for (const { before, event } of events)
        if (event.t === 'made') expect(before.things.has(event.i)).toBe(false);
  });

  law('ecology/rolled-back (L37)', (played) => {
    for (const { causes, end } of actionsOf(played)) {
      if (end.event.t !== 'no') continue;
      expect(causes.filter(({ event }) => !METERED.includes(event.t)).map(({ event }) => event)).toEqual([]);
    }
  });
});

/** What may stand before a refusal: metered work, and the thought that an answer paid for. */
const METERED: readonly string[] = [
  'use',
  'verdict',
  'over',
  'thought',
  'now',
  'closed',
  'woke',
  'asked',
  'mv',
];

describe('offers', () => {
  law('ecology/escrow-atomic (L16)', ({ decisions }) => {
    for (const { after } of decisions) {
      for (const [id, offer] of after.offers) {
        const held = after.accounts.get(`offer:${id}`)?.amounts;
        for (const [resource, amount] of offer.give.amounts) expect(held?.[resource as 'scrip']).toBe(amount);
        for (const { id: good } of offer.give.goods) {
          const thing = after.things.get(good);
          expect(isLive(thing) && thing.owner).toBe(`offer:${id}`);
        }
      }
      for (const [id, thing] of after.things)
        if (isLive(thing) && thing.owner.startsWith('offer:'))
          expect([id, after.offers.has(thing.owner.slice(6))]).toEqual([id, true]);
      for (const [id] of after.accounts)
        if (id.startsWith('offer:')) expect(after.offers.has(id.slice(6))).toBe(true);
    }
  });

  law('ecology/offer-safety (L17)', (played) => {
    for (const { causes, end } of actionsOf(played)) {
      const bought = causes.find(({ event }) => event.t === 'ended' && event.y === 'bought');
      if (bought?.event.t !== 'ended' || end.event.t !== 'did') continue;
      const offer = bought.before.offers.get(bought.event.i);
      if (offer === undefined) throw new Error('an offer that was not open');
      const moved = (to: string, from: string, resource: string): number =>
        causes.reduce(
          (sum, { event }) =>
            event.t === 'mv' && event.o === to && event.f === from && (event.r ?? 'scrip') === resource
              ? sum + event.x
              : sum,
          0,
        );
      const buyer = end.event.a;
      for (const [resource, amount] of offer.want.amounts)
        expect(moved(offer.maker, buyer, resource)).toBe(amount);
      for (const [resource, amount] of offer.give.amounts)
        expect(moved(buyer, `offer:${offer.id}`, resource)).toBe(amount);
      for (const { id } of offer.want.goods) expect(ownerOf(bought.after, id)).toBe(offer.maker);
      for (const { id } of offer.give.goods) expect(ownerOf(bought.after, id)).toBe(buyer);
    }
  });

  law('ecology/payout-liveness (L18)', ({ decisions }) => {
    for (const { after } of decisions)
      for (const [, offer] of after.offers) expect(isDue(offer, after.now_us)).toBe(false);
  });
});

function ownerOf(state: EcologyState, id: string): string | null {
  const thing = state.things.get(id);
  return isLive(thing) ? thing.owner : null;
}

it('the scripts meet what the laws are about', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(scripts, (script) => {
      for (const { events } of play(script).decisions)
        for (const { event } of events) {
          const name = event.t === 'ended' ? event.y : event.t === 'no' ? event.c : event.t;
          seen.set(name, (seen.get(name) ?? 0) + 1);
          if (event.t === 'resolved' && event.v.price > 0) seen.set('price', 1);
        }
    }),
    { seed: LAW_SEED, numRuns: draws(300) },
  );
  const met = ['bought', 'returned', 'resolved', 'scored', 'verdict', 'use', 'waits', 'own', 'gone', 'wrote'];
  const codes = ['ACCESS_DENIED', 'INSUFFICIENT_FUNDS', 'INSUFFICIENT_COMPUTE', 'QUOTA_EXCEEDED'];
  const all = [...met, ...codes, 'STALE_CONTEXT', 'over', 'price'];
  expect(all.filter((name) => !seen.has(name))).toEqual([]);
});

describe('time and evidence', () => {
  law('ecology/monotone-time (L30)', ({ decisions }) => {
    for (const { before, after, events } of decisions) {
      expect(after.now_us).toBeGreaterThanOrEqual(before.now_us);
      expect(after.next_mint_us).toBeGreaterThan(after.now_us);
      const resolved = events.filter(({ event }) => event.t === 'resolved');
      expect(resolved.length).toBe(before.now_us > 0 && after.now_us >= before.next_mint_us ? 1 : 0);
    }
  });

  law(
    'ecology/replay-exact, ecology/prefix (L25, L27)',
    ({ world }) => {
      const [genesis, ...rest] = world.records;
      if (genesis === undefined) throw new Error('no genesis');
      let seen = orThrow(follow(world.machine, genesis, { sha256: nativeSha256 }));
      for (const record of rest) seen = orThrow(seen.feed(record));
      expect(seen.head?.hash).toBe(world.run.hash);
      const last = encode(world.state);
      expect(encode(orThrow(decode(last)))).toEqual(last);
      const saved = snapshot(world.run);
      if (saved !== null) {
        const resumed = orThrow(resumeRun(world.machine, saved, { sha256: nativeSha256 }));
        expect(encode(resumed.state)).toEqual(encode(world.state));
      }
    },
    100,
  );

  it('ecology/idempotent-input (L29)', () => {
    const world = smallWorld(engine);
    const id = world.state.open.get('turn') ?? '';
    const entry = { actions: world.entries([['ann', { op: 'noop' }]]) };
    world.answer('turn', entry);
    const before = encode(world.state);
    expect(world.offer('turn', entry, { request_id: id })).toBe('not_open');
    expect(encode(world.state)).toEqual(before);
  });

  it('ecology/turn-equals-singles (L36)', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const [whole, single] = [smallWorld(engine), smallWorld(engine)];
        for (const move of script) {
          if (move.t === 'turn') {
            const entries = whole.entries(move.acts) as readonly Json[];
            whole.offer('turn', { actions: entries });
            const responses = entries.flatMap((entry) => {
              single.offer('turn', { actions: [entry] });
              return single.responses;
            });
            expect(whole.responses).toEqual(responses);
          } else for (const world of [whole, single]) make(world, move);
          const [a, b] = [whole.state, single.state].map((state) =>
            encode({ ...state, open: state.open.delete('turn') }),
          );
          if (idsApart(a) !== idsApart(b)) expect(a).toEqual(b);
        }
      }),
      { seed: LAW_SEED, numRuns: draws(60) },
    );
  });
});

/** The state as text, request ids apart: these say where in the ledger they were made. */
function idsApart(state: unknown): string {
  return JSON.stringify(state).replace(/"\d+\.\d+"/g, '"id"');
}
