/** JSON Schemas take what their shapes take, and no other value where a shape has no test beyond its bounds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import {
  anyOf,
  closed,
  digest,
  flag,
  free,
  freeObject,
  integer,
  lazy,
  list,
  matching,
  nullable,
  number,
  oneOf,
  open,
  pairOf,
  refined,
  said,
  sized,
  table,
  text,
  toJsonSchema,
  tuple,
  type Shape,
} from '@assay/kernel/shape';
import { lawRuns } from '../../tools/laws.js';
import { validator } from '../../tools/validator.js';

const KEYS = ['a', 'b', 'c'] as const;
const key = fc.constantFrom(...KEYS);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, 1, 2, 0.5, '', 'a', 'ab'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));
const { shape } = fc.letrec<{ shape: Shape }>((tie) => {
  const one = tie('shape');
  const fields = fc.dictionary(key, one, { maxKeys: 2 });
  return {
    shape: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Shape>(free, freeObject, flag, integer(0), number(0, 1), sized(0, 1), matching(/^a/)),
      fc.constantFrom<Shape>(
        oneOf(['a']),
        oneOf([null, 1]),
        text(() => true),
      ),
      one.map((item) => nullable(item)),
      one.map((item) => list(item, ({ length }) => length > 0, { min: 1 })),
      one.map((item) => pairOf(item)),
      one.map((item) => table((name) => name < 'c', item, { pattern: /^[ab]/ })),
      fc.tuple(one, one).map((items) => anyOf(...items)),
      fc.tuple(one, one).map((items) => tuple(...items)),
      fields.map((some) => closed(some)),
      fc.tuple(fields, fields, fc.option(one)).map(([some, optional, rest]) => open(some, optional, rest)),
    ),
  };
});

describe('laws', () => {
  it('shape/json-schema-takes-the-same: a JSON Schema takes exactly the values its shape takes', () => {
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(shape, value, (own, given) => {
        const fits = own(given) === null;
        if (fits) taken += 1;
        else refused += 1;
        return validator(own)(given) === fits;
      }),
      lawRuns('json schema'),
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(5);
  });
});

describe('toJsonSchema', () => {
  it('says each form', () => {
    const wide = integer(Number.MIN_SAFE_INTEGER);
    const cases: readonly (readonly [Shape, Json])[] = [
      [free, {}],
      [(given) => (given === 1 ? null : ''), {}],
      [wide, { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }],
      [number(-Infinity, 1), { type: 'number', maximum: 1 }],
      [digest, { type: 'string', pattern: '^[0-9a-f]{64}$' }],
      [oneOf(['a']), { const: 'a' }],
      [oneOf([null, 1]), { enum: [null, 1] }],
      [pairOf(flag), { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 2 }],
      [
        tuple(flag, free),
        { type: 'array', prefixItems: [{ type: 'boolean' }, {}], items: false, minItems: 2 },
      ],
      [
        list(flag, () => true, { unique: true }),
        { type: 'array', items: { type: 'boolean' }, uniqueItems: true },
      ],
      [table(() => true, flag), { type: 'object', additionalProperties: { type: 'boolean' } }],
      [
        open({ a: flag }, { b: flag }),
        {
          type: 'object',
          properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
          required: ['a'],
          additionalProperties: false,
        },
      ],
      [refined(freeObject, () => null), { type: 'object' }],
      [said(free, flag, { title: 'a' }), { type: 'boolean', title: 'a' }],
      [text(() => true, { allowed: ['a'] }), { type: 'string', enum: ['a'] }],
    ];
    for (const [own, schema] of cases) expect(toJsonSchema(own)).toEqual(schema);
  });

  it('a shape within itself stands in $defs once', () => {
    type Tree = { readonly under: readonly Tree[] };
    const tree: Shape<Tree> = lazy(() => closed({ under: list(tree) }));
    expect(toJsonSchema(tuple(tree, tree))).toMatchObject({
      prefixItems: [{ $ref: '#/$defs/shape0' }, { $ref: '#/$defs/shape0' }],
      $defs: { shape0: { properties: { under: { items: { $ref: '#/$defs/shape0' } } } } },
    });
    const takes = validator(tree);
    expect([takes({ under: [{ under: [] }] }), takes({ under: [{ under: [1] }] })]).toEqual([true, false]);
    expect([tree({ under: [{ under: [] }] }), tree({ under: [{ under: [1] }] })]).toEqual([
      null,
      '/under/0/under/0',
    ]);
  });

  it('of several faults the deepest is given', () => {
    expect(anyOf(flag, closed({ a: flag }))({ a: 1 })).toBe('/a');
  });
});
