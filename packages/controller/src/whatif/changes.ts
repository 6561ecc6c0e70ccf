/**
 * A policy under other numbers. Source: planner-controller B.3 item 3.
 *
 * @module
 */
import { define, err, field, isObject, ok, type Json, type Rejection, type Result } from '@assay/kernel';

/**
 * A number of the policy under another value; `name` is a path such as `ggs.epsilon`, or its last part where
 * that is the only one of its name.
 */
export type Change = { readonly name: string; readonly value: Json };

/**
 * A policy with changes; every name must say one field that is there. Errors: `unknown_setting` {name},
 * `ambiguous_setting` {name, paths}.
 */
export function withChanges(policy: Json, changes: readonly Change[]): Result<Rejection, Json> {
  let result = policy;
  for (const { name, value } of changes) {
    const paths = listPaths(result, name);
    const [path] = paths;
    if (path === undefined) return err({ code: 'unknown_setting', detail: { name } });
    if (paths.length > 1)
      return err({
        code: 'ambiguous_setting',
        detail: { name, paths: paths.map((parts) => parts.join('.')) },
      });
    result = withValue(result, path, value);
  }
  return ok(result);
}

/** Fields of a policy that a name may mean: the whole path, else any field whose last part it is. */
function listPaths(policy: Json, name: string): readonly (readonly string[])[] {
  const all = leaves(policy, []);
  const whole = all.filter((path) => path.join('.') === name);
  return whole.length > 0 ? whole : all.filter((path) => path.at(-1) === name);
}

function leaves(value: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (!isObject(value)) return [path];
  return Object.keys(value).flatMap((key) => leaves(field(value, key) ?? null, [...path, key]));
}

function withValue(value: Json, [key, ...rest]: readonly string[], given: Json): Json {
  if (key === undefined) return given;
  const copy: { [key: string]: Json } = isObject(value) ? { ...value } : {};
  define(copy, key, withValue(field(copy, key) ?? null, rest, given));
  return copy;
}
