import { PersistentMap } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryChoices, character } from '../../../tools/arbitrary-json.js';
import { lawRuns } from '../../../tools/laws.js';

const RUNS = lawRuns('persistent map laws');

/**
 * Pairs of keys whose hashes are equal in all 32 bits, once found by search: the trie must keep them side by
 * side.
 */
const COLLIDING: readonly (readonly [string, string])[] = [
  ['k4uzx', 'kf2ad'],
  ['k4uzy', 'kf2ae'],
  ['k4uzz', 'kf2af'],
];

/** Four keys of one hash: from the state that a pair above leaves, two endings lead to one again. */
const FOUR = ['k4uzx33zx', 'k4uzxepad', 'kf2ad33zx', 'kf2adepad'] as const;

/** The hash of the trie, as its documentation gives it: FNV-1a over UTF-16 code units with a final mix. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const key = fc.oneof(
  fc.constantFrom('', '__proto__', 'constructor', ...COLLIDING.flat()),
  fc.nat(40).map(String),
  fc.string({ unit: character, maxLength: 3 }),
);
type Change = readonly [key: string, value: number | null];
/** Sets, and deletions where the value is null. */
const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.tuple(key, fc.option(fc.nat(5), { freq: 3 })).map(([name, value]): Change => [name, value]),
  { maxLength: 60 },
);

function both(list: readonly Change[]): {
  readonly map: PersistentMap<number>;
  readonly model: Map<string, number>;
} {
  const model = new Map<string, number>();
  let map = PersistentMap.empty<number>();
  for (const [name, value] of list) {
    if (value === null) model.delete(name);
    else model.set(name, value);
    map = value === null ? map.delete(name) : map.set(name, value);
  }
  return { map, model };
}

describe('PersistentMap', () => {
  it('map/equals-model: it answers like a Map after any changes', () => {
    fc.assert(
      fc.property(changes, key, (list, other) => {
        const { map, model } = both(list);
        expect(map.size).toBe(model.size);
        for (const name of [other, ...list.map(([changed]) => changed)]) {
          expect(map.get(name)).toBe(model.get(name));
          expect(map.has(name)).toBe(model.has(name));
        }
        expect(map.sorted()).toEqual([...model].sort(([a], [b]) => (a < b ? -1 : 1)));
        expect(new Map(map)).toEqual(model);
      }),
      RUNS,
    );
  });

  it('map/order-by-keys-alone: entries come in the same order however the map was made', () => {
    fc.assert(
      fc.property(changes, arbitraryChoices, (list, choices) => {
        const { map, model } = both(list);
        const entries: (readonly [string, number])[] = [];
        for (const [index, entry] of [...model].entries())
          entries.splice((choices[index % choices.length] ?? 0) % (entries.length + 1), 0, entry);
        expect([...PersistentMap.from(entries)]).toEqual([...map]);
      }),
      RUNS,
    );
  });

  it('map/old-values-stay: a change leaves every earlier map as it was', () => {
    fc.assert(
      fc.property(changes, changes, (list, more) => {
        const { map, model } = both(list);
        const before = [...map];
        for (const [name, value] of more) {
          if (value === null) map.delete(name);
          else map.set(name, value);
        }
        expect([...map]).toEqual(before);
        expect(map.size).toBe(model.size);
      }),
      RUNS,
    );
  });

  it('map/no-change-same-map: setting what is there and deleting what is not give the same map', () => {
    fc.assert(
      fc.property(changes, key, (list, other) => {
        const { map, model } = both(list);
        for (const [name, value] of model) expect(map.set(name, value)).toBe(map);
        if (!model.has(other)) expect(map.delete(other)).toBe(map);
      }),
      RUNS,
    );
  });

  it('keeps keys whose hashes collide side by side, in the order of keys', () => {
    for (const [a, b] of COLLIDING) {
      expect(hashOf(a)).toBe(hashOf(b));
      expect(a).not.toBe(b);
      const map = PersistentMap.from<number>([
        [b, 2],
        ['x', 0],
        [a, 1],
      ]);
      expect([map.get(a), map.get(b), map.get('x'), map.size]).toEqual([1, 2, 0, 3]);
      const [low, high] = a < b ? [a, b] : [b, a];
      expect([...map].map(([name]) => name).filter((name) => name !== 'x')).toEqual([low, high]);
      expect(map.set(a, 9).get(b)).toBe(2);
      expect(map.delete(a).get(b)).toBe(2);
      expect([...map.delete(a)]).toEqual([
        ...PersistentMap.from([
          ['x', 0],
          [b, 2],
        ] as const),
      ]);
      expect([...map.delete(a).delete(b).delete('x')]).toEqual([]);
      expect(map.has(`${a}?`)).toBe(false);
    }
  });

  it('keeps more than two keys of one hash, and takes each out by itself', () => {
    expect(new Set(FOUR.map(hashOf)).size).toBe(1);
    for (const [order, given] of [FOUR, FOUR.toReversed()].entries()) {
      for (const gone of FOUR) {
        for (const also of FOUR) {
          let map = PersistentMap.from(given.map((name, index) => [name, index + order] as const)).set(
            'x',
            9,
          );
          expect([...map].map(([name]) => name).filter((name) => name !== 'x')).toEqual(FOUR.toSorted());
          map = map.delete(gone).delete(also);
          const left = FOUR.filter((name) => name !== gone && name !== also);
          expect(FOUR.map((name) => map.has(name))).toEqual(FOUR.map((name) => left.includes(name)));
          expect([...map]).toEqual([
            ...PersistentMap.from([
              ...left.map((name) => [name, given.indexOf(name) + order] as const),
              ['x', 9] as const,
            ]),
          ]);
        }
      }
    }
  });

  it('finds keys that agree in any number of first bits, also when the key beside them has gone', () => {
    const names = Array.from({ length: 4_000 }, (_, index) => `n${index}`);
    for (const bits of [5, 10, 15, 20]) {
      const mask = 2 ** bits - 1;
      const byBits = new Map<number, string[]>();
      for (const name of names)
        byBits.set(hashOf(name) & mask, [...(byBits.get(hashOf(name) & mask) ?? []), name]);
      const together = [...byBits.values()].find(({ length }) => length > 1) ?? [];
      const beside = names.find((name) => (hashOf(name) & 31) !== (hashOf(together[0] ?? '') & 31)) ?? '';
      const all = [...together, beside];
      const map = PersistentMap.from(all.map((name) => [name, name] as const)).delete(beside);
      expect(together.length).toBeGreaterThan(1);
      expect(together.map((name) => map.get(name))).toEqual(together);
      expect(map.has(beside)).toBe(false);
      expect([...map]).toEqual([...PersistentMap.from(together.map((name) => [name, name] as const))]);
      expect(map.set(beside, 'back').get(together[0] ?? '')).toBe(together[0]);
    }
  });

  it('the later of equal keys wins, NaN and undefined are values', () => {
    const map = PersistentMap.from<number | undefined>([
      ['a', 1],
      ['a', 2],
      ['n', Number.NaN],
      ['u', undefined],
    ]);
    expect([map.get('a'), map.has('u'), map.get('u'), map.size]).toEqual([2, true, undefined, 3]);
    expect(map.set('n', Number.NaN)).toBe(map);
    expect(map.set('u', undefined)).toBe(map);
  });

  it('sorts by the order it is given', () => {
    const map = PersistentMap.from([
      ['10', 1],
      ['9', 2],
    ] as const);
    expect(map.sorted().map(([name]) => name)).toEqual(['10', '9']);
    expect(map.sorted((a, b) => Number(a) - Number(b)).map(([name]) => name)).toEqual(['9', '10']);
  });

  it('is frozen, and so are the entries it gives out', () => {
    const map = PersistentMap.from([['a', 1]] as const);
    expect(Object.isFrozen(map)).toBe(true);
    expect([...map].every((entry) => Object.isFrozen(entry))).toBe(true);
  });

  it('holds 50,000 entries', () => {
    let map = PersistentMap.empty<number>();
    for (let index = 0; index < 50_000; index += 1) map = map.set(`entry ${index}`, index);
    expect(map.size).toBe(50_000);
    for (let index = 0; index < 50_000; index += 1)
      if (map.get(`entry ${index}`) !== index) throw new Error(`entry ${index} is lost`);
    for (let index = 0; index < 50_000; index += 2) map = map.delete(`entry ${index}`);
    expect(map.size).toBe(25_000);
    expect(map.sorted().length).toBe(25_000);
  });
});
