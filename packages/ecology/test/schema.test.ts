/** The subset of JSON Schema that interfaces are held to, against a whole validator. */
import { Validator, type Schema } from '@cfworker/json-schema';
import type { Json } from '@assay/kernel';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { misfit } from '../src/contracts/schema.js';

const KEYS = ['a', 'b', 'c', 'n/m', ''] as const;
const TYPES = ['null', 'array', 'object', 'integer', 'number', 'string', 'boolean'] as const;
const key = fc.constantFrom(...KEYS);
const type = fc.constantFrom(...TYPES);
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, 2 ** 53 - 1, -2.5));

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(fc.constantFrom<Json>(null, true, false, '', 'a', '1'), number),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));

const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.boolean(),
    fc
      .record(
        {
          type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
          properties: fc.dictionary(key, tie('schema'), { maxKeys: 3 }),
          required: fc.uniqueArray(key, { maxLength: 2 }),
          enum: fc.array(value, { minLength: 1, maxLength: 4 }),
          items: tie('schema'),
          minimum: number,
          maximum: number,
          additionalProperties: tie('schema'),
        },
        { requiredKeys: [] },
      )
      .map((made): Json => made),
  ),
}));

it('ecology/interfaces-as-json-schema: the subset says what a whole validator says', () => {
  let refused = 0;
  let all = 0;
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 5, maxLength: 5 }), (given, values) => {
      const oracle = new Validator(given as Schema | boolean, '2020-12');
      for (const one of values) {
        const fits = misfit(one, given) === null;
        expect(fits).toBe(oracle.validate(one).valid);
        all += 1;
        if (!fits) refused += 1;
      }
    }),
    lawRuns('ecology/interfaces-as-json-schema'),
  );
  expect(refused / all).toBeGreaterThan(0.2);
  expect(refused / all).toBeLessThan(0.9);
});
