import { admit, canonicalize, orThrow, readCanonical, utf8Bytes, type Json } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/canonical/encode.js';
import { arbitraryAdmitted, arbitraryChoices, objectOf, character } from '../../tools/arbitrary-json.js';
import { lawRuns } from '../../tools/laws.js';

const RUNS = lawRuns('read laws');
const read = (text: string): ReturnType<typeof readCanonical> => readCanonical(utf8Bytes(text));
const REFUSED = { _tag: 'Left', left: 'encoding' };

/** Places outside strings where white space is allowed by JSON: before and after each mark. */
function gaps(text: string): number[] {
  const places = [0, text.length];
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (isString && char === '\\') index += 1;
    else if (char === '"') isString = !isString;
    else if (!isString && '[]{},:'.includes(char)) places.push(index, index + 1);
  }
  return places;
}

/**
 * The text of a value with the members of one object in descending order, or null where no object has two.
 */
function swapMembers(value: Json): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    for (const [index, item] of items.entries()) {
      const swapped = swapMembers(item);
      if (swapped !== null)
        return `[${items.map((other, at) => (at === index ? swapped : encode(other))).join(',')}]`;
    }
    return null;
  }
  const members = Object.entries(value as Readonly<Record<string, Json>>).toSorted(([a], [b]) =>
    a < b ? 1 : -1,
  );
  return members.length < 2
    ? null
    : `{${members.map(([key, child]) => `${encode(key)}:${encode(child)}`).join(',')}}`;
}

describe('laws of reading canonical text', () => {
  it('read/reads-back: the bytes of C(x) give back x and its text', () => {
    fc.assert(
      fc.property(arbitraryAdmitted(), (value) => {
        const { text } = orThrow(admit(value));
        const back = orThrow(readCanonical(orThrow(canonicalize(value))));
        expect(back.text).toBe(text);
        expect(back.value).toEqual(JSON.parse(text));
        expect(orThrow(admit(back.value)).text).toBe(text);
      }),
      RUNS,
    );
  });

  it('read/other-spelling-refused: white space anywhere is refused', () => {
    fc.assert(
      fc.property(
        arbitraryAdmitted(),
        fc.nat(),
        fc.constantFrom(' ', '\t', '\r', '\n'),
        (value, at, space) => {
          const { text } = orThrow(admit(value));
          const places = gaps(text);
          const place = places[at % places.length] ?? 0;
          const spaced = text.slice(0, place) + space + text.slice(place);
          expect(JSON.parse(spaced)).toEqual(JSON.parse(text));
          expect(read(spaced)).toEqual(REFUSED);
        },
      ),
      RUNS,
    );
  });

  it('read/other-spelling-refused: members out of order are refused', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryAdmitted(2), { maxLength: 2 }),
        arbitraryAdmitted(2),
        arbitraryAdmitted(2),
        (before, first, second) => {
          const text = swapMembers([...before, objectOf([['a', first] as const, ['b', second] as const])]);
          expect(text).not.toBeNull();
          expect(JSON.parse(text ?? '')).toEqual(JSON.parse(encode(JSON.parse(text ?? '') as Json)));
          expect(read(text ?? '')).toEqual(REFUSED);
        },
      ),
      RUNS,
    );
  });

  it('read/other-spelling-refused: a member given twice is refused, with another value or the same', () => {
    fc.assert(
      fc.property(arbitraryAdmitted(2), arbitraryAdmitted(2), (first, second) => {
        expect(read(`{"a":${encode(first)},"a":${encode(second)}}`)).toEqual(REFUSED);
        expect(read(`{"a":${encode(first)},"a":${encode(first)}}`)).toEqual(REFUSED);
      }),
      RUNS,
    );
  });

  it('read/other-spelling-refused: an escape that need not be is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 1, maxLength: 8 }), fc.nat(), (given, at) => {
        const index = at % given.length;
        const escaped = `\\u${given.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}`;
        const text =
          encode(given.slice(0, index)).slice(0, -1) + escaped + encode(given.slice(index + 1)).slice(1);
        if (text === encode(given)) return;
        expect(read(text)).toEqual(REFUSED);
      }),
      RUNS,
    );
  });

  it('read/accepts-only-canonical: whatever bytes are accepted, they are the canonical bytes of the value read', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        arbitraryAdmitted(),
        arbitraryChoices,
        fc.integer({ min: 0, max: 255 }),
        fc.boolean(),
        (value, choices, byte, isRemoved) => {
          const bytes = orThrow(canonicalize(value));
          const at = (choices[0] ?? 0) % bytes.length;
          const changed = isRemoved
            ? Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 1)])
            : bytes.with(at, byte);
          const result = readCanonical(changed);
          if (result._tag === 'Left') return;
          accepted += 1;
          expect(orThrow(canonicalize(result.right.value))).toEqual(changed);
        },
      ),
      { ...RUNS, numRuns: RUNS.numRuns * 3 },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});
