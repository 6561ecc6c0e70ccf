/**
 * Whether an input fits the JSON Schema of its tool. Checked: type, properties, required,
 * additionalProperties, items, enum, anyOf, minimum, maximum, minLength, maxLength, maxItems; every other
 * keyword is the tool's to check. Source: calls/C15.
 *
 * @module
 */
import { admit, field, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';

/** Where an input departs from a schema, as a JSON Pointer; null where it fits. Total. */
export function misfit(schema: Json, value: Json, path = ''): string | null {
  if (schema === false) return path;
  if (!isObject(schema)) return null;
  const anyOf = field(schema, 'anyOf');
  if (isArray(anyOf) && !anyOf.some((one) => misfit(one, value, path) === null)) return path;
  const among = field(schema, 'enum');
  if (isArray(among) && !among.some((one) => isSame(one, value))) return path;
  const type = field(schema, 'type');
  if (type !== undefined && !(isArray(type) ? type : [type]).some((one) => isOfType(one, value))) return path;
  if (typeof value === 'number') return within(schema, value, 'minimum', 'maximum') ? null : path;
  if (typeof value === 'string')
    return within(schema, [...value].length, 'minLength', 'maxLength') ? null : path;
  if (isArray(value)) return misfitOfItems(schema, value, path);
  return isObject(value) ? misfitOfMembers(schema, value, path) : null;
}

function misfitOfItems(schema: JsonObject, items: readonly Json[], path: string): string | null {
  if (!within(schema, items.length, '', 'maxItems')) return path;
  const of = field(schema, 'items') ?? null;
  return firstOf(items.keys(), (at) => misfit(of, items[at] ?? null, `${path}/${at}`));
}

function misfitOfMembers(schema: JsonObject, value: JsonObject, path: string): string | null {
  const required = field(schema, 'required');
  const missing = (isArray(required) ? required : []).find(
    (key) => typeof key === 'string' && !Object.hasOwn(value, key),
  );
  if (typeof missing === 'string') return pathTo(path, missing);
  const properties = field(schema, 'properties') ?? null;
  const others = field(schema, 'additionalProperties') ?? null;
  return firstOf(Object.keys(value), (key) => {
    const known = isObject(properties) ? field(properties, key) : undefined;
    return misfit(known ?? others, field(value, key) ?? null, pathTo(path, key));
  });
}

function firstOf<T>(items: Iterable<T>, fault: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = fault(item);
    if (found !== null) return found;
  }
  return null;
}

function within(schema: JsonObject, size: number, least: string, most: string): boolean {
  const [low, high] = [field(schema, least), field(schema, most)];
  return !(typeof low === 'number' && size < low) && !(typeof high === 'number' && size > high);
}

function isOfType(type: Json, value: Json): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return isArray(value);
    case 'string':
      return typeof value === 'string';
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function isSame(one: Json, other: Json): boolean {
  return textOf(one) === textOf(other);
}

function textOf(value: Json): string | null {
  const admitted = admit(value);
  return admitted._tag === 'Left' ? null : admitted.right.text;
}

function pathTo(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
