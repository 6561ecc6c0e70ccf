/**
 * Changes deep inside the payloads of records, which stay as they are: a forged copy shares what it does not
 * change.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import { Immer } from 'immer';

/** An instance of our own: nobody's `setAutoFreeze` on immer's global one reaches it. */
const immer = new Immer({ autoFreeze: true });

/** A key of an object or an index of a list. */
export type Step = string | number;
/** Another value for one place; `at` leads there from the root. */
export type Change = { readonly at: readonly Step[]; readonly to: Json };

/** A value being changed. */
type Open = { [step: Step]: Open | Json };

/**
 * A frozen copy of a value with changes made, in order. A change of the root replaces the value; every other
 * place must lie in an object or list that is there.
 */
export function withChanges(value: Json, ...changes: readonly Change[]): Json {
  return changes.reduce<Json>((before, { at, to }) => {
    const last = at.at(-1);
    if (last === undefined) return to;
    return immer.produce<Json, Open>(before, (draft) => {
      const holder = at.slice(0, -1).reduce<Open>((inner, step) => inner[step] as Open, draft);
      holder[last] = to;
    });
  }, value);
}
