/** Laws of coded values: what is declared once is written, checked and read back by one declaration. */
import { isRequestId, PersistentMap, type Json } from '@assay/kernel';
import {
  closed,
  decodeBy,
  flag,
  free,
  integer,
  list,
  mapOf,
  nullable,
  oneOf,
  record,
  text,
  tuple,
  type ValueOf,
} from '@assay/kernel/shape';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { arbitraryAdmitted, character } from '../../tools/arbitrary-json.js';
import { lawRuns } from '../../tools/laws.js';

const runs = lawRuns('coded');
const count = integer(0);
const WAITING = closed({ kind: text(() => true), at: tuple(count, flag) });
const STATE = record({
  now: nullable(count),
  /** A map of records that hold a map. */
  accounts: mapOf(record({ used: count, by: mapOf(nullable(count)) })),
  waiting: mapOf(WAITING, text(isRequestId)),
});
type State = ValueOf<typeof STATE>;

const keys = fc.oneof(fc.string({ unit: character }), fc.constantFrom('__proto__', 'toJSON', '', '\ufb33'));
function maps<T>(items: fc.Arbitrary<T>, names: fc.Arbitrary<string> = keys): fc.Arbitrary<PersistentMap<T>> {
  return fc.array(fc.tuple(names, items)).map((pairs) => PersistentMap.from(pairs));
}
const states: fc.Arbitrary<State> = fc.record({
  now: fc.option(fc.nat()),
  accounts: maps(fc.record({ used: fc.nat(), by: maps(fc.option(fc.nat())) })),
  waiting: maps(
    fc.record({ kind: fc.string(), at: fc.tuple(fc.nat(), fc.boolean()) }),
    fc.tuple(fc.nat(99), fc.nat(99)).map(([group, place]) => `${group}.${place}`),
  ),
});

describe('coded values', () => {
  it('coded/reads-back', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(decodeBy(STATE, STATE.to(state))).toEqual({ _tag: 'Right', right: state });
      }),
      runs,
    );
  });

  it('coded/writes-back', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          states.map((state) => STATE.to(state)),
          arbitraryAdmitted(),
        ),
        (json) => {
          const read = decodeBy(STATE, json);
          if (read._tag === 'Right') expect(STATE.to(read.right)).toEqual(json);
          else expect(read.left.code).toBe('bad_state');
        },
      ),
      runs,
    );
  });

  it('writes fields in canonical order, and no others', () => {
    const more = { now: 1, accounts: PersistentMap.empty(), waiting: PersistentMap.empty(), derived: 1 };
    expect(JSON.stringify(STATE.to(more as State))).toBe('{"accounts":[],"now":1,"waiting":[]}');
  });

  it('has the type of what is declared', () => {
    expectTypeOf<State>().toEqualTypeOf<{
      readonly now: number | null;
      readonly accounts: PersistentMap<{
        readonly used: number;
        readonly by: PersistentMap<number | null>;
      }>;
      readonly waiting: PersistentMap<{
        readonly kind: string;
        readonly at: readonly [number, boolean];
      }>;
    }>();
  });

  const good = { now: null, accounts: [], waiting: [] };
  const used = { used: 0, by: [] };
  const faults: readonly (readonly [path: string, json: Json])[] = [
    ['', null],
    ['', { ...good, more: 1 }],
    ['', { now: null, accounts: [] }],
    ['/now', { ...good, now: -1 }],
    ['/accounts', { ...good, accounts: {} }],
    ['/accounts/0', { ...good, accounts: ['a'] }],
    ['/accounts/0', { ...good, accounts: [['a']] }],
    ['/accounts/0/0', { ...good, accounts: [[1, used]] }],
    ['/accounts/1/1/used', { ...good, accounts: [['a', used], ['b', { ...used, used: '' }]] }], // biome-ignore format: a row
    ['/accounts/0/1/by/0/1', { ...good, accounts: [['a', { used: 0, by: [['b', '']] }]] }],
    ['/accounts', { ...good, accounts: [['b', used], ['a', used]] }], // biome-ignore format: a row
    ['/accounts', { ...good, accounts: [['a', used], ['a', used]] }], // biome-ignore format: a row
    ['/waiting/0/0', { ...good, waiting: [['x', { kind: '', at: [0, true] }]] }],
    ['/waiting/0/1/at', { ...good, waiting: [['0.1', { kind: '', at: [0] }]] }],
    ['/waiting/0/1/at/1', { ...good, waiting: [['0.1', { kind: '', at: [0, 1] }]] }],
  ];
  it.each(faults)('refuses at "%s"', (path, json) => {
    expect(decodeBy(STATE, json)).toEqual({ _tag: 'Left', left: { code: 'bad_state', detail: { path } } });
  });

  it('refuses what does not fit as a whole', () => {
    const faultIn = ({ now }: State): string | null => (now === 7 ? '/now' : null);
    expect(decodeBy(STATE, { ...good, now: 7 }, faultIn)).toMatchObject({
      left: { detail: { path: '/now' } },
    });
    expect(decodeBy(STATE, { ...good, now: 8 }, faultIn)).toMatchObject({ _tag: 'Right' });
  });

  it('a shape of a list in a list', () => {
    expect(list(tuple(oneOf(['a']), free))([['a', {}]])).toBeNull();
    expect(list(tuple(oneOf(['a']), free))([['a', {}], ['b', 1]])).toBe('/1/0'); // biome-ignore format: a row
  });
});
