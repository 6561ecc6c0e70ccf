/** Offers: every sequence of acts to depth 3, the same with faults put in, and each refusal. Source: specs B10, C4. */
import { ok } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { given, type Legs, type Offer } from '../src/mechanisms/index.js';
import {
  buyOffer,
  cancelOffer,
  makeHoldId,
  isDue,
  openOffer,
  type Holdings,
} from '../src/mechanisms/offers.js';
import { exploreOffers } from '../tools/offers.mjs';

const OFFERS = { buyOffer, cancelOffer, given, isDue, openOffer };

describe('every sequence of three acts', () => {
  it('ecology/escrow-atomic, ecology/offer-safety, ecology/payout-liveness: no violation', () => {
    const { states, violations } = exploreOffers(OFFERS, 3);
    expect(violations).toEqual({});
    expect(states).toBeGreaterThan(10_000);
  });
  it.each([
    ['gives are not held', { openOffer: () => ok([]) }, 'escrow-atomic'],
    [
      'a buyer is not asked for what it has',
      {
        buyOffer: (offer: Offer, by: { buyer: string; seen: readonly number[] }, _: Holdings, now: number) =>
          buyOffer(
            offer,
            by,
            { amountOf: () => 9, good: (id) => ({ owner: by.buyer, version: id === '' ? 0 : 1 }) },
            now,
          ),
      },
      'non-negative',
    ],
    [
      'only the give moves',
      { buyOffer: (offer: Offer, { buyer }: { buyer: string }) => ok(given(offer, buyer)) },
      'offer-safety',
    ],
    [
      'anybody may end it',
      { cancelOffer: (offer: Offer, by: string) => ok(given(offer, by)) },
      'offer-safety',
    ],
    ['time ends nothing', { isDue: () => false }, 'payout-liveness'],
  ])('a fault shows: %s', (_, fault, law) => {
    expect(Object.keys(exploreOffers({ ...OFFERS, ...fault }, 2).violations)).toContain(law);
  });
});

const NONE: Legs = { amounts: [], goods: [] };
const FLAT: Legs = { amounts: [['scrip', 5]], goods: [] };
const PAIR: Legs = {
  amounts: [['disk', 3]],
  goods: [
    { id: 'g', version: 2 },
    { id: 'h', version: null },
  ],
};
const OFFER: Offer = { id: 'o', maker: 'a', give: PAIR, want: FLAT, exit: { t: 'waived', at_us: 10 } };

/** Holdings by hand: `a` has goods and disk, `b` has scrip. */
function holdings(amounts: Readonly<Record<string, number>>, owner: string): Holdings {
  return {
    amountOf: (party, resource) => amounts[`${party} ${resource}`] ?? 0,
    good: (id) => (id === 'g' || id === 'h' ? { owner, version: 2 } : null),
  };
}
const AT_MAKER = holdings({ 'a disk': 3, 'b scrip': 5 }, 'a');
const HELD = holdings({ 'b scrip': 5 }, makeHoldId('o'));

describe('an offer', () => {
  it('of several things for scrip: held, bought, each leg moved once', () => {
    expect(openOffer(OFFER, AT_MAKER, 0)).toEqual(
      ok([
        { from: 'a', to: 'offer:o', leg: { t: 'amount', resource: 'disk', amount: 3 } },
        { from: 'a', to: 'offer:o', leg: { t: 'good', id: 'g' } },
        { from: 'a', to: 'offer:o', leg: { t: 'good', id: 'h' } },
      ]),
    );
    expect(buyOffer(OFFER, { buyer: 'b', seen: [2, 2] }, HELD, 9)).toEqual(
      ok([
        { from: 'b', to: 'a', leg: { t: 'amount', resource: 'scrip', amount: 5 } },
        { from: 'offer:o', to: 'b', leg: { t: 'amount', resource: 'disk', amount: 3 } },
        { from: 'offer:o', to: 'b', leg: { t: 'good', id: 'g' } },
        { from: 'offer:o', to: 'b', leg: { t: 'good', id: 'h' } },
      ]),
    );
  });
  it.each([
    ['legs', { give: NONE }],
    ['legs', { want: PAIR }],
    ['legs', { want: { amounts: [['scrip', 0]], goods: [] } }],
    ['legs', { want: { amounts: [['scrip', 1.5]], goods: [] } }],
    ['legs', { want: { amounts: [['scrip', 2 ** 53]], goods: [] } }],
    [
      'legs',
      {
        give: { amounts: [], goods: Array.from({ length: 33 }, (_, n) => ({ id: `g${n}`, version: null })) },
      },
    ],
    ['deadline', { exit: { t: 'deadline', at_us: 0 } }],
    ['goods', { maker: 'b' }],
    ['goods', { give: { amounts: [], goods: [{ id: 'none', version: null }] } }],
    ['version', { give: { amounts: [], goods: [{ id: 'g', version: 1 }] } }],
    ['amount', { give: { amounts: [['disk', 4]], goods: [] } }],
  ] as const)('is not opened: %s', (code, change) => {
    expect(openOffer({ ...OFFER, ...(change as Partial<Offer>) }, AT_MAKER, 0)).toMatchObject({
      left: { code },
    });
  });
  it.each([
    ['deadline', 'b', [2, 2], 10],
    ['maker', 'a', [2, 2], 0],
    ['version', 'b', [2, 1], 0],
    ['version', 'b', [2], 0],
    ['version', 'b', [2, 2, 2], 0],
    ['amount', 'c', [2, 2], 0],
  ] as const)('is not bought: %s, by %s', (code, buyer, seen, now) => {
    expect(buyOffer(OFFER, { buyer, seen }, HELD, now)).toMatchObject({ left: { code } });
  });
  it('ends by its exit', () => {
    const codeOf = (exit: Offer['exit'], by: string, now: number): string => {
      const ended = cancelOffer({ ...OFFER, exit }, by, now);
      return ended._tag === 'Left' ? ended.left.code : 'returned';
    };
    expect(codeOf({ t: 'waived', at_us: 10 }, 'a', 9)).toBe('waived');
    expect(codeOf({ t: 'waived', at_us: 10 }, 'a', 10)).toBe('returned');
    expect(codeOf({ t: 'deadline', at_us: 10 }, 'a', 9)).toBe('returned');
    expect(codeOf({ t: 'on_demand' }, 'a', 0)).toBe('returned');
    expect(codeOf({ t: 'on_demand' }, 'b', 0)).toBe('maker');
    expect([9, 10].map((now) => isDue(OFFER, now))).toEqual([false, true]);
    expect(isDue({ ...OFFER, exit: { t: 'on_demand' } }, 1e15)).toBe(false);
  });
});
