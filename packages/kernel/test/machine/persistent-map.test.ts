import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PersistentMap } from '@assay/kernel';
import { draws } from '../../tools/laws.ts';

/** The map's own hash, written again: keys of one hash are known by it. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Pairs of keys with one 32-bit hash, once found by search among 300,000 keys. */
const colliding: readonly (readonly string[])[] = [
  ['1r5z7pu y0fq1y', 'mqd48d 7yyr5r'],
  ['12hf1l0 ac8ey4', '1ogk9t2 151n0n6'],
  ['1s39e7k qjwqog', 'pjup05 1gjs5br'],
];

const tricky = [
  '',
  '__proto__',
  'constructor',
  '\u{1f600}',
  '\ud800',
  '0',
  '10',
  ...colliding.slice(0, 3).flat(),
];
const key = fc.oneof(
  fc.constantFrom(...tricky),
  fc.integer({ min: 0, max: 60 }).map(String),
  fc.string({ maxLength: 3 }),
);
type Op = { readonly op: 'set' | 'delete'; readonly key: string; readonly value: number };
const ops = fc.array(fc.record<Op>({ op: fc.constantFrom('set', 'set', 'delete'), key, value: fc.nat(5) }), {
  maxLength: 80,
});

function run(list: readonly Op[]): {
  readonly map: PersistentMap<number>;
  readonly model: Map<string, number>;
} {
  const model = new Map<string, number>();
  let map = PersistentMap.empty<number>();
  for (const { op, key: at, value } of list) {
    map = op === 'set' ? map.set(at, value) : map.delete(at);
    if (op === 'set') model.set(at, value);
    else model.delete(at);
  }
  return { map, model };
}

const byText = ([a]: readonly [string, number], [b]: readonly [string, number]): number =>
  a < b ? -1 : a > b ? 1 : 0;

describe('PersistentMap', () => {
  it('is what a Map is, after any sequence of sets and deletes', () => {
    fc.assert(
      fc.property(ops, fc.array(key), (list, others) => {
        const { map, model } = run(list);
        expect(map.size).toBe(model.size);
        expect(map.sorted()).toEqual([...model].sort(byText));
        expect([...map].sort(byText)).toEqual([...model].sort(byText));
        for (const at of others) expect([map.get(at), map.has(at)]).toEqual([model.get(at), model.has(at)]);
      }),
      { numRuns: draws(2_000), seed: 31 },
    );
  });

  it('iterates in an order fixed by the keys alone: any order of insertion, any detour over deleted keys', () => {
    fc.assert(
      fc.property(
        ops,
        fc.array(key, { maxLength: 20 }),
        fc.infiniteStream(fc.nat()),
        (list, detour, random) => {
          const { map, model } = run(list);
          const shuffled = [...model]
            .map((entry) => ({ entry, at: random.next().value ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ entry }) => entry);
          let other = PersistentMap.from<number>(detour.map((at) => [at, 99]));
          for (const [at, value] of shuffled) other = other.set(at, value);
          for (const at of detour) if (!model.has(at)) other = other.delete(at);
          expect([...other]).toEqual([...map]);
        },
      ),
      { numRuns: draws(1_000), seed: 32 },
    );
  });

  it('keeps every earlier version as it was', () => {
    fc.assert(
      fc.property(ops, (list) => {
        const versions: { readonly map: PersistentMap<number>; readonly entries: string }[] = [];
        let map = PersistentMap.empty<number>();
        for (const { op, key: at, value } of list) {
          versions.push({ map, entries: JSON.stringify([...map]) });
          map = op === 'set' ? map.set(at, value) : map.delete(at);
        }
        for (const { map: before, entries } of versions) expect(JSON.stringify([...before])).toBe(entries);
      }),
      { numRuns: draws(500), seed: 33 },
    );
  });

  it('holds keys of one 32-bit hash, and takes them out again', () => {
    expect(colliding.length).toBeGreaterThan(0);
    for (const keys of colliding) {
      expect(new Set(keys.map(hashOf)).size).toBe(1);
      let map = PersistentMap.from(keys.map((at, index) => [at, index] as const)).set('beside', 9);
      expect(map.size).toBe(keys.length + 1);
      expect(keys.map((at) => map.get(at))).toEqual(keys.map((_, index) => index));
      expect([...map]).toEqual([...PersistentMap.from([...map].reverse())]);
      for (const [index, at] of keys.entries()) {
        map = map.set(at, index + 10);
        expect(map.get(at)).toBe(index + 10);
        map = map.delete(at);
        expect(map.has(at)).toBe(false);
      }
      expect([...map]).toEqual([['beside', 9]]);
    }
  });

  it('is the same map where nothing changes', () => {
    const map = PersistentMap.from([
      ['a', 1],
      ['b', 2],
    ]);
    expect(map.set('a', 1)).toBe(map);
    expect(map.delete('c')).toBe(map);
    expect(map.set('a', 3)).not.toBe(map);
    expect(PersistentMap.empty<number>().delete('a').size).toBe(0);
  });

  it('tells an entry of undefined from none', () => {
    const map = PersistentMap.empty<undefined>().set('a', undefined);
    expect([map.has('a'), map.has('b'), map.size]).toEqual([true, false, 1]);
  });

  it('of equal keys in from the later wins; sorted takes another order', () => {
    const map = PersistentMap.from([
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ]);
    expect(map.sorted()).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(map.sorted((a, b) => (a < b ? 1 : -1))).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
  });

  it('holds many entries and lists them all (100,000 in the long lane)', () => {
    const count = draws(100_000);
    const map = PersistentMap.from(
      Array.from({ length: count }, (_, index) => [`k${index}`, index] as const),
    );
    expect(map.size).toBe(count);
    expect(new Set([...map].map(([at]) => at)).size).toBe(count);
    let rest = map;
    for (let index = 0; index < count; index += 1) rest = rest.delete(`k${index}`);
    expect([rest.size, [...rest]]).toEqual([0, []]);
  });
});
