import { admit, canonicalize, hashCanonical, isOk, orThrow, type Json } from '@assay/kernel';
import stringify from 'fast-json-stable-stringify';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode, encodeJson, encodeOrdered, isOrdered } from '../../src/canonical/encode.js';
import {
  arbitraryAdmitted,
  arbitraryChoices,
  arbitraryRefused,
  withKeysReordered,
} from '../../tools/arbitrary-json.js';
import { lawRuns } from '../../tools/laws.js';

const RUNS = lawRuns('canonical laws');
const text = (value: unknown): string => orThrow(admit(value)).text;

/** Deep equality that sees -0, own `__proto__` keys and array lengths. */
function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.length === right.length &&
    left.every(
      ([key, child]) =>
        Object.hasOwn(b, key) && isSame(child, Object.entries(b).find(([other]) => other === key)?.[1]),
    )
  );
}

describe('laws of canonical JSON', () => {
  it(
    'canonical/idempotent: parsing the canonical text and writing it again gives the same ' +
      'text, and so does the owned copy',
    () => {
      fc.assert(
        fc.property(arbitraryAdmitted(), (value) => {
          const admitted = orThrow(admit(value));
          expect(text(JSON.parse(admitted.text))).toBe(admitted.text);
          expect(text(admitted.value)).toBe(admitted.text);
        }),
        RUNS,
      );
    },
  );

  it('canonical/key-order-invariant: the order in which keys were written changes no byte', () => {
    fc.assert(
      fc.property(arbitraryAdmitted(), arbitraryChoices, (value, choices) => {
        const reordered = withKeysReordered(value, choices);
        expect(orThrow(canonicalize(reordered))).toEqual(orThrow(canonicalize(value)));
        expect(hashCanonical(reordered)).toEqual(hashCanonical(value));
      }),
      RUNS,
    );
  });

  it('canonical/injective-on-admitted: two values have one text exactly if they are the same value', () => {
    // Values from few building blocks, so that equal pairs occur; neighbours, so that unequal pairs are
    // close.
    const small = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>(null, 0, 1, '', '0', '1', 'null', '[]', '{}', ',', '":"'),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('', '0', 'a', '__proto__', '","'), tie('value'), { maxKeys: 2 }),
      ),
    })).value;
    let equal = 0;
    fc.assert(
      fc.property(small, small, (a, b) => {
        if (isSame(a, b)) equal += 1;
        expect(text(a) === text(b)).toBe(isSame(a, b));
      }),
      RUNS,
    );
    expect(equal).toBeGreaterThan(0);
    fc.assert(
      fc.property(arbitraryAdmitted(), arbitraryAdmitted(), (a, b) => {
        expect(text(a) === text(b)).toBe(isSame(a, b));
        expect(isSame(JSON.parse(text(a)) as Json, a)).toBe(true);
      }),
      RUNS,
    );
  });

  it('canonical/equals-reference: admitted values get the text that fast-json-stable-stringify gives them', () => {
    fc.assert(
      fc.property(arbitraryAdmitted(), (value) => {
        expect(text(value)).toBe(stringify(value));
      }),
      RUNS,
    );
  });

  it(
    "canonical/writers-agree: the encoder, the runtime's writer where keys are ordered, and " +
      'the mixed one write the same',
    () => {
      let ordered = 0;
      fc.assert(
        fc.property(arbitraryAdmitted(), (value) => {
          const owned = orThrow(admit(value)).value;
          expect(encode(value)).toBe(text(value));
          expect(encodeJson(value)).toBe(text(value));
          expect(encode(owned)).toBe(text(value));
          if (!isOrdered(owned)) return;
          ordered += 1;
          expect(encodeOrdered(owned)).toBe(text(value));
        }),
        RUNS,
      );
      expect(ordered).toBeGreaterThan(RUNS.numRuns / 2);
    },
  );

  it('canonical/measured: bytes, depth and structure of an admitted value are those of its text', () => {
    fc.assert(
      fc.property(arbitraryAdmitted(), (value) => {
        const admitted = orThrow(admit(value));
        const outside = admitted.text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
        let depth = 0;
        let deepest = 0;
        for (const mark of outside) {
          if (mark === '[' || mark === '{') deepest = Math.max(deepest, (depth += 1));
          if (mark === ']' || mark === '}') depth -= 1;
        }
        expect(admitted.bytes).toBe(Buffer.byteLength(admitted.text));
        expect(admitted.depth).toBe(deepest);
        expect(admitted.structure).toBe(outside.replaceAll(/[^[{,]/g, '').length);
      }),
      RUNS,
    );
  });

  it(
    'canonical/owned-and-frozen: the copy shares no object with the input, is frozen ' +
      'throughout, and later changes to the input change nothing',
    () => {
      fc.assert(
        fc.property(arbitraryAdmitted(), (value) => {
          const given = structuredClone(value);
          const admitted = orThrow(admit(given));
          const before = admitted.text;
          const inputs = containersOf(given);
          for (const container of containersOf(admitted.value)) {
            expect(Object.isFrozen(container)).toBe(true);
            expect(inputs).not.toContain(container);
          }
          for (const container of inputs) {
            expect(Object.isFrozen(container)).toBe(false);
            Object.defineProperty(container, 'later', { value: 1, enumerable: true });
          }
          expect(JSON.stringify(admitted.value)).toBe(JSON.stringify(JSON.parse(before)));
          expect(encode(admitted.value)).toBe(before);
        }),
        RUNS,
      );
    },
  );

  it('canonical/no-getter-called: admission runs no code of the value, wherever an accessor sits', () => {
    fc.assert(
      fc.property(
        arbitraryAdmitted(2),
        fc.constantFrom('get', 'set', 'both'),
        fc.boolean(),
        fc.boolean(),
        (value, kind, isArray, enumerable) => {
          let calls = 0;
          const slot = {
            enumerable,
            configurable: true,
            ...(kind === 'set' ? {} : { get: () => (calls += 1) }),
            ...(kind === 'get' ? {} : { set: () => void (calls += 1) }),
          };
          const bad = isArray
            ? Object.defineProperty([value, 0], 1, slot)
            : Object.defineProperty({ a: value }, 'b', slot);
          const result = admit({ outer: [bad] });
          expect(calls).toBe(0);
          const code = isArray && !enumerable ? 'hidden_key' : 'accessor';
          expect(result).toEqual({
            _tag: 'Left',
            left: { code, path: isArray ? '/outer/0/1' : '/outer/0/b' },
          });
        },
      ),
      RUNS,
    );
  });

  it(
    'canonical/refusal-order-invariant: a bad value gives the same code and path whatever ' +
      'the order of its keys',
    () => {
      fc.assert(
        fc.property(arbitraryRefused(), arbitraryChoices, (value, choices) => {
          const refusal = admit(value);
          expect(isOk(refusal)).toBe(false);
          expect(admit(withKeysReordered(value, choices))).toEqual(refusal);
        }),
        RUNS,
      );
    },
  );
});

function containersOf(value: Json): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value as Record<string, Json>).flatMap(containersOf)];
}
