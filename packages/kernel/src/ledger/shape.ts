/**
 * Total parsers for closed JSON shapes, small enough for places where `eval` is forbidden.
 *
 * @module
 */
import { isArray, isObject, type Json } from '../json.js';
import { err, ok, type Result } from '../result.js';
import { isDigest } from '../hash/sha256.js';

/**
 * The JSON pointer of the first place where a value departs from a shape ("" for the value itself), or null
 * where it fits.
 */
export type Shape = (value: Json) => string | null;

/** The pointer of the value itself. */
const HERE = '';

/** Where a value departs from a shape. */
export type ShapeFault = { readonly path: string };

/**
 * Reads a value by a shape: the value, typed, or the place of the first fault. The one cast from JSON to a
 * payload type.
 */
export function parseShape<T>(shape: Shape, value: Json): Result<ShapeFault, T> {
  const path = shape(value);
  return path === null ? ok(value as T) : err({ path });
}

/** Any value. */
export function free(): null {
  return null;
}

/** Any object, keys free. */
export function freeObject(value: Json): string | null {
  return isObject(value) ? null : HERE;
}

/** A 64-digit hash. */
export function digest(value: Json): string | null {
  return isDigest(value) ? null : HERE;
}

/** True or false. */
export function flag(value: Json): string | null {
  return typeof value === 'boolean' ? null : HERE;
}

/** An integer of at least `min` and at most `max`. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Shape {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? null : HERE;
}

/** A string that passes a test. */
export function text(isFit: (value: string) => boolean): Shape {
  return (value) => (typeof value === 'string' && isFit(value) ? null : HERE);
}

/** One of a closed set of strings. */
export function oneOf(allowed: readonly string[]): Shape {
  return text((value) => allowed.includes(value));
}

/** null, or what the shape says. */
export function nullable(shape: Shape): Shape {
  return (value) => (value === null ? null : shape(value));
}

/** An array whose items all have a shape. */
export function list(item: Shape, isFit: (value: readonly Json[]) => boolean = () => true): Shape {
  return (value) => {
    if (!isArray(value)) return HERE;
    for (let index = 0; index < value.length; index += 1) {
      const fault = item(value[index] ?? null);
      if (fault !== null) return `/${index}${fault}`;
    }
    return isFit(value) ? null : HERE;
  };
}

/** An object with keys that pass a test and values of one shape. */
export function table(isKey: (key: string) => boolean, item: Shape): Shape {
  return (value) => {
    if (!isObject(value)) return HERE;
    for (const key of Object.keys(value)) {
      if (!isKey(key)) return HERE;
      const fault = item(value[key] ?? null);
      if (fault !== null) return `/${key}${fault}`;
    }
    return null;
  };
}

/** An object with exactly these keys, each of its shape. */
export function closed(fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  return (value) => {
    if (!isObject(value) || Object.keys(value).length !== entries.length) return HERE;
    for (const [key, shape] of entries) {
      if (!Object.hasOwn(value, key)) return HERE;
      const fault = shape(value[key] ?? null);
      if (fault !== null) return `/${key}${fault}`;
    }
    return null;
  };
}
