/**
 * Does a value have the shape that a server declared for it? Looked through, never compiled: the schema is
 * the server's own words.
 *
 * Read of a schema: `type`, `const`, `enum`, `properties`, `required`, `additionalProperties: false`,
 * `items`. What else it says (patterns, references, ranges, combinations) is not checked; the machine parses
 * the value anyway.
 *
 * @module
 */
import { field, isArray, isObject, type Json } from '@assay/kernel';

/** Where a value first differs: a JSON pointer, and the keyword it differs from. */
export type ShapeFault = { readonly path: string; readonly keyword: string };

/** Places of a value that are looked at; what lies behind is taken as it is. */
const PLACES_MAX = 100_000;

/** The first difference, in the order of the value; null where there is none. Linear in the value. */
export function shapeFault(value: Json, schema: Json): ShapeFault | null {
  const pending: { readonly value: Json; readonly schema: Json; readonly path: string }[] = [
    { value, schema, path: '' },
  ];
  for (let looked = 0; looked < PLACES_MAX; looked += 1) {
    const next = pending.pop();
    if (next === undefined) return null;
    if (!isObject(next.schema)) continue;
    const keyword = keywordAgainst(next.value, next.schema);
    if (keyword !== null) return { path: next.path, keyword };
    pending.push(...listParts(next.value, next.schema, next.path).toReversed());
  }
  return null;
}

type Schema = Extract<Json, { readonly [key: string]: Json }>;

function keywordAgainst(value: Json, schema: Schema): string | null {
  const [type, allowed, properties, required] = ['type', 'enum', 'properties', 'required'].map((key) =>
    field(schema, key),
  );
  const types = typeof type === 'string' ? [type] : isArray(type ?? null) ? (type as readonly Json[]) : null;
  if (types !== null && !types.some((each) => isOfType(value, each))) return 'type';
  const one = field(schema, 'const');
  if (one !== undefined && !isSame(value, one)) return 'const';
  if (allowed !== undefined && isArray(allowed) && !allowed.some((each) => isSame(value, each)))
    return 'enum';
  if (!isObject(value)) return null;
  if (
    required !== undefined &&
    isArray(required) &&
    required.some((key) => typeof key === 'string' && !Object.hasOwn(value, key))
  )
    return 'required';
  const isClosed =
    field(schema, 'additionalProperties') === false && field(schema, 'patternProperties') === undefined;
  const known = properties !== undefined && isObject(properties) ? properties : {};
  return isClosed && Object.keys(value).some((key) => !Object.hasOwn(known, key))
    ? 'additionalProperties'
    : null;
}

function listParts(
  value: Json,
  schema: Schema,
  path: string,
): readonly { readonly value: Json; readonly schema: Json; readonly path: string }[] {
  if (isArray(value)) {
    const items = field(schema, 'items');
    return items === undefined || !isObject(items)
      ? []
      : value.map((each, index) => ({ value: each, schema: items, path: `${path}/${index}` }));
  }
  const properties = field(schema, 'properties');
  if (!isObject(value) || properties === undefined || !isObject(properties)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const own = field(properties, key);
    return own === undefined
      ? []
      : [{ value: each, schema: own, path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` }];
  });
}

function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value === type;
    default:
      return true;
  }
}

/** Only plain values are compared: a list or an object named so passes. */
function isSame(value: Json, other: Json): boolean {
  return typeof other === 'object' && other !== null ? true : value === other;
}
