/**
 * Total parsers for closed JSON shapes, small enough for places where `eval` is forbidden. A shape judges and
 * says what it is built of, so that schemas are made from it and a field is written once.
 */
import { isDigest, type Digest } from '../hash/sha256.js';
import { isArray, isObject, type Json, type JsonObject } from '../json.js';
import { err, ok, type Result } from '../result.js';

/**
 * The JSON pointer of the first place where a value departs from a shape ("" for the value itself), or null
 * where it fits. `form`: what the shape is built of; a shape without one can only be asked. `of` is never
 * there: it carries the type of what fits.
 */
export type Shape<T = unknown> = {
  (value: Json): string | null;
  readonly form?: Form;
  readonly of?: T;
};

/** The type of what fits a shape. */
export type TypeOf<S> = S extends Shape<infer T> ? T : never;

/** Shapes by field. */
export type Fields = { readonly [field: string]: Shape };

/** What a test of text or of a list comes to in a schema. Lengths of text are in UTF-16 units. */
export type Bounds = {
  readonly pattern?: RegExp;
  /** The only texts that are good, where another rule sees to it. */
  readonly allowed?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly unique?: true;
};

/** What a shape is built of. `isFit` holds beyond `bounds`. */
export type Form =
  | { readonly is: 'free' | 'object' | 'flag' }
  | { readonly is: 'integer' | 'number'; readonly min: number; readonly max: number }
  | { readonly is: 'text'; readonly isFit: (value: string) => boolean; readonly bounds: Bounds }
  | { readonly is: 'one_of'; readonly allowed: readonly Scalar[] }
  | { readonly is: 'nullable' | 'pair'; readonly item: Shape }
  | { readonly is: 'tuple' | 'any_of'; readonly items: readonly Shape[] }
  | { readonly is: 'list'; readonly item: Shape; readonly isFit: IsFit; readonly bounds: Bounds }
  | { readonly is: 'table'; readonly key: Shape<string>; readonly item: Shape }
  | { readonly is: 'closed'; readonly fields: Fields }
  | { readonly is: 'open'; readonly fields: Fields; readonly optional: Fields; readonly rest: Shape | null }
  | { readonly is: 'refined'; readonly shape: Shape; readonly says?: JsonObject }
  | { readonly is: 'lazy'; readonly shape: () => Shape };

type Scalar = string | number | boolean | null;
type IsFit = (value: readonly Json[]) => boolean;

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

function formed<T>(form: Form, judge: (value: Json) => string | null): Shape<T> {
  return Object.assign(judge, { form });
}

/** Any value. */
export const free: Shape<Json> = formed({ is: 'free' }, () => null);

/** Any object, keys free. */
export const freeObject: Shape<JsonObject> = formed({ is: 'object' }, (value) =>
  isObject(value) ? null : HERE,
);

/** True or false. */
export const flag: Shape<boolean> = formed({ is: 'flag' }, (value) =>
  typeof value === 'boolean' ? null : HERE,
);

/** An integer of at least `min` and at most `max`. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Shape<number> {
  return formed({ is: 'integer', min, max }, (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? null : HERE,
  );
}

/** A number of at least `min` and at most `max`, any where they are left out. */
export function number(min: number = -Infinity, max: number = Infinity): Shape<number> {
  return formed({ is: 'number', min, max }, (value) =>
    typeof value === 'number' && value >= min && value <= max ? null : HERE,
  );
}

/** A string that passes a test, if there is one. `bounds`: what a schema can say of the test. */
export function text<T extends string = string>(
  isFit: (value: string) => boolean = () => true,
  bounds: Bounds = {},
): Shape<T> {
  return formed({ is: 'text', isFit, bounds }, (value) =>
    typeof value === 'string' && isFit(value) ? null : HERE,
  );
}

/** A string of `min` to `max` UTF-16 units. */
export function sized(min: number, max: number): Shape<string> {
  return text((value) => value.length >= min && value.length <= max, min > 0 ? { min, max } : { max });
}

/** A string that matches a pattern, which is anchored. */
export function matching(pattern: RegExp): Shape<string> {
  return text((value) => pattern.test(value), { pattern });
}

/** A 64-digit hash. */
export const digest: Shape<Digest> = text<Digest>(isDigest, { pattern: /^[0-9a-f]{64}$/ });

/** One of a closed set of scalars. */
export function oneOf<const A extends readonly Scalar[]>(allowed: A): Shape<A[number]> {
  return formed({ is: 'one_of', allowed }, (value) => (allowed.includes(value as Scalar) ? null : HERE));
}

/** What fits one of the shapes. The fault is the deepest of theirs. */
export function anyOf<const I extends readonly Shape[]>(...items: I): Shape<TypeOf<I[number]>> {
  return formed({ is: 'any_of', items }, (value) => {
    const faults = items.map((item) => item(value));
    return faults.reduce((a, b) => (a === null || b === null ? null : b.length > a.length ? b : a), HERE);
  });
}

/** null, or what the shape says. */
export function nullable<T>(item: Shape<T>): Shape<T | null> {
  return formed({ is: 'nullable', item }, (value) => (value === null ? null : item(value)));
}

/** An array whose items all have a shape. `bounds`: what a schema can say of the test. */
export function list<T>(item: Shape<T>, isFit: IsFit = () => true, bounds: Bounds = {}): Shape<readonly T[]> {
  return formed({ is: 'list', item, isFit, bounds }, (value) => {
    if (!isArray(value)) return HERE;
    for (let index = 0; index < value.length; index += 1) {
      const fault = item(value[index] ?? null);
      if (fault !== null) return `/${index}${fault}`;
    }
    return isFit(value) ? null : HERE;
  });
}

/** Two items of one shape, each looked at before their number. */
export function pairOf<T>(item: Shape<T>): Shape<readonly [T, T]> {
  return formed(
    { is: 'pair', item },
    list(item, ({ length }) => length === 2),
  );
}

/** An array of exactly these items, each of its shape. */
export function tuple<const I extends readonly Shape[]>(
  ...items: I
): Shape<{ readonly [at in keyof I]: TypeOf<I[at]> }> {
  return formed({ is: 'tuple', items }, (value) => {
    if (!isArray(value) || value.length !== items.length) return HERE;
    const faults = items.map((item, at) => item(value[at] ?? null));
    const at = faults.findIndex((fault) => fault !== null);
    return at < 0 ? null : `/${at}${faults[at]}`;
  });
}

/** An object with keys that pass a test and values of one shape. `bounds`: what a schema can say of the test. */
export function table<T>(
  isKey: (key: string) => boolean,
  item: Shape<T>,
  bounds: Bounds = {},
): Shape<{ readonly [key: string]: T }> {
  return formed({ is: 'table', key: text(isKey, bounds), item }, (value) => {
    if (!isObject(value)) return HERE;
    for (const key of Object.keys(value)) {
      if (!isKey(key)) return HERE;
      const fault = item(value[key] ?? null);
      if (fault !== null) return `/${key}${fault}`;
    }
    return null;
  });
}

/** An object with exactly these keys, each of its shape. */
export function closed<F extends Fields>(fields: F): Shape<{ readonly [key in keyof F]: TypeOf<F[key]> }> {
  const entries = Object.entries(fields);
  return formed({ is: 'closed', fields }, (value) => {
    if (!isObject(value) || Object.keys(value).length !== entries.length) return HERE;
    for (const [key, shape] of entries) {
      if (!Object.hasOwn(value, key)) return HERE;
      const fault = shape(value[key] ?? null);
      if (fault !== null) return `/${key}${fault}`;
    }
    return null;
  });
}

/** An object with these keys, with optional ones, and with others of the shape `rest`, or none where it is null. */
export function open<F extends Fields, O extends Fields>(
  fields: F,
  optional: O,
  rest: Shape | null = null,
): Shape<{ readonly [key in keyof F]: TypeOf<F[key]> } & { readonly [key in keyof O]?: TypeOf<O[key]> }> {
  const known = new Map(Object.entries({ ...fields, ...optional }));
  return formed({ is: 'open', fields, optional, rest }, (value) => {
    if (!isObject(value) || !Object.keys(fields).every((key) => Object.hasOwn(value, key))) return HERE;
    for (const [key, item] of Object.entries(value)) {
      const shape = known.get(key) ?? rest;
      const fault = shape === null ? HERE : shape(item);
      if (fault !== null) return shape === null ? HERE : `/${key}${fault}`;
    }
    return null;
  });
}

/** What has a shape and passes a test across its fields, which gives the pointer of the fault or null. */
export function refined<T>(shape: Shape<T>, faultIn: (value: T) => string | null): Shape<T> {
  return formed({ is: 'refined', shape }, (value) => shape(value) ?? faultIn(value as T));
}

/** A shape that judges as the first does, and of which a schema says the closer one, and `says` beside it. */
export function said<T>(shape: Shape<T>, closer: Shape, says: JsonObject = {}): Shape<T> {
  return formed({ is: 'refined', shape: closer, says }, (value) => shape(value));
}

/** A shape that is used within itself. */
export function lazy<T>(shape: () => Shape<T>): Shape<T> {
  return formed({ is: 'lazy', shape }, (value) => shape()(value));
}
