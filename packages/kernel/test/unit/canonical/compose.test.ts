import { admit, orThrow } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeArray, composeObject, composeToken, type Part } from '../../../src/canonical/compose.js';
import { arbitraryAdmitted, arbitraryNumber, objectOf } from '../../../tools/arbitrary-json.js';
import { lawRuns } from '../../../tools/laws.js';

const RUNS = lawRuns('compose laws');
const arbitraryName = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom('constructor', 'hasOwnProperty'), fc.stringMatching(/^[a-z][a-z0-9_.-]{0,20}$/));
const admitted = (value: unknown): ReturnType<typeof composeToken> => orThrow(admit(value));

describe('putting admitted parts together', () => {
  it('canonical/composed-equals-admitted: an array of parts is what admission makes of the whole', () => {
    fc.assert(
      fc.property(fc.array(arbitraryAdmitted(2), { maxLength: 4 }), (items) => {
        const composed = composeArray(items.map(admitted));
        expect(composed).toEqual(admitted(items));
        expect(Object.isFrozen(composed.value)).toBe(true);
      }),
      RUNS,
    );
  });

  it('canonical/composed-equals-admitted: an object of parts in canonical order likewise', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(arbitraryName(), { maxLength: 5 }),
        arbitraryAdmitted(2),
        arbitraryAdmitted(1),
        (keys, one, two) => {
          const parts = keys
            .toSorted()
            .map((key, index): Part => [key, admitted(index % 2 === 0 ? one : two)]);
          const composed = composeObject(parts);
          expect(composed).toEqual(
            admitted(objectOf(parts.map(([key, part]) => [key, part.value] as const))),
          );
          expect(Object.isFrozen(composed.value)).toBe(true);
        },
      ),
      RUNS,
    );
  });

  it('canonical/composed-equals-admitted: a token likewise', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          arbitraryName(),
          fc.stringMatching(/^[0-9a-f]{64}$/),
          fc.stringMatching(/^[0-9]{1,5}[.][0-9]$/),
          arbitraryNumber(),
          fc.constantFrom(null, true, false),
        ),
        (token) => {
          expect(composeToken(token)).toEqual(admitted(token));
        },
      ),
      RUNS,
    );
  });
});
