import { canonicalize, orThrow, readCanonical } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { hasPublicVectors, publicVectors, type VectorFile } from '../../tools/public-vectors.js';

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const parse = (bytes: Uint8Array): unknown => JSON.parse(textOf(bytes));
const named = (files: readonly VectorFile[], name: string): Uint8Array =>
  files.find((file) => file.name.startsWith(name))?.bytes ?? Uint8Array.of();

describe.skipIf(!hasPublicVectors)('RFC 8785 vectors', () => {
  /** Refused by rule: 1E30 lies beyond 2^53 - 1, which RFC 8785 leaves to the application. */
  const REFUSED: Readonly<Record<string, unknown>> = {
    'values.json': { code: 'number_range', path: '/numbers/1' },
  };

  it('every admissible input gets the published bytes, the others are refused by rule', () => {
    const [inputs, outputs, hex] = [
      publicVectors('jcs/input'),
      publicVectors('jcs/output'),
      publicVectors('jcs/outhex'),
    ];
    expect(inputs.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'arrays.json',
        'french.json',
        'structures.json',
        'unicode.json',
        'values.json',
        'weird.json',
      ]),
    );
    for (const { name, bytes } of inputs) {
      const result = canonicalize(parse(bytes));
      if (REFUSED[name] !== undefined) {
        expect([name, result]).toEqual([name, { _tag: 'Left', left: REFUSED[name] }]);
        continue;
      }
      expect([name, textOf(orThrow(result))]).toEqual([name, textOf(named(outputs, name))]);
      const digits = textOf(named(hex, name.replace('.json', '.'))).replaceAll(/\s/g, '');
      expect([name, Buffer.from(orThrow(result)).toString('hex')]).toEqual([name, digits]);
      expect(orThrow(readCanonical(orThrow(result))).value).toEqual(parse(bytes));
    }
  });

  it('the refused input without its refused number gets the published text without it', () => {
    const input = parse(named(publicVectors('jcs/input'), 'values.json')) as { numbers: number[] };
    const output = textOf(named(publicVectors('jcs/output'), 'values.json'));
    expect(input.numbers.splice(1, 1)).toEqual([1e30]);
    expect(textOf(orThrow(canonicalize(input)))).toBe(output.replace('1e+30,', ''));
  });
});

describe.skipIf(!hasPublicVectors)('JSONTestSuite', () => {
  const suite = (prefix: string): readonly VectorFile[] =>
    publicVectors('jsontestsuite').filter(({ name }) => name.startsWith(prefix));

  /** Texts a parser must accept whose value is refused by rule: numbers beyond 2^53 - 1. */
  const BEYOND: readonly string[] = [
    'y_number.json',
    'y_number_real_capital_e.json',
    'y_number_real_exponent.json',
    'y_number_real_fraction_exponent.json',
    'y_object_extreme_numbers.json',
  ];

  it('no text that a parser must refuse is a canonical line', () => {
    const files = suite('n_');
    expect(files.length).toBeGreaterThan(180);
    for (const { name, bytes } of files) expect([name, readCanonical(bytes)._tag]).toEqual([name, 'Left']);
  });

  it(
    'a text that a parser must accept reads back if it is canonical; else it is refused as ' +
      'encoding, and its canonical text reads back',
    () => {
      const files = suite('y_');
      expect(files.length).toBeGreaterThan(90);
      let canonical = 0;
      for (const { name, bytes } of files) {
        const written = canonicalize(parse(bytes));
        const read = readCanonical(bytes);
        if (BEYOND.includes(name)) {
          expect([name, written]).toMatchObject([name, { left: { code: 'number_range' } }]);
          expect([name, read]).toEqual([name, { _tag: 'Left', left: 'encoding' }]);
          continue;
        }
        const isCanonical = Buffer.from(orThrow(written)).equals(bytes);
        if (isCanonical) canonical += 1;
        expect([name, read]).toMatchObject([
          name,
          isCanonical ? { right: { value: parse(bytes), text: textOf(bytes) } } : { left: 'encoding' },
        ]);
        const back = orThrow(readCanonical(orThrow(written))).value;
        expect([name, canonicalize(back)]).toEqual([name, written]);
      }
      expect(canonical).toBeGreaterThan(40);
    },
  );

  it('no text that a parser may take or leave is a canonical line', () => {
    const files = suite('i_');
    expect(files.length).toBeGreaterThan(30);
    for (const { name, bytes } of files) expect([name, readCanonical(bytes)._tag]).toEqual([name, 'Left']);
  });
});
