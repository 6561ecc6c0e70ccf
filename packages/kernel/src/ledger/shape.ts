/**
 * Total parsers for closed JSON shapes, small enough for places where `eval` is forbidden.
 *
 * @module
 */
import { isArray, isObject, type Json } from '../json.js';
import { err, ok, type Result } from '../result.js';
import { isDigest } from '../hash/sha256.js';

/** The JSON pointer of the first place where a value departs from a shape, or null where it fits. */
export type Shape = (value: Json, path: string) => string | null;

/** Where a value departs from a shape. */
export type ShapeFault = { readonly path: string };

/** Reads a value by a shape: the value, typed, or the place of the first fault. The one cast from JSON to a payload type. */
export function parseShape<T>(shape: Shape, value: Json): Result<ShapeFault, T> {
  const path = shape(value, '');
  return path === null ? ok(value as T) : err({ path });
}

/** Any value. */
export function free(): null {
  return null;
}

/** Any object, keys free. */
export function freeObject(value: Json, path: string): string | null {
  return isObject(value) ? null : path;
}

/** A 64-digit hash. */
export function digest(value: Json, path: string): string | null {
  return isDigest(value) ? null : path;
}

/** True or false. */
export function flag(value: Json, path: string): string | null {
  return typeof value === 'boolean' ? null : path;
}

/** An integer of at least `min` and at most `max`. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Shape {
  return (value, path) => (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? null : path);
}

/** A string that passes a test. */
export function text(isFit: (value: string) => boolean): Shape {
  return (value, path) => (typeof value === 'string' && isFit(value) ? null : path);
}

/** One of a closed set of strings. */
export function oneOf(allowed: readonly string[]): Shape {
  return text((value) => allowed.includes(value));
}

/** null, or what the shape says. */
export function nullable(shape: Shape): Shape {
  return (value, path) => (value === null ? null : shape(value, path));
}

/** An array whose items all have a shape. */
export function list(item: Shape, isFit: (value: readonly Json[]) => boolean = () => true): Shape {
  return (value, path) => {
    if (!isArray(value)) return path;
    for (let index = 0; index < value.length; index += 1) {
      const fault = item(value[index] ?? null, `${path}/${index}`);
      if (fault !== null) return fault;
    }
    return isFit(value) ? null : path;
  };
}

/** An object with keys that pass a test and values of one shape. */
export function table(isKey: (key: string) => boolean, item: Shape): Shape {
  return (value, path) => {
    if (!isObject(value)) return path;
    for (const key of Object.keys(value)) {
      if (!isKey(key)) return path;
      const fault = item(value[key] ?? null, `${path}/${key}`);
      if (fault !== null) return fault;
    }
    return null;
  };
}

/** An object with exactly these keys, each of its shape. */
export function closed(fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  return (value, path) => {
    if (!isObject(value) || Object.keys(value).length !== entries.length) return path;
    for (const [key, shape] of entries) {
      if (!Object.hasOwn(value, key)) return path;
      const fault = shape(value[key] ?? null, `${path}/${key}`);
      if (fault !== null) return fault;
    }
    return null;
  };
}
