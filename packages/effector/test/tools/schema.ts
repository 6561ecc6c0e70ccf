/**
 * Whether a value fits a JSON Schema, by the keywords of calls/C15 and no others: written from the standard,
 * not from the parsers that the schemas come from.
 */
type Schema = { readonly [keyword: string]: unknown };

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'type properties required additionalProperties items enum anyOf ' +
    'minimum maximum minLength maxLength maxItems'
  ).split(' '),
);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
};

/** True where a value fits; throws for a keyword or a type that is not known here. */
export function fits(schema: Schema, value: unknown): boolean {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) throw new Error(`unknown keyword ${unknown}`);
  const { type, anyOf } = schema;
  const isType = TYPES[String(type)];
  if (type !== undefined && isType === undefined) throw new Error(`unknown type ${String(type)}`);
  return (
    (isType === undefined || isType(value)) &&
    (schema['enum'] === undefined || (schema['enum'] as readonly unknown[]).includes(value)) &&
    (anyOf === undefined || (anyOf as readonly Schema[]).some((form) => fits(form, value))) &&
    (typeof value !== 'number' || isWithin(schema, 'minimum', 'maximum', value)) &&
    (typeof value !== 'string' || isWithin(schema, 'minLength', 'maxLength', Array.from(value).length)) &&
    (!Array.isArray(value) || isList(schema, value)) &&
    (!TYPES['object']?.(value) || isRecord(schema, value as Schema))
  );
}

function isWithin(schema: Schema, least: string, most: string, value: number): boolean {
  return value >= Number(schema[least] ?? -Infinity) && value <= Number(schema[most] ?? Infinity);
}

function isList({ items, maxItems }: Schema, value: readonly unknown[]): boolean {
  return (
    value.length <= Number(maxItems ?? Infinity) &&
    (items === undefined || value.every((item) => fits(items as Schema, item)))
  );
}

function isRecord({ properties, required, additionalProperties }: Schema, value: Schema): boolean {
  const known = new Map(Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>));
  return (
    ((required ?? []) as readonly string[]).every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, item]) => {
      const schema = known.get(key);
      return schema === undefined ? additionalProperties !== false : fits(schema, item);
    })
  );
}
