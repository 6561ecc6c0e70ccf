/** A policy of numbers and words as rows: each field once, with what is usual and its shape. */
import { field, isObject, type Json } from '@assay/kernel';
import { closed, type Shape, type TypeOf } from '@assay/kernel/shape';

/** The fields of a policy: for each what holds where nothing is said, and its shape. */
export type PolicyRows = { readonly [name: string]: readonly [usual: Json, shape: Shape] };
/** The policy that such rows describe. */
export type PolicyOf<R extends PolicyRows> = { readonly [name in keyof R]: TypeOf<R[name][1]> };

/** The policy in which nothing is said. */
export function usualPolicy<R extends PolicyRows>(rows: R): PolicyOf<R> {
  return Object.freeze(
    Object.fromEntries(Object.entries(rows).map(([name, [usual]]) => [name, usual])),
  ) as never;
}

/** Shape of such a policy, each field by itself. */
export function shapeRows<R extends PolicyRows>(rows: R): Shape<PolicyOf<R>> {
  const shapes = Object.fromEntries(Object.entries(rows).map(([name, [, shape]]) => [name, shape]));
  return closed(shapes) as Shape as Shape<PolicyOf<R>>;
}

/**
 * What keeps a value from being an object with exactly these fields: the first bad field in their order, a missing
 * one among them; `policy` where it is no object or holds an unknown key. Rules: `object`, `unknown_key`,
 * `integer_N_to_M`, `A_or_B`, `boolean`. Null where it is one.
 */
export function findBroken(
  rows: PolicyRows,
  value: Json,
): { readonly field: string; readonly rule: string } | null {
  if (!isObject(value)) return { field: 'policy', rule: 'object' };
  for (const [name, [, shape]] of Object.entries(rows))
    if (shape(field(value, name) ?? null) !== null) return { field: name, rule: nameRule(shape) };
  const isExact = Object.keys(value).length === Object.keys(rows).length;
  return isExact ? null : { field: 'policy', rule: 'unknown_key' };
}

/** What a field must be, by its shape: an integer, one of several words, or a flag. */
function nameRule({ form }: Shape): string {
  if (form?.is === 'integer') return `integer_${form.min}_to_${form.max}`;
  return form?.is === 'one_of' ? form.allowed.join('_or_') : 'boolean';
}
