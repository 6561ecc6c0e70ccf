/**
 * Changes deep inside the payloads of records, which stay as they are: a forged copy shares what it does not
 * change.
 *
 * @module
 */
import { isArray, isObject, type Json } from '@assay/kernel';

/** A key of an object or an index of a list. */
export type Step = string | number;
/** Another value for one place; `at` leads there from the root. */
export type Change = { readonly at: readonly Step[]; readonly to: Json };

/**
 * A copy of a value with changes made, in order, frozen where it was changed. A change of the root replaces
 * the value; every other place must lie in an object or list that is there.
 */
export function withChanges(value: Json, ...changes: readonly Change[]): Json {
  return changes.reduce<Json>((before, { at, to }) => changed(before, at, to), value);
}

function changed(value: Json, [step, ...rest]: readonly Step[], to: Json): Json {
  if (step === undefined) return to;
  if (isArray(value))
    return Object.freeze(value.map((item, index) => (index === step ? changed(item, rest, to) : item)));
  if (!isObject(value)) throw new TypeError(`withChanges: nothing has a field ${step} here`);
  return Object.freeze({ ...value, [step]: changed(value[step] ?? null, rest, to) });
}
