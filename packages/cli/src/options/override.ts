/**
 * `--set PATH=VALUE` and `--unset PATH`: fields of a policy, a configuration or an input under other values.
 *
 * @module
 */
import { chain, map, right } from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { Immer } from 'immer';
import {
  canonicalize,
  err,
  field,
  isObject,
  ok,
  type Json,
  type JsonObject,
  type Result,
} from '@assay/kernel';
import { misuse, type Stop } from '../problems/problem.js';

/** One field by its path, keys joined by dots, and its new value; undefined takes it out. */
export type Override = { readonly path: string; readonly value: Json | undefined };

/** A path that names no field, or more than one. `near`: the fields it may mean. */
export type OverrideFault = {
  readonly code: 'unknown_setting' | 'ambiguous_setting';
  readonly path: string;
  readonly near: readonly string[];
};

type Keys = readonly string[];

const NEAR_MAX = 3;
const immer = new Immer({ autoFreeze: true });

/** Reads the options. VALUE is JSON, or a text where it is none. Raises `Stop`: `set`. */
export function readOverrides(sets: readonly string[], unsets: readonly string[]): readonly Override[] {
  const read = sets.map((given): Override => {
    const at = given.indexOf('=');
    if (at < 1)
      throw misuse(
        'bad_value',
        'a setting needs a path and a value',
        `--set ${given}`,
        `write it like --set ${at === -1 ? given : 'PATH'}=VALUE`,
      );
    const value = valueOf(given.slice(at + 1));
    const admitted = canonicalize(value);
    if (admitted._tag === 'Left')
      throw misuse(
        'bad_value',
        `no ledger can hold this value: ${admitted.left.code}`,
        `--set ${given.slice(0, at)}`,
        'give a JSON value of whole text, exact numbers and few levels',
      );
    return { path: given.slice(0, at), value };
  });
  const all = [...read, ...unsets.map((path): Override => ({ path, value: undefined }))];
  const again = all.find(({ path }, index) => all.findIndex((other) => other.path === path) !== index);
  if (again !== undefined)
    throw misuse('bad_value', 'this setting is given twice', again.path, 'give each setting once');
  return all;
}

/** A field that was changed, by its whole path; null where it was, or is, not there. */
export type Overridden = { readonly path: string; readonly was: Json; readonly would_be: Json };

/** A value with overrides, and what they changed. */
export type OverriddenValue = { readonly value: JsonObject; readonly changed: readonly Overridden[] };

/**
 * A value with overrides, in order. A path is whole, or the end of one field's path only. `growing`: the
 * first key below which an object (or null) may get a key that it does not have.
 */
export function overridden(
  value: JsonObject,
  overrides: readonly Override[],
  growing: string | null = null,
): Result<OverrideFault, OverriddenValue> {
  return overrides.reduce<Result<OverrideFault, OverriddenValue>>(
    (sofar, override) =>
      pipe(
        sofar,
        chain((now) =>
          pipe(
            keysOf(now.value, override, growing),
            map((keys) => ({
              value: applied(now.value, keys, override.value),
              changed: [
                ...now.changed,
                { path: keys.join('.'), was: valueAt(now.value, keys), would_be: override.value ?? null },
              ],
            })),
          ),
        ),
      ),
    right({ value, changed: [] }),
  );
}

/** What is told of a path that names no one field. */
export function overrideProblem({ code, path, near }: OverrideFault, remedy?: string): Stop {
  return misuse(
    'bad_value',
    code === 'unknown_setting' ? 'unknown setting' : 'this name matches several settings',
    path,
    remedy ?? `did you mean ${near.join(', ')}?`,
  );
}

type Draft = { [key: string]: Json | Draft };

function applied(value: JsonObject, keys: Keys, to: Json | undefined): JsonObject {
  return immer.produce(value, (draft) => {
    const last = keys.at(-1) ?? '';
    const at = keys.slice(0, -1).reduce<Draft>((inner, key) => {
      inner[key] ??= {};
      return inner[key] as Draft;
    }, draft as Draft);
    if (to === undefined) delete at[last];
    else at[last] = to;
  });
}

function keysOf(
  value: JsonObject,
  { path, value: to }: Override,
  growing: string | null,
): Result<OverrideFault, Keys> {
  const all = fieldsIn(value, []);
  const meant = all.filter((keys) => endsOf(keys).includes(path));
  const whole = meant.find((keys) => keys.join('.') === path) ?? (meant.length === 1 ? meant[0] : undefined);
  const found =
    whole ?? (meant.length === 0 && to !== undefined ? grown(value, all, path, growing) : undefined);
  if (found !== undefined) return ok(found);
  return err(
    meant.length > 1
      ? { code: 'ambiguous_setting', path, near: meant.map((keys) => keys.join('.')) }
      : { code: 'unknown_setting', path, near: nearest(path, all) },
  );
}

/** The keys of a field that is not there yet, below a field of `growing`. */
function grown(
  value: JsonObject,
  all: readonly Keys[],
  path: string,
  growing: string | null,
): Keys | undefined {
  return all
    .filter((keys) => keys[0] === growing && keys.length > 1 && isOpen(valueAt(value, keys)))
    .flatMap((keys) =>
      endsOf(keys)
        .filter((end) => path.startsWith(`${end}.`) && path !== `${end}.` && path !== `${end}.__proto__`)
        .map((end): Keys => [...keys, path.slice(end.length + 1)]),
    )
    .sort((a, b) => b.length - a.length)[0];
}

function isOpen(value: Json): boolean {
  return value === null || isObject(value);
}

function valueAt(value: JsonObject, keys: Keys): Json {
  return keys.reduce<Json>((inner, key) => (isObject(inner) ? (field(inner, key) ?? null) : null), value);
}

/** Every field of an object, also those of objects in it; a list is one value. */
function fieldsIn(value: JsonObject, above: Keys): readonly Keys[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const keys = [...above, key];
    return isObject(inner) ? [keys, ...fieldsIn(inner, keys)] : [keys];
  });
}

function endsOf(keys: Keys): readonly string[] {
  return keys.map((_, index) => keys.slice(index).join('.'));
}

function nearest(path: string, all: readonly Keys[]): readonly string[] {
  return all
    .filter(({ length }) => length > 1)
    .map((keys) => ({
      name: keys.join('.'),
      far: Math.min(...endsOf(keys).map((end) => distance(path, end))),
    }))
    .sort((a, b) => a.far - b.far)
    .slice(0, NEAR_MAX)
    .map(({ name }) => name);
}

/** Letters to change, add or take away: Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= b.length; at += 1)
      next[at] = Math.min(
        (row[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
