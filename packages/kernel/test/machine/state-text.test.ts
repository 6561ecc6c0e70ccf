import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admit, InvariantError, isIntegral, orThrow, type Json } from '@assay/kernel';
import { admittedJson, digestText, integralJson } from '@assay/testing';
import { PersistentMap } from '../../src/collections/persistent-map.js';
import type { Digest } from '../../src/hash/sha256.js';
import { makeState, stateText } from '../../src/machine/state.js';
import { opened, type OpenTable } from '../../src/machine/request-table.js';
import { ask } from './puppet.js';
import { draws } from '../../tools/laws.ts';

const table: fc.Arbitrary<OpenTable> = fc
  .array(fc.tuple(fc.nat(20), fc.nat(20), integralJson(1)), { maxLength: 6 })
  .map((rows) =>
    PersistentMap.from(
      rows.map(
        ([sequence, index, body]) =>
          [
            `${sequence}.${index}`,
            opened({ id: `${sequence}.${index}`, ...ask({ body: orThrow(admit(body)).value }) }),
          ] as const,
      ),
    ),
  );
const artifacts: fc.Arbitrary<PersistentMap<Digest>> = fc
  .array(fc.tuple(fc.constantFrom('a', 'a.b', 'a-b', 'z_1'), digestText()), { maxLength: 4 })
  .map((entries) => PersistentMap.from(entries as [string, Digest][]));

/** Tests of the state text, which is written without copying the state. */
describe('the text of a State', () => {
  it('is that of admitting the whole State', () => {
    fc.assert(
      fc.property(integralJson(), table, artifacts, (machine, open, hashes) => {
        expect(stateText(machine, open, hashes)).toBe(
          orThrow(
            admit({
              t: 'state',
              machine,
              open: Object.fromEntries(open),
              artifacts: Object.fromEntries(hashes),
            }),
          ).text,
        );
        expect(orThrow(admit(makeState(machine, open, hashes))).text).toBe(stateText(machine, open, hashes));
      }),
      { numRuns: draws(1_000), seed: 61 },
    );
  });

  it('does not depend on the order of keys, nor on -0', () => {
    expect(stateText({ b: -0, a: [-0], 10: 1, 9: -0 }, PersistentMap.empty(), PersistentMap.empty())).toBe(
      '{"artifacts":{},"machine":{"10":1,"9":0,"a":[0],"b":0},"open":{},"t":"state"}',
    );
  });

  it('exists exactly for integers and well-formed tokens', () => {
    fc.assert(
      fc.property(admittedJson(), (machine) => {
        const write = (): string => stateText(machine, PersistentMap.empty(), PersistentMap.empty());
        if (isIntegral(machine)) expect(write()).toContain('"t":"state"');
        else expect(write).toThrow(InvariantError);
      }),
      { numRuns: draws(1_000), seed: 62 },
    );
  });

  const refused: readonly (readonly [string, () => unknown])[] = [
    ['undefined', () => ({ a: undefined })],
    ['a hole', () => [1, , 2]],
    ['a bigint', () => 1n],
    ['a function', () => ({ toJSON: () => 1 })],
    ['a symbol', () => [Symbol('s')]],
    ['a class instance', () => new Map()],
    ['a persistent map left unwritten', () => PersistentMap.empty()],
    ['NaN', () => Number.NaN],
    ['2^53', () => 2 ** 53],
    [
      'a cycle',
      () => {
        const loop: unknown[] = [];
        loop.push(loop);
        return loop;
      },
    ],
    ['a lone surrogate', () => '\udfff'],
    ['a lone surrogate as key', () => ({ '\ud800': 1 })],
    ['$sealed beside another key', () => ({ deep: [{ $sealed: '0'.repeat(64), a: 1 }] })],
    ['$blob of a wrong form', () => ({ $blob: { bytes: 1 } })],
  ];
  for (const [fault, make] of refused) {
    it(`is a defect for ${fault}`, () => {
      expect(() => stateText(make() as Json, PersistentMap.empty(), PersistentMap.empty())).toThrow(
        InvariantError,
      );
    });
  }
});
