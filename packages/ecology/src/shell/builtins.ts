/**
 * Minds share the process with the machine: what one changes of JavaScript itself is put back before anything is
 * decided, or the ledger would not be derived again.
 *
 * @module
 */
import { InvariantError } from '@assay/kernel';

const { defineProperty, deleteProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;

const iteratorOf = (each: Iterable<unknown>): object =>
  Object.getPrototypeOf(each[Symbol.iterator]()) as object;

/** What the machine works with. */
const WATCHED: readonly object[] = [
  ...[Object, Array, Number, String, BigInt, Symbol, Reflect, Math, JSON, Date],
  ...[Object, Function, Array, Number, String, BigInt, Boolean, Symbol, RegExp, Map, Set, WeakMap, Promise]
    .map(({ prototype }) => prototype as object)
    .concat([Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype) as object]),
  ...[TextEncoder.prototype, TextDecoder.prototype],
  ...[[], new Map(), new Set(), ''].map(iteratorOf),
];

type Kept = {
  readonly of: object;
  readonly keys: number;
  readonly values: readonly (readonly [PropertyKey, PropertyDescriptor])[];
};

/** Keeps JavaScript as it is now, and names of the global object with it. */
export class Builtins {
  private readonly kept: readonly Kept[] = [...WATCHED, globalThis].map((of) => {
    const keys = ownKeys(of);
    const values = keys.flatMap((key) => {
      const descriptor = getOwnPropertyDescriptor(of, key);
      return descriptor !== undefined && 'value' in descriptor ? [[key, descriptor] as const] : [];
    });
    return { of, keys: keys.length, values };
  });

  /** Puts back what was changed; names of it. Raises an `InvariantError` for what cannot be put back. */
  restore(): readonly string[] {
    const changed: string[] = [];
    for (const { of, keys, values } of this.kept) {
      for (const [key, descriptor] of values)
        if (!Object.is((of as { readonly [key: PropertyKey]: unknown })[key], descriptor.value))
          changed.push(put(defineProperty(of, key, descriptor), key));
      if (of === globalThis || ownKeys(of).length === keys) continue;
      const known = new Set(values.map(([key]) => key));
      for (const key of ownKeys(of))
        if (!known.has(key) && 'value' in (getOwnPropertyDescriptor(of, key) ?? {}))
          changed.push(put(deleteProperty(of, key), key));
    }
    return changed;
  }
}

function put(isBack: boolean, key: PropertyKey): string {
  if (isBack) return String(key);
  throw new InvariantError('ecology/minds', `a mind changed ${String(key)} of JavaScript for good`);
}
