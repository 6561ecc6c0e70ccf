/**
 * Coded values: a machine's state, declared once, has its type, its check, its JSON and the way back from it.
 */
import { PersistentMap } from '../collections/persistent-map.js';
import { compareText, type Json, type JsonObject } from '../json.js';
import { closed, list, text, tuple, type Shape } from '../ledger/shape.js';
import type { Rejection } from '../machine/types.js';
import { err, ok, type Result } from '../result.js';

/**
 * A value that is written as JSON: the shape of that JSON, and both ways. `from` is given only what fits the
 * shape. One undoes the other: `from(to(x))` equals `x`, `to(from(json))` equals `json`.
 */
export type Coded<T> = { readonly shape: Shape; to(value: T): Json; from(json: Json): T };

/** A part of a coded value. A shape stands for what is JSON as it is. */
export type Part<T> = Coded<T> | Shape<T>;

/** The type of what a part codes. */
export type ValueOf<P> = P extends Coded<infer T> | Shape<infer T> ? T : never;

/** A part as a coded value. */
export function plain<T>(part: Part<T>): Coded<T> {
  return typeof part === 'object' ? part : { shape: part, to: (own) => own as Json, from: (own) => own as T };
}

/** An object with exactly these fields, written in canonical order. What else a value holds is not written. */
export function record<P extends { readonly [field: string]: Part<unknown> }>(
  parts: P,
): Coded<{ readonly [field in keyof P]: ValueOf<P[field]> }> {
  const fields = Object.entries(parts)
    .map(([name, part]) => [name, plain(part)] as const)
    .sort(([a], [b]) => compareText(a, b));
  // Not by `define`, which is slower: fields are those of a declaration, never from evidence.
  const each = (way: 'to' | 'from') => (all: unknown) =>
    fields.reduce((out: { [field: string]: unknown }, [name, part]) => {
      out[name] = part[way]((all as JsonObject)[name] as Json);
      return out;
    }, {}) as JsonObject;
  const shape = closed(Object.fromEntries(fields.map(([name, part]) => [name, part.shape])));
  return { shape, to: each('to'), from: each('from') as never };
}

/** A persistent map, written as pairs in ascending order of their keys, none twice. */
export function mapOf<T>(item: Part<T>, key: Shape<string> = text()): Coded<PersistentMap<T>> {
  const { shape, to, from } = plain(item);
  return {
    shape: list(tuple(key, shape), (pairs) =>
      (pairs as Pairs).every(([name], at) => at === 0 || ((pairs as Pairs)[at - 1]?.[0] as string) < name),
    ),
    to: (map) =>
      item === shape ? (map.sorted() as Json) : map.sorted().map(([name, own]) => [name, to(own)]),
    from: (json) => PersistentMap.from((json as Pairs).map(([name, value]) => [name, from(value)])),
  };
}
type Pairs = readonly (readonly [string, Json])[];

/** Reads a coded value; `faultIn` looks at it as a whole. Error `bad_state` with {path}. */
export function decodeBy<T>(
  coded: Coded<T>,
  json: Json,
  faultIn: (value: T) => string | null = () => null,
): Result<Rejection, T> {
  const path = coded.shape(json);
  const value = path === null ? coded.from(json) : null;
  const fault = path ?? faultIn(value as T);
  return fault === null ? ok(value as T) : err({ code: 'bad_state', detail: { path: fault } });
}
