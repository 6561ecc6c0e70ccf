/** The JSON values the kernel works with, as immutable types. */

/** Any JSON value, read-only. */
export type Json = null | boolean | number | string | JsonArray | JsonObject;
/** A JSON array, read-only. */
export type JsonArray = readonly Json[];
/** A JSON object, read-only. Keys from evidence never index it except through {@link field}. */
export type JsonObject = { readonly [key: string]: Json };

/** True for a JSON object (not an array, not null). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON array. */
export function isArray(value: Json | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** An object's own value under `key`, or undefined: never what a prototype holds. */
export function field(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Sets an own data property under any key, `__proto__` among them, whatever a page has put on
 * `Object.prototype` or however it has frozen it. For objects under construction.
 */
export function define(target: { [key: string]: Json }, key: string, value: Json): void {
  if (key in target) {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Order of two strings by UTF-16 code units, the only string order the kernel uses. */
export function compareText(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The value of an object's field, null if there is none: for JSON of any form. */
export function readField(value: Json | undefined, key: string): Json {
  return isObject(value) ? (field(value, key) ?? null) : null;
}

/** The text of an object's field, "" if there is none. */
export function readText(value: Json | undefined, key: string): string {
  const text = readField(value, key);
  return typeof text === 'string' ? text : '';
}

/** The objects of a list; none of what is no list. */
export function listObjects(value: Json | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}
