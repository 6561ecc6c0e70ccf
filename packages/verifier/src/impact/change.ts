/** What is changed in a recorded run: fields of its policy and input, and whose answers are taken out. */
import {
  define,
  err,
  field,
  isArray,
  isObject,
  ok,
  type Json,
  type JsonObject,
  type Result,
} from '@assay/kernel';
import { countEdits } from '@assay/kernel/shape';
import type { Viewable } from '@assay/kernel/view';

/** One field by its path, keys joined by dots, and its new value; undefined takes it out. */
export type Override = { readonly path: string; readonly value: Json | undefined };

/**
 * A change. `policy`: a file; its fields are laid over those recorded, objects key by key, or it takes their place
 * where the machine's view completes it; null if there is none. `input`: put in
 * the place of the recorded one; undefined leaves it. `without`: proposers, slots, sources or kinds of requests
 * whose answers are taken out.
 */
export type Change = {
  readonly overrides: readonly Override[];
  readonly policy: JsonObject | null;
  readonly input: Json | undefined;
  readonly without: readonly string[];
};

/** Nothing is changed. */
export const NO_CHANGE: Change = { overrides: [], policy: null, input: undefined, without: [] };

/** A path that names no field, or more than one. `near`: the fields it may mean. */
export type OverrideFault = {
  readonly code: 'unknown_setting' | 'ambiguous_setting';
  readonly path: string;
  readonly near: readonly string[];
};

/** A field that was changed, by its whole path; null if it was, or is, not there. */
export type Overridden = { readonly path: string; readonly was: Json; readonly would_be: Json };

/** Policy and input under a change, and what it changed in them. */
export type Given = {
  readonly policy: Json;
  readonly input: Json;
  readonly changed: readonly Overridden[];
};

type PolicyView = Pick<Viewable, 'completePolicy'>;

/**
 * Policy and input of a run under a change. `view`: of the machine. A recorded policy that only watched acts once a
 * setting changes it: else no change of its rules would ever show. Errors: {@link OverrideFault}.
 */
export function changedGiven(
  { policy, input }: Pick<Given, 'policy' | 'input'>,
  change: Change,
  { completePolicy: complete }: PolicyView = {},
): Result<OverrideFault, Given> {
  const unknown =
    isObject(policy) && complete === undefined
      ? Object.keys(change.policy ?? {}).find((key) => !Object.hasOwn(policy, key))
      : undefined;
  if (unknown !== undefined) {
    const path = `policy.${unknown}`;
    return err({ code: 'unknown_setting', path, near: nearest(path, fieldsIn({ policy }, [])) });
  }
  const files: JsonObject = {
    policy: change.policy === null ? policy : (complete?.(change.policy) ?? laidOver(policy, change.policy)),
    input: change.input === undefined ? input : change.input,
  };
  const recorded = overridden(files, change.overrides, 'input');
  if (recorded._tag === 'Left') return recorded;
  const isEnforced =
    complete !== undefined &&
    isObject(policy) &&
    change.policy === null &&
    recorded.right.changed.some(({ path }) => path.startsWith('policy.'));
  const acting = isEnforced ? { ...files, policy: complete(policy, true) } : files;
  const read = isEnforced ? overridden(acting, change.overrides, 'input') : recorded;
  if (read._tag === 'Left') return read;
  const { value, changed } = read.right;
  const own = new Set(changed.map(({ path }) => path));
  return ok({
    policy: field(value, 'policy') ?? null,
    input: field(value, 'input') ?? null,
    changed: [...differing({ policy, input }, acting).filter(({ path }) => !own.has(path)), ...changed],
  });
}

/** A value with overrides, and what they changed. */
type OverriddenValue = { readonly value: JsonObject; readonly changed: readonly Overridden[] };

type Keys = readonly string[];

const NEAR_MAX = 3;

/**
 * A value with overrides, in order. A path is whole, or the end of one field's path only. `growing`: the
 * first key below which an object (or null) may get a key that it does not have.
 */
export function overridden(
  value: JsonObject,
  overrides: readonly Override[],
  growing: string | null = null,
): Result<OverrideFault, OverriddenValue> {
  let now: OverriddenValue = { value, changed: [] };
  for (const override of overrides) {
    const keys = readKeys(now.value, override, growing);
    if (keys._tag === 'Left') return keys;
    const one = {
      path: keys.right.join('.'),
      was: valueAt(now.value, keys.right),
      would_be: override.value ?? null,
    };
    now = { value: applied(now.value, keys.right, override.value), changed: [...now.changed, one] };
  }
  return ok(now);
}

/** Fields that differ, those of objects one by one; a list is one value. Order: as recorded, then new ones. */
export function differing(was: Json, is: Json, above: Keys = []): readonly Overridden[] {
  if (!isObject(was) || !isObject(is))
    return isEqual(was, is) ? [] : [{ path: above.join('.'), was, would_be: is }];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key) =>
    differing(field(was, key) ?? null, field(is, key) ?? null, [...above, key]),
  );
}

/** Two values are the same JSON; keys in any order. */
export function isEqual(a: Json, b: Json): boolean {
  if (isArray(a) && isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index] ?? null));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(field(a, key) ?? null, field(b, key) ?? null))
  );
}

function laidOver(recorded: Json, fields: JsonObject): Json {
  const made: { [key: string]: Json } = {};
  if (isObject(recorded)) for (const [key, value] of Object.entries(recorded)) define(made, key, value);
  for (const [key, value] of Object.entries(fields))
    define(made, key, isObject(value) ? laidOver(field(made, key) ?? null, value) : value);
  return made;
}

function applied(value: JsonObject, [key = '', ...rest]: Keys, to: Json | undefined): JsonObject {
  const made: { [key: string]: Json } = {};
  for (const [name, inner] of Object.entries(value))
    if (name !== key || to !== undefined || rest.length > 0) define(made, name, inner);
  if (rest.length > 0) {
    const inner = field(value, key) ?? null;
    define(made, key, applied(isObject(inner) ? inner : {}, rest, to));
  } else if (to !== undefined) define(made, key, to);
  return made;
}
function readKeys(
  value: JsonObject,
  { path, value: to }: Override,
  growing: string | null,
): Result<OverrideFault, Keys> {
  const all = fieldsIn(value, []);
  const meant = all.filter((keys) => listEnds(keys).includes(path));
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
      listEnds(keys)
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

function listEnds(keys: Keys): readonly string[] {
  return keys.map((_, index) => keys.slice(index).join('.'));
}

function nearest(path: string, all: readonly Keys[]): readonly string[] {
  return all
    .filter(({ length }) => length > 1)
    .map((keys) => ({
      name: keys.join('.'),
      far: Math.min(...listEnds(keys).map((end) => countEdits(path, end))),
    }))
    .sort((a, b) => a.far - b.far)
    .slice(0, NEAR_MAX)
    .map(({ name }) => name);
}
